#include <fmt/core.h>

#include <algorithm>

#include "ui/draw.h"

namespace pawl::ui {
namespace {

constexpr int kMark = 2, kAge = 4, kGap = 1;
constexpr int kLeastName = 8, kMostName = 28, kMostState = 18, kLeastWhy = 12;

struct Columns {
  int name, state, why;  // why 0: there is no room
};

// By the rows that are to be seen.
Columns columns_for(const State& state, size_t from, size_t to, int width) {
  Columns out{kLeastName, kLeastName, 0};
  for (size_t i = from; i < to; ++i) {
    const Agent* agent = state.fleet.find(state.rows[i]);
    if (!agent) continue;
    out.name = std::max(out.name, columns_of(agent->id()));
    out.state = std::max(out.state, columns_of(state_text(*agent)));
  }
  out.state = std::min(out.state, kMostState);
  out.name = std::min({out.name, kMostName, width - kMark - out.state - kAge - 2 * kGap});
  out.name = std::max(out.name, kLeastName);
  out.why = width - kMark - out.name - out.state - kAge - 3 * kGap;
  if (out.why < kLeastWhy) out.why = 0;
  return out;
}

std::string first_words(const State& state) {
  if (!state.known) return "asking the daemon …";
  if (state.fleet.size() == 0) return "No agents yet. Press n to start one.";
  return "No agent has this in its name or on its screen. Esc clears the filter.";
}

void draw_row(Drawing& drawing, const Agent& agent, const Columns& columns, int row) {
  const State& state = drawing.state;
  const Area& list = drawing.layout.list;
  const bool selected = agent.id() == state.selected;
  const bool marked = state.marked.contains(agent.id());
  const auto worn = [&](term::Style style) {
    style.reverse = selected;
    if (selected) style.dim = false;
    return style;
  };
  const int end = list.col + list.cols;
  int col = list.col;
  const auto cell = [&](int width, const std::string& text, const term::Style& style) {
    const int room = std::min(width, end - col);
    drawing.canvas.put(row, col, room, text, worn(style));
    col += width;
  };
  drawing.canvas.put(row, list.col, list.cols, "", worn(plain()));
  cell(kMark, marked ? "✓" : selected ? ">" : "", bold());
  cell(columns.name + kGap, fitted(agent.id(), columns.name), marked ? bold() : plain());
  cell(columns.state + kGap, fitted(state_text(agent), columns.state), of_state(agent));
  cell(kAge, fmt::format("{:>{}}", drawing.age(agent.since), kAge), dim());
  if (columns.why > 0) {
    cell(kGap, "", plain());
    cell(columns.why, why_text(agent), plain());
  }
}

}  // namespace

void draw_list(Drawing& drawing) {
  const State& state = drawing.state;
  const Area& list = drawing.layout.list;
  const size_t from = std::min(state.top, state.rows.size());
  const size_t to = std::min(state.rows.size(), from + static_cast<size_t>(list.rows));
  if (from == to) {
    const auto lines = wrapped(first_words(state), list.cols - 2, 3);
    for (size_t i = 0; i < lines.size(); ++i)
      drawing.canvas.put(list.row + static_cast<int>(i), list.col + 1, list.cols - 1, lines[i],
                         dim());
    return;
  }
  const Columns columns = columns_for(state, from, to, list.cols);
  for (size_t i = from; i < to; ++i)
    if (const Agent* agent = state.fleet.find(state.rows[i]))
      draw_row(drawing, *agent, columns, list.row + static_cast<int>(i - from));
}

}  // namespace pawl::ui
