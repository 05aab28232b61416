#include "term/strip.h"

#include <algorithm>

namespace pawl::term {
namespace {

class TextSink final : public ParserSink {
 public:
  void print_ascii(std::string_view run) override { text += run; }
  void print(char32_t c) override {
    if (c >= 0xa0) append_utf8(text, c);
  }
  void execute(uint8_t control) override {
    if (control == '\n' || control == '\t') text.push_back(static_cast<char>(control));
  }
  void escape(std::string_view, char) override {}
  void control_sequence(const Sequence&) override {}
  void operating_system_command(std::string_view, bool) override {}
  void device_control_string(const Sequence&, std::string_view) override {}
  void too_long() override {}

  std::string text;
};

}  // namespace

std::string Stripper::feed(std::string_view bytes) {
  TextSink sink;
  while (!bytes.empty()) {
    const size_t end = std::min(bytes.find('\n'), bytes.size());
    parser_.feed(bytes.substr(0, end), sink);
    if (end < bytes.size() && parser_.in_string()) parser_.feed("\x18", sink);  // CAN: broken off
    if (end < bytes.size()) parser_.feed("\n", sink);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return std::move(sink.text);
}

}  // namespace pawl::term
