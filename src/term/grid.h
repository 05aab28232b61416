#pragma once
// The rows of one screen. A ring: scrolling the whole screen moves an index and clears one row.
// The interpreter calls it; it knows nothing of escape sequences. Every row remembers how many of
// its cells may be non-blank (clearing `y` lines touches one cell, not eighty) and when it last
// changed.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/units.h"
#include "term/cell.h"

namespace pawl::term {

class Grid {
 public:
  Grid() = default;  // empty: the alternate screen before its first use
  explicit Grid(Size size);

  bool empty() const { return lines_.empty(); }
  Size size() const { return size_; }
  int rows() const { return size_.rows; }
  int cols() const { return size_.cols; }

  const Cell* row(int r) const { return &cells_[line(r).slot * size_.cols]; }
  int used(int r) const { return line(r).used; }  // cells from here on are blank
  bool wrapped(int r) const {
    return line(r).wrapped;
  }  // the next row goes on with the same line of text
  uint64_t changed(int r) const { return std::max(line(r).changed, all_changed_); }

  void set_wrapped(int r, bool wrapped) { line(r).wrapped = wrapped; }
  // For writing the cells [from, to): halves of wide characters that the borders cut become blanks.
  Cell* open(int r, int from, int to, uint64_t now) {
    Line& l = line(r);
    Cell* row = cells(l);
    l.changed = now;
    if (from < l.used && row[from].right_half()) cut(row, from);
    if (to < l.used && row[to].right_half()) cut(row, to);
    if (l.used < to) l.used = static_cast<uint16_t>(to);
    return row;
  }
  // The row as it is, to change cells below `to` in place.
  Cell* touch(int r, int to, uint64_t now);
  void erase(int r, int from, int to, Cell blank, uint64_t now);
  void erase_row(int r, Cell blank, uint64_t now);
  void insert_cells(int r, int at, int count, int end, Cell blank, uint64_t now);
  void delete_cells(int r, int at, int count, int end, Cell blank, uint64_t now);
  // Rows [top, bottom] move by count; the rows that come free are blank.
  void scroll_up(int top, int bottom, int count, Cell blank, uint64_t now);
  void scroll_down(int top, int bottom, int count, Cell blank, uint64_t now);
  // No reflow: cells right of and rows below the new size are lost; the caller scrolls up first.
  void resize(Size size, uint64_t now);
  void mark_all(uint64_t now) { all_changed_ = now; }

  // Rectangles, for margins at the sides and for the sequences that name them. What they cut of a wide character is blank.
  struct Area {
    int top = 0, left = 0, bottom = -1, right = -1;  // inclusive
    int rows() const { return bottom - top + 1; }
    int cols() const { return right - left + 1; }
    bool empty() const { return rows() <= 0 || cols() <= 0; }
  };
  std::vector<Cell> copy_area(const Area& from) const;
  void paste_area(const Area& to, const std::vector<Cell>& cells,
                  uint64_t now);  // … of the same size
  void fill_area(const Area& area, Cell with, uint64_t now);
  // Its cells move by so many rows and columns (up and left: negative); what comes free is blank.
  void shift_area(const Area& area, int rows, int cols, Cell blank, uint64_t now);

 private:
  struct Line {
    uint32_t slot = 0;
    uint16_t used = 0;
    bool wrapped = false;
    uint64_t changed = 0;
  };
  const Line& line(int r) const { return lines_[index(r)]; }
  Line& line(int r) { return lines_[index(r)]; }
  size_t index(int r) const {
    size_t i = head_ + static_cast<size_t>(r);
    return i < lines_.size() ? i : i - lines_.size();
  }
  Cell* cells(const Line& l) { return &cells_[l.slot * size_.cols]; }
  static void cut(Cell* row,
                  int at);  // the wide character whose right half is at `at` becomes two blanks
  void rotate_rows(int top, int bottom, int count);
  void reverse_rows(int first, int last);
  void mark_rows(int top, int bottom, uint64_t now);

  Size size_{0, 0};
  std::vector<Cell> cells_;
  std::vector<Line> lines_;
  size_t head_ = 0;  // the line shown in row 0
  uint64_t all_changed_ = 0;
};

}  // namespace pawl::term
