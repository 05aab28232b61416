// Margins at the sides (DECLRMM), and how the cursor moves between them and back over the border of a row.
#include <algorithm>

#include "term/interpreter.h"

namespace pawl::term {

// Without a mode that allows it, or at a wrong order, nothing happens.
void Interpreter::set_side_margins(const Sequence& q) {
  const int left = q.at(0, 1), right = std::min<int>(q.at(1, s_.size_.cols), s_.size_.cols);
  if (left >= right) return;
  s_.left_ = static_cast<uint16_t>(left - 1);
  s_.right_ = static_cast<uint16_t>(right - 1);
  home();
}

void Interpreter::reset_margins() {
  s_.top_ = s_.left_ = 0;
  s_.bottom_ = static_cast<uint16_t>(s_.size_.rows - 1);
  s_.right_ = static_cast<uint16_t>(s_.size_.cols - 1);
}

void Interpreter::go_to(int row, int col) {
  move_to(std::min(top() + row, bottom()), std::min(left() + col, right()));
}

// Who stands left of the margin goes to the border of the screen.
void Interpreter::carriage_return() {
  const bool to_margin = s_.modes_.origin || s_.at_.col >= s_.left_;
  move_to(s_.at_.row, to_margin ? s_.left_ : 0);
}

void Interpreter::move_right(int count) {
  move_to(s_.at_.row, std::min(s_.at_.col + count, last_col(s_.at_.col)));
}

// With reverse wrap a pending wrap counts as a step, and the border of a row can be crossed.
void Interpreter::move_left(int count) {
  const bool backwards =
      s_.modes_.autowrap && (s_.modes_.reverse_wrap || s_.modes_.reverse_wrap_always);
  if (backwards && s_.at_.pending_wrap) --count;
  s_.at_.pending_wrap = false;
  while (count > 0) {
    const int stop = s_.at_.col >= s_.left_ ? s_.left_ : 0;
    const int steps = std::min(count, s_.at_.col - stop);
    move_to(s_.at_.row, s_.at_.col - steps);
    count -= steps;
    if (count == 0 || !backwards || !wrap_backwards()) return;
    --count;
  }
}

// From the first row it goes to the last one, and only where the program wants it always.
bool Interpreter::wrap_backwards() {
  const int row = s_.at_.row;
  const bool first = row == (in_rows() ? s_.top_ : 0);
  if (!s_.modes_.reverse_wrap_always && (first || !s_.grid().wrapped(row - 1))) return false;
  const int last = in_rows() ? s_.bottom_ : s_.size_.rows - 1;
  move_to(first ? last : row - 1, s_.right_);
  return true;
}

void Interpreter::forward_index() {
  s_.at_.pending_wrap = false;
  if (s_.at_.col != s_.right_) return move_to(s_.at_.row, s_.at_.col + 1);
  if (in_rows()) s_.grid().shift_area(scrolled(s_.top_), 0, -1, blank(), now());
}

void Interpreter::back_index() {
  s_.at_.pending_wrap = false;
  if (s_.at_.col != s_.left_) return move_to(s_.at_.row, s_.at_.col - 1);
  if (in_rows()) s_.grid().shift_area(scrolled(s_.top_), 0, 1, blank(), now());
}

// Outside the margins nothing moves.
void Interpreter::shift_in_line(int count) {
  s_.at_.pending_wrap = false;
  if (!in_cols()) return;
  const int row = s_.at_.row, col = s_.at_.col, end = s_.right_ + 1;
  if (count > 0)
    s_.grid().insert_cells(row, col, count, end, blank(), now());
  else
    s_.grid().delete_cells(row, col, -count, end, blank(), now());
}

void Interpreter::shift_columns(int count) {
  if (!in_cols() || !in_rows()) return;
  s_.at_.pending_wrap = false;
  const Grid::Area area{s_.top_, s_.at_.col, s_.bottom_, s_.right_};
  s_.grid().shift_area(area, 0, count, blank(), now());
}

void Interpreter::protect(Screen::Protection who, bool on) {
  if (on) s_.protection_ = who;
  uint32_t& bg = s_.at_.pen.bg;
  bg = on ? bg | Cell::kProtected : bg & ~Cell::kProtected;
}

// DECSCL: what a VT100 … VT400 did not have yet is off.
void Interpreter::set_level(const Sequence& q) {
  const int level = q.at(0, 0) - 60;
  if (level < 1 || level > 5) return;
  soft_reset();
  s_.level_ = static_cast<uint8_t>(std::min(level, 4));
}

}  // namespace pawl::term
