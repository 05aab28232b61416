#include "perceive/learn/still.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "perceive/player.h"
#include "term/paint.h"

namespace pawl::perceive {
namespace {

constexpr std::array<std::string_view, 4> kWords{"idle", "typing", "busy", "dialog"};
constexpr double kLongEnough = 600;  // seconds: nothing moves any more
constexpr const char* kHeader = "# pawl still 1 %15s %dx%d cursor %d,%d %15s title %n";

}  // namespace

std::string_view word(Shown shown) {
  return kWords[static_cast<size_t>(shown)];
}

std::optional<Shown> shown_from(std::string_view word) {
  const auto* it = std::find(kWords.begin(), kWords.end(), word);
  if (it == kWords.end()) return std::nullopt;
  return static_cast<Shown>(it - kWords.begin());
}

Still still_of(Shown shown, const term::Screen& screen) {
  const term::Cursor cursor = screen.cursor();
  return {shown,          screen.size(),          cursor.row, cursor.col, cursor.visible,
          screen.title(), term::ansi_text(screen)};
}

std::string to_file(const Still& still) {
  return fmt::format("# pawl still 1 {} {}x{} cursor {},{} {} title {}\n{}", word(still.shown),
                     still.size.cols, still.size.rows, still.row + 1, still.col + 1,
                     still.visible ? "visible" : "hidden", still.title, still.ansi);
}

Result<Still> parse_still(const std::string& text, const std::string& path) {
  const size_t end = text.find('\n');
  const std::string head = text.substr(0, end);
  char kind[16] = {}, seen[16] = {};
  int cols = 0, rows = 0, row = 0, col = 0, length = 0;
  const int found =
      std::sscanf(head.c_str(), kHeader, kind, &cols, &rows, &row, &col, seen, &length);
  const auto shown = shown_from(kind);
  if (found < 6 || !shown || cols < 1 || rows < 1 || cols > term::kMaxCols ||
      rows > term::kMaxRows || row < 1 || col < 1 || row > rows || col > cols)
    return fail(path + ":1: this is no still of pawl calibrate", "take it again");
  Still still;
  still.shown = *shown;
  still.size = {static_cast<uint16_t>(cols), static_cast<uint16_t>(rows)};
  still.row = row - 1;
  still.col = col - 1;
  still.visible = std::string_view(seen) == "visible";
  if (length > 0) still.title = head.substr(std::min(head.size(), static_cast<size_t>(length)));
  if (end != std::string::npos) still.ansi = text.substr(end + 1);
  return still;
}

std::string bytes_of(const Still& still) {
  std::string out;
  std::string_view ansi = still.ansi;
  while (!ansi.empty() && ansi.back() == '\n') ansi.remove_suffix(1);
  for (const char c : ansi) {
    if (c == '\n') out += '\r';
    out += c;
  }
  out += fmt::format("\x1b[{};{}H", still.row + 1, still.col + 1);
  if (!still.visible) out += "\x1b[?25l";
  if (!still.title.empty()) out += "\x1b]2;" + still.title + "\x1b\\";
  return out;
}

term::Terminal terminal_of(const Still& still) {
  term::Terminal terminal(still.size, {.answers = false, .scrollback_lines = 0});
  terminal.feed(bytes_of(still));
  return terminal;
}

model::State state_of(Shown shown) {
  switch (shown) {
    case Shown::idle:
      return model::State::ready;
    case Shown::typing:
      return model::State::typing;
    case Shown::busy:
      return model::State::busy;
    case Shown::dialog:
      break;
  }
  return model::State::waiting;
}

Verdict read_still(const Catalog& catalog, const std::string& profile, const Still& still) {
  TrackerOptions options;
  options.still = true;
  options.runtime = profile;
  Player player(catalog, still.size, options);
  player.output(0, bytes_of(still));
  player.advance_to(kLongEnough);
  return player.tracker().verdict();
}

size_t count_right(const Catalog& catalog, const std::string& profile,
                   const std::vector<Still>& stills) {
  return static_cast<size_t>(std::count_if(stills.begin(), stills.end(), [&](const Still& still) {
    return read_still(catalog, profile, still).state == state_of(still.shown);
  }));
}

}  // namespace pawl::perceive
