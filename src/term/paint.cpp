#include "term/paint.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "term/utf8.h"
#include "term/width.h"

namespace pawl::term {
namespace {

void add_colour(std::string& out, Colour colour, int base) {
  const uint32_t v = colour.value;
  auto it = std::back_inserter(out);
  if (colour.kind == Colour::Kind::rgb)
    fmt::format_to(it, ";{};2;{};{};{}", base + 8, v >> 16, v >> 8 & 0xff, v & 0xff);
  else if (colour.kind == Colour::Kind::indexed && base != 50 && v < 8)
    fmt::format_to(it, ";{}", base + static_cast<int>(v));
  else if (colour.kind == Colour::Kind::indexed && base != 50 && v < 16)
    fmt::format_to(it, ";{}", base + 52 + static_cast<int>(v));
  else if (colour.kind == Colour::Kind::indexed)
    fmt::format_to(it, ";{};5;{}", base + 8, v);
}

// Terminals disagree about the width of emoji and of clusters (not of CJK): the painter says the
// column again.
bool doubtful(const CellView& cell) {
  const auto first = cell.text.empty() ? 0u : static_cast<unsigned char>(cell.text[0]);
  const size_t one = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  return first >= 0xf0 || (first == 0xe2 && cell.width == 2) || cell.text.size() > one;
}

char32_t first_character(std::string_view text) {
  Utf8Decoder decoder;
  for (const char byte : text)
    if (decoder.take(static_cast<uint8_t>(byte)) == Utf8Decoder::Step::done) break;
  return decoder.character();
}

// One that would join what is painted right before it: it stands alone only at a column that is said.
bool may_join(const CellView& cell) {
  if (cell.text.empty() || static_cast<unsigned char>(cell.text[0]) < 0x80) return false;
  switch (letter(first_character(cell.text)).kind()) {
    case LetterClass::spacing:
    case LetterClass::regional:
    case LetterClass::picture:
    case LetterClass::tone:
    case LetterClass::consonant:
      return true;
    case LetterClass::other:
    case LetterClass::extend:
    case LetterClass::linker:
    case LetterClass::prepend:
    case LetterClass::lead:
    case LetterClass::vowel:
    case LetterClass::tail:
    case LetterClass::open:
    case LetterClass::closed:
    case LetterClass::joiner:
      break;
  }
  return false;
}

int last_used(const Screen& screen, int row, int cols) {
  for (; cols > 0; --cols) {
    const CellView cell = screen.cell(row, cols - 1);
    if (cell.width == 0 || !(cell.style == Style{}) || (!cell.text.empty() && cell.text != " "))
      break;
  }
  return cols;
}

struct PaintedRow {
  std::string bytes;
  int cols = 0;
};

PaintedRow paint(const Screen& screen, int row, int max_cols, bool columns) {
  const int cols = last_used(screen, row, std::min<int>(screen.size().cols, max_cols));
  PaintedRow painted{{}, cols};
  Style now;
  int said = 0;  // the last column that was said
  for (int c = 0; c < cols; ++c) {
    CellView cell = screen.cell(row, c);
    cell.style.link = 0;
    if (cell.width == 0) continue;
    if (!(cell.style == now)) {
      painted.bytes += "\x1b[" + sgr_of(cell.style) + "m";
      now = cell.style;
    }
    const auto say_column = [&](int col) {
      fmt::format_to(std::back_inserter(painted.bytes), "\x1b[{}G", col + 1);
      said = col;
    };
    if (columns && c > said && may_join(cell)) say_column(c);
    const bool cut = cell.width == 2 && c + 1 >= max_cols;  // half of it is outside the viewport
    painted.bytes += cell.text.empty() || cut ? " " : cell.text;
    if (columns && doubtful(cell) && c + cell.width < cols) say_column(c + cell.width);
  }
  if (!(now == Style{})) painted.bytes += "\x1b[0m";
  return painted;
}

void switch_mode(std::string& out, int mode, bool on) {
  fmt::format_to(std::back_inserter(out), "\x1b[?{}{}", mode, on ? 'h' : 'l');
}

int mode_of(MouseTracking m) {
  constexpr int kModes[] = {0, 9, 1000, 1002, 1003};
  return kModes[static_cast<size_t>(m)];
}

int mode_of(MouseEncoding m) {
  constexpr int kModes[] = {0, 1005, 1006, 1015, 1016};
  return kModes[static_cast<size_t>(m)];
}

}  // namespace

std::string sgr_of(const Style& s) {
  std::string out = "0";
  if (s.bold) out += ";1";
  if (s.dim) out += ";2";
  if (s.italic) out += ";3";
  if (s.underline == Underline::single)
    out += ";4";
  else if (s.underline != Underline::none)
    out += fmt::format(";4:{}", static_cast<int>(s.underline));
  if (s.blink) out += ";5";
  if (s.reverse) out += ";7";
  if (s.hidden) out += ";8";
  if (s.strike) out += ";9";
  if (s.overline) out += ";53";
  add_colour(out, s.fg, 30);
  add_colour(out, s.bg, 40);
  add_colour(out, s.underline_colour, 50);
  return out;
}

std::string paint_row(const Screen& screen, int row, int max_cols) {
  return paint(screen, row, max_cols, false).bytes;
}

std::string ansi_text(const Screen& screen) {
  std::string out;
  size_t end = 0;
  for (int r = 0; r < screen.size().rows; ++r) {
    const std::string row = paint_row(screen, r);
    out += row;
    if (!row.empty()) end = out.size();
    out += '\n';
  }
  out.resize(end);
  if (!out.empty()) out += '\n';
  return out;
}

std::string paint_line(const ScrollbackLine& line) {
  if (line.runs.empty()) return line.text;
  std::string out;
  size_t at = 0;
  for (const StyleRun& run : line.runs) {
    out += "\x1b[" + sgr_of(run.style()) + "m" + line.text.substr(at, run.bytes);
    at += run.bytes;
  }
  return out + "\x1b[0m";
}

std::string Painter::frame(const Screen& screen, Size viewport) {
  std::string out;
  const bool all = !entered_ || viewport != viewport_ || rows_.empty();
  if (!entered_) out += "\x1b[?1049h";
  if (all) {
    out += "\x1b[0m\x1b[H\x1b[2J";
    rows_.assign(viewport.rows, {});
    viewport_ = viewport;
  }
  entered_ = true;
  const size_t before = out.size();
  paint_rows(screen, viewport, out);
  const bool moved = all || out.size() != before;
  paint_modes(screen.modes(), out);
  paint_title(screen, out);
  paint_cursor(screen, viewport, moved, out);
  if (out.empty()) return out;
  return "\x1b[?2026h" + out + "\x1b[?2026l";
}

void Painter::paint_rows(const Screen& screen, Size viewport, std::string& out) {
  for (int r = 0; r < viewport.rows; ++r) {
    PaintedRow row;
    if (r < screen.size().rows) row = paint(screen, r, viewport.cols, true);
    if (row.cols < viewport.cols) row.bytes += "\x1b[K";
    if (row.bytes == "\x1b[K" && rows_[static_cast<size_t>(r)].empty()) continue;
    if (row.bytes == rows_[static_cast<size_t>(r)]) continue;
    out += fmt::format("\x1b[{}H", r + 1) + row.bytes;
    rows_[static_cast<size_t>(r)] = std::move(row.bytes);
  }
}

void Painter::paint_modes(const Modes& m, std::string& out) {
  auto flag = [&](bool Modes::*member, int mode) {
    if (modes_.*member != m.*member) switch_mode(out, mode, m.*member);
  };
  flag(&Modes::app_cursor_keys, 1);
  flag(&Modes::bracketed_paste, 2004);
  flag(&Modes::focus_events, 1004);
  flag(&Modes::reverse_video, 5);
  flag(&Modes::alternate_scroll, 1007);
  flag(&Modes::clusters, 2027);
  if (modes_.app_keypad != m.app_keypad) out += m.app_keypad ? "\x1b=" : "\x1b>";
  if (modes_.mouse != m.mouse) {
    if (modes_.mouse != MouseTracking::off) switch_mode(out, mode_of(modes_.mouse), false);
    if (m.mouse != MouseTracking::off) switch_mode(out, mode_of(m.mouse), true);
  }
  if (modes_.mouse_encoding != m.mouse_encoding) {
    if (modes_.mouse_encoding != MouseEncoding::legacy)
      switch_mode(out, mode_of(modes_.mouse_encoding), false);
    if (m.mouse_encoding != MouseEncoding::legacy)
      switch_mode(out, mode_of(m.mouse_encoding), true);
  }
  if (modes_.kitty_keyboard != m.kitty_keyboard) {
    if (modes_.kitty_keyboard == 0)
      out += fmt::format("\x1b[>{}u", m.kitty_keyboard);
    else if (m.kitty_keyboard == 0)
      out += "\x1b[<u";
    else
      out += fmt::format("\x1b[={}u", m.kitty_keyboard);
  }
  if (modes_.modify_other_keys != m.modify_other_keys)
    out += m.modify_other_keys ? fmt::format("\x1b[>4;{}m", m.modify_other_keys) : "\x1b[>4m";
  modes_ = m;
}

void Painter::paint_title(const Screen& screen, std::string& out) {
  if (screen.title() == title_) return;
  if (!titled_) out += "\x1b[22;2t";  // the person's own title, for leave()
  titled_ = true;
  title_ = screen.title();
  out += "\x1b]2;" + title_ + "\x1b\\";
}

void Painter::paint_cursor(const Screen& screen, Size viewport, bool moved, std::string& out) {
  Cursor cursor = screen.cursor();
  if (cursor.row >= viewport.rows || cursor.col >= viewport.cols) cursor.visible = false;
  cursor.row = std::min<int>(cursor.row, viewport.rows - 1);
  cursor.col = std::min<int>(cursor.col, viewport.cols - 1);
  if (moved || cursor.row != cursor_.row || cursor.col != cursor_.col)
    out += fmt::format("\x1b[{};{}H", cursor.row + 1, cursor.col + 1);
  if (cursor.style != cursor_.style)
    out += fmt::format("\x1b[{} q", static_cast<int>(cursor.style));
  if (cursor.visible != cursor_.visible) switch_mode(out, 25, cursor.visible);
  cursor_ = cursor;
}

std::string Painter::leave() {
  if (!entered_) return {};
  std::string out = "\x1b[?2026l\x1b[0m";
  paint_modes(Modes{}, out);
  if (!cursor_.visible) out += "\x1b[?25h";
  if (cursor_.style != CursorStyle::standard) out += "\x1b[0 q";
  if (titled_) out += "\x1b[23;2t";
  out += "\x1b[?1049l";
  *this = Painter{};
  return out;
}

}  // namespace pawl::term
