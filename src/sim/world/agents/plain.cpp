// A program no profile knows: a chat in a frame, with a line of its own while it works and a question answered with y or n.

#include "sim/world/agents/model.h"

namespace pawl::sim {
namespace {

using By = Said::By;
using model::Cost;

Rows conversation(const Scene& scene) {
  Rows rows{" plainchat 0.3", ""};
  for (const Said& said : *scene.said) {
    const std::string who = said.by == By::prompt ? "you: " : "bot: ";
    if (said.by != By::done)
      add(rows, hanging(who, "     ", wrapped(said.text, scene.size.cols - 6)));
  }
  rows.emplace_back();
  return rows;
}

std::string spinner(const Scene& scene) {
  return (scene.spin % 2 == 0 ? "* " : "+ ") + std::string("working (ctrl+c to stop)");
}

Frame draw(const Scene& scene) {
  Rows low;
  if (scene.asked) {
    low = scene.asked->lines;
    Frame frame = flowing(conversation(scene), low, scene.size);
    frame.cursor_row = static_cast<int>(frame.rows.size()) - 1;
    frame.cursor_col = static_cast<int>(low.back().size());
    frame.cursor_visible = true;
    return frame;
  }
  if (scene.working) low.push_back(spinner(scene));
  const int columns = scene.size.cols - 6;
  const Spot spot = spot_of(scene.draft, scene.cursor, columns);
  const int row = static_cast<int>(low.size()) + 1 + spot.row;
  add(low, framed(hanging("> ", "  ", broken(scene.draft, columns)), scene.size.cols));
  low.push_back("  enter sends, ctrl+d quits");
  Frame frame = flowing(conversation(scene), std::move(low), scene.size);
  if (scene.working) frame.spin = frame.bottom;
  frame.cursor_row = frame.bottom + row;
  frame.cursor_col = spot.col + 4;
  frame.cursor_visible = true;
  return frame;
}

Asked ask(Ask kind, const About& about, const Scene&) {
  Asked out;
  if (kind != Ask::command && kind != Ask::question) return out;
  out.tool = "run";
  out.question = kind == Ask::command ? "Allow running " + about.subject + "?" : about.subject;
  out.lines = {out.question + " (y/n)"};
  out.rows = {{"y", kind == Ask::command ? Cost::allow : Cost::question, {}, 'y'},
              {"n", kind == Ask::command ? Cost::deny : Cost::question, {}, 'n'}};
  out.numbered = false;
  out.chosen = 1;
  out.esc = 1;
  return out;
}

std::vector<Said> failed(Trouble trouble, const std::string& until) {
  switch (trouble) {
    case Trouble::limit:
      return {{By::error, "quota used up, try again at " + until}};
    case Trouble::auth:
      return {{By::error, "not signed in"}};
    case Trouble::context:
      return {{By::error, "this chat is too long"}};
    case Trouble::none:
    case Trouble::overload:
      break;
  }
  return {{By::error, "the server did not answer"}};
}

}  // namespace

const Model kPlain{
    .name = "plain",
    .front = "plainchat",
    .busiest = "plainchat",
    .alternate = false,
    .drawn = std::chrono::milliseconds{200},
    .listens = std::chrono::milliseconds{400},
    .cooked = true,
    .early = Early::kept,
    .interrupts = 2,
    .quit = "/quit",
    .draw = draw,
    .spin = spinner,
    .title = [](const Scene&) { return std::string(); },
    .ask = ask,
    .has = [](Mode) { return false; },
    .note = [](std::string_view paste, size_t) { return std::string(paste); },
    .until = [](WallTime, WallTime end) { return clock24(end); },
    .failed = failed,
    .patience = [](Trouble) { return Patience{}; },
    .retry = [](Trouble, int, int) { return std::string(); },
    .done = [](int, WallTime, unsigned) { return std::string(); },
    .interrupted = "stopped",
    .farewell = [](const std::string&) { return std::string("bye\r\n"); },
};

}  // namespace pawl::sim
