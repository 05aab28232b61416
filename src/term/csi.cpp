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
      s_.modes_.side_margins ? set_side_margins(q) : save_cursor();
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
  if (q.final == 'p' && q.intermediates == "$") return mode_query(q);
  if (q.prefix == 0) return quoted_sequence(q);
  if (!q.intermediates.empty()) return false;
  if (q.prefix == '?') return private_sequence(q);
  switch (q.final) {
    case 'c':
    case 'q':
      if (q.prefix == '<' || (q.final == 'q' && q.prefix != '>')) return false;
      device_attributes(q);
      return true;
    case 'm':
      return q.prefix == '>' && modify_keys(q);
    case 't':
    case 'T':
      return q.prefix == '>' && title_modes(q);
    case 'u':
      return kitty_keyboard(q);
    default:
      return false;
  }
}

// CSI ? …
bool Interpreter::private_sequence(const Sequence& q) {
  switch (q.final) {
    case 'h':
      set_modes(q, true);
      return true;
    case 'l':
      set_modes(q, false);
      return true;
    case 'J':
      erase_display(q.at(0, 0), true);
      return true;
    case 'K':
      erase_line(q.at(0, 0), true);
      return true;
    case 'W':
      if (q.at(0, 0) != 5) return false;
      s_.reset_tabs();
      return true;
    case 'm':
      return modify_keys(q);
    case 'n':
      return private_status_report(q);
    case 'r':
      restore_modes(q);
      return true;
    case 's':
      save_modes(q);
      return true;
    case 'u':
      return kitty_keyboard(q);
    default:
      return false;
  }
}

// Those with a character before the last one.
bool Interpreter::quoted_sequence(const Sequence& q) {
  const std::string_view mid = q.intermediates;
  if (mid == "$" || mid == "*") return rectangle_sequence(q);
  if (mid == "!" && q.final == 'p') return soft_reset(), true;
  if (mid == "\"" && q.final == 'p') return set_level(q), true;
  if (mid == "\"" && q.final == 'q') return protect(Screen::Protection::dec, q.at(0, 0) == 1), true;
  if (mid == "'" && q.final == '}') return shift_columns(q.at(0, 1)), true;
  if (mid == "'" && q.final == '~') return shift_columns(-q.at(0, 1)), true;
  if (mid == " " && q.final == 'q') {
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
      move_right(n);
      return true;
    case 'a':
      move_to(row, std::min(col + n, right()));
      return true;
    case 'D':
      move_left(n);
      return true;
    case 'E':
      move_down(n), carriage_return();
      return true;
    case 'F':
      move_up(n), carriage_return();
      return true;
    case 'G':
    case '`':
      move_to(row, std::min(left() + n - 1, right()));
      return true;
    case 'H':
    case 'f':
      go_to(n - 1, q.at(1, 1) - 1);
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
  const int n = q.at(0, 1), row = s_.at_.row;
  const bool inside = in_rows() && in_cols();
  switch (q.final) {
    case 'J':
      erase_display(q.at(0, 0), false);
      return true;
    case 'K':
      erase_line(q.at(0, 0), false);
      return true;
    case 'X':
      erase_characters(n);
      return true;
    case '@':
      shift_in_line(n);
      return true;
    case 'P':
      shift_in_line(-n);
      return true;
    case 'L':
      if (inside) scroll_down(row, n), move_to(row, s_.left_);
      return true;
    case 'M':
      if (inside) delete_lines(n), move_to(row, s_.left_);
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
}

void Interpreter::scroll_up(int top, int count) {
  if (!full_width()) return s_.grid().shift_area(scrolled(top), -count, 0, blank(), now());
  count = std::min(count, s_.bottom_ - top + 1);
  if (top == 0 && !s_.alternate_ && s_.scrollback_.max_lines() > 0)
    for (int r = 0; r < count; ++r) s_.push_line(r);
  s_.grid().scroll_up(top, s_.bottom_, count, blank(), now());
}

void Interpreter::scroll_down(int top, int count) {
  if (!full_width()) return s_.grid().shift_area(scrolled(top), count, 0, blank(), now());
  s_.grid().scroll_down(top, s_.bottom_, count, blank(), now());
}

// They are gone: not into the scrollback.
void Interpreter::delete_lines(int count) {
  const int top = s_.at_.row;
  if (!full_width()) return s_.grid().shift_area(scrolled(top), -count, 0, blank(), now());
  s_.grid().scroll_up(top, s_.bottom_, count, blank(), now());
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
  reset_margins();
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
  home();
}

}  // namespace pawl::term
