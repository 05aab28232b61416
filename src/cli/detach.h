#pragma once
// Looks for Ctrl-\ in what a person types at an attached terminal: plain, and as kitty's and xterm's extended keyboards send it. In a
// bracketed paste it is text. Pure: bytes and times in, bytes out.

#include <string>
#include <string_view>

#include "base/clock.h"

namespace pawl::cli {

// A paste that stops for so long without its end is over: Ctrl-\ has to work.
inline constexpr Duration kPasteRests = std::chrono::seconds{2};

class DetachWatch {
 public:
  struct Seen {
    std::string keys;  // for the agent
    bool detach = false;
  };
  // A sequence that is cut in two is held back.
  Seen typed(std::string_view bytes, MonoTime now);

 private:
  void pass(size_t count, std::string& keys);
  bool paste(std::string& keys);

  std::string held_;
  std::string tail_;  // of what was passed on: it could begin a paste
  bool pasting_ = false;
  MonoTime last_{};
};

}  // namespace pawl::cli
