#include "term/interpreter.h"

#include <algorithm>

namespace pawl::term {
void Interpreter::execute(uint8_t control) {
  s_.last_printed_ = 0;
  switch (control) {
    case 0x07:
      ++s_.bells_;
      break;
    case 0x08:
      move_left(1);
      break;
    case 0x09:
      next_tab(1);
      break;
    case 0x0a:
    case 0x0b:
    case 0x0c:
      line_feed();
      if (s_.modes_.newline) carriage_return();
      break;
    case 0x0d:
      carriage_return();
      break;
    case 0x0e:
      s_.at_.charsets.active = 1;
      break;
    case 0x0f:
      s_.at_.charsets.active = 0;
      break;
    default:
      break;
  }
}

void Interpreter::escape(std::string_view intermediates, char final) {
  s_.last_printed_ = 0;
  if (intermediates.size() == 1 &&
      std::string_view("()*+").find(intermediates[0]) != std::string_view::npos)
    return designate(intermediates[0], final);
  if (intermediates == "#" && final == '8') return alignment_test();
  if (intermediates == " " && (final == 'F' || final == 'G')) return;  // answers have 7 bits
  if (!intermediates.empty()) {
    ++s_.ignored_.sequences;
    return;
  }
  switch (final) {
    case '6':
      back_index();
      break;
    case '7':
      save_cursor();
      break;
    case '8':
      restore_cursor();
      break;
    case '9':
      forward_index();
      break;
    case 'D':
      line_feed();
      break;
    case 'E':
      line_feed(), carriage_return();
      break;
    case 'H':
      s_.tabs_[s_.at_.col] = true;
      break;
    case 'M':
      reverse_line_feed();
      break;
    case 'N':
      s_.at_.charsets.single = 2;
      break;
    case 'O':
      s_.at_.charsets.single = 3;
      break;
    case 'V':
    case 'W':
      protect(Screen::Protection::iso, final == 'V');
      break;
    case 'Z':
      device_attributes({});
      break;
    case 'n':
      s_.at_.charsets.active = 2;
      break;
    case 'o':
      s_.at_.charsets.active = 3;
      break;
    case '=':
      s_.modes_.app_keypad = true;
      break;
    case '>':
      s_.modes_.app_keypad = false;
      break;
    case 'c':
      full_reset();
      break;
    case '\\':
      break;  // the end of a string
    default:
      ++s_.ignored_.sequences;
  }
}

void Interpreter::designate(char slot, char set) {
  const size_t number = std::string_view("()*+").find(slot);
  s_.at_.charsets.g[number] = set == '0' || set == 'A' ? set : 'B';
}

void Interpreter::move_to(int row, int col) {
  s_.at_.row = static_cast<uint16_t>(std::clamp(row, 0, s_.size_.rows - 1));
  s_.at_.col = static_cast<uint16_t>(std::clamp(col, 0, s_.size_.cols - 1));
  s_.at_.pending_wrap = false;
}

// The margins stop a cursor that is inside them.
void Interpreter::move_up(int count) {
  const int stop = s_.at_.row >= s_.top_ ? s_.top_ : 0;
  move_to(std::max(s_.at_.row - count, stop), s_.at_.col);
}

void Interpreter::move_down(int count) {
  const int stop = s_.at_.row <= s_.bottom_ ? s_.bottom_ : s_.size_.rows - 1;
  move_to(std::min(s_.at_.row + count, stop), s_.at_.col);
}

void Interpreter::line_feed() {
  s_.at_.pending_wrap = false;
  if (s_.at_.row == s_.bottom_) {
    if (in_cols()) scroll_up(s_.top_, 1);
  } else if (s_.at_.row < s_.size_.rows - 1) {
    ++s_.at_.row;
  }
}

void Interpreter::reverse_line_feed() {
  s_.at_.pending_wrap = false;
  if (s_.at_.row == s_.top_) {
    if (in_cols()) scroll_down(s_.top_, 1);
  } else if (s_.at_.row > 0) {
    --s_.at_.row;
  }
}

void Interpreter::next_tab(int count) {
  if (s_.at_.pending_wrap && s_.modes_.tab_wraps) wrap();
  int col = s_.at_.col;
  const int last = last_col(col);
  if (col == last) return;  // a pending wrap stays
  for (; count > 0 && col < last; --count) {
    do ++col;
    while (col < last && !s_.tabs_[col]);
  }
  move_to(s_.at_.row, col);
}

void Interpreter::previous_tab(int count) {
  int col = s_.at_.col;
  for (; count > 0 && col > 0; --count) {
    do --col;
    while (col > 0 && !s_.tabs_[col]);
  }
  move_to(s_.at_.row, col);
}

void Interpreter::save_cursor() {
  s_.at_.origin = s_.modes_.origin;
  s_.saved_[s_.alternate_] = s_.at_;
}

void Interpreter::restore_cursor() {
  s_.at_ = s_.saved_[s_.alternate_];
  s_.modes_.origin = s_.at_.origin;
  s_.at_.origin = false;
  set_extra(s_.at_.pen.extra);
  const bool pending = s_.at_.pending_wrap && s_.at_.col == last_col(s_.at_.col);
  move_to(s_.at_.row, s_.at_.col);
  s_.at_.pending_wrap = pending;
}

}  // namespace pawl::term
