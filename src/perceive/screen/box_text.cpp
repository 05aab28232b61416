// The text in a box, as exactly as a screen shows it.

#include "base/text.h"
#include "perceive/screen/sight.h"

namespace pawl::perceive {
namespace {

constexpr int kBlanksMost = 8;  // more is a cursor parked at the edge, not blanks somebody typed

// The columns of a row that are not its frame's: only a row that begins with a side ends with one.
struct Inside {
  int begin = 0, end = 0;
};

Inside inside(const term::Screen& screen, const Box& box, int row) {
  Inside out{row == box.first ? box.column : 0, screen.size().cols};
  int first = 0, last = screen.size().cols - 1;
  while (first <= last && screen.blank(row, first)) ++first;
  while (last > first && screen.blank(row, last)) --last;
  if (first >= last || !border(screen.cell_text(row, first))) return out;
  out.begin = std::max(out.begin, first + 1);
  if (border(screen.cell_text(row, last))) out.end = last;
  return out;
}

}  // namespace

bool border(const std::string& cell) {
  return cell == "│" || cell == "┃" || cell == "|" || cell == "║" || cell == "▌" || cell == "▐";
}

std::vector<std::string> box_rows(const term::Screen& screen, const Box& box) {
  std::vector<std::string> rows;
  for (int row = box.first; row <= box.last && row < screen.size().rows; ++row) {
    std::string text;
    const Inside columns = inside(screen, box, row);
    for (int col = columns.begin; col < columns.end; ++col)
      if (screen.blank(row, col))
        text += ' ';
      else
        text += screen.cell_text(row, col);
    rows.emplace_back(trim(text));
  }
  while (!rows.empty() && rows.back().empty()) rows.pop_back();
  return rows;
}

std::string blanks_after(const term::Screen& screen, const Box& box) {
  const Inside columns = inside(screen, box, box.first);
  int text_end = -1, drawn = -1;
  for (int col = columns.begin; col < columns.end; ++col) {
    if (!screen.blank(box.first, col))
      text_end = col + 1;
    else if (drawn < text_end && screen.style(box.first, col).reverse)
      drawn = col;
  }
  const term::Cursor cursor = screen.cursor();
  const bool here = cursor.visible && cursor.row == box.first && cursor.col <= columns.end;
  const int end = here ? cursor.col : drawn;
  if (text_end < 0 || end <= text_end || end - text_end > kBlanksMost) return "";
  return std::string(static_cast<size_t>(end - text_end), ' ');
}

}  // namespace pawl::perceive
