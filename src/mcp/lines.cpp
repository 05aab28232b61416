#include "mcp/lines.h"

namespace pawl::mcp {

void Lines::feed(std::string_view bytes) {
  buffer_ += bytes;
}

std::optional<Lines::Line> Lines::next() {
  const size_t end = buffer_.find('\n', searched_);
  if (end == std::string::npos) {
    searched_ = buffer_.size();
    if (skipping_ || buffer_.size() > limit_) {
      skipping_ = true;
      buffer_.clear();
      searched_ = 0;
    }
    return std::nullopt;
  }
  Line line;
  line.too_long = skipping_ || end > limit_;
  if (!line.too_long) line.text = buffer_.substr(0, end);
  buffer_.erase(0, end + 1);
  searched_ = 0;
  skipping_ = false;
  return line;
}

}  // namespace pawl::mcp
