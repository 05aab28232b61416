// Printing: characters into cells, and what joins the one before it.
#include <algorithm>

#include "term/interpreter.h"
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
  else if (sets.single)
    slow = 1;
  for (size_t i = 0; i < slow; ++i) print_cell(translate(static_cast<unsigned char>(run[i])), 1);
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
  while (!run.empty()) {
    wrap_if_pending();
    const int end = last_col(at.col) + 1;
    if (!s_.modes_.autowrap && at.col == end - 1) run = run.substr(run.size() - 1);
    const int n = std::min(static_cast<int>(run.size()), end - at.col);
    Cell* row = s_.grid().open(at.row, at.col, at.col + n, now()) + at.col;
    for (int i = 0; i < n; ++i) row[i] = {text | static_cast<unsigned char>(run[i]), fg, bg};
    at.col = static_cast<uint16_t>(at.col + n);
    if (at.col == end) {
      at.col = static_cast<uint16_t>(end - 1);
      at.pending_wrap = s_.modes_.autowrap;
    }
    run.remove_prefix(n);
  }
}

void Interpreter::print(char32_t c) {
  if (c < 0xa0) return;  // C1 controls in UTF-8: no program of today means them
  if (s_.at_.charsets.single) s_.at_.charsets.single = 0;
  const Letter it = letter(c);
  const bool alone = it.kind() == LetterClass::other && it.width() > 0;
  if (!alone && combine(c)) return;
  if (it.width() == 0) return;
  print_cell(c, it.width());
}

void Interpreter::print_cell(char32_t c, int width) {
  Screen::Place& at = s_.at_;
  s_.last_printed_ = c;
  wrap_if_pending();
  int end = last_col(at.col) + 1;
  if (at.col + width > end) {
    if (!s_.modes_.autowrap || width > s_.size_.cols) return;
    s_.grid().erase(at.row, at.col, end, blank(), now());
    wrap();
    end = last_col(at.col) + 1;
  }
  if (s_.modes_.insert) s_.grid().insert_cells(at.row, at.col, width, end, blank(), now());
  Cell* cell = s_.grid().open(at.row, at.col, at.col + width, now()) + at.col;
  const uint32_t wide = width == 2 ? Cell::kWide : 0;
  cell[0] = {pen_text() | static_cast<uint32_t>(c) | wide, at.pen.fg, at.pen.bg};
  if (wide) cell[1] = {pen_text() | Cell::kRight, at.pen.fg, at.pen.bg};
  advance(width);
}

void Interpreter::advance(int width) {
  Screen::Place& at = s_.at_;
  const int last = last_col(at.col);
  at.col = static_cast<uint16_t>(at.col + width);
  if (at.col <= last) return;
  at.col = static_cast<uint16_t>(last);
  at.pending_wrap = s_.modes_.autowrap;
}

namespace {

// Most emoji and letters stand for themselves, which can be seen without their neighbour's text.
bool could_join(LetterClass kind, const Cell& before, Counting counting) {
  if (kind == LetterClass::picture) return before.is_cluster();
  if (kind == LetterClass::consonant) return before.is_cluster() && counting == Counting::clusters;
  if (kind == LetterClass::spacing) return counting != Counting::characters;
  return kind != LetterClass::regional || !before.is_cluster();
}

}  // namespace

// Onto the character before the cursor, as tmux does; lost in column 0. What has columns of its own joins only what was printed
// right before it. False: it does not belong there.
bool Interpreter::combine(char32_t c) {
  const Letter it = letter(c);
  Screen::Place& at = s_.at_;
  int col = at.pending_wrap ? at.col : at.col - 1;
  if (col < 0 || (s_.last_printed_ == 0 && it.width() > 0)) return false;
  const Cell* row = s_.grid().row(at.row);
  if (row[col].right_half() && col > 0) --col;
  if (!could_join(it.kind(), row[col], counting())) return false;
  const std::string before = s_.text_of(row[col]);
  const int columns = row[col].wide() ? 2 : 1;
  const auto together = joined_width(before, columns, c, counting());
  if (!together) return false;
  const bool wider = *together > columns;
  // A sign that is not widened here stays a sign, so that it is one on every person's terminal.
  if (c == kAsPicture && !wider && joined_width(before, columns, c, Counting::clusters) > columns)
    return true;
  if (wider && !room_to_widen(col)) return true;  // lost: half of it would be no better
  if (join(s_.grid().touch(at.row, col + 1, now())[col], before, c) && wider) widen(col);
  return true;
}

bool Interpreter::room_to_widen(int col) const {
  const Screen::Place& at = s_.at_;
  if (s_.last_printed_ == 0 || s_.size_.cols < 2) return false;
  return at.pending_wrap ? s_.modes_.autowrap : at.col == col + 1;
}

// The character before the cursor has two columns, as it turns out. At the end of a row it goes to the next one, as if it had been
// so from the beginning.
void Interpreter::widen(int col) {
  Screen::Place& at = s_.at_;
  Grid& grid = s_.grid();
  const Cell cell = grid.row(at.row)[col];
  int fresh = 1;  // columns that it did not have yet
  if (at.pending_wrap) {
    grid.erase(at.row, col, col + 1, blank(), now());
    wrap();
    col = at.col;
    fresh = 2;
  }
  if (s_.modes_.insert)
    grid.insert_cells(at.row, col + 2 - fresh, fresh, last_col(col) + 1, blank(), now());
  Cell* to = grid.open(at.row, col, col + 2, now()) + col;
  to[0] = cell;
  to[0].text = (cell.text & ~Cell::kWidthMask) | Cell::kWide;
  to[1] = {(cell.text & ~(Cell::kTextMask | Cell::kWidthMask)) | Cell::kRight, cell.fg, cell.bg};
  at.col = static_cast<uint16_t>(col);
  advance(2);
}

bool Interpreter::join(Cell& cell, const std::string& before, char32_t c) {
  std::string whole = before.empty() ? " " : before;
  append_utf8(whole, c);
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
  if (full_width()) s_.grid().set_wrapped(s_.at_.row, true);
  line_feed();
  s_.at_.col = s_.left_;
}

}  // namespace pawl::term
