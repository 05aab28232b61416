// Everything the terminal sends back to the program. Fixed texts and numbers only: nothing a
// program wrote is ever echoed to it, so no output of a program can become its own input.
#include <fmt/core.h>

#include <charconv>

#include "base/text.h"
#include "term/interpreter.h"
#include "term/terminal.h"

namespace pawl::term {
namespace {

constexpr uint32_t kForeground = 0xd0d0d0, kBackground = 0x1e1e2e;  // what a program is told: dark
constexpr uint32_t kBasic[16] = {0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd,
                                 0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00,
                                 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff};

uint32_t cube_level(uint32_t i) {
  return i == 0 ? 0 : 55 + 40 * i;
}

// The usual 256 colours: 16 basic ones, a 6x6x6 cube, 24 greys.
uint32_t palette(uint32_t i) {
  if (i < 16) return kBasic[i];
  if (i >= 232) return (8 + 10 * (i - 232)) * 0x010101;
  i -= 16;
  return cube_level(i / 36) << 16 | cube_level(i / 6 % 6) << 8 | cube_level(i % 6);
}

}  // namespace

void Interpreter::answer(std::string_view bytes) {
  if (answers_ && answers_->size() + bytes.size() <= kMaxAnswerBytes) *answers_ += bytes;
}

void Interpreter::answer_colour(std::string_view head, uint32_t rgb, bool bell) {
  const uint32_t r = rgb >> 16, g = rgb >> 8 & 0xff, b = rgb & 0xff;
  answer(fmt::format("\x1b]{};rgb:{:02x}{:02x}/{:02x}{:02x}/{:02x}{:02x}{}", head, r, r, g, g, b, b,
                     bell ? "\a" : "\x1b\\"));
}

// DA1 (VT220 with colour), DA2, DA3, XTVERSION.
void Interpreter::device_attributes(const Sequence& q) {
  if (q.final == 'q') return answer("\x1bP>|pawl\x1b\\");
  if (q.at(0, 0) != 0) return;
  if (q.prefix == 0) answer("\x1b[?62;22c");
  if (q.prefix == '>') answer("\x1b[>1;10;0c");
  if (q.prefix == '=') answer("\x1bP!|00000000\x1b\\");
}

bool Interpreter::status_report(const Sequence& q) {
  const char* mark = q.prefix == '?' ? "?" : "";
  switch (q.at(0, 0)) {
    case 5:
      answer("\x1b[0n");
      return true;
    case 6:
      answer(fmt::format("\x1b[{}{};{}R", mark, s_.at_.row - top() + 1, s_.at_.col + 1));
      return true;
    case 996:
      if (q.prefix == '?') answer("\x1b[?997;1n");  // dark
      return q.prefix == '?';
    default:
      return false;
  }
}

bool Interpreter::mode_query(const Sequence& q) {
  const int mode = q.at(0, 0);
  if (q.prefix == '?') {
    answer(fmt::format("\x1b[?{};{}$y", mode, mode_report(mode)));
    return true;
  }
  const int state = mode == 4    ? (s_.modes_.insert ? 1 : 2)
                    : mode == 20 ? (s_.modes_.newline ? 1 : 2)
                                 : 0;
  answer(fmt::format("\x1b[{};{}$y", mode, state));
  return true;
}

bool Interpreter::window_report(const Sequence& q) {
  if (q.at(0, 0) != 18) return false;
  answer(fmt::format("\x1b[8;{};{}t", s_.size_.rows, s_.size_.cols));
  return true;
}

// 10, 11 and 12 (text, background, cursor); several at once count upwards. Setting is ignored.
bool Interpreter::colour_query(int command, std::string_view text, bool bell) {
  for (const std::string& field : split(text, ';')) {
    if (command > 12) break;
    if (field == "?") {
      ++s_.palette_queries_;
      answer_colour(std::to_string(command), command == 11 ? kBackground : kForeground, bell);
    }
    ++command;
  }
  return true;
}

// 4 ; number ; ? in any number of pairs.
bool Interpreter::palette_query(std::string_view text, bool bell) {
  const std::vector<std::string> fields = split(text, ';');
  for (size_t i = 0; i + 1 < fields.size(); i += 2) {
    unsigned index = 0;
    const std::string& f = fields[i];
    const auto end = std::from_chars(f.data(), f.data() + f.size(), index);
    if (end.ec != std::errc{} || index > 255) return false;
    if (fields[i + 1] != "?") continue;
    ++s_.palette_queries_;
    answer_colour(fmt::format("4;{}", index), palette(index), bell);
  }
  return true;
}

// DECRQSS and XTGETTCAP get "no"; all other strings (sixel, passthrough, …) are swallowed.
void Interpreter::device_control_string(const Sequence& head, std::string_view) {
  if (head.final == 'q' && head.intermediates == "$") return answer("\x1bP0$r\x1b\\");
  if (head.final == 'q' && head.intermediates == "+") return answer("\x1bP0+r\x1b\\");
  ++s_.ignored_.strings;
}

}  // namespace pawl::term
