#pragma once
// Standard input in messages: one a line. A line above the limit is read over to its end, and said to be too long once; the next one
// is read as if nothing had been.

#include <optional>
#include <string>
#include <string_view>

namespace pawl::mcp {

inline constexpr size_t kMaxMessage = 4u << 20;  // what a request to the daemon can carry, too

class Lines {
 public:
  struct Line {
    std::string text;
    bool too_long = false;  // its text is not here
  };

  explicit Lines(size_t limit = kMaxMessage) : limit_(limit) {}
  void feed(std::string_view bytes);
  std::optional<Line> next();  // nothing: no whole line yet

 private:
  size_t limit_;
  std::string buffer_;
  size_t searched_ = 0;    // no end of a line before this
  bool skipping_ = false;  // what comes belongs to a line that is too long
};

}  // namespace pawl::mcp
