#pragma once
// What a person's terminal sends → keys. Pure: bytes in, keys out; a sequence may be cut anywhere. What it does not know is left out,
// never taken for letters. Pastes come as text with Kind::paste, in pieces, and never press a key.

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace pawl::ui {

// An Escape that nothing followed for so long is the key.
inline constexpr Duration kEscapeWait = std::chrono::milliseconds{40};
inline constexpr size_t kMaxSequence = 64;  // longer ones are none

struct Key {
  enum class Kind {
    text,     // one character, in `text`
    control,  // C-a is "a"
    paste,    // a piece of a pasted text
    enter,
    escape,
    tab,
    back_tab,
    backspace,
    erase,  // Delete
    up,
    down,
    left,
    right,
    page_up,
    page_down,
    home,
    end,
    click,  // the left button, at row and col from 0
    wheel_up,
    wheel_down
  };
  Kind kind = Kind::text;
  std::string text = {};
  int row = 0, col = 0;
  bool operator==(const Key&) const = default;
};

class KeyReader {
 public:
  std::vector<Key> read(std::string_view bytes);
  // The beginning of a sequence, or the Escape key: flush() after kEscapeWait says that it was the key.
  bool holding() const { return !held_.empty() && !pasting_; }
  std::vector<Key> flush();

 private:
  bool step(std::vector<Key>& keys);
  bool escape(std::vector<Key>& keys);
  bool control_sequence(std::vector<Key>& keys);
  bool paste(std::vector<Key>& keys);

  std::string held_;
  bool pasting_ = false;
};

}  // namespace pawl::ui
