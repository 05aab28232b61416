#pragma once
// How a Screen is shown on a person's terminal. Used by `pawl screen --ansi`, `attach` and the
// dashboard's replays. Only sequences made here from values reach the person: a program's own
// escape bytes never pass, titles and text hold no control characters, hyperlinks are not passed
// on.

#include <string>
#include <vector>

#include "base/units.h"
#include "term/screen.h"

namespace pawl::term {

// SGR runs and text, no cursor movement, ends with a reset when it set anything. At most `max_cols`
// columns.
std::string paint_row(const Screen& screen, int row, int max_cols = kMaxCols);
// The whole screen as lines; empty lines at the end are left out.
std::string ansi_text(const Screen& screen);
// One line of the scrollback in the same form.
std::string paint_line(const ScrollbackLine& line);
// The parameters that bring a terminal from its reset state to this style: "0;1;38;2;1;2;3".
std::string sgr_of(const Style& style);

// Brings a person's terminal from what this Painter last painted to the given screen.
class Painter {
 public:
  // Changed rows, cursor, modes and title, wrapped in a synchronized update; empty when nothing
  // changed. The first frame switches to the alternate screen; it and every change of `viewport`
  // repaint everything. A screen larger than the viewport is cropped to the top left.
  std::string frame(const Screen& screen, Size viewport);
  // Undoes every mode it set: attributes, cursor, mouse, paste, keyboard, alternate screen.
  std::string leave();
  // Forget what is on the person's terminal (somebody else wrote to it): the next frame repaints.
  void invalidate() { rows_.clear(); }

 private:
  void paint_rows(const Screen& screen, Size viewport, std::string& out);
  void paint_modes(const Modes& modes, std::string& out);
  void paint_title(const Screen& screen, std::string& out);
  void paint_cursor(const Screen& screen, Size viewport, bool moved, std::string& out);

  bool entered_ = false;
  Size viewport_{0, 0};
  std::vector<std::string> rows_;
  Modes modes_;
  Cursor cursor_;
  std::string title_;
  bool titled_ = false;
};

}  // namespace pawl::term
