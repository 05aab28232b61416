#include <fmt/core.h>

#include <algorithm>

#include "ui/draw.h"
#include "ui/press.h"

namespace pawl::ui {

void draw_keys(Drawing& drawing) {
  constexpr int kKey = 10;
  Canvas& canvas = drawing.canvas;
  int row = 1;
  for (const auto& [key, meaning] : keys_page()) {
    if (row >= canvas.rows() - 1) break;
    canvas.put(row, 2, kKey, key, bold());
    canvas.put(row++, 2 + kKey, canvas.cols() - 2 - kKey, meaning);
  }
}

void draw_text(Drawing& drawing) {
  Canvas& canvas = drawing.canvas;
  const Text& text = drawing.state.text;
  const int room = canvas.rows() - 3;
  canvas.put(1, 1, canvas.cols() - 1, text.title + (text.running ? "  …" : "") + "   (Esc: back)",
             bold());
  int row = 0;
  for (size_t i = text.top; i < text.lines.size() && row < room; ++i) {
    const auto lines = wrapped(text.lines[i], canvas.cols() - 2, static_cast<size_t>(room - row));
    for (const auto& line : lines) canvas.put(2 + row++, 1, canvas.cols() - 1, line);
    if (lines.empty()) ++row;
  }
}

void draw_moments(Drawing& drawing) {
  Canvas& canvas = drawing.canvas;
  const Moments& moments = drawing.state.moments;
  const Area& list = drawing.layout.list;
  const auto room = static_cast<size_t>(std::max(1, list.rows));
  const size_t size = moments.list.size();
  const size_t most = size > room ? size - room : 0;
  const size_t top = std::min(most, moments.chosen > room / 2 ? moments.chosen - room / 2 : 0);
  for (size_t i = top; i < size && i < top + room; ++i)
    canvas.put(list.row + static_cast<int>(i - top), list.col, list.cols,
               " " + moments.list[i].text, i == moments.chosen ? reverse() : plain());
  if (!moments.known) canvas.put(list.row, 1, list.cols - 1, "asking the daemon …", dim());
  Area area = drawing.layout.agent;
  const std::string at = size > 0 ? moments.list[moments.chosen].at : "";
  canvas.put(area.row, area.col + 1, area.cols - 1,
             fmt::format("{}  screen at {}   (Esc: back)", moments.agent, at), bold());
  area.row += 1;
  area.rows -= 1;
  if (!moments.note.empty())
    canvas.put(area.row, area.col + 1, area.cols - 1, moments.note, dim());
  else if (moments.then)
    draw_picture(canvas, moments.then->screen(), area);
}

}  // namespace pawl::ui
