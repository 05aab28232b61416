#pragma once
// Where a view draws: text and cells at places, which become a term::Screen for the one painter (term/paint.h). Made and dropped for
// every frame. Whatever a view puts here may be hostile: control characters, and what shows nothing, never reach the screen, and
// nothing leaves the columns it was given. Knows no view and no state.

#include <string>
#include <string_view>

#include "base/units.h"
#include "term/screen.h"

namespace pawl::ui {

// What the person's terminal can show.
enum class Colours { none, sixteen, indexed, full };
// By its TERM, its COLORTERM, and whether NO_COLOR is set.
Colours colours_of(std::string_view term, std::string_view colorterm, bool no_color);
// False: its cursor cannot be moved (TERM unset, dumb, unknown), and nothing of this can be shown there.
bool usable(std::string_view term);
// The nearest style that it can show; never a link.
term::Style reduced(term::Style style, Colours colours);

struct Area {
  int row = 0, col = 0, rows = 0, cols = 0;
};

// As many columns as this takes on a Canvas.
int columns_of(std::string_view text);
// What fits into so many columns, with an ellipsis when something is left out. Harmless, whatever it was.
std::string fitted(std::string_view text, int columns);
// In lines of at most so many columns, cut between words where there are any; at most `limit` lines, the last then ends with an ellipsis.
std::vector<std::string> wrapped(std::string_view text, int columns, size_t limit);

class Canvas {
 public:
  Canvas(Size size, Colours colours);
  int rows() const { return size_.rows; }
  int cols() const { return size_.cols; }

  // Exactly so many columns: what is left over is blank in this style. Outside the canvas nothing is put.
  void put(int row, int col, int columns, std::string_view text, const term::Style& style = {});
  // The cells of another screen from its row `first` on, as many as the area has.
  void copy(const term::Screen& from, int first, const Area& to);
  // Without it the cursor is not shown.
  void cursor(int row, int col);
  // The mouse and pastes are asked for as well.
  term::Screen screen() const;

 private:
  void go(int row, int col);
  void wear(const term::Style& style);

  Size size_;
  Colours colours_;
  std::string bytes_;
  bool cursor_ = false;
  int cursor_row_ = 0, cursor_col_ = 0;
};

}  // namespace pawl::ui
