#pragma once
// What the pictures of all models are made of: rules, wrapped text, a page put together from what is above and what is at the
// bottom; and the Canvas, which turns a picture into the bytes that change the one before into it. Pure. A Canvas keeps a number
// for each row, not its text: a thousand programs at rest are small.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace pawl::sim {

using Rows = std::vector<std::string>;

struct Frame {
  Rows rows;
  int bottom =
      0;  // the row where the bottom of the page begins; before the first one when it is too long
  int spin = -1;  // the row that turns while it works; -1: none
  int cursor_row = 0, cursor_col = 0;
  bool cursor_visible = false;
};

// `glyph` over the whole width.
std::string rule(int columns, std::string_view glyph = "─");
std::string blanks(int columns);
std::string padded(std::string_view text, int columns);  // longer text stays as it is
// At blanks, after any of `joints`, and where a word is too long.
Rows wrapped(std::string_view text, int columns, std::string_view joints = {});
Rows broken(std::string_view text, int columns);  // anywhere, as a box does
// `first` before the first row, as many blanks or `next` before the others.
Rows hanging(std::string_view first, std::string_view next, Rows rows);
void add(Rows& rows, Rows more);
// In a round frame of so many columns.
Rows framed(const Rows& rows, int columns);

// The row and column of a byte of a text that `broken` wraps.
struct Spot {
  int row = 0, col = 0;
};
Spot spot_of(std::string_view text, size_t byte, int columns);

// The bottom stays at the bottom of the screen; of what is above it the end is seen.
Frame pinned(Rows above, Rows bottom, Size size);
// The bottom follows what is above, as programs do that draw into the ordinary screen.
Frame flowing(Rows above, Rows bottom, Size size);

class Canvas {
 public:
  // What has to be printed; nothing when the picture is the same.
  std::string paint(const Frame& frame, Size size);
  // One row of the picture is another one.
  std::string paint_row(int row, std::string_view text);
  // The screen was emptied or is another one: everything has to be drawn again.
  void forget() { rows_.clear(); }

 private:
  std::vector<uint64_t> rows_;
  int cursor_row_ = -1, cursor_col_ = -1;
  bool visible_ = true;
};

}  // namespace pawl::sim
