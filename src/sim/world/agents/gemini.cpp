// Gemini CLI 0.61, as test/corpus/gemini and test/corpus/modes/gemini show it.

#include "sim/world/agents/gemini.h"

#include <array>

#include "sim/world/agents/model.h"
#include "term/width.h"

namespace pawl::sim {
namespace {

using By = Said::By;

constexpr std::array<const char*, 8> kTurning{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠏"};

Rows welcome() {
  return {"",
          " ▝▜▄     Gemini CLI v0.61.0",
          "   ▝▜▄",
          "  ▗▟▀    Authenticated with gemini-api-key /auth",
          " ▝▀",
          "",
          "",
          "Tips for getting started:",
          "1. Create GEMINI.md files to customize your interactions",
          "2. /help for more information",
          "3. Ask coding questions, edit code or run commands",
          "4. Be specific for the best results"};
}

Rows said_rows(const Said& said, int columns) {
  Rows rows{""};
  switch (said.by) {
    case By::prompt:
      add(rows, hanging(" > ", "   ", wrapped(said.text, columns - 4)));
      return rows;
    case By::tool:
    case By::refused:
      add(rows,
          framed({(said.by == By::tool ? "⊷  Shell " : "-  Shell ") + said.text, ""}, columns - 4));
      return rows;
    case By::error:
    case By::notice:
      add(rows, hanging("✕ ", "  ", wrapped(said.text, columns - 2)));
      add(rows, {"", "",
                 "ℹ This request failed. Press F12 for diagnostics, or run /settings and change "
                 "\"Error Verbosity\"",
                 "  to full for full details."});
      return rows;
    case By::note:
      add(rows, {"", "ℹ " + said.text});
      return rows;
    case By::done:
      return {};
    case By::answer:
      break;
  }
  add(rows, hanging("✦ ", "  ", wrapped(said.text, columns - 2)));
  return rows;
}

Rows conversation(const Scene& scene) {
  Rows rows = welcome();
  for (const Said& said : *scene.said) add(rows, said_rows(said, scene.size.cols));
  return rows;
}

std::string lasted(Duration worked) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(worked).count();
  const std::string rest = std::to_string(seconds % 60) + "s";
  return seconds < 60 ? rest : std::to_string(seconds / 60) + "m " + rest;
}

std::string status_row(const Scene& scene) {
  const std::string left = scene.working
                               ? std::string(" ") + kTurning[scene.spin % kTurning.size()] +
                                     " Thinking... (esc to cancel, " + lasted(scene.worked) + ")"
                               : "";
  if (!scene.hint.empty()) return " " + scene.hint;
  return scene.draft.empty() ? padded(left, scene.size.cols - 16) + "? for shortcuts" : left;
}

std::string placeholder(const Scene& scene) {
  const char* words = scene.mode == Mode::shell ? "Type your shell command"
                      : scene.mode == Mode::vim ? "Press 'i' for INSERT mode."
                                                : "Type your message or @path/to/file";
  return std::string("\x1b[7m \x1b[27m\x1b[38;5;248m ") + words + "\x1b[39m";
}

Rows foot(const Scene& scene) {
  const int quarter = (scene.size.cols - 2) / 4;
  const auto row = [&](const char* a, const std::string& b, const char* c, const char* d) {
    return " " + std::string(a) + padded(b, quarter + 18) + padded(c, quarter) + d;
  };
  const char* vim = !scene.vim ? "" : scene.mode == Mode::vim ? "[NORMAL]  " : "[INSERT]  ";
  return {"", row(scene.vim ? "          " : "", "workspace (/directory)", "branch", "sandbox"),
          row(vim, scene.dir, "main", "no sandbox")};
}

Frame draw(const Scene& scene) {
  if (scene.mode == Mode::editor) return editor_frame(scene, "/tmp/gemini-prompt.md");
  Rows above = conversation(scene);
  if (scene.asked || scene.mode == Mode::picker) {
    above.emplace_back();
    const Rows low = scene.asked ? gemini_dialog_rows(*scene.asked, scene.size.cols)
                                 : gemini_picker_rows(scene.size.cols);
    Frame frame = flowing(above, low, scene.size);
    frame.cursor_row = std::min(static_cast<int>(frame.rows.size()) + 1, scene.size.rows - 1);
    return frame;
  }
  Rows low{"",
           "",
           status_row(scene),
           rule(scene.size.cols),
           scene.mode == Mode::shell ? "  shell mode enabled (esc to disable)"
           : scene.asks              ? " Shift+Tab to accept edits"
                                     : " YOLO Ctrl+Y",
           ""};
  const std::string sign = scene.mode == Mode::search  ? " (r:)  "
                           : scene.mode == Mode::shell ? " ! "
                           : scene.asks                ? " > "
                                                       : " * ";
  const int indent = term::text_width(sign), columns = scene.size.cols - indent - 2;
  const Spot spot = spot_of(scene.draft, scene.cursor, columns);
  const int row = static_cast<int>(low.size()) + spot.row;
  if (scene.draft.empty())
    low.push_back(sign + placeholder(scene));
  else
    add(low, hanging(sign, "   ", broken(scene.draft, columns)));
  add(low, foot(scene));
  Frame frame = flowing(std::move(above), std::move(low), scene.size);
  if (scene.working) frame.spin = frame.bottom + 2;
  frame.cursor_row = frame.bottom + row;
  frame.cursor_col = spot.col + indent;
  return frame;
}

std::string title(const Scene& scene) {
  const size_t slash = scene.dir.rfind('/');
  const std::string dir =
      " (" + (slash == std::string::npos ? scene.dir : scene.dir.substr(slash + 1)) + ")";
  const bool permission =
      scene.asked && (scene.asked->ask == Ask::command || scene.asked->ask == Ask::write ||
                      scene.asked->ask == Ask::edit || scene.asked->ask == Ask::plan);
  return padded((permission      ? "✋  Action Required"
                 : scene.working ? "✦  Working…"
                                 : "◇  Ready") +
                    dir,
                80);
}

std::string note(std::string_view paste, size_t) {
  size_t lines = 1;
  for (const char c : paste) lines += c == '\n' ? 1 : 0;
  return lines > 1 ? "[Pasted Text: " + std::to_string(lines) + " lines]"
                   : "[Pasted Text: " + std::to_string(paste.size()) + " chars]";
}

std::string until(WallTime, WallTime end) {
  return clock12(end, false) + " UTC";
}

std::vector<Said> failed(Trouble trouble, const std::string& until) {
  switch (trouble) {
    case Trouble::limit:
      return {{By::error,
               "[API Error: You have exhausted your daily quota on this model.] Access resets at " +
                   until + "."}};
    case Trouble::auth:
      return {
          {By::error,
           "[API Error: {\"error\":{\"code\":400,\"message\":\"API key not valid. Please pass a "
           "valid API key.\",\"status\":\"INVALID_ARGUMENT\",\"details\":[{\"@type\":"
           "\"type.googleapis.com/google.rpc.ErrorInfo\",\"reason\":\"API_KEY_INVALID\","
           "\"domain\":\"googleapis.com\"}]}}]"}};
    case Trouble::context:
      return {{By::error,
               "[API Error: {\"error\":{\"code\":400,\"message\":\"The input token count (1214582) "
               "exceeds the maximum number of tokens allowed (1048576).\",\"status\":"
               "\"INVALID_ARGUMENT\",\"details\":[]}}]"}};
    case Trouble::none:
    case Trouble::overload:
      break;
  }
  return {{By::error,
           "[API Error: {\"error\":{\"code\":503,\"message\":\"The model is overloaded. Please "
           "try again later.\",\"status\":\"UNAVAILABLE\"}}]"}};
}

// It tries again without a word.
Patience patience(Trouble trouble) {
  using namespace std::chrono_literals;
  return trouble == Trouble::overload ? Patience{10, 5s, 30s} : Patience{};
}

std::string farewell(const std::string& conversation) {
  return "Agent powering down. Goodbye!\r\nTo resume this session: gemini --resume " +
         conversation + "\r\n";
}

}  // namespace

const Model kGemini{
    .name = "gemini",
    .front = "node",
    .busiest = "node",
    .front_count = 2,
    .alternate = false,
    .hooks = HookStyle::gemini,
    .drawn = std::chrono::milliseconds{3000},
    .listens = std::chrono::milliseconds{3800},
    .cooked = true,
    .early = Early::lost,
    .note_lines = 5,
    .note_bytes = 500,
    .limit_asks = true,
    .quit = "/quit",
    .resume = "--resume",
    .unknown_conversation = 42,
    .no_conversation = "Error resuming session: Invalid session identifier ",
    .draw = draw,
    .spin = status_row,
    .title = title,
    .ask = gemini_ask,
    .has =
        [](Mode mode) {
          return mode == Mode::shell || mode == Mode::search || mode == Mode::picker ||
                 mode == Mode::editor || mode == Mode::vim;
        },
    .note = note,
    .until = until,
    .failed = failed,
    .patience = patience,
    .retry = [](Trouble, int, int) { return std::string(); },
    .done = [](int, WallTime, unsigned) { return std::string(); },
    .interrupted = "Request cancelled.",
    .farewell = farewell,
};

}  // namespace pawl::sim
