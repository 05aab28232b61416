#include "term/interpreter.h"

#include <algorithm>

#include "term/utf8.h"
#include "term/width.h"

namespace pawl::term {
namespace {

// DEC special graphics: what 0x5f..0x7e show.
constexpr char32_t kLineDrawing[] = {0xa0,   0x25c6, 0x2592, 0x2409, 0x240c, 0x240d, 0x240a, 0xb0,
                                     0xb1,   0x2424, 0x240b, 0x2518, 0x2510, 0x250c, 0x2514, 0x253c,
                                     0x23ba, 0x23bb, 0x2500, 0x23bc, 0x23bd, 0x251c, 0x2524, 0x2534,
                                     0x252c, 0x2502, 0x2264, 0x2265, 0x3c0,  0x2260, 0xa3,   0xb7};

}  // namespace

char32_t Interpreter::translate(char32_t c) {
  auto& sets = s_.at_.charsets;
  const char set = sets.g[sets.single ? sets.single : sets.active];
  sets.single = 0;
  if (set == '0' && c >= 0x5f && c <= 0x7e) return kLineDrawing[c - 0x5f];
  if (set == 'A' && c == '#') return 0xa3;
  return c;
}

void Interpreter::print_ascii(std::string_view run) {
  const auto& sets = s_.at_.charsets;
  size_t slow = 0;  // leading characters that need a look one by one
  if (sets.g[sets.active] != 'B')
    slow = run.size();
  else if (sets.single || s_.join_next_)
    slow = 1;
  for (size_t i = 0; i < slow; ++i) {
    const char32_t c = translate(static_cast<unsigned char>(run[i]));
    if (s_.join_next_)
      combine(c);
    else
      print_cell(c, 1);
  }
  run.remove_prefix(slow);
  if (!run.empty()) print_run(run);
}

void Interpreter::print_run(std::string_view run) {
  s_.last_printed_ = static_cast<unsigned char>(run.back());
  if (s_.modes_.insert) {
    for (char c : run) print_cell(static_cast<unsigned char>(c), 1);
    return;
  }
  Screen::Place& at = s_.at_;
  const uint32_t text = pen_text(), fg = at.pen.fg, bg = at.pen.bg;
  const int cols = s_.size_.cols;
  while (!run.empty()) {
    wrap_if_pending();
    if (!s_.modes_.autowrap && at.col == cols - 1) run = run.substr(run.size() - 1);
    const int n = std::min(static_cast<int>(run.size()), cols - at.col);
    Cell* row = s_.grid().open(at.row, at.col, at.col + n, now()) + at.col;
    for (int i = 0; i < n; ++i) row[i] = {text | static_cast<unsigned char>(run[i]), fg, bg};
    at.col = static_cast<uint16_t>(at.col + n);
    if (at.col == cols) {
      at.col = static_cast<uint16_t>(cols - 1);
      at.pending_wrap = s_.modes_.autowrap;
    }
    run.remove_prefix(n);
  }
}

void Interpreter::print(char32_t c) {
  if (c < 0xa0) return;  // C1 controls in UTF-8: no program of today means them
  if (s_.at_.charsets.single) s_.at_.charsets.single = 0;
  if (c == kZeroWidthJoiner) {
    s_.join_next_ = true;
    return;
  }
  const int width = char_width(c);
  if (width == 0 || s_.join_next_ || (is_tone(c) && takes_tone(s_.last_printed_)))
    return combine(c);
  print_cell(c, width);
}

void Interpreter::print_cell(char32_t c, int width) {
  Screen::Place& at = s_.at_;
  const int cols = s_.size_.cols;
  s_.last_printed_ = c;
  wrap_if_pending();
  if (at.col + width > cols) {
    if (!s_.modes_.autowrap || width > cols) return;
    s_.grid().erase(at.row, at.col, cols, blank(), now());
    wrap();
  }
  if (s_.modes_.insert) s_.grid().insert_cells(at.row, at.col, width, cols, blank(), now());
  Cell* cell = s_.grid().open(at.row, at.col, at.col + width, now()) + at.col;
  const uint32_t wide = width == 2 ? Cell::kWide : 0;
  cell[0] = {pen_text() | static_cast<uint32_t>(c) | wide, at.pen.fg, at.pen.bg};
  if (wide) cell[1] = {pen_text() | Cell::kRight, at.pen.fg, at.pen.bg};
  at.col = static_cast<uint16_t>(at.col + width);
  if (at.col == cols) {
    at.col = static_cast<uint16_t>(cols - 1);
    at.pending_wrap = s_.modes_.autowrap;
  }
}

// Onto the character before the cursor, as tmux does; lost in column 0.
void Interpreter::combine(char32_t c) {
  Screen::Place& at = s_.at_;
  std::string text;
  if (s_.join_next_) append_utf8(text, kZeroWidthJoiner);
  s_.join_next_ = false;
  append_utf8(text, c);
  int col = at.pending_wrap ? at.col : at.col - 1;
  if (col < 0) return;
  Cell* row = s_.grid().touch(at.row, col + 1, now());
  if (row[col].right_half() && col > 0) --col;
  join(row[col], text);
}

bool Interpreter::join(Cell& cell, std::string_view text) {
  std::string whole = s_.text_of(cell);
  if (whole.empty()) whole = " ";
  whole += text;
  if (whole.size() > kClusterBytes) return false;
  uint32_t number = s_.extras_.cluster(whole);
  if (number == 0 && s_.extras_.may_sweep()) {
    s_.sweep_extras();
    number = s_.extras_.cluster(whole);
  }
  if (number == 0) {
    s_.extras_.count_refusal();
    return false;
  }
  cell.text = (cell.text & ~Cell::kTextMask) | number;
  return true;
}

void Interpreter::wrap_if_pending() {
  if (s_.at_.pending_wrap) wrap();
}

void Interpreter::wrap() {
  s_.grid().set_wrapped(s_.at_.row, true);
  s_.at_.pending_wrap = false;
  s_.at_.col = 0;
  line_feed();
}

void Interpreter::execute(uint8_t control) {
  s_.last_printed_ = 0;
  switch (control) {
    case 0x07:
      ++s_.bells_;
      break;
    case 0x08:
      move_to(s_.at_.row, s_.at_.col - 1);
      break;
    case 0x09:
      next_tab(1);
      break;
    case 0x0a:
    case 0x0b:
    case 0x0c:
      line_feed();
      if (s_.modes_.newline) move_to(s_.at_.row, 0);
      break;
    case 0x0d:
      move_to(s_.at_.row, 0);
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
  if (!intermediates.empty()) {
    ++s_.ignored_.sequences;
    return;
  }
  switch (final) {
    case '7':
      save_cursor();
      break;
    case '8':
      restore_cursor();
      break;
    case 'D':
      line_feed();
      break;
    case 'E':
      move_to(s_.at_.row, 0), line_feed();
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
  if (s_.at_.row == s_.bottom_)
    scroll_up(s_.top_, 1);
  else if (s_.at_.row < s_.size_.rows - 1)
    ++s_.at_.row;
}

void Interpreter::reverse_line_feed() {
  s_.at_.pending_wrap = false;
  if (s_.at_.row == s_.top_)
    scroll_down(s_.top_, 1);
  else if (s_.at_.row > 0)
    --s_.at_.row;
}

void Interpreter::next_tab(int count) {
  int col = s_.at_.col;
  if (col == s_.size_.cols - 1) return;  // a pending wrap stays
  for (; count > 0 && col < s_.size_.cols - 1; --count) {
    do ++col;
    while (col < s_.size_.cols - 1 && !s_.tabs_[col]);
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
  const bool pending = s_.at_.pending_wrap && s_.at_.col == s_.size_.cols - 1;
  move_to(s_.at_.row, s_.at_.col);
  s_.at_.pending_wrap = pending;
}

// Rows from the top go: blank rows below the cursor do not count as content.
void Interpreter::resize(Size wanted) {
  const Size size = bounded(wanted);
  if (size == s_.size_) return;
  const int rows = s_.size_.rows;
  const int excess = std::max(0, s_.at_.row - (size.rows - 1));
  for (Grid* grid : {&s_.main_grid_, &s_.alternate_grid_}) {
    if (grid->empty()) continue;
    const bool in_use = grid == &s_.grid();
    const int up =
        in_use ? excess : std::max(0, s_.saved_[grid == &s_.alternate_grid_].row - (size.rows - 1));
    for (int r = 0; r < up && grid == &s_.main_grid_; ++r) s_.push_line(r);
    if (up > 0) grid->scroll_up(0, rows - 1, up, Cell{}, now());
    grid->resize(size, now());
  }
  s_.size_ = size;
  s_.top_ = 0;
  s_.bottom_ = static_cast<uint16_t>(size.rows - 1);
  const size_t old_tabs = s_.tabs_.size();
  s_.tabs_.resize(size.cols);
  for (size_t c = std::max<size_t>(8, (old_tabs + 7) / 8 * 8); c < s_.tabs_.size(); c += 8)
    s_.tabs_[c] = true;
  move_to(s_.at_.row - excess, s_.at_.col);
  for (Screen::Place& place : s_.saved_) {
    place.row = std::min<uint16_t>(place.row, static_cast<uint16_t>(size.rows - 1));
    place.col = std::min<uint16_t>(place.col, static_cast<uint16_t>(size.cols - 1));
    place.pending_wrap = false;
  }
}

}  // namespace pawl::term
