#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "ui/draw.h"

namespace pawl::ui {
namespace {

std::string label_of(const Typing& typing) {
  const auto to = [&](const char* verb) {
    const std::string more =
        typing.to.size() > 1 ? fmt::format(" and {} more", typing.to.size() - 1) : "";
    return fmt::format(" {} {}{}: ", verb, typing.to.empty() ? "" : typing.to[0], more);
  };
  switch (typing.what) {
    case Typing::What::send:
      return to("Send to");
    case Typing::What::wake:
      return to("Wake");
    case Typing::What::filter:
      return " /";
    case Typing::What::command:
      break;
  }
  return " :";
}

void draw_line(Canvas& canvas, int row, const std::string& label, const LineEdit& line) {
  const std::string cut = line.cut() ? " (too long: the rest was left out)" : "";
  const std::string front = fitted(label, canvas.cols() / 2);
  const int at = columns_of(front);
  const int room = std::max(1, canvas.cols() - at - columns_of(cut));
  const auto shown = line.shown(room);
  canvas.put(row, 0, at, front, bold());
  canvas.put(row, at, canvas.cols() - at, shown.text);
  if (!cut.empty()) canvas.put(row, at + room, canvas.cols() - at - room, cut, bold());
  canvas.cursor(row, at + shown.cursor);
}

// A box in the middle: its inside is given back.
Area box(Canvas& canvas, int rows, int cols, const std::string& title) {
  cols = std::min(cols, canvas.cols() - 2);
  rows = std::min(rows, canvas.rows() - 2);
  const Area area{(canvas.rows() - rows) / 2, (canvas.cols() - cols) / 2, rows, cols};
  std::string edge;
  for (int i = 0; i < cols - 2; ++i) edge += "─";
  canvas.put(area.row, area.col, cols, "╭" + edge + "╮");
  for (int r = 1; r + 1 < rows; ++r) {
    canvas.put(area.row + r, area.col, cols, "│");
    canvas.put(area.row + r, area.col + cols - 1, 1, "│");
  }
  canvas.put(area.row + rows - 1, area.col, cols, "╰" + edge + "╯");
  const std::string shown = fitted(" " + title + " ", cols - 4);
  canvas.put(area.row, area.col + 2, columns_of(shown), shown, bold());
  return {area.row + 1, area.col + 2, rows - 2, cols - 4};
}

std::string warning(const Json& row) {
  return "This row means: " + row["meaning"].as_string() + ". Enter again chooses it.";
}

void draw_answering(Drawing& drawing, const Answering& answering) {
  Canvas& canvas = drawing.canvas;
  const Json& dialog = answering.dialog;
  const auto& rows = dialog["rows"].items();
  const int wide = std::min(100, canvas.cols() - 4);
  const auto question =
      wrapped(dialog["question"].as_string("(its question is not seen)"), wide - 4, 3);
  std::vector<std::string> subject;
  for (const auto& line : split(dialog["subject"].as_string(), '\n'))
    if (!line.empty() && subject.size() < 6) subject.push_back("│ " + line);
  const bool changed = drawing.state.detail_of == answering.agent &&
                       drawing.state.detail["dialog"]["id"].as_string() != dialog["id"].as_string();
  const int fixed = static_cast<int>(question.size() + subject.size()) + 4;
  const int room = std::max(1, canvas.rows() - 2 - fixed);
  const int shown = std::min(room, static_cast<int>(rows.size()));
  const Area in = box(canvas, fixed + shown, wide, "Answer " + answering.agent);
  int row = in.row;
  for (const auto& line : question) canvas.put(row++, in.col, in.cols, line, bold());
  for (const auto& line : subject) canvas.put(row++, in.col, in.cols, line);
  const size_t from = answering.row >= static_cast<size_t>(shown)
                          ? answering.row + 1 - static_cast<size_t>(shown)
                          : 0;
  for (size_t i = from; i < rows.size() && i < from + static_cast<size_t>(shown); ++i)
    canvas.put(row++, in.col, in.cols,
               fmt::format("{}. {}  ({})", i + 1, rows[i]["text"].as_string(),
                           rows[i]["meaning"].as_string()),
               i == answering.row ? reverse() : plain());
  term::Style red = bold();
  red.fg = term::Colour::indexed(1);
  const bool warn = answering.warned && answering.row < rows.size();
  if (changed)
    canvas.put(in.row + in.rows - 1, in.col, in.cols,
               "The dialog has changed: Esc, and look again.", red);
  else if (warn)
    canvas.put(in.row + in.rows - 1, in.col, in.cols, warning(rows[answering.row]), red);
  else
    canvas.put(in.row + in.rows - 1, in.col, in.cols, "Enter chooses   Esc: back", dim());
}

void draw_form(Drawing& drawing, const Form& form) {
  constexpr const char* kLabels[Form::fields] = {"What",    "Name",   "Runtime",
                                                 "Command", "Folder", "Prompt"};
  constexpr int kLabel = 10;
  Canvas& canvas = drawing.canvas;
  const Area in = box(canvas, static_cast<int>(Form::fields) + 4, std::min(90, canvas.cols() - 4),
                      form.task() ? "Start a task" : "Start an agent");
  for (size_t i = 0; i < Form::fields; ++i) {
    const int row = in.row + static_cast<int>(i);
    const bool here = i == form.field;
    const auto shown = form.values[i].shown(std::max(1, in.cols - kLabel));
    canvas.put(row, in.col, kLabel, kLabels[i], here ? bold() : dim());
    const bool words = i == Form::what;
    canvas.put(row, in.col + kLabel, in.cols - kLabel,
               words ? shown.text + "   (any key: the other)" : shown.text,
               here ? bold() : plain());
    if (here && !words) canvas.cursor(row, in.col + kLabel + shown.cursor);
  }
  term::Style red = bold();
  red.fg = term::Colour::indexed(1);
  const bool wrong = !form.wrong.empty();
  canvas.put(in.row + in.rows - 1, in.col, in.cols,
             wrong ? form.wrong : "Enter: next   Ctrl-S: start   Tab completes   Esc: back",
             wrong ? red : dim());
}

}  // namespace

void draw_overlay(Drawing& drawing) {
  const Overlay& overlay = drawing.state.overlay;
  const int last = drawing.canvas.rows() - 1;
  if (const auto* typing = std::get_if<Typing>(&overlay))
    draw_line(drawing.canvas, last, label_of(*typing), typing->line);
  if (const auto* question = std::get_if<Question>(&overlay))
    drawing.canvas.put(last, 0, drawing.canvas.cols(),
                       " " + question->text + "  y: yes, any other key: no", bold());
  if (const auto* answering = std::get_if<Answering>(&overlay)) draw_answering(drawing, *answering);
  if (const auto* form = std::get_if<Form>(&overlay)) draw_form(drawing, *form);
}

}  // namespace pawl::ui
