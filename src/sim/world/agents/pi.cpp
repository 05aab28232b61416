// pi 0.73, as test/corpus/pi shows it. It asks for nothing and has no shell mode: a text that begins with "!" is a command.

#include <array>

#include "sim/world/agents/model.h"

namespace pawl::sim {
namespace {

using By = Said::By;

constexpr std::array<const char*, 8> kTurning{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠏"};

Rows said_rows(const Said& said, int columns) {
  switch (said.by) {
    case By::prompt: {
      Rows rows{""};
      add(rows, hanging(" ", " ", wrapped(said.text, columns - 2)));
      rows.emplace_back();
      return rows;
    }
    case By::tool:
      return {"", "", " $ " + said.text, "", " Elapsed 2.0s", ""};
    case By::done:
      return {};
    case By::answer:
    case By::refused:
    case By::note:
    case By::error:
    case By::notice:
      break;
  }
  Rows rows{""};
  add(rows, hanging(" ", " ", wrapped(said.text, columns - 2)));
  return rows;
}

Rows conversation(const Scene& scene) {
  Rows rows{
      "fd not found. Offline mode enabled, skipping download.",
      "ripgrep not found. Offline mode enabled, skipping download.",
      "",
      " pi v0.73.1",
      " escape interrupt · ctrl+c/ctrl+d clear/exit · / commands · ! bash · ctrl+o more",
      " Press ctrl+o to show full startup help and loaded resources.",
      "",
      " Pi can explain its own features and look up its docs. Ask it how to use or extend Pi.",
      ""};
  for (const Said& said : *scene.said) add(rows, said_rows(said, scene.size.cols));
  return rows;
}

Rows picker(const Scene& scene) {
  return {"",
          rule(scene.size.cols),
          "",
          "Resume Session (Current Folder)                ◉ Current Folder | ○ All  Name: All",
          "tab scope · re:<pattern> regex · \"phrase\" exact",
          "",
          "> " + scene.draft,
          "",
          "› hello there                                                              2 now",
          "",
          rule(scene.size.cols),
          scene.dir + " (main)",
          "0.9%/128k (auto)"};
}

std::string spinner(const Scene& scene) {
  const std::string turns = std::string(" ") + kTurning[scene.spin % kTurning.size()] + " ";
  return turns + (scene.compacting      ? "Compacting context... (escape to cancel)"
                  : scene.retry.empty() ? "Working..."
                                        : scene.retry);
}

Frame draw(const Scene& scene) {
  if (scene.mode == Mode::editor) return editor_frame(scene, "/tmp/pi-editor-1.pi.md");
  if (scene.mode == Mode::picker) {
    Frame frame = flowing(conversation(scene), picker(scene), scene.size);
    frame.cursor_row = static_cast<int>(frame.rows.size()) - 7;
    frame.cursor_col = 2 + static_cast<int>(scene.cursor);
    return frame;
  }
  Rows low{""};
  if (scene.working) add(low, {spinner(scene), ""});
  low.push_back(rule(scene.size.cols));
  const Spot spot = spot_of(scene.draft, scene.cursor, scene.size.cols);
  const int row = static_cast<int>(low.size()) + spot.row;
  add(low, broken(scene.draft, scene.size.cols));
  low.push_back(rule(scene.size.cols));
  low.push_back(scene.dir + " (main)");
  low.push_back(scene.hint.empty() ? padded("0.0%/128k (auto)", scene.size.cols - 11) + "fake-model"
                                   : scene.hint);
  Frame frame = flowing(conversation(scene), std::move(low), scene.size);
  if (scene.working) frame.spin = frame.bottom + 1;
  frame.cursor_row = frame.bottom + row;
  frame.cursor_col = std::min(spot.col, scene.size.cols - 1);
  return frame;
}

std::string title(const Scene& scene) {
  const size_t slash = scene.dir.rfind('/');
  return "π - " + (slash == std::string::npos ? scene.dir : scene.dir.substr(slash + 1));
}

std::string note(std::string_view paste, size_t number) {
  size_t lines = 1;
  for (const char c : paste) lines += c == '\n' ? 1 : 0;
  return "[paste #" + std::to_string(number) + " +" + std::to_string(lines) + " lines]";
}

std::string what_failed(Trouble trouble) {
  switch (trouble) {
    case Trouble::limit:
      return "429 You exceeded your current quota, please check your plan and billing details.";
    case Trouble::auth:
      return "401 Incorrect API key provided: dummy. You can find your API key at "
             "https://platform.openai.com/account/api-keys.";
    case Trouble::context:
      return "400 Your input exceeds the context window of this model. Please adjust your input "
             "and try again.";
    case Trouble::none:
    case Trouble::overload:
      break;
  }
  return "503 The server is currently overloaded with other requests.";
}

std::vector<Said> failed(Trouble trouble, const std::string&) {
  std::vector<Said> said{{By::error, "Error: " + what_failed(trouble)}};
  if (trouble == Trouble::limit || trouble == Trouble::overload)
    said.push_back({By::error, "Error: Retry failed after 3 attempts: " + what_failed(trouble)});
  if (trouble == Trouble::context)
    said.push_back({By::error,
                    "Context overflow recovery failed after one compact-and-retry attempt. Try "
                    "reducing context or switching to a larger-context model."});
  return said;
}

Patience patience(Trouble trouble) {
  using namespace std::chrono_literals;
  const bool again = trouble == Trouble::limit || trouble == Trouble::overload;
  return again ? Patience{3, 2s, 8s} : Patience{};
}

std::string retry(Trouble, int attempt, int seconds) {
  return "Retrying (" + std::to_string(attempt) + "/3) in " + std::to_string(seconds) +
         "s... (escape to cancel)";
}

}  // namespace

const Model kPi{
    .name = "pi",
    .front = "pi",
    .busiest = "pi",
    .alternate = false,
    .drawn = std::chrono::milliseconds{1800},
    .listens = std::chrono::milliseconds{2000},
    .cooked = true,
    .early = Early::kept,
    .note_lines = 10,
    .note_bytes = 1000,
    .tells_each = true,
    .bang_text = true,
    .quit = "/quit",
    .resume = "--session",
    .draw = draw,
    .spin = spinner,
    .title = title,
    .ask = [](Ask, const About&, const Scene&) { return Asked{}; },
    .has = [](Mode mode) { return mode == Mode::picker || mode == Mode::editor; },
    .note = note,
    .until = [](WallTime, WallTime) { return std::string(); },
    .failed = failed,
    .patience = patience,
    .retry = retry,
    .done = [](int, WallTime, unsigned) { return std::string(); },
    .interrupted = "Operation aborted",
    .farewell = [](const std::string&) { return std::string(); },
};

}  // namespace pawl::sim
