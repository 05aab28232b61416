// Reports on settings (DECRQSS), tab stops, the window and what terminfo would say. Numbers and fixed texts only, as in answers.cpp.
// Titles (CSI 20 t, CSI 21 t) are never reported: they are a program's own words, and would come back as if the person had typed them.
#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "term/interpreter.h"
#include "term/paint.h"

namespace pawl::term {
namespace {

struct Capability {
  std::string_view name, value;  // in hexadecimal, as they are asked for and answered
};
constexpr Capability kCapabilities[] = {{"436F", "323536"},          // Co: 256
                                        {"636F6C6F7273", "323536"},  // colors
                                        {"524742", "382F382F38"}};   // RGB: 8/8/8
constexpr size_t kMaxCapabilities = 16;  // asked for at once; the rest is not answered

}  // namespace

// Moving, resizing and hiding the window is the person's business: such requests do nothing.
bool Interpreter::window_report(const Sequence& q) {
  const int rows = s_.size_.rows, cols = s_.size_.cols;
  const int width = s_.cell_.width, height = s_.cell_.height;
  switch (q.at(0, 0)) {
    case 11:
      answer("\x1b[1t");  // it is there to be seen
      return true;
    case 13:
      answer("\x1b[3;0;0t");
      return true;
    case 14:
      answer(fmt::format("\x1b[4;{};{}t", rows * height, cols * width));
      return true;
    case 15:
      answer(fmt::format("\x1b[5;{};{}t", rows * height, cols * width));
      return true;
    case 16:
      answer(fmt::format("\x1b[6;{};{}t", height, width));
      return true;
    case 18:
      answer(fmt::format("\x1b[8;{};{}t", rows, cols));
      return true;
    case 19:
      answer(fmt::format("\x1b[9;{};{}t", rows, cols));
      return true;
    default:
      return false;
  }
}

// DECTABSR.
void Interpreter::tab_stops_report() {
  std::string stops;
  for (size_t c = 0; c < s_.tabs_.size(); ++c)
    if (s_.tabs_[c]) stops += (stops.empty() ? "" : "/") + std::to_string(c + 1);
  answer("\x1bP2$u" + stops + "\x1b\\");
}

// What would set it again; empty when it is no setting that is kept.
std::string Interpreter::setting(std::string_view name) const {
  if (name == "m") {
    Style style = style_of(s_.at_.pen.fg, s_.at_.pen.bg);
    style.underline_colour = s_.at_.pen.extra.underline_colour;
    return sgr_of(style);
  }
  if (name == "r") return fmt::format("{};{}", s_.top_ + 1, s_.bottom_ + 1);
  if (name == "s" && s_.level_ >= 4) return fmt::format("{};{}", s_.left_ + 1, s_.right_ + 1);
  if (name == "t" || name == "*|") return std::to_string(s_.size_.rows);
  if (name == "$|") return std::to_string(s_.size_.cols);
  if (name == " q") return std::to_string(static_cast<int>(s_.cursor_style_));
  if (name == "\"q") return s_.at_.pen.bg & Cell::kProtected ? "1" : "0";
  if (name == "\"p") return fmt::format("6{};1", s_.level_);
  if (name == "*x") return s_.rectangles_ ? "2" : "0";
  if (name == "$}" || name == "$~") return "0";  // no status line
  return {};
}

void Interpreter::setting_report(std::string_view name) {
  const std::string value = setting(name);
  if (value.empty()) return answer("\x1bP0$r\x1b\\");
  answer(fmt::format("\x1bP1$r{}{}\x1b\\", value, name));
}

// XTGETTCAP: names and values are those of the table.
void Interpreter::capability_report(std::string_view names) {
  size_t left = kMaxCapabilities;
  for (const std::string& name : split(names, ';')) {
    if (left-- == 0) return;
    const auto it = std::find_if(std::begin(kCapabilities), std::end(kCapabilities),
                                 [&](const Capability& one) { return one.name == name; });
    if (it == std::end(kCapabilities)) return answer("\x1bP0+r\x1b\\");
    answer(fmt::format("\x1bP1+r{}={}\x1b\\", it->name, it->value));
  }
}

// All other strings (sixel, passthrough, …) are swallowed.
void Interpreter::device_control_string(const Sequence& head, std::string_view text) {
  if (head.final == 'q' && head.intermediates == "$") return setting_report(text);
  if (head.final == 'q' && head.intermediates == "+") return capability_report(text);
  ++s_.ignored_.strings;
}

}  // namespace pawl::term
