// Control sequences: which one does what, and the editing they ask for.
#include <algorithm>

#include "term/interpreter.h"

namespace pawl::term {

void Interpreter::control_sequence(const Sequence& q) {
  const bool plain = q.prefix == 0 && q.intermediates.empty();
  const bool known = plain ? plain_sequence(q) : marked_sequence(q);
  if (!known) ++s_.ignored_.sequences;
  s_.last_printed_ =
      0;  // REP repeats only what was printed just before it, as in tmux and xterm.js
}

bool Interpreter::plain_sequence(const Sequence& q) {
  if (q.final == 'm') return select_graphics(q), true;
  if (move_sequence(q) || edit_sequence(q)) return true;
  switch (q.final) {
    case 'c':
      device_attributes(q);
      return true;
    case 'g':
      clear_tabs(q.at(0, 0));
      return true;
    case 'h':
      set_modes(q, true);
      return true;
    case 'l':
      set_modes(q, false);
      return true;
    case 'n':
      return status_report(q);
    case 'r':
      set_margins(q);
      return true;
    case 's':
      save_cursor();
      return true;
    case 'u':
      restore_cursor();
      return true;
    case 't':
      return title_stack(q) || window_report(q);
    default:
      return false;
  }
}

bool Interpreter::marked_sequence(const Sequence& q) {
  const std::string_view mid = q.intermediates;
  if (q.final == 'h' && q.prefix == '?' && mid.empty()) return set_modes(q, true), true;
  if (q.final == 'l' && q.prefix == '?' && mid.empty()) return set_modes(q, false), true;
  if (q.final == 'J' && q.prefix == '?' && mid.empty()) return erase_display(q.at(0, 0)), true;
  if (q.final == 'K' && q.prefix == '?' && mid.empty()) return erase_line(q.at(0, 0)), true;
  if (q.final == 'n' && q.prefix == '?' && mid.empty()) return status_report(q);
  if (q.final == 'c' && q.prefix == '>' && mid.empty()) return device_attributes(q), true;
  if (q.final == 'c' && q.prefix == '=' && mid.empty()) return device_attributes(q), true;
  if (q.final == 'q' && q.prefix == '>' && mid.empty()) return device_attributes(q), true;
  if (q.final == 'u' && q.prefix != 0 && mid.empty()) return kitty_keyboard(q);
  if (q.final == 'm' && (q.prefix == '>' || q.prefix == '?') && mid.empty()) return modify_keys(q);
  if (q.final == 'p' && mid == "!") return soft_reset(), true;
  if (q.final == 'p' && mid == "$") return mode_query(q);
  if (q.final == 'q' && mid == " ") {
    if (q.at(0, 0) <= 6) s_.cursor_style_ = static_cast<CursorStyle>(q.at(0, 0));
    return true;
  }
  return false;
}

bool Interpreter::move_sequence(const Sequence& q) {
  const int n = q.at(0, 1), row = s_.at_.row, col = s_.at_.col;
  switch (q.final) {
    case 'A':
      move_up(n);
      return true;
    case 'B':
    case 'e':
      move_down(n);
      return true;
    case 'C':
    case 'a':
      move_to(row, col + n);
      return true;
    case 'D':
      move_to(row, col - n);
      return true;
    case 'E':
      move_down(n), move_to(s_.at_.row, 0);
      return true;
    case 'F':
      move_up(n), move_to(s_.at_.row, 0);
      return true;
    case 'G':
    case '`':
      move_to(row, n - 1);
      return true;
    case 'H':
    case 'f':
      move_to(std::min(top() + n - 1, bottom()), q.at(1, 1) - 1);
      return true;
    case 'd':
      move_to(std::min(top() + n - 1, bottom()), col);
      return true;
    case 'I':
      next_tab(n);
      return true;
    case 'Z':
      previous_tab(n);
      return true;
    default:
      return false;
  }
}

bool Interpreter::edit_sequence(const Sequence& q) {
  const int n = q.at(0, 1), row = s_.at_.row, col = s_.at_.col, cols = s_.size_.cols;
  const bool inside = row >= s_.top_ && row <= s_.bottom_;
  switch (q.final) {
    case 'J':
      erase_display(q.at(0, 0));
      return true;
    case 'K':
      erase_line(q.at(0, 0));
      return true;
    case 'X':
      s_.grid().erase(row, col, std::min(col + n, cols), blank(), now());
      break;
    case '@':
      s_.grid().insert_cells(row, col, n, cols, blank(), now());
      break;
    case 'P':
      s_.grid().delete_cells(row, col, n, cols, blank(), now());
      break;
    case 'L':
      if (inside) scroll_down(row, n), move_to(row, 0);
      return true;
    case 'M':
      if (inside) s_.grid().scroll_up(row, s_.bottom_, n, blank(), now()), move_to(row, 0);
      return true;
    case 'S':
      scroll_up(s_.top_, n);
      return true;
    case 'T':
      if (q.count <= 1)
        scroll_down(s_.top_, n);  // more numbers: mouse highlighting, which nobody uses
      return q.count <= 1;
    case 'b':
      repeat(n);
      return true;
    default:
      return false;
  }
  s_.at_.pending_wrap = false;
  return true;
}

void Interpreter::scroll_up(int top, int count) {
  count = std::min(count, s_.bottom_ - top + 1);
  if (top == 0 && !s_.alternate_ && s_.scrollback_.max_lines() > 0)
    for (int r = 0; r < count; ++r) s_.push_line(r);
  s_.grid().scroll_up(top, s_.bottom_, count, blank(), now());
}

void Interpreter::scroll_down(int top, int count) {
  s_.grid().scroll_down(top, s_.bottom_, count, blank(), now());
}

// A pending wrap stands behind the last column: nothing right of it to erase, as in tmux and
// xterm.js.
void Interpreter::erase_display(int what) {
  const int last = s_.size_.rows - 1, row = s_.at_.row;
  switch (what) {
    case 0:
      erase_line(0);
      for (int r = row + 1; r <= last; ++r) s_.grid().erase_row(r, blank(), now());
      break;
    case 1:
      for (int r = 0; r < row; ++r) s_.grid().erase_row(r, blank(), now());
      erase_line(1);
      break;
    case 2:
      for (int r = 0; r <= last; ++r) s_.grid().erase_row(r, blank(), now());
      break;
    case 3:
      s_.scrollback_.clear();
      break;
    default:
      ++s_.ignored_.sequences;
  }
}

void Interpreter::erase_line(int what) {
  const int row = s_.at_.row, col = s_.at_.col, cols = s_.size_.cols;
  switch (what) {
    case 0:
      s_.grid().erase(row, s_.at_.pending_wrap ? cols : col, cols, blank(), now());
      break;
    case 1:
      s_.grid().erase(row, 0, col + 1, blank(), now());
      break;
    case 2:
      s_.grid().erase_row(row, blank(), now());
      break;
    default:
      ++s_.ignored_.sequences;
  }
}

// Bounded by the screen: repeating more than fills it shows nothing new.
void Interpreter::repeat(int count) {
  const char32_t c = s_.last_printed_;
  if (c == 0) return;
  count = std::min(count, s_.size_.cols * s_.size_.rows);
  if (c < 0x80) return print_ascii(std::string(static_cast<size_t>(count), static_cast<char>(c)));
  for (int i = 0; i < count; ++i) print(c);
}

void Interpreter::alignment_test() {
  s_.top_ = 0;
  s_.bottom_ = static_cast<uint16_t>(s_.size_.rows - 1);
  for (int r = 0; r < s_.size_.rows; ++r) {
    Cell* row = s_.grid().open(r, 0, s_.size_.cols, now());
    std::fill(row, row + s_.size_.cols, Cell{'E', 0, 0});
    s_.grid().set_wrapped(r, false);
  }
  move_to(0, 0);
}

void Interpreter::clear_tabs(int what) {
  if (what == 0) s_.tabs_[s_.at_.col] = false;
  if (what == 3) s_.tabs_.assign(s_.tabs_.size(), false);
}

void Interpreter::set_margins(const Sequence& q) {
  const int top = q.at(0, 1), bottom = std::min<int>(q.at(1, s_.size_.rows), s_.size_.rows);
  if (top >= bottom) return;
  s_.top_ = static_cast<uint16_t>(top - 1);
  s_.bottom_ = static_cast<uint16_t>(bottom - 1);
  move_to(Interpreter::top(), 0);
}

}  // namespace pawl::term
