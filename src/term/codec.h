#pragma once
// A Screen as bytes and back; the only other class that sees inside one. Called by Terminal.
// read() meets hostile bytes: everything is bounded, a bad value shows in the reader's ok() and the
// screen is then of no use. Rows are written as runs of cells, so an empty screen is small.

#include "term/bytes.h"
#include "term/screen.h"

namespace pawl::term {

class ScreenCodec {
 public:
  static void write(const Screen& screen, bool with_scrollback, ByteWriter& w);
  // `version` of the saved terminal: 1 knew no margins at the sides and nothing that came with them.
  static void read(Screen& screen, uint64_t version, ByteReader& r);

  static void advance(Screen& screen) { ++screen.generation_; }
  static void count(Screen& screen, Counting counting) { screen.counting_ = counting; }
  static void person(Screen& screen, const Person& person);
  static void drop_active(Screen& screen) { screen.status_.drop_active(); }

 private:
  static void write_grid(const Grid& grid, ByteWriter& w);
  static Grid read_grid(const Screen& s, ByteReader& r);
  static void write_pen(const Screen::Pen& pen, ByteWriter& w);
  static Screen::Pen read_pen(Screen& s, ByteReader& r);
  static void write_place(const Screen::Place& place, ByteWriter& w);
  static Screen::Place read_place(Screen& s, ByteReader& r);
  static void write_extras(const Screen& s, ByteWriter& w);
  static void read_extras(Screen& s, ByteReader& r);
  static void write_modes(const Screen& s, ByteWriter& w);
  static void read_modes(Screen& s, ByteReader& r);
  static void write_marks(const Screen& s, ByteWriter& w);
  static void read_marks(Screen& s, ByteReader& r);
  static void write_status(const Screen& s, ByteWriter& w);
  static void read_status(Screen& s, ByteReader& r);
  static void write_level4(const Screen& s, ByteWriter& w);
  static void read_level4(Screen& s, ByteReader& r);
  static void write_scrollback(const Screen& s, bool with_lines, ByteWriter& w);
  static void read_scrollback(Screen& s, ByteReader& r);
};

}  // namespace pawl::term
