// Claude Code 2.1.325, as test/corpus/claude and test/corpus/modes/claude show it.

#include "sim/world/agents/claude.h"

#include <array>

#include "sim/world/agents/model.h"

namespace pawl::sim {
namespace {

using By = Said::By;

constexpr std::array<const char*, 6> kStars{"·", "✢", "*", "✶", "✻", "✽"};
constexpr int kShowSeconds = 3;  // younger turns do not say how old they are

Rows welcome(const Scene& scene) {
  return {"", " ▐▛███▛█   Claude Code v2.1.325", "▝▜██████▀  Opus 5.5 · API Usage Billing",
          " ▝▝   ▝▝   " + scene.dir, ""};
}

Rows said_rows(const Said& said, int columns) {
  const int room = columns - 4;
  switch (said.by) {
    case By::prompt: {
      Rows rows{""};
      add(rows, hanging("❯ ", "  ", wrapped(said.text, room)));
      return rows;
    }
    case By::note:
      return hanging("  ⎿  ", "     ", wrapped(said.text, room - 3));
    case By::tool:
      return {"", "● Running a command", "  ⎿  $ " + said.text};
    case By::refused:
      return {"", "  No result recorded for 1 call", "  ⎿  $ " + said.text,
              "  ⎿  Interrupted · What should Claude do instead?"};
    case By::done:
      return {"", "✻ " + said.text};
    case By::answer:
    case By::error:
    case By::notice:
      break;
  }
  Rows rows{""};
  add(rows, hanging("● ", "  ", wrapped(said.text, room)));
  return rows;
}

Rows conversation(const Scene& scene) {
  Rows rows = welcome(scene);
  for (const Said& said : *scene.said) add(rows, said_rows(said, scene.size.cols));
  return rows;
}

std::string spinner(const Scene& scene) {
  if (!scene.retry.empty()) return "✻ " + scene.retry;
  const std::string star = kStars[scene.spin % kStars.size()];
  if (scene.compacting) return star + " Compacting conversation…";
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(scene.worked).count();
  return star + " Nesting…" +
         (seconds < kShowSeconds ? ""
                                 : " (" + std::to_string(seconds) + "s · ↓ " +
                                       std::to_string(seconds * 10) + " tokens)");
}

std::string footer(const Scene& scene) {
  if (!scene.hint.empty()) return "  " + scene.hint;
  if (scene.mode == Mode::shell) return "  ! for shell mode";
  if (scene.mode == Mode::memory) return "  # to memorize";
  std::string row = scene.vim && scene.mode != Mode::vim ? "  -- INSERT -- " : "  ";
  row += scene.asks ? "⏸ manual mode on" : "⏵⏵ auto mode on (shift+tab to cycle)";
  if (!scene.draft.empty()) return row;
  if (scene.jobs > 0)
    return row + " · " + std::to_string(scene.jobs) + (scene.jobs == 1 ? " shell" : " shells") +
           " · ↓ to manage";
  return row + (scene.working ? " · esc to interrupt" : "") + " · ← for agents";
}

// Its box with everything under and right above it; the frame's cursor is set by whoever knows where it begins.
struct Bottom {
  Rows rows;
  Spot cursor;
};

Bottom bottom(const Scene& scene) {
  Bottom out;
  const int columns = scene.size.cols;
  if (scene.working) out.rows = {spinner(scene)};
  if (scene.asked && scene.asked->ask == Ask::survey) add(out.rows, scene.asked->lines);
  out.rows.emplace_back();
  out.rows.push_back(rule(columns));
  const char* sign = scene.mode == Mode::shell    ? "!\xc2\xa0"
                     : scene.mode == Mode::memory ? "#\xc2\xa0"
                                                  : "❯\xc2\xa0";
  const Spot spot = spot_of(scene.draft, scene.cursor, columns - 4);
  out.cursor = {static_cast<int>(out.rows.size()) + spot.row, spot.col + 2};
  add(out.rows, hanging(sign, "  ", broken(scene.draft, columns - 4)));
  out.rows.push_back(rule(columns));
  if (!scene.limit.empty()) {
    out.rows.push_back("  ⚠ Usage limit reached · limit resets " + scene.limit);
    out.rows.push_back("    Continuing automatically at " + scene.limit + " · Esc to cancel");
  }
  out.rows.push_back(footer(scene));
  return out;
}

Frame with_dialog(const Scene& scene) {
  Rows rows = claude_covers(scene.asked->ask) ? Rows{""} : conversation(scene);
  if (!claude_covers(scene.asked->ask)) rows.emplace_back();
  const size_t before = rows.size();
  Rows dialog = claude_dialog_rows(scene);
  add(rows, dialog);
  Frame frame = flowing(rows, {}, scene.size);
  const int gone = static_cast<int>(rows.size() - frame.rows.size());
  frame.cursor_row = static_cast<int>(before) + claude_chosen_row(*scene.asked) - gone;
  frame.cursor_col = scene.asked->ask == Ask::question ? 0 : 1;
  return frame;
}

Frame draw(const Scene& scene) {
  if (scene.asked && scene.asked->ask != Ask::survey) return with_dialog(scene);
  if (scene.mode == Mode::editor || scene.mode == Mode::view || scene.mode == Mode::picker ||
      scene.mode == Mode::search || scene.mode == Mode::agents)
    return claude_elsewhere(scene, conversation(scene));
  Bottom low = bottom(scene);
  Frame frame = pinned(conversation(scene), std::move(low.rows), scene.size);
  if (scene.working) frame.spin = frame.bottom;
  frame.cursor_row = frame.bottom + low.cursor.row;
  frame.cursor_col = low.cursor.col;
  return frame;
}

std::string title(const Scene& scene) {
  if (scene.mode == Mode::agents) return "1 awaiting input · claude agents";
  if (scene.reports) return "Claude Code";
  const bool turns = scene.working && !(scene.asked && scene.asked->ask != Ask::survey);
  return (!turns ? "✳" : scene.spin % 2 == 0 ? "◐" : "◑") + std::string(" Claude Code");
}

std::string note(std::string_view paste, size_t number) {
  size_t lines = 0;
  for (const char c : paste) lines += c == '\n' ? 1 : 0;
  return "[Pasted text #" + std::to_string(number) + " +" + std::to_string(lines) + " lines]";
}

std::string until(WallTime now, WallTime end) {
  const std::string time = clock12(end, true);
  if (end - now < std::chrono::hours{24}) return time;
  return month_day(end) + ", " + time;
}

std::vector<Said> failed(Trouble trouble, const std::string& until) {
  switch (trouble) {
    case Trouble::limit:
      return {{By::note, "You've hit your limit · resets " + until + " (UTC)"},
              {By::notice,
               "Usage limit reached · continuing automatically at " + until + " · esc to cancel"}};
    case Trouble::auth:
      return {{By::error, "Please run /login · API Error: 401 Invalid authentication credentials"}};
    case Trouble::context:
      return {{By::note, "Context limit reached · /compact or /clear to continue"}};
    case Trouble::none:
    case Trouble::overload:
      break;
  }
  return {{By::error,
           "API Error: Repeated 529 Overloaded errors. The API is at capacity — this is "
           "usually temporary. Try again in a moment. If it persists, check your inference "
           "gateway (127.0.0.1:8080)."}};
}

Patience patience(Trouble trouble) {
  using namespace std::chrono_literals;
  if (trouble == Trouble::auth) return {10, 1s, 30s};
  if (trouble == Trouble::overload) return {3, 1s, 2s};
  return {};
}

std::string retry(Trouble trouble, int attempt, int seconds) {
  return std::string(trouble == Trouble::auth ? "401 invalid x-api-key" : "API error") +
         " · Retrying in " + std::to_string(seconds) + "s · attempt " + std::to_string(attempt) +
         "/10";
}

std::string done(int seconds, WallTime now, unsigned jobs) {
  return "Brewed for " + std::to_string(seconds) + "s · done " + clock12(now, false) +
         (jobs == 0 ? ""
                    : " · " + std::to_string(jobs) + (jobs == 1 ? " shell" : " shells") +
                          " still running");
}

std::string farewell(const std::string& conversation) {
  return "Resume this session with:\r\nclaude --resume " + conversation + "\r\n";
}

}  // namespace

const Model kClaude{
    .name = "claude",
    .front = "claude",
    .busiest = "claude",
    .front_count = 3,
    .app = "claude-code",
    .reports = true,
    .progress = true,
    .hooks = HookStyle::claude,
    .own_files = true,
    .drawn = std::chrono::milliseconds{450},
    .listens = std::chrono::milliseconds{1500},
    .early = Early::kept,
    .note_lines = 4,
    .note_bytes = 800,
    .gives_back = true,
    .bang_paste = true,
    .ends_by_word = true,
    .quit = "/exit",
    .resume = "--resume",
    .unknown_conversation = 1,
    .no_conversation = "No conversation found with session ID: ",
    .draw = draw,
    .spin = spinner,
    .title = title,
    .ask = claude_ask,
    .has = [](Mode) { return true; },
    .note = note,
    .until = until,
    .failed = failed,
    .patience = patience,
    .retry = retry,
    .done = done,
    .interrupted = "Interrupted · What should Claude do instead?",
    .farewell = farewell,
};

}  // namespace pawl::sim
