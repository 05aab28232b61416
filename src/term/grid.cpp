#include "term/grid.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace pawl::term {

Grid::Grid(Size size) : size_(size) {
  cells_.resize(size_t{size.cols} * size.rows);
  lines_.resize(size.rows);
  for (uint32_t i = 0; i < lines_.size(); ++i) lines_[i].slot = i;
}

namespace {

// A wide character loses the half that remains when the other one is overwritten.
void blank_half(Cell& cell) {
  cell = Cell{0, 0, cell.bg & Cell::kColourMask};
}

}  // namespace

void Grid::cut(Cell* row, int at) {
  if (at > 0) blank_half(row[at - 1]);
  blank_half(row[at]);
}

Cell* Grid::touch(int r, int to, uint64_t now) {
  Line& l = line(r);
  l.changed = now;
  if (l.used < to) l.used = static_cast<uint16_t>(to);
  return cells(l);
}

void Grid::erase(int r, int from, int to, Cell blank, uint64_t now) {
  if (from >= to) return;
  Line& l = line(r);
  const bool plain = blank.blank();
  if (to == size_.cols) l.wrapped = false;
  if (plain && from >= l.used) return;
  Cell* row = open(r, from, plain ? std::min<int>(to, l.used) : to, now);
  if (plain && to >= l.used) {
    std::fill(row + from, row + l.used, Cell{});
    l.used = static_cast<uint16_t>(from);
  } else {
    std::fill(row + from, row + to, blank);
  }
}

void Grid::erase_row(int r, Cell blank, uint64_t now) {
  Line& l = line(r);
  Cell* row = cells(l);
  l.changed = now;
  l.wrapped = false;
  if (blank.blank()) {
    std::fill(row, row + l.used, Cell{});
    l.used = 0;
  } else {
    std::fill(row, row + size_.cols, blank);
    l.used = size_.cols;
  }
}

void Grid::insert_cells(int r, int at, int count, int end, Cell blank, uint64_t now) {
  count = std::min(count, end - at);
  if (count <= 0) return;
  Cell* row = open(r, at, end, now);
  if (row[end - count].right_half()) blank_half(row[end - count - 1]), blank_half(row[end - count]);
  std::move_backward(row + at, row + end - count, row + end);
  std::fill(row + at, row + at + count, blank);
}

void Grid::delete_cells(int r, int at, int count, int end, Cell blank, uint64_t now) {
  count = std::min(count, end - at);
  if (count <= 0) return;
  Cell* row = open(r, at, end, now);
  if (at + count < end && row[at + count].right_half()) blank_half(row[at + count]);
  std::move(row + at + count, row + end, row + at);
  std::fill(row + end - count, row + end, blank);
}

void Grid::mark_rows(int top, int bottom, uint64_t now) {
  for (int r = top; r <= bottom; ++r) line(r).changed = now;
}

// The row `top + count` becomes the first of [top, bottom], as std::rotate, but over the ring.
void Grid::rotate_rows(int top, int bottom, int count) {
  reverse_rows(top, top + count - 1);
  reverse_rows(top + count, bottom);
  reverse_rows(top, bottom);
}

void Grid::reverse_rows(int first, int last) {
  for (; first < last; ++first, --last) std::swap(line(first), line(last));
}

void Grid::scroll_up(int top, int bottom, int count, Cell blank, uint64_t now) {
  count = std::min(count, bottom - top + 1);
  if (count <= 0) return;
  if (top == 0 && bottom == rows() - 1) {
    for (int i = 0; i < count; ++i) erase_row(i, blank, now);
    head_ = index(count);
    all_changed_ = now;
    return;
  }
  rotate_rows(top, bottom, count);
  for (int r = bottom - count + 1; r <= bottom; ++r) erase_row(r, blank, now);
  mark_rows(top, bottom, now);
}

void Grid::scroll_down(int top, int bottom, int count, Cell blank, uint64_t now) {
  count = std::min(count, bottom - top + 1);
  if (count <= 0) return;
  if (top == 0 && bottom == rows() - 1) {
    head_ = index(rows() - count);
    for (int i = 0; i < count; ++i) erase_row(i, blank, now);
    all_changed_ = now;
    return;
  }
  rotate_rows(top, bottom, bottom - top + 1 - count);
  for (int r = top; r < top + count; ++r) erase_row(r, blank, now);
  mark_rows(top, bottom, now);
}

std::vector<Cell> Grid::copy_area(const Area& from) const {
  std::vector<Cell> out;
  if (from.empty()) return out;
  out.reserve(static_cast<size_t>(from.rows()) * static_cast<size_t>(from.cols()));
  for (int r = from.top; r <= from.bottom; ++r) {
    const Cell* cells = row(r);
    out.insert(out.end(), cells + from.left, cells + from.right + 1);
    Cell* copied = &out[out.size() - static_cast<size_t>(from.cols())];
    if (copied[0].right_half()) blank_half(copied[0]);
    if (out.back().wide()) blank_half(out.back());
  }
  return out;
}

void Grid::paste_area(const Area& to, const std::vector<Cell>& cells, uint64_t now) {
  const auto cols = static_cast<size_t>(to.cols());
  for (int r = to.top; r <= to.bottom && !to.empty(); ++r) {
    const auto from =
        cells.begin() + static_cast<std::ptrdiff_t>(cols * static_cast<size_t>(r - to.top));
    std::copy_n(from, cols, open(r, to.left, to.right + 1, now) + to.left);
    if (to.right + 1 == size_.cols) line(r).wrapped = false;
  }
}

void Grid::fill_area(const Area& area, Cell with, uint64_t now) {
  for (int r = area.top; r <= area.bottom && !area.empty(); ++r) {
    if (with.character() == 0) {
      erase(r, area.left, area.right + 1, with, now);
      continue;
    }
    Cell* cells = open(r, area.left, area.right + 1, now);
    std::fill(cells + area.left, cells + area.right + 1, with);
    if (area.right + 1 == size_.cols) line(r).wrapped = false;
  }
}

void Grid::shift_area(const Area& area, int rows, int cols, Cell blank, uint64_t now) {
  if (area.empty()) return;
  if (std::abs(rows) < area.rows() && std::abs(cols) < area.cols()) {
    const Area from{area.top + std::max(0, -rows), area.left + std::max(0, -cols),
                    area.bottom - std::max(0, rows), area.right - std::max(0, cols)};
    const std::vector<Cell> cells = copy_area(from);
    fill_area(area, blank, now);
    paste_area({from.top + rows, from.left + cols, from.bottom + rows, from.right + cols}, cells,
               now);
  } else {
    fill_area(area, blank, now);
  }
}

void Grid::resize(Size size, uint64_t now) {
  Grid next(size);
  for (int r = 0; r < std::min(rows(), next.rows()); ++r) {
    const int n = std::min(used(r), next.cols());
    Cell* to = next.cells(next.line(r));
    std::copy(row(r), row(r) + n, to);
    if (n > 0 && to[n - 1].wide()) blank_half(to[n - 1]);  // its right half was cut off
    next.line(r).used = static_cast<uint16_t>(n);
    next.line(r).wrapped = wrapped(r) && size.cols == size_.cols;
  }
  next.all_changed_ = now;
  *this = std::move(next);
}

}  // namespace pawl::term
