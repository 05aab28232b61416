// Rectangular areas of a VT400: copied, filled, erased, changed, summed. Every border is clamped to the screen, or to the margins in
// origin mode.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "term/interpreter.h"

namespace pawl::term {
namespace {

// The attributes that DECCARA and DECRARA know, with the sequences of SGR.
struct Attribute {
  int number;
  uint32_t fg, bg;
};
constexpr Attribute kAttributes[] = {{1, Cell::kBold, 0},
                                     {4, 0, uint32_t{1} << Cell::kUnderlineShift},
                                     {5, Cell::kBlink, 0},
                                     {7, Cell::kReverse, 0},
                                     {8, Cell::kHidden, 0}};

void set_attribute(Cell& cell, int number) {
  for (const Attribute& one : kAttributes) {
    const uint32_t all_bg = one.bg ? Cell::kUnderlineMask : 0;
    if (number == one.number) cell.fg |= one.fg, cell.bg = (cell.bg & ~all_bg) | one.bg;
    if (number == 0 || number == (one.number == 1 ? 22 : one.number + 20))
      cell.fg &= ~one.fg, cell.bg &= ~all_bg;
  }
}

void toggle_attribute(Cell& cell, int number) {
  for (const Attribute& one : kAttributes) {
    if (number != 0 && number != one.number) continue;
    cell.fg ^= one.fg;
    if (one.bg == 0) continue;
    const bool on = cell.bg & Cell::kUnderlineMask;
    cell.bg = (cell.bg & ~Cell::kUnderlineMask) | (on ? 0 : one.bg);
  }
}

}  // namespace

bool Interpreter::rectangle_sequence(const Sequence& q) {
  if (s_.level_ < 4) return false;
  if (q.intermediates == "*") {
    if (q.final == 'x') return s_.rectangles_ = q.at(0, 0) == 2, true;
    if (q.final == 'y') return checksum(q), true;
    return q.final == '|';  // DECSNLS: how many rows there are is the person's choice
  }
  switch (q.final) {
    case 'v':
      copy_rectangle(q);
      return true;
    case 'x':
      fill_rectangle(q);
      return true;
    case 'z':
      erase_rectangle(q, false);
      return true;
    case '{':
      erase_rectangle(q, true);
      return true;
    case 'r':
      change_attributes(q, false);
      return true;
    case 't':
      change_attributes(q, true);
      return true;
    case 'w':
      if (q.at(0, 0) != 2) return false;
      tab_stops_report();
      return true;
    case '}':
    case '~':
      return true;  // DECSASD, DECSSDT: there is no status line
    default:
      return false;
  }
}

// Top, left, bottom, right from `first` on. Empty when they are in a wrong order.
Grid::Area Interpreter::area_of(const Sequence& q, size_t first) const {
  const int rows = bottom() - top() + 1, cols = right() - left() + 1;
  const int to_row = std::min(q.at(first + 2, rows), rows),
            to_col = std::min(q.at(first + 3, cols), cols);
  return {top() + q.at(first, 1) - 1, left() + q.at(first + 1, 1) - 1, top() + to_row - 1,
          left() + to_col - 1};
}

void Interpreter::copy_rectangle(const Sequence& q) {
  Grid::Area from = area_of(q, 0);
  const int row = top() + q.at(5, 1) - 1, col = left() + q.at(6, 1) - 1;
  from.bottom = std::min(from.bottom, from.top + bottom() - row);
  from.right = std::min(from.right, from.left + right() - col);
  if (from.empty()) return;
  const std::vector<Cell> cells = s_.grid().copy_area(from);
  s_.grid().paste_area({row, col, row + from.rows() - 1, col + from.cols() - 1}, cells, now());
}

void Interpreter::fill_rectangle(const Sequence& q) {
  const auto c = static_cast<uint32_t>(q.at(0, 0));
  if (!(c >= 0x20 && c < 0x7f) && !(c >= 0xa0 && c <= 0xff)) return;
  s_.grid().fill_area(area_of(q, 1), {pen_text() | c, s_.at_.pen.fg, s_.at_.pen.bg}, now());
}

void Interpreter::erase_rectangle(const Sequence& q, bool selective) {
  const Grid::Area area = area_of(q, 0);
  if (!selective) return s_.grid().fill_area(area, blank(), now());
  for (int r = area.top; r <= area.bottom && !area.empty(); ++r)
    erase_cells(r, area.left, area.right + 1, true);
}

// A rectangle, or, as by DECSACE, the text between its corners. Cells that were never written have no attributes to change.
void Interpreter::change_attributes(const Sequence& q, bool toggle) {
  const Grid::Area area = area_of(q, 0);
  if (area.top > area.bottom || (s_.rectangles_ && area.empty())) return;
  for (int r = area.top; r <= area.bottom; ++r) {
    const int from = s_.rectangles_ || r == area.top ? area.left : left();
    const int to = (s_.rectangles_ || r == area.bottom ? area.right : right()) + 1;
    Cell* cells = s_.grid().touch(r, s_.grid().used(r), now());
    for (int c = from; c < std::min(to, s_.grid().used(r)); ++c) {
      if (cells[c].character() == 0) continue;
      for (size_t i = 4; i < std::max<size_t>(q.count, 5); ++i)
        toggle ? toggle_attribute(cells[c], q.at(i, 0)) : set_attribute(cells[c], q.at(i, 0));
      if (cells[c].wide()) cells[c + 1].fg = cells[c].fg, cells[c + 1].bg = cells[c].bg;
    }
  }
}

// DECRQCRA: the sum of the characters, negated, as on a VT400; a cell that was never written counts as a space.
void Interpreter::checksum(const Sequence& q) {
  const Grid::Area area = area_of(q, 2);
  uint32_t sum = 0;
  for (int r = area.top; r <= area.bottom && !area.empty(); ++r) {
    const Cell* cells = s_.grid().row(r);
    const int end = std::max(area.left, std::min(area.right + 1, s_.grid().used(r)));
    for (int c = area.left; c < end; ++c)
      if (!cells[c].right_half()) sum += s_.first_character(cells[c]);
    sum += static_cast<uint32_t>(area.right + 1 - end) * ' ';
  }
  answer(fmt::format("\x1bP{}!~{:04X}\x1b\\", q.at(0, 0), (0x10000 - (sum & 0xffff)) & 0xffff));
}

}  // namespace pawl::term
