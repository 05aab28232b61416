// Claude Code's screens in which the keyboard reaches no prompt: agents view, transcript, history search, a picker, an editor.

#include "sim/world/agents/claude.h"
#include "sim/world/agents/model.h"

namespace pawl::sim {
namespace {

Rows agents(const Scene& scene) {
  return {"",
          " ▐▛███▛█   Claude Code v2.1.325",
          "▝▜██████▀  Opus 5.5 · API Usage Billing",
          " ▝▝   ▝▝   1 awaiting input · 0 working · 0 completed",
          "",
          "Your conversation moved to the background — enter opens it · esc returns to it · ctrl+c "
          "twice quits",
          "",
          "Needs input",
          " Sessions that have a question or need your decision land here",
          " ✻ " + (scene.said->empty() ? std::string("hello") : scene.said->front().text),
          "",
          "Working",
          " Sessions Claude is actively working on — they keep running even if you close the "
          "terminal",
          "",
          "Completed",
          " Finished sessions wait here for you to review"};
}

Frame agents_view(const Scene& scene) {
  const std::string text =
      scene.draft.empty() ? "\x1b[2mdescribe a task for a new session\x1b[22m" : scene.draft;
  const Rows bottom{
      rule(scene.size.cols), "❯ " + text, rule(scene.size.cols),
      "  ⏵⏵ auto mode · enter to return · space to reply · ctrl+x to remove · ? for "
      "shortcuts"};
  Frame frame = pinned(agents(scene), bottom, scene.size);
  frame.cursor_row = static_cast<int>(frame.rows.size()) - 3;
  frame.cursor_col = 2 + static_cast<int>(scene.cursor);
  return frame;
}

Frame search(const Scene& scene, const Rows& conversation) {
  const int columns = scene.size.cols;
  const std::string line = rule(columns - 6), field = rule(columns - 32);
  Rows bottom{rule(columns), "  Search prompts · everywhere", blanks(26) + "╭" + field + "╮"};
  const std::string wide = padded(" " + std::string("hello there"), columns - 32);
  bottom.push_back(blanks(26) + "│" + wide + "│");
  for (int i = 0; i < 5; ++i) bottom.push_back(blanks(26) + "│" + blanks(columns - 32) + "│");
  bottom.push_back("  ❯ 4s ago   hello there  ╰" + field + "╯");
  bottom.push_back("  ╭" + line + "╮");
  bottom.push_back(
      "  │" + padded(" ⌕ " + (scene.draft.empty() ? "Filter history…" : scene.draft), columns - 6) +
      "│");
  bottom.push_back("  ╰" + line + "╯");
  bottom.push_back("  ↑/↓ to navigate · Enter to use · Esc to cancel · ctrl+s to scope");
  Frame frame = pinned(conversation, bottom, scene.size);
  frame.cursor_row = static_cast<int>(frame.rows.size()) - 3;
  frame.cursor_col = 6 + static_cast<int>(scene.cursor);
  return frame;
}

Frame picker(const Scene& scene, const Rows& conversation) {
  const Rows bottom{
      rule(scene.size.cols, "▔"),
      "   Select model",
      "   Switch between Claude models. Your pick becomes the default for new sessions.",
      "",
      "   ❯ 1. Default (recommended) ✔  Use the default model (currently Opus 5.5)",
      "     2. Opus                     Opus 5.5 · Best for everyday, complex tasks",
      "     3. Sonnet                   Sonnet 5.5 · Efficient for routine tasks",
      "     4. Haiku                    Haiku 5.5 · Fastest for quick answers",
      "",
      "   ◐ Medium effort (default) ←/→ to adjust",
      "",
      "   Enter to set as default · s to use this session only · Esc to cancel"};
  Frame frame = pinned(conversation, bottom, scene.size);
  frame.cursor_row = static_cast<int>(frame.rows.size()) - 8;
  frame.cursor_col = 3;
  return frame;
}

Frame transcript(const Scene& scene, const Rows& conversation) {
  const Rows bottom{rule(scene.size.cols),
                    "  Showing detailed transcript · ctrl+o to toggle · ctrl+e to show all"};
  Frame frame = pinned(conversation, bottom, scene.size);
  frame.cursor_row = static_cast<int>(frame.rows.size()) - 1;
  return frame;
}

}  // namespace

Frame claude_elsewhere(const Scene& scene, const Rows& conversation) {
  switch (scene.mode) {
    case Mode::agents:
      return agents_view(scene);
    case Mode::search:
      return search(scene, conversation);
    case Mode::picker:
      return picker(scene, conversation);
    case Mode::editor:
      return editor_frame(scene, "/tmp/claude-prompt.md");
    case Mode::prompt:
    case Mode::shell:
    case Mode::memory:
    case Mode::view:
    case Mode::vim:
      break;
  }
  return transcript(scene, conversation);
}

}  // namespace pawl::sim
