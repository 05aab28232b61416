#include "ui/draw.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"

namespace pawl::ui {
namespace {

// Ages in minutes and more may be told so much too late: a long list would be painted at every second.
constexpr Duration kSeldom = std::chrono::seconds{15};

void draw_head(Drawing& drawing) {
  const State& state = drawing.state;
  const Area& head = drawing.layout.head;
  std::string left = " pawl  " + (state.known ? state.fleet.summary() : "…");
  if (!state.filter.empty())
    left += fmt::format("  /{} ({})", fitted(state.filter, 20), state.rows.size());
  if (!state.marked.empty()) left += fmt::format("  {} marked", state.marked.size());
  if (!state.fleet.unreached().empty())
    left += "  not reached: " + join(state.fleet.unreached(), ", ");
  const std::string right = fmt::format("by {} ", word(state.order));
  const int room = head.cols - columns_of(right) - 1;
  term::Style style = reverse();
  style.bold = true;
  drawing.canvas.put(head.row, 0, head.cols, left, style);
  if (columns_of(left) <= room)
    drawing.canvas.put(head.row, room + 1, columns_of(right), right, style);
}

void draw_foot(Drawing& drawing) {
  const State& state = drawing.state;
  const Area& foot = drawing.layout.foot;
  term::Style red = bold();
  red.fg = term::Colour::indexed(1);
  if (!state.lost.empty())
    drawing.canvas.put(foot.row, 0, foot.cols, " " + state.lost, red);
  else if (!state.notice.empty())
    drawing.canvas.put(foot.row, 0, foot.cols, " " + state.notice, state.bad ? red : plain());
  else
    drawing.canvas.put(
        foot.row, 0, foot.cols,
        " Enter attach  a answer  s send  w wake  / filter  n new  : verb  ? keys  q quit", dim());
}

void draw_rule(Drawing& drawing) {
  const Area& rule = drawing.layout.rule;
  for (int r = 0; r < rule.rows; ++r)
    if (drawing.layout.beside) drawing.canvas.put(rule.row + r, rule.col, 1, "│", dim());
  if (drawing.layout.beside) return;
  std::string line;
  for (int c = 0; c < rule.cols; ++c) line += "─";
  drawing.canvas.put(rule.row, rule.col, rule.cols, line, dim());
}

void draw_too_small(Canvas& canvas) {
  const std::string text = fmt::format("pawl needs {}x{}; this terminal is {}x{}. q quits",
                                       kLeastCols, kLeastRows, canvas.cols(), canvas.rows());
  const auto lines = wrapped(text, canvas.cols(), static_cast<size_t>(canvas.rows()));
  for (size_t i = 0; i < lines.size(); ++i)
    canvas.put(static_cast<int>(i), 0, canvas.cols(), lines[i]);
}

void draw_page(Drawing& drawing) {
  switch (drawing.state.page) {
    case Page::agents:
      draw_list(drawing);
      draw_rule(drawing);
      draw_agent(drawing);
      break;
    case Page::keys:
      draw_keys(drawing);
      break;
    case Page::text:
      draw_text(drawing);
      break;
    case Page::moments:
      draw_rule(drawing);
      draw_moments(drawing);
      break;
  }
}

}  // namespace

std::string Drawing::age(WallTime since) {
  if (since == WallTime{}) return "-";
  Duration lasts = age_lasts(now - since);
  if (now - since >= std::chrono::minutes{1}) lasts = std::max(lasts, kSeldom);
  stale_in = stale_in ? std::min(*stale_in, lasts) : lasts;
  return age_text(now - since);
}

term::Style plain() {
  return {};
}
term::Style bold() {
  term::Style style;
  style.bold = true;
  return style;
}
term::Style dim() {
  term::Style style;
  style.dim = true;
  return style;
}
term::Style reverse() {
  term::Style style;
  style.reverse = true;
  return style;
}

term::Style of_state(const Agent& agent) {
  const std::string& state = agent.state;
  term::Style style;
  uint32_t colour = 0;
  if (state == "ready" || state == "exited") colour = 2;
  if (state == "busy" || state == "starting" || state == "typing") colour = 6;
  if (state == "waiting" || state == "limited") colour = 3;
  if (state == "crashed" || state == "stuck" || !agent.trouble.empty()) colour = 1;
  if (colour == 0)
    style.dim = true;
  else
    style.fg = term::Colour::indexed(colour);
  style.bold = urgency(agent) <= 2;
  return style;
}

Frame draw(const State& state, const Light& light) {
  Canvas canvas(state.size, light.colours);
  const Layout layout = layout_of(state.size);
  if (!layout.fits) {
    draw_too_small(canvas);
    return {canvas.screen(), std::nullopt};
  }
  Drawing drawing{canvas, state, layout, light.now};
  draw_head(drawing);
  draw_foot(drawing);
  draw_page(drawing);
  draw_overlay(drawing);
  return {canvas.screen(), drawing.stale_in};
}

}  // namespace pawl::ui
