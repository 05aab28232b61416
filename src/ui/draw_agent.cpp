#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "ui/draw.h"

namespace pawl::ui {
namespace {

constexpr size_t kWhyLines = 2, kSubjectLines = 6, kQueuedLines = 3;

// Lines from the top of the pane on, as many as it may have.
class Lines {
 public:
  Lines(Canvas& canvas, const Area& area, int most) : canvas_(canvas), area_(area), most_(most) {}
  void add(const std::string& text, const term::Style& style = {}) {
    if (used_ >= most_) return;
    canvas_.put(area_.row + used_++, area_.col + 1, area_.cols - 1, text, style);
  }
  void wrap(const std::string& text, size_t limit, const term::Style& style = {}) {
    for (const auto& line : wrapped(text, area_.cols - 2, limit)) add(line, style);
  }
  int used() const { return used_; }

 private:
  Canvas& canvas_;
  Area area_;
  int most_;
  int used_ = 0;
};

void add_dialog(Lines& lines, const Json& dialog) {
  if (!dialog.is_object()) return;
  term::Style asks = bold();
  asks.fg = term::Colour::indexed(3);
  const std::string question = dialog["question"].as_string();
  lines.wrap(question.empty() ? "(its question is not seen)" : question, 2, asks);
  size_t shown = 0;
  for (const auto& line : split(dialog["subject"].as_string(), '\n'))
    if (!line.empty() && shown++ < kSubjectLines) lines.add("  │ " + line);
  int number = 0;
  for (const auto& row : dialog["rows"].items())
    lines.add(fmt::format("  {}. {}  ({})", ++number, row["text"].as_string(),
                          row["meaning"].as_string()));
}

std::string queued_text(const Json& queued) {
  const std::string from = queued["from"].as_string();
  return fmt::format("queued: {}, {} bytes{}", queued["action"].as_string(),
                     queued["bytes"].as_int(), from.empty() ? "" : ", from " + from);
}

void add_queue(Lines& lines, const Json& detail) {
  size_t shown = 0;
  const auto& queued = detail["outbox"].items();
  for (const auto& text : queued)
    if (shown++ < kQueuedLines) lines.add(queued_text(text));
  if (queued.size() > kQueuedLines)
    lines.add(fmt::format("… and {} more queued", queued.size() - kQueuedLines));
  const Json& inbox = detail["inbox"];
  const std::string given = inbox["given"].as_string();
  const int64_t waiting = inbox["waiting"].as_int();
  if (waiting > 0 || !given.empty())
    lines.add(
        fmt::format("inbox: {} waiting{}", waiting, given.empty() ? "" : ", it works at " + given));
}

void add_picture(Drawing& drawing, int used) {
  const State& state = drawing.state;
  Area area = drawing.layout.agent;
  area.row += used;
  area.rows -= used;
  if (area.rows < 2) return;
  const Picture& picture = state.picture;
  const bool there = picture.of == state.selected && picture.terminal;
  const Size size = there ? picture.terminal->screen().size() : Size{};
  std::string line = there ? fmt::format("── {}x{} ", size.cols, size.rows) : "── ";
  while (columns_of(line) < area.cols) line += "─";
  drawing.canvas.put(area.row, area.col, area.cols, line, dim());
  area.row += 1;
  area.rows -= 1;
  if (there) return draw_picture(drawing.canvas, picture.terminal->screen(), area);
  if (picture.of == state.selected && !picture.note.empty())
    drawing.canvas.put(area.row, area.col + 1, area.cols - 1, picture.note, dim());
}

}  // namespace

void draw_picture(Canvas& canvas, const term::Screen& screen, const Area& area) {
  int last = screen.cursor().row;
  for (int r = screen.size().rows - 1; r > last; --r)
    if (!screen.row_text(r).empty()) last = r;
  canvas.copy(screen, std::max(0, last + 1 - area.rows), area);
}

void draw_agent(Drawing& drawing) {
  const State& state = drawing.state;
  const Agent* agent = state.agent();
  if (!agent) return;
  const Area& area = drawing.layout.agent;
  const Json& detail = state.detail_of == state.selected ? state.detail : Json();
  const bool asks = detail["dialog"].is_object();
  Lines lines(drawing.canvas, area, asks ? area.rows * 2 / 3 : area.rows / 2);
  std::string head = agent->id() + "  " + state_text(*agent) + " for " + drawing.age(agent->since);
  if (!agent->runtime.empty()) head += "  " + agent->runtime;
  if (!agent->dir.empty()) head += "  " + agent->dir;
  term::Style style = of_state(*agent);
  style.bold = true;
  lines.add(head, style);
  lines.wrap(why_text(*agent), kWhyLines);
  add_dialog(lines, detail["dialog"]);
  add_queue(lines, detail);
  add_picture(drawing, lines.used());
}

}  // namespace pawl::ui
