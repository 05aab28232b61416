#pragma once
// What a program's terminal shows, as a value: cells, cursor, modes, titles, marks, status records,
// scrollback. Made only by a Terminal; read by perception, actuation and the painter; copied and
// compared by anybody. It never answers the program and has no clock: "when" is the caller's, "what
// changed" is generation().

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"
#include "term/colours.h"
#include "term/extras.h"
#include "term/grid.h"
#include "term/marks.h"
#include "term/modes.h"
#include "term/scrollback.h"
#include "term/status.h"
#include "term/style.h"
#include "term/width.h"

namespace pawl::term {

inline constexpr uint16_t kMaxCols = 1024;  // larger sizes mean this one
inline constexpr uint16_t kMaxRows = 1024;  // the same
inline constexpr size_t kMaxKittyStack =
    16;  // pushed keyboard flags per screen; the oldest goes first
inline constexpr size_t kMaxTitleStack = 8;  // CSI 22 t; further pushes are ignored
inline constexpr uint16_t kMaxCellPixels =
    1024;                                     // of one cell, each way; larger ones mean this one
inline constexpr size_t kMaxSavedModes = 64;  // CSI ? s; further numbers are ignored

// The size a terminal really gets: at least 1x1, at most the limits.
Size bounded(Size size);

struct CellView {
  std::string text;  // one character with its combining marks; empty when blank or the right half
                     // of a wide one
  int width = 1;     // 2: also covers the next cell; 0: the right half of one
  Style style;
  bool operator==(const CellView&) const = default;
};

struct PixelSize {
  uint16_t width = 0, height = 0;
  bool operator==(const PixelSize&) const = default;
};

// What the terminal of the person who looks would answer to its program. Told by whoever knows it; usual values before that.
struct Person {
  PixelSize cell{8, 16};
  uint32_t text = 0xd0d0d0, background = 0x1e1e2e;  // 0xRRGGBB
  bool operator==(const Person&) const = default;
};

struct Cursor {
  int row = 0, col = 0;  // from 0, always inside the screen
  bool visible = true;
  CursorStyle style = CursorStyle::standard;
  bool pending_wrap =
      false;  // the last column was just written: the next character goes to the next row
  bool operator==(const Cursor&) const = default;
};

class Screen {
 public:
  Screen(Size size, size_t scrollback_lines);

  Size size() const { return size_; }
  CellView cell(int row, int col) const;  // blank outside the screen
  // … its text alone, for whoever reads many: empty for what was never printed, and for the right half of a wide one.
  std::string cell_text(int row, int col) const;
  bool blank(int row, int col) const;  // nothing is to be seen there: a space, or nothing at all
  Style style(int row, int col) const;
  Cursor cursor() const;
  const Modes& modes() const { return modes_; }
  bool alternate() const { return alternate_; }

  std::string row_text(
      int row) const;        // right-trimmed; the right half of a wide character adds nothing
  std::string text() const;  // rows joined by \n, empty rows at the end included
  bool row_wrapped(int row) const;  // the next row goes on with the same line of text
  const Scrollback& scrollback() const { return scrollback_; }
  std::string link(uint16_t number) const;  // the address of Style::link

  const std::string& title() const { return title_; }
  const std::string& icon_title() const { return icon_title_; }
  const std::string& cwd() const { return cwd_; }  // OSC 7, as sent: "file://host/path"
  const Progress& progress() const { return progress_; }
  const ShellMark& shell_mark() const { return shell_mark_; }
  const Notifications& notifications() const { return notifications_; }
  const Clipboard& clipboard() const { return clipboard_; }
  const Colours& colours() const { return colours_; }  // set by the program; not painted
  const StatusRecords& status() const { return status_; }
  const Ignored& ignored() const { return ignored_; }
  uint64_t bells() const { return bells_; }
  uint64_t palette_queries() const { return palette_queries_; }

  // Rises whenever the terminal was fed, resized or its process ended. A row that changed after
  // generation g has row_generation(row) > g. Comparable only within the life of one Terminal
  // object: not part of the value, not serialised; a restored terminal starts at 1 with every row
  // changed.
  uint64_t generation() const { return generation_; }
  uint64_t row_generation(int row) const;
  std::vector<int> rows_changed_since(uint64_t generation) const;

  // The same to every reader: all of the above except generations and numbers of links.
  bool operator==(const Screen& other) const;
  // The same picture: cells, cursor, size. What a person would see.
  bool same_picture(const Screen& other) const;

 private:
  friend class Interpreter;
  friend class ScreenCodec;

  struct Pen {
    uint32_t fg = 0, bg = 0;
    Extra extra;
    uint32_t extra_number = 0;
    bool operator==(const Pen& o) const { return fg == o.fg && bg == o.bg && extra == o.extra; }
  };
  struct Charsets {
    std::array<char, 4> g{'B', 'B', 'B', 'B'};  // 'B' ASCII, '0' line drawing, 'A' British
    uint8_t active = 0;
    uint8_t single = 0;  // 2 or 3: for the next character only
    bool operator==(const Charsets&) const = default;
  };
  // Who set the protection that cells have: each has erasing of its own that minds it.
  enum class Protection : uint8_t { off, iso, dec };
  struct Titles {
    std::string title, icon;
    bool operator==(const Titles&) const = default;
  };
  struct SavedMode {
    uint16_t mode = 0;
    bool on = false;
    bool operator==(const SavedMode&) const = default;
  };
  struct Place {  // what DECSC saves
    uint16_t row = 0, col = 0;
    bool pending_wrap = false, origin = false;
    Pen pen;
    Charsets charsets;
    bool operator==(const Place&) const = default;
  };

  const Grid& grid() const { return alternate_ ? alternate_grid_ : main_grid_; }
  Grid& grid() { return alternate_ ? alternate_grid_ : main_grid_; }
  std::string text_of(const Cell& cell) const;
  char32_t first_character(const Cell& cell) const;  // a space where nothing was written
  Style style_of_cell(const Cell& cell) const;
  bool same_cells(const Grid& mine, const Grid& theirs, const Screen& other) const;
  bool same_cell(const Cell& a, const Cell& b, const Screen& other) const;
  bool looks_same(Cell a, Cell b, const Screen& other) const;
  bool same_level4(const Screen& other) const;
  void sweep_extras();
  void reset_tabs();
  void push_line(int row);  // of the main screen, into the scrollback
  void push_cells(const Cell* cells, int used, bool wrapped);

  Size size_;
  Grid main_grid_, alternate_grid_;  // the alternate one is empty before its first use
  bool alternate_ = false;
  Extras extras_;
  Place at_;
  std::array<Place, 2> saved_;  // of main and alternate screen
  uint16_t top_ = 0, bottom_;   // margins, inclusive
  uint16_t left_ = 0, right_;   // … at the sides: the whole width without DECLRMM
  uint8_t level_ = 4;           // DECSCL: which VT100 to VT400 it is
  Protection protection_ = Protection::off;
  bool rectangles_ =
      false;  // DECSACE: attributes change in a rectangle, not in the text between two places
  PixelSize cell_{8, 16};  // of the person's terminal; a usual one while nobody looks
  Colours colours_;
  std::vector<SavedMode> saved_modes_;
  std::vector<bool> tabs_;
  bool cursor_visible_ = true;
  CursorStyle cursor_style_ = CursorStyle::standard;
  Modes modes_;
  std::array<std::vector<uint8_t>, 2> kitty_;  // stacks below the flags in use, per screen
  std::array<uint8_t, 2> kitty_flags_{};
  char32_t last_printed_ = 0;  // for REP
  Counting counting_ = Counting::characters;

  std::string title_, icon_title_, cwd_;
  std::vector<Titles> title_stack_;
  Progress progress_;
  ShellMark shell_mark_;
  Notifications notifications_;
  Clipboard clipboard_;
  StatusRecords status_;
  Ignored ignored_;
  uint64_t bells_ = 0, palette_queries_ = 0;
  Scrollback scrollback_;
  uint64_t generation_ = 1;
};

}  // namespace pawl::term
