// What the terminal says of itself: what it is, its modes, where the cursor is. Fixed texts and numbers only: nothing a program wrote
// is ever echoed to it, so no output of a program can become its own input. More of it in reports.cpp.
#include <fmt/core.h>

#include "term/interpreter.h"
#include "term/terminal.h"

namespace pawl::term {

void Interpreter::answer(std::string_view bytes) {
  if (answers_ && answers_->size() + bytes.size() <= kMaxAnswerBytes) *answers_ += bytes;
}

void Interpreter::answer_colour(std::string_view head, uint32_t rgb, bool bell) {
  const uint32_t r = rgb >> 16, g = rgb >> 8 & 0xff, b = rgb & 0xff;
  answer(fmt::format("\x1b]{};rgb:{:02x}{:02x}/{:02x}{:02x}/{:02x}{:02x}{}", head, r, r, g, g, b, b,
                     bell ? "\a" : "\x1b\\"));
}

// DA1 (VT420 with selective erasing, side margins, colour and rectangles), DA2, DA3, XTVERSION.
void Interpreter::device_attributes(const Sequence& q) {
  if (q.final == 'q') return answer("\x1bP>|pawl\x1b\\");
  if (q.at(0, 0) != 0) return;
  if (q.prefix == 0) answer("\x1b[?64;6;21;22;28c");
  if (q.prefix == '>') answer("\x1b[>41;10;0c");
  if (q.prefix == '=') answer("\x1bP!|00000000\x1b\\");
}

bool Interpreter::status_report(const Sequence& q) {
  switch (q.at(0, 0)) {
    case 5:
      answer("\x1b[0n");
      return true;
    case 6:
      answer(fmt::format("\x1b[{};{}R", seen_row(), seen_col()));
      return true;
    default:
      return false;
  }
}

// What a VT420 has beside its screen: here, nothing of it.
bool Interpreter::private_status_report(const Sequence& q) {
  switch (q.at(0, 0)) {
    case 5:
      answer("\x1b[0n");
      return true;
    case 6:
      answer(fmt::format("\x1b[?{};{};1R", seen_row(), seen_col()));
      return true;
    case 15:
      answer("\x1b[?13n");  // no printer
      return true;
    case 25:
      answer("\x1b[?21n");  // keys of one's own cannot be defined
      return true;
    case 26:
      answer("\x1b[?27;0;0;0n");  // a keyboard of unknown language
      return true;
    case 53:
    case 55:
      answer("\x1b[?50n");  // no locator
      return true;
    case 56:
      answer("\x1b[?57;0n");
      return true;
    case 62:
      answer("\x1b[0*{");  // no room for macros
      return true;
    case 63:
      answer(fmt::format("\x1bP{}!~0000\x1b\\", q.at(1, 0)));
      return true;
    case 75:
      answer("\x1b[?70n");  // no errors on the line
      return true;
    case 85:
      answer("\x1b[?83n");  // one session
      return true;
    case 996:
      answer(s_.colours_.dark() ? "\x1b[?997;1n" : "\x1b[?997;2n");
      return true;
    default:
      return false;
  }
}

// A VT200 has no such question.
bool Interpreter::mode_query(const Sequence& q) {
  if (s_.level_ < 3) return false;
  const int mode = q.at(0, 0);
  if (q.prefix == '?')
    answer(fmt::format("\x1b[?{};{}$y", mode, mode_report(mode)));
  else
    answer(fmt::format("\x1b[{};{}$y", mode, ansi_mode_report(mode)));
  return true;
}

}  // namespace pawl::term
