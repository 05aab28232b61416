#include "cli/style.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "term/width.h"

namespace pawl::cli {
namespace {

constexpr int kUnlimited = 10'000;

}  // namespace

Look look_of(int fd) {
  Look look;
  if (!::isatty(fd)) {
    look.width = kUnlimited;
    return look;
  }
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    look.width = size.ws_col;
    look.height = size.ws_row;
  }
  const char* no_colour = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  look.colour = !(no_colour && *no_colour) && !(term && std::string_view(term) == "dumb");
  return look;
}

std::string paint(const Look& look, std::string_view sgr, std::string_view text) {
  if (!look.colour || sgr.empty()) return std::string(text);
  return "\x1b[" + std::string(sgr) + "m" + std::string(text) + "\x1b[0m";
}

std::string safe(std::string text) {
  for (size_t at = 0; at < text.size(); ++at) {
    const auto c = static_cast<unsigned char>(text[at]);
    const auto next = at + 1 < text.size() ? static_cast<unsigned char>(text[at + 1]) : 0u;
    if (c < 0x20 || c == 0x7f)
      text[at] = ' ';
    else if (c == 0xC2 && next >= 0x80 && next < 0xA0)
      text.replace(at, 2, " ");
  }
  return text;
}

std::string_view state_colour(std::string_view state) {
  if (state == "ready" || state == "exited") return "32";
  if (state == "busy" || state == "starting" || state == "typing") return "36";
  if (state == "waiting" || state == "limited") return "33";
  if (state == "crashed" || state == "stuck") return "31";
  return "2";
}

int columns_of(std::string_view text) {
  int columns = 0;
  for (size_t at = 0; at < text.size();) {
    char32_t c = static_cast<unsigned char>(text[at++]);
    if (c >= 0xC0) c &= c >= 0xF0 ? 0x07u : c >= 0xE0 ? 0x0Fu : 0x1Fu;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80)
      c = c << 6 | (static_cast<unsigned char>(text[at++]) & 0x3Fu);
    columns += std::max(0, term::char_width(c));
  }
  return columns;
}

std::string fit(std::string_view text, int columns) {
  const int have = columns_of(text);
  if (have <= columns)
    return std::string(text) + std::string(static_cast<size_t>(columns - have), ' ');
  std::string out;
  int used = 0;
  for (size_t at = 0; at < text.size();) {
    size_t next = at + 1;
    while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xC0) == 0x80) ++next;
    const int width = columns_of(text.substr(at, next - at));
    if (used + width > columns - 1) break;
    out += text.substr(at, next - at);
    used += width;
    at = next;
  }
  return out + "…" + std::string(static_cast<size_t>(std::max(0, columns - used - 1)), ' ');
}

}  // namespace pawl::cli
