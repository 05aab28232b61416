#include "host/tmux/tmux_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace pawl::host {
namespace {

constexpr std::string_view kPaneMark = "pawl-pane", kClientMark = "pawl-client";

constexpr const char* kPaneFields[] = {
    "pid",       "pane_id",         "pane_pid",         "pane_width",       "pane_height",
    "cursor_x",  "cursor_y",        "cursor_flag",      "alternate_on",     "pane_in_mode",
    "pane_pipe", "pane_dead",       "pane_dead_status", "pane_dead_signal", "pane_synchronized",
    "window_id", "session_activity"};
// Free text: may hold anything but a tab, which tmux never lets into a name or title.
constexpr const char* kPaneTexts[] = {"#{session_name}:#{window_index}.#{pane_index}",
                                      "#{pane_current_command}", "#{pane_current_path}",
                                      "#{pane_title}"};

int64_t number(std::string_view text, int64_t fallback = 0) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && !text.empty() ? value
                                                                                   : fallback;
}

Size size_of(std::string_view cols, std::string_view rows) {
  const auto side = [](std::string_view text) {
    return static_cast<uint16_t>(std::clamp<int64_t>(number(text), 1, 1000));
  };
  return {side(cols), side(rows)};
}

}  // namespace

std::string pane_format() {
  std::string format(kPaneMark);
  for (const char* field : kPaneFields) format += fmt::format("\t#{{{}}}", field);
  for (const char* text : kPaneTexts) format += std::string("\t") + text;
  return format;
}

std::optional<PaneFacts> parse_pane(std::string_view line) {
  const auto parts = split(line, '\t');
  if (parts.size() != 1 + std::size(kPaneFields) + std::size(kPaneTexts)) return std::nullopt;
  if (parts[0] != kPaneMark || !parts[2].starts_with('%')) return std::nullopt;
  PaneFacts facts;
  facts.server = number(parts[1]);
  facts.id = parts[2];
  facts.pid = static_cast<pid_t>(number(parts[3]));
  facts.size = size_of(parts[4], parts[5]);
  facts.cursor_x = static_cast<int>(number(parts[6]));
  facts.cursor_y = static_cast<int>(number(parts[7]));
  facts.cursor_visible = parts[8] != "0";
  facts.alternate = parts[9] == "1";
  facts.in_mode = number(parts[10]) > 0;  // how many modes are on top of each other
  facts.piped = parts[11] == "1";
  facts.dead = parts[12] == "1";
  facts.dead_status = static_cast<int>(number(parts[13], -1));
  facts.dead_signal = static_cast<int>(number(parts[14]));
  facts.synchronized = parts[15] == "1";
  facts.window = parts[16];
  facts.session_active = number(parts[17]);
  facts.place = parts[18];
  facts.command = parts[19];
  facts.dir = parts[20];
  facts.title = parts[21];
  return facts;
}

std::string client_format() {
  return std::string(kClientMark) +
         "\t#{client_activity}\t#{client_control_mode}\t#{pane_id}\t#{window_id}\t#{client_name}";
}

std::optional<ClientFacts> parse_client(std::string_view line) {
  const auto parts = split(line, '\t');
  if (parts.size() != 6 || parts[0] != kClientMark) return std::nullopt;
  return ClientFacts{parts[5], WallTime{std::chrono::seconds{number(parts[1])}}, parts[2] == "1",
                     parts[3], parts[4]};
}

std::string tmux_word(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\' || c == '$') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string expanded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '#' || c == '%') out += c;
    out += c;
  }
  return out;
}

std::string only_for(const std::string& pane, pid_t pid, const std::string& body) {
  return fmt::format("if-shell -F -t {} \"#{{==:#{{pane_pid}},{}}}\" {{\n{}}}\n", pane, pid, body);
}

std::string unless_typed(const std::string& pane, int64_t active, const std::string& body) {
  if (active == 0) return body;  // not known
  return fmt::format(
      "if-shell -F -t {} \"#{{<=:#{{session_activity}},{}}}\" {{\n{}}} {{ display-message -p {} "
      "}}\n",
      pane, active, body, kTyped);
}

std::string leave_mode(const std::string& pane) {
  return fmt::format("if-shell -F -t {0} \"#{{pane_in_mode}}\" {{ send-keys -t {0} -X cancel }}\n",
                     pane);
}

std::string type_bytes(const std::string& pane, std::string_view bytes) {
  std::string line = "send-keys -H -t " + pane;
  for (const unsigned char c : bytes) line += fmt::format(" {:02x}", c);
  return line + '\n';
}

std::string paste_file(const std::string& pane, const std::string& buffer, const std::string& file,
                       bool bracketed) {
  std::string path;
  for (const char c : file) path += c == '#' ? std::string("##") : std::string(1, c);
  return fmt::format("load-buffer -b {0} {1}\npaste-buffer -r -d {2}-b {0} -t {3}\n", buffer,
                     tmux_word(path), bracketed ? "-p " : "", pane);
}

std::string picture(const PaneFacts& facts, const std::vector<std::string>& rows) {
  std::string out(kPictureBegins);
  out += "\x1b[?1049l\x1b[0m\x1b[r\x1b[?6l\x1b[?7h\x1b[4l\x0f\x1b(B\x1b)0";
  if (facts.alternate) out += "\x1b[?1049h";
  out += "\x1b[H\x1b[2J";
  const size_t shown = std::min<size_t>(rows.size(), facts.size.rows);
  for (size_t row = 0; row < shown; ++row)
    if (!rows[row].empty()) out += fmt::format("\x1b[{};1H{}", row + 1, rows[row]);
  out += fmt::format("\x1b[0m\x0f\x1b[{};{}H", facts.cursor_y + 1, facts.cursor_x + 1);
  out += facts.cursor_visible ? "\x1b[?25h" : "\x1b[?25l";
  // Whether the program asked for bracketed pastes is not known; tmux knows, and has the last word when one is sent.
  out += "\x1b[?2004h\x1b]2;" + facts.title + "\x1b\\";
  return out + std::string(kPictureEnds);
}

}  // namespace pawl::host
