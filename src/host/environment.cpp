#include "host/environment.h"

#include <unistd.h>

#include <array>
#include <climits>
#include <map>

namespace pawl::host {
namespace {

// They describe the terminal the person sits at, not the one the agent gets. A trailing '*' matches
// any rest.
constexpr std::array kForeign = {
    "COLUMNS",
    "LINES",
    "TERMCAP",
    "TMUX",
    "TMUX_*",
    "STY",
    "WINDOW",
    "TERM_PROGRAM",
    "TERM_PROGRAM_*",
    "TERM_SESSION_ID",
    "LC_TERMINAL",
    "LC_TERMINAL_*",
    "VTE_VERSION",
    "KITTY_*",
    "WT_*",
    "ITERM_*",
    "GHOSTTY_*",
    "WEZTERM_*",
    "ALACRITTY_*",
    "KONSOLE_*",
    "GNOME_TERMINAL_*",
    "XTERM_*",
    "WINDOWID",
    "TERMINATOR_*",
    "TILIX_ID",
    "ZELLIJ",
    "ZELLIJ_*",
    "VSCODE_*",
    "TERMINAL_EMULATOR",
    "TERMINFO",
    "FOOT_*",
    "CONTOUR_*",
    "MLTERM",
    "SSH_TTY",
    "PAWL_SESSION",
};

bool matches(std::string_view pattern, std::string_view name) {
  if (!pattern.empty() && pattern.back() == '*')
    return name.substr(0, pattern.size() - 1) == pattern.substr(0, pattern.size() - 1);
  return name == pattern;
}

bool foreign(std::string_view name) {
  for (const char* pattern : kForeign)
    if (matches(pattern, name)) return true;
  return false;
}

}  // namespace

std::string session_cookie(std::string_view home, SessionId session) {
  uint64_t hash = 14695981039346656037ull;  // FNV-1a
  for (const char c : home) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "PAWL_SESSION=";
  for (int shift = 60; shift >= 0; shift -= 4) text += kDigits[(hash >> shift) & 15];
  return text + "-" + std::to_string(session.value);
}

std::vector<std::string> terminal_environment(const std::vector<std::string>& from,
                                              const std::string& cookie, std::string_view zone,
                                              const std::vector<std::string>& terminal) {
  std::map<std::string, std::string> kept;
  for (const auto& entry : from) {
    const size_t equals = entry.find('=');
    if (equals == std::string::npos || equals == 0) continue;
    if (entry.find('\0') != std::string::npos) continue;
    const std::string name = entry.substr(0, equals);
    if (!foreign(name)) kept[name] = entry;
  }
  for (const auto& entry : terminal) kept[entry.substr(0, entry.find('='))] = entry;
  kept["TERM"] = "TERM=xterm-256color";
  kept["COLORTERM"] = "COLORTERM=truecolor";
  kept["PAWL_SESSION"] = cookie;
  if (!kept.count("TZ") && !zone.empty()) kept["TZ"] = "TZ=" + std::string(zone);
  std::vector<std::string> all;
  for (auto& [name, entry] : kept) all.push_back(std::move(entry));
  return all;
}

std::string system_zone() {
  std::array<char, PATH_MAX> target{};
  const ssize_t length = ::readlink("/etc/localtime", target.data(), target.size());
  const std::string_view path(target.data(), length > 0 ? static_cast<size_t>(length) : 0);
  constexpr std::string_view kFolder = "/zoneinfo/";
  const size_t at = path.find(kFolder);
  if (at == std::string_view::npos) return "UTC";
  const std::string name(path.substr(at + kFolder.size()));
  return name.rfind("Etc/UTC", 0) == 0 ? "UTC" : name;
}

}  // namespace pawl::host
