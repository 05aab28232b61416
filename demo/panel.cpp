#include "panel.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cwchar>

namespace demo {
namespace {

constexpr size_t kKeptLines = 200;
constexpr size_t kPendingLimit = 1 << 16;
constexpr std::string_view kPasteStart = "\x1b[200~";
constexpr std::string_view kPasteEnd = "\x1b[201~";

void write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (n < 0 && errno != EINTR) return;
    if (n > 0) bytes.remove_prefix(static_cast<size_t>(n));
  }
}

// Length of the SGR sequence that `text` starts with, or 0.
size_t sgr_length(std::string_view text) {
  if (text.substr(0, 2) != "\x1b[") return 0;
  const size_t end = text.find('m');
  return end == std::string_view::npos ? 0 : end + 1;
}

// Length in bytes and columns of the character that `text` starts with.
size_t character(std::string_view text, size_t& width) {
  wchar_t wide = 0;
  std::mbstate_t state = {};
  const size_t n = std::mbrtowc(&wide, text.data(), text.size(), &state);
  if (n == 0 || n > text.size()) {
    width = 1;
    return 1;
  }
  width = static_cast<size_t>(std::max(0, ::wcwidth(wide)));
  return n;
}

std::string up(size_t n) {
  return n == 0 ? "" : "\x1b[" + std::to_string(n) + "A";
}

std::string down(size_t n) {
  return n == 0 ? "" : "\x1b[" + std::to_string(n) + "B";
}

std::string place(const Live& live, size_t from_line) {
  std::string out = "\r";
  if (from_line > live.cursor_line) out += up(from_line - live.cursor_line);
  if (from_line < live.cursor_line) out += down(live.cursor_line - from_line);
  if (live.cursor_col > 0) out += "\x1b[" + std::to_string(live.cursor_col) + "C";
  return out + (live.cursor_visible ? "\x1b[?25h" : "\x1b[?25l");
}

}  // namespace

size_t columns(std::string_view text) {
  size_t sum = 0;
  while (!text.empty()) {
    size_t width = 0;
    size_t n = sgr_length(text);
    if (n == 0) n = character(text, width);
    sum += width;
    text.remove_prefix(n);
  }
  return sum;
}

std::string cut(std::string_view text, size_t width) {
  std::string out;
  size_t used = 0;
  while (!text.empty()) {
    size_t w = 0;
    size_t n = sgr_length(text);
    if (n == 0) n = character(text, w);
    if (used + w > width) {
      text.remove_prefix(n);  // later SGR sequences still count: they end what an earlier one began
      continue;
    }
    used += w;
    out += text.substr(0, n);
    text.remove_prefix(n);
  }
  return out;
}

std::vector<std::string> wrap(std::string_view text, size_t width) {
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    size_t end = std::min({text.find(' '), text.size(), width * 4});
    while (columns(text.substr(0, end)) > width)
      --end;  // between characters: the rest is a word again
    while (end < text.size() && end > 1 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
      --end;
    const bool whole = end == text.size() || text[end] == ' ';
    const std::string_view word = text.substr(0, end);
    if (!lines.back().empty() && columns(lines.back()) + 1 + columns(word) > width)
      lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    lines.back() += word;
    text.remove_prefix(std::min(end + (whole ? 1 : 0), text.size()));
    if (!whole) lines.emplace_back();
  }
  return lines;
}

std::string dim(const std::string& text) {
  return "\x1b[2m" + text + "\x1b[22m";
}

std::string base64(std::string_view bytes) {
  static constexpr char digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (size_t j = 0; j < 3; ++j)
      group = group << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    for (size_t j = 0; j < 4; ++j)
      out += i + j > bytes.size() ? '=' : digits[group >> (18 - 6 * j) & 63];
  }
  return out;
}

Panel::Panel(Options options) : options_(options) {
  is_tty_ = ::tcgetattr(STDIN_FILENO, &saved_) == 0;
  if (is_tty_) {
    termios raw_mode = saved_;
    ::cfmakeraw(&raw_mode);
    ::tcsetattr(STDIN_FILENO, TCSANOW, &raw_mode);
  }
  measure();
  if (options_.alternate) raw("\x1b[?1049h\x1b[H");
  raw("\x1b[?2004h");
}

Panel::~Panel() {
  std::string out;
  if (live_.lines.size() > live_.cursor_line + 1)
    out += down(live_.lines.size() - 1 - live_.cursor_line);
  out += "\r\n\x1b[?2004l\x1b[?25h\x1b[0m\x1b]2;\x1b\\";
  if (options_.alternate) out += "\x1b[?1049l";
  write_all(out);
  if (is_tty_) ::tcsetattr(STDIN_FILENO, TCSANOW, &saved_);
}

void Panel::measure() {
  winsize size = {};
  const bool known = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  const size_t cols = known ? size.ws_col : 80;
  rows_ = known ? size.ws_row : 24;
  width_ = std::max<size_t>(10, options_.cols_aware ? cols : std::min<size_t>(cols, 80));
}

void Panel::raw(std::string_view bytes) {
  write_all(bytes);
}

void Panel::title(std::string_view text) {
  raw("\x1b]2;" + std::string(text) + "\x1b\\");
}

void Panel::say(std::string line) {
  said_.push_back(line);
  if (said_.size() > kKeptLines) said_.erase(said_.begin());
  fresh_.push_back(std::move(line));
}

void Panel::print(const Live& live, std::string& out) const {
  for (size_t i = 0; i < live.lines.size(); ++i) {
    if (i > 0) out += "\r\n";
    out += cut(live.lines[i], width_ - 1);
  }
  out += place(live, live.lines.size() - 1);
}

void Panel::overwrite(const Live& live, std::string& out) const {
  size_t at = live_.cursor_line;
  for (size_t i = 0; i < live.lines.size(); ++i) {
    if (live.lines[i] == live_.lines[i]) continue;
    out += "\r" + (i < at ? up(at - i) : down(i - at));
    out += cut(live.lines[i], width_ - 1) + "\x1b[K";
    at = i;
  }
  out += place(live, at);
}

void Panel::draw(Live live) {
  std::string out = "\x1b[?2026h";
  if (fresh_.empty() && live.lines.size() == live_.lines.size()) {
    overwrite(live, out);
  } else {
    if (!live_.lines.empty()) out += "\r" + up(live_.cursor_line);
    out += "\x1b[J";
    for (const auto& line : fresh_) out += cut(line, width_ - 1) + "\r\n";
    fresh_.clear();
    print(live, out);
  }
  raw(out + "\x1b[?2026l");
  live_ = std::move(live);
}

void Panel::redraw_all() {
  measure();
  fresh_.clear();
  std::string out = "\x1b[?2026h\x1b[H\x1b[2J";
  const size_t room = rows_ > live_.lines.size() ? rows_ - live_.lines.size() : 0;
  for (size_t i = said_.size() - std::min(said_.size(), room); i < said_.size(); ++i)
    out += cut(said_[i], width_ - 1) + "\r\n";
  if (!live_.lines.empty()) print(live_, out);
  raw(out + "\x1b[?2026l");
}

std::vector<Press> Panel::read_keys() {
  char buffer[4096];
  const ssize_t n = ::read(STDIN_FILENO, buffer, sizeof buffer);
  if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) closed_ = true;
  if (n <= 0) return {};
  pending_.append(buffer, static_cast<size_t>(n));
  std::vector<Press> presses;
  while (!pending_.empty()) {
    const size_t before = pending_.size();
    Press press = next_press();
    if (press.key != Key::none) presses.push_back(std::move(press));
    if (pending_.size() == before) break;  // unfinished: wait for more
  }
  if (pending_.size() > kPendingLimit) pending_.clear();
  return presses;
}

std::vector<Press> Panel::flush_escape() {
  if (!escape_pending()) return {};
  pending_.clear();
  return {{Key::escape}};
}

// Takes one key from the front of pending_, or nothing when it is not complete.
Press Panel::next_press() {
  const auto byte = static_cast<unsigned char>(pending_[0]);
  if (byte == 0x1b) return next_sequence();
  size_t length = 1;
  if (byte >= 0xc0) length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
  if (length > pending_.size()) return {};
  const std::string text = pending_.substr(0, length);
  pending_.erase(0, length);
  switch (byte) {
    case '\r':
    case '\n':
      return {Key::enter};
    case 0x03:
      return {Key::interrupt};
    case 0x04:
      return {Key::end};
    case 0x15:
      return {Key::clear};
    case 0x08:
    case 0x7f:
      return {Key::backspace};
    default:
      return byte < 0x20 ? Press{} : Press{Key::text, text};
  }
}

Press Panel::next_sequence() {
  if (pending_.size() < 2) return {};
  if (pending_.compare(0, kPasteStart.size(), kPasteStart) == 0) {
    const size_t end = pending_.find(kPasteEnd);
    if (end == std::string::npos) return {};
    std::string text = pending_.substr(kPasteStart.size(), end - kPasteStart.size());
    pending_.erase(0, end + kPasteEnd.size());
    for (char& c : text)
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    return {Key::text, text};
  }
  if (pending_[1] == ']') {
    const size_t st = pending_.find("\x1b\\", 2);
    const size_t bel = pending_.find('\a', 2);
    if (st == std::string::npos && bel == std::string::npos) return {};
    const size_t end = std::min(st, bel);
    const bool reply = pending_.compare(2, end - 2, "7501;?") == 0;
    pending_.erase(0, end + (end == bel ? 1 : 2));
    return {reply ? Key::status_reply : Key::none};
  }
  if (pending_[1] != '[' && pending_[1] != 'O') {
    pending_.erase(0, 1);
    return {Key::escape};
  }
  size_t end = 2;
  while (end < pending_.size() && (pending_[end] < 0x40 || pending_[end] > 0x7e)) ++end;
  if (end == pending_.size()) return {};
  const char final = pending_[end];
  pending_.erase(0, end + 1);
  return {final == 'A' ? Key::up : final == 'B' ? Key::down : Key::none};
}

}  // namespace demo
