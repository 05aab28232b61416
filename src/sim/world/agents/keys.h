#pragma once
// Bytes typed into a modelled program's terminal -> the keys it understands. Used by Program only. Knows bracketed pastes (also
// in several pieces), arrows, control keys and the terminal's answers; what it does not know it leaves out. Never looks at what
// the program is doing: whether a key means something there is the program's business.

#include <string>
#include <string_view>
#include <vector>

namespace pawl::sim {

struct Key {
  enum class Kind : uint8_t {
    text,   // typed: `text`, without control characters
    paste,  // between the marks of a paste: `text`, line ends as \n
    enter,
    newline,  // a line feed, or Enter with Alt
    escape,
    backspace,
    tab,
    up,
    down,
    left,
    right,
    control,  // with a letter: `text` is that letter
    reply,    // the terminal answered: `text` is what stands after ESC
  };
  Kind kind = Kind::text;
  std::string text = {};
  bool operator==(const Key&) const = default;
};

class KeyReader {
 public:
  std::vector<Key> read(std::string_view bytes);

 private:
  std::string kept_;  // of a paste or a sequence that is not complete
};

}  // namespace pawl::sim
