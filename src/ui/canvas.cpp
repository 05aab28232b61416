#include "ui/canvas.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "term/paint.h"
#include "term/terminal.h"
#include "term/utf8.h"
#include "term/width.h"

namespace pawl::ui {
namespace {

constexpr size_t kMaxText = 8192;  // of one put: more than any row shows
constexpr size_t kMaxTail = 32;    // marks that stand in one cell

size_t next_character(std::string_view text, size_t at) {
  ++at;
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
  return at;
}

// A character alone; marks take no columns. Never less than the terminal takes, for what joins gets narrower.
int columns_of_one(std::string_view character) {
  const auto first = static_cast<unsigned char>(character.empty() ? 0 : character[0]);
  if (first < 0x80) return 1;
  char32_t c = first & (first >= 0xF0 ? 0x07u : first >= 0xE0 ? 0x0Fu : 0x1Fu);
  for (size_t i = 1; i < character.size(); ++i)
    c = c << 6 | (static_cast<unsigned char>(character[i]) & 0x3Fu);
  if (c == term::kAsPicture) return 1;  // makes the character before it wider
  return std::max(0, term::char_width(c));
}

std::string harmless(std::string_view text) {
  std::string out(text.substr(0, kMaxText));
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return term::plain_text(out, kMaxText);
}

// As much of a harmless text as has so many columns.
size_t bytes_within(std::string_view text, int columns) {
  int used = 0;
  size_t marks = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t next = next_character(text, at);
    const int width = columns_of_one(text.substr(at, next - at));
    marks = width == 0 ? marks + 1 : 0;
    if (used + width > columns || marks > kMaxTail) return at;
    used += width;
    at = next;
  }
  return text.size();
}

}  // namespace

int columns_of(std::string_view text) {
  const std::string plain = harmless(text);
  int columns = 0;
  for (size_t at = 0; at < plain.size();) {
    const size_t next = next_character(plain, at);
    columns += columns_of_one(std::string_view(plain).substr(at, next - at));
    at = next;
  }
  return columns;
}

std::string fitted(std::string_view text, int columns) {
  if (columns <= 0) return {};
  std::string plain = harmless(text);
  if (bytes_within(plain, columns) == plain.size()) return plain;
  plain.resize(bytes_within(plain, columns - 1));
  return plain + "…";
}

std::vector<std::string> wrapped(std::string_view text, int columns, size_t limit) {
  std::vector<std::string> lines;
  std::string rest = harmless(text);
  columns = std::max(1, columns);
  while (!rest.empty() && lines.size() < limit) {
    size_t end = bytes_within(rest, columns);
    if (end == rest.size() || lines.size() + 1 == limit) {
      lines.push_back(fitted(rest, columns));
      break;
    }
    if (const size_t blank = rest.rfind(' ', end); blank != std::string::npos && blank > 0)
      end = blank;
    if (end == 0) end = next_character(rest, 0);  // wider than the line: it is left out there
    lines.push_back(rest.substr(0, end));
    rest.erase(0, std::max(end, rest.find_first_not_of(' ', end) == std::string::npos
                                    ? rest.size()
                                    : rest.find_first_not_of(' ', end)));
  }
  return lines;
}

Canvas::Canvas(Size size, Colours colours) : size_(term::bounded(size)), colours_(colours) {
  bytes_ = "\x1b[?7l\x1b[?25l\x1b[?1000h\x1b[?1006h\x1b[?2004h";
}

void Canvas::go(int row, int col) {
  fmt::format_to(std::back_inserter(bytes_), "\x1b[{};{}H", row + 1, col + 1);
}

void Canvas::wear(const term::Style& style) {
  bytes_ += "\x1b[" + term::sgr_of(reduced(style, colours_)) + "m";
}

void Canvas::put(int row, int col, int columns, std::string_view text, const term::Style& style) {
  columns = std::min(columns, cols() - col);
  if (row < 0 || row >= rows() || col < 0 || columns <= 0) return;
  const std::string shown = fitted(text, columns);
  wear(style);
  go(row, col);
  bytes_.append(static_cast<size_t>(columns), ' ');
  go(row, col);
  bytes_ += shown;
}

void Canvas::copy(const term::Screen& from, int first, const Area& to) {
  for (int r = 0; r < to.rows && to.row + r < rows() && first + r < from.size().rows; ++r) {
    const int wide = std::min({to.cols, cols() - to.col, int{from.size().cols}});
    std::optional<term::Style> worn;
    go(to.row + r, to.col);
    for (int c = 0; c < wide; ++c) {
      const term::CellView cell = from.cell(first + r, c);
      if (cell.width == 0) continue;
      if (!worn || !(*worn == cell.style)) {
        wear(cell.style);
        worn = cell.style;
      }
      const bool cut = cell.width == 2 && c + 1 >= wide;
      const bool plain = cell.text.size() <= 1;
      if (!plain) go(to.row + r, to.col + c);
      bytes_ += cell.text.empty() || cut ? " " : cell.text;
      if (!plain) go(to.row + r, to.col + c + cell.width);
    }
  }
}

void Canvas::cursor(int row, int col) {
  cursor_ = row >= 0 && row < rows() && col >= 0 && col < cols();
  cursor_row_ = row;
  cursor_col_ = col;
}

term::Screen Canvas::screen() const {
  term::Terminal terminal(size_, {false, 0});
  terminal.count(term::Counting::clusters);
  terminal.feed(bytes_);
  terminal.feed(fmt::format("\x1b[0m\x1b[{};{}H", cursor_row_ + 1, cursor_col_ + 1));
  if (cursor_) terminal.feed("\x1b[?25h");
  return terminal.screen();
}

}  // namespace pawl::ui
