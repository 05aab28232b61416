// Erasing. Protected cells stay: for ED, EL and ECH those of SPA, for DECSED, DECSEL and DECSERA those of DECSCA.
#include <algorithm>

#include "term/interpreter.h"

namespace pawl::term {

bool Interpreter::minds_protection(bool selective) const {
  return s_.protection_ == (selective ? Screen::Protection::dec : Screen::Protection::iso);
}

void Interpreter::erase_cells(int row, int from, int to, bool selective) {
  Grid& grid = s_.grid();
  if (!minds_protection(selective)) return grid.erase(row, from, to, blank(), now());
  while (from < to) {
    if (grid.row(row)[from].is_protected()) {
      ++from;
      continue;
    }
    int end = from + 1;
    while (end < to && !grid.row(row)[end].is_protected()) ++end;
    grid.erase(row, from, end, blank(), now());
    from = end;
  }
}

void Interpreter::erase_row(int row, bool selective) {
  if (minds_protection(selective)) return erase_cells(row, 0, s_.size_.cols, selective);
  s_.grid().erase_row(row, blank(), now());
}

// A pending wrap stands behind the last column: nothing right of it to erase, as in tmux and
// xterm.js.
void Interpreter::erase_display(int what, bool selective) {
  const int last = s_.size_.rows - 1, row = s_.at_.row;
  switch (what) {
    case 0:
      erase_line(0, selective);
      for (int r = row + 1; r <= last; ++r) erase_row(r, selective);
      break;
    case 1:
      for (int r = 0; r < row; ++r) erase_row(r, selective);
      erase_line(1, selective);
      break;
    case 2:
      for (int r = 0; r <= last; ++r) erase_row(r, selective);
      break;
    case 3:
      s_.scrollback_.clear();
      break;
    default:
      ++s_.ignored_.sequences;
  }
}

void Interpreter::erase_line(int what, bool selective) {
  const int row = s_.at_.row, col = s_.at_.col, cols = s_.size_.cols;
  switch (what) {
    case 0:
      if (const int from = s_.at_.pending_wrap ? col + 1 : col; from < cols)
        erase_cells(row, from, cols, selective);
      break;
    case 1:
      erase_cells(row, 0, col + 1, selective);
      break;
    case 2:
      erase_row(row, selective);
      break;
    default:
      ++s_.ignored_.sequences;
  }
}

void Interpreter::erase_characters(int count) {
  const int col = s_.at_.col;
  erase_cells(s_.at_.row, col, std::min(col + count, int{s_.size_.cols}), false);
  s_.at_.pending_wrap = false;
}

}  // namespace pawl::term
