#include "sim/world/agents/layout.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "term/utf8.h"
#include "term/width.h"

namespace pawl::sim {
namespace {

uint64_t number_of(std::string_view text) {
  uint64_t out = 0x9e3779b97f4a7c15u ^ text.size();
  for (size_t at = 0; at < text.size(); at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, text.data() + at, std::min<size_t>(8, text.size() - at));
    out = (out ^ word) * 0xff51afd7ed558ccdu;
    out ^= out >> 32;
  }
  return out;
}

// Calls take(begin, end, columns) for each character.
template <class Take>
void each_character(std::string_view text, Take take) {
  term::Utf8Decoder decoder;
  for (size_t at = 0, from = 0; at < text.size(); ++at) {
    if (decoder.take(static_cast<uint8_t>(text[at])) == term::Utf8Decoder::Step::more) continue;
    take(from, at + 1, text[from] == '\t' ? 1 : term::char_width(decoder.character()));
    from = at + 1;
  }
}

void add_place(std::string& out, int row, int col) {
  out += "\x1b[";
  out += std::to_string(row + 1);
  out += ';';
  out += std::to_string(col + 1);
  out += 'H';
}

}  // namespace

std::string rule(int columns, std::string_view glyph) {
  std::string row;
  row.reserve(glyph.size() * static_cast<size_t>(std::max(columns, 0)));
  for (int i = 0; i < columns; ++i) row += glyph;
  return row;
}

std::string blanks(int columns) {
  return std::string(static_cast<size_t>(std::max(columns, 0)), ' ');
}

std::string padded(std::string_view text, int columns) {
  return std::string(text) + blanks(columns - term::text_width(text));
}

Rows broken(std::string_view text, int columns) {
  Rows rows{""};
  int column = 0;
  each_character(text, [&](size_t from, size_t to, int width) {
    if (text[from] == '\n') {
      rows.emplace_back();
      column = 0;
      return;
    }
    if (column + width > columns) {
      rows.emplace_back();
      column = 0;
    }
    column += width;
    rows.back() += text[from] == '\t' ? " " : text.substr(from, to - from);
  });
  return rows;
}

Spot spot_of(std::string_view text, size_t byte, int columns) {
  Spot spot;
  each_character(text, [&](size_t from, size_t, int width) {
    if (from >= byte) return;
    if (text[from] == '\n') {
      spot = {spot.row + 1, 0};
      return;
    }
    if (spot.col + width > columns) spot = {spot.row + 1, 0};
    spot.col += width;
  });
  return spot;
}

Rows wrapped(std::string_view text, int columns, std::string_view joints) {
  Rows rows;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string row;
    for (std::string_view line = text.substr(at, end - at); !line.empty();) {
      size_t word = std::min(line.find(' ', 1), line.size());
      if (const size_t joint = line.find_first_of(joints); !joints.empty() && joint < word)
        word = joint + 1;
      const std::string_view next = line.substr(0, word);
      if (!row.empty() && term::text_width(row) + term::text_width(next) > columns) {
        rows.push_back(std::exchange(row, {}));
        row = next.substr(next[0] == ' ' ? 1 : 0);
      } else {
        row += next;
      }
      line.remove_prefix(word);
    }
    for (auto& piece : broken(row, columns)) rows.push_back(std::move(piece));
    at = end + 1;
  }
  return rows;
}

Rows hanging(std::string_view first, std::string_view next, Rows rows) {
  for (size_t i = 0; i < rows.size(); ++i) rows[i].insert(0, i == 0 ? first : next);
  return rows;
}

void add(Rows& rows, Rows more) {
  rows.insert(rows.end(), std::make_move_iterator(more.begin()),
              std::make_move_iterator(more.end()));
}

Rows framed(const Rows& rows, int columns) {
  Rows out{"╭" + rule(columns - 2) + "╮"};
  for (const auto& row : rows) out.push_back("│ " + padded(row, columns - 4) + " │");
  out.push_back("╰" + rule(columns - 2) + "╯");
  return out;
}

Frame flowing(Rows above, Rows bottom, Size size) {
  const size_t room = size.rows > bottom.size() ? size.rows - bottom.size() : 0;
  Frame frame;
  frame.bottom = static_cast<int>(std::min(room, above.size()));
  if (above.size() > room) above.erase(above.begin(), above.end() - static_cast<long>(room));
  if (bottom.size() > size.rows) {
    frame.bottom = static_cast<int>(size.rows) - static_cast<int>(bottom.size());
    bottom.erase(bottom.begin(), bottom.end() - static_cast<long>(size.rows));
  }
  add(above, std::move(bottom));
  frame.rows = std::move(above);
  return frame;
}

Frame pinned(Rows above, Rows bottom, Size size) {
  if (above.size() + bottom.size() < size.rows) above.resize(size.rows - bottom.size());
  return flowing(std::move(above), std::move(bottom), size);
}

std::string Canvas::paint_row(int row, std::string_view text) {
  const uint64_t number = number_of(text);
  if (row < 0 || row >= static_cast<int>(rows_.size()) || rows_[static_cast<size_t>(row)] == number)
    return {};
  rows_[static_cast<size_t>(row)] = number;
  std::string out;
  add_place(out, row, 0);
  out += text;
  out += "\x1b[m\x1b[K";
  add_place(out, cursor_row_, cursor_col_);
  return out;
}

std::string Canvas::paint(const Frame& frame, Size size) {
  static const uint64_t kEmpty = number_of("");
  const bool fresh = rows_.size() != size.rows;
  if (fresh) rows_.assign(size.rows, kEmpty);
  std::string out;
  if (fresh) out = "\x1b[H\x1b[2J";
  for (size_t row = 0; row < rows_.size(); ++row) {
    const std::string_view text = row < frame.rows.size() ? frame.rows[row] : std::string_view();
    const uint64_t number = number_of(text);
    if (number == rows_[row]) continue;
    rows_[row] = number;
    add_place(out, static_cast<int>(row), 0);
    out += text;
    out += text.empty() ? "\x1b[K" : "\x1b[m\x1b[K";
  }
  const bool moved = cursor_row_ != frame.cursor_row || cursor_col_ != frame.cursor_col;
  if (out.empty() && !moved && visible_ == frame.cursor_visible) return out;
  cursor_row_ = frame.cursor_row;
  cursor_col_ = frame.cursor_col;
  add_place(out, cursor_row_, cursor_col_);
  if (visible_ != frame.cursor_visible || fresh)
    out += frame.cursor_visible ? "\x1b[?25h" : "\x1b[?25l";
  visible_ = frame.cursor_visible;
  return out;
}

}  // namespace pawl::sim
