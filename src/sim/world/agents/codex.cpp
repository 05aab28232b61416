// Codex CLI 0.166, as test/corpus/codex and test/corpus/modes/codex show it.

#include "sim/world/agents/codex.h"

#include <array>

#include "sim/world/agents/model.h"

namespace pawl::sim {
namespace {

using By = Said::By;

constexpr std::string_view kJoints = "/";  // it wraps after these, too
constexpr std::array<const char*, 8> kTurning{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠏"};

Rows said_rows(const Said& said, int columns) {
  const int room = columns - 2;
  Rows rows;
  switch (said.by) {
    case By::prompt:
      rows = {""};
      add(rows, hanging("› ", "  ", wrapped(said.text, room, kJoints)));
      rows.emplace_back();
      return rows;
    case By::tool:
      return {"", "• Running " + said.text};
    case By::refused:
      return {"", "✗ You canceled the request to run " + said.text, "",
              "■ Conversation interrupted - use /feedback if something went wrong"};
    case By::done:
      return {"", "  " + said.text};
    case By::error:
    case By::notice:
    case By::note:
      rows = {""};
      add(rows, wrapped("■ " + said.text, columns, kJoints));
      return rows;
    case By::answer:
      break;
  }
  rows = {""};
  add(rows, hanging("• ", "  ", wrapped(said.text, room, kJoints)));
  return rows;
}

Rows conversation(const Scene& scene) {
  Rows rows{"", "  >_ OpenAI Codex (v0.166.0)", "     " + scene.dir, ""};
  for (const Said& said : *scene.said) add(rows, said_rows(said, scene.size.cols));
  return rows;
}

Rows status_rows(const Scene& scene) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(scene.worked).count();
  const std::string dot = scene.spin % 2 == 0 ? "• " : "◦ ";
  const std::string what = scene.compacting      ? "Compacting"
                           : scene.retry.empty() ? "Working"
                                                 : scene.retry.substr(0, scene.retry.find('\n'));
  Rows rows{dot + what + " (" + std::to_string(seconds) + "s • esc to interrupt)" +
            (scene.tool.empty() && scene.jobs == 0
                 ? ""
                 : " · 1 background terminal running · /ps to view · /stop to close")};
  if (const size_t more = scene.retry.find('\n'); more != std::string::npos)
    add(rows, hanging("  └ ", "    ",
                      wrapped(scene.retry.substr(more + 1), scene.size.cols - 6, kJoints)));
  return rows;
}

std::string footer(const Scene& scene) {
  if (!scene.hint.empty()) return "  " + scene.hint;
  if (scene.mode == Mode::shell) return "      Shell mode";
  if (scene.mode == Mode::view)
    return "  Browsing transcript · ↑↓/jk scroll · ←→/hl prompts · ^t details · ↵ rewind · esc "
           "back";
  if (!scene.draft.empty()) return scene.working ? "  tab to queue message" : "";
  if (scene.opening) return "  ? for shortcuts";
  return "  ← for agents · ? for shortcuts";
}

Frame with_box(const Scene& scene) {
  Rows low;
  if (scene.working) low = status_rows(scene);
  add(low, {"", ""});
  const int columns = scene.size.cols - 4;
  const Spot spot = spot_of(scene.draft, scene.cursor, columns);
  const int row = static_cast<int>(low.size()) + spot.row;
  const std::string sign = scene.mode == Mode::shell ? "! " : "› ";
  if (scene.draft.empty())
    low.push_back(sign +
                  (scene.mode == Mode::shell ? "" : "\x1b[2mAsk Codex to do anything\x1b[22m"));
  else
    add(low, hanging(sign, "  ", broken(scene.draft, columns)));
  // The line with model and folder comes when the session is there.
  add(low, {"", scene.opening ? "" : "  gpt-5.1-codex default · " + scene.dir, footer(scene)});
  Frame frame = pinned(conversation(scene), std::move(low), scene.size);
  if (scene.working) frame.spin = frame.bottom;
  frame.cursor_row = frame.bottom + row;
  frame.cursor_col = spot.col + 2;
  frame.cursor_visible = true;
  if (scene.mode == Mode::view) {
    frame.cursor_row = static_cast<int>(frame.rows.size()) - 1;
    frame.cursor_visible = false;
  }
  return frame;
}

Frame draw(const Scene& scene) {
  if (scene.mode == Mode::editor) return editor_frame(scene, "/tmp/codex-prompt.md");
  if (!scene.asked && scene.mode != Mode::picker) return with_box(scene);
  const bool covers = scene.asked && codex_covers(scene.asked->ask);
  const Rows low = scene.asked ? codex_dialog_rows(*scene.asked, scene.size) : codex_picker_rows();
  Frame frame =
      covers ? flowing(low, {}, scene.size) : pinned(conversation(scene), low, scene.size);
  frame.cursor_row = scene.size.rows - 1;
  frame.cursor_col = scene.size.cols - 1;
  return frame;
}

std::string title(const Scene& scene) {
  const size_t slash = scene.dir.rfind('/');
  const std::string dir = slash == std::string::npos ? scene.dir : scene.dir.substr(slash + 1);
  if (scene.opening || (scene.asked && codex_covers(scene.asked->ask))) return "";
  if (scene.asked) return "[ ! ] Action Required | " + dir;
  return scene.working ? kTurning[scene.spin % kTurning.size()] + (" " + dir) : dir;
}

std::string note(std::string_view paste, size_t) {
  size_t characters = 0;
  for (const char c : paste) characters += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
  return "[Pasted Content " + std::to_string(characters) + " chars]";
}

std::string until(WallTime now, WallTime end) {
  const std::string time = clock12(end, false);
  return end - now < std::chrono::hours{24} ? time : long_date(end) + " " + time;
}

std::vector<Said> failed(Trouble trouble, const std::string& until) {
  switch (trouble) {
    case Trouble::limit:
      return {
          {By::error,
           "You’ve hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro), "
           "visit https://chatgpt.com/settings/usage to purchase more credits or try again at " +
               until + "."}};
    case Trouble::auth:
      return {{By::error,
               "unexpected status 401 Unauthorized: Incorrect API key provided: dummy. You can "
               "find your API key at https://platform.openai.com/account/api-keys., url: "
               "http://127.0.0.1:8080/v1/responses"}};
    case Trouble::context:
      return {{By::error,
               "{\"error\":{\"message\":\"Your input exceeds the context window of this model. "
               "Please adjust your input and try again.\",\"type\":\"invalid_request_error\","
               "\"param\":null,\"code\":\"context_length_exceeded\"}}"}};
    case Trouble::none:
    case Trouble::overload:
      break;
  }
  return {{By::error,
           "unexpected status 503 Service Unavailable: The server is currently overloaded with "
           "other requests. Sorry about that!, url: http://127.0.0.1:8080/v1/responses"}};
}

Patience patience(Trouble trouble) {
  using namespace std::chrono_literals;
  if (trouble == Trouble::auth) return {5, 500ms, 2s};
  if (trouble == Trouble::overload) return {5, 1s, 10s};
  return {};
}

std::string retry(Trouble trouble, int attempt, int) {
  return "Reconnecting... " + std::to_string(attempt) + "/5\n" +
         (trouble == Trouble::auth
              ? "Unexpected status 401 Unauthorized: Incorrect API key provided: dummy. You can "
                "find your API key at https://platform.openai.com/account/api-keys., url: "
                "http://127.0.0.1:8080/v1/responses"
              : "Unexpected status 503 Service Unavailable: The server is currently overloaded "
                "with other requests.");
}

std::string done(int seconds, WallTime now, unsigned) {
  return "Worked for " + (seconds == 0 ? "<1" : std::to_string(seconds)) + "s • " + clock24(now);
}

std::string farewell(const std::string& conversation) {
  return "Disconnected from this task. Any running work continues.\r\nTo reconnect, run:\r\n"
         "  codex resume " +
         conversation + "\r\n";
}

}  // namespace

const Model kCodex{
    .name = "codex",
    .front = "node",
    .busiest = "codex",
    .front_count = 2,
    .app = "codex",
    .reports = true,
    .reports_unasked = true,
    .hooks = HookStyle::codex,
    .drawn = std::chrono::milliseconds{120},
    .listens = std::chrono::milliseconds{2500},
    .early = Early::taken,
    .note_bytes = 1000,
    .interrupts = 1,
    .bang_paste = true,
    .quit = "/quit",
    .resume = "resume",
    .draw = draw,
    .spin = [](const Scene& scene) { return status_rows(scene).front(); },
    .title = title,
    .ask = codex_ask,
    .has =
        [](Mode mode) {
          return mode == Mode::shell || mode == Mode::view || mode == Mode::picker ||
                 mode == Mode::editor;
        },
    .note = note,
    .until = until,
    .failed = failed,
    .patience = patience,
    .retry = retry,
    .done = done,
    .interrupted = "Conversation interrupted - use /feedback if something went wrong",
    .farewell = farewell,
};

}  // namespace pawl::sim
