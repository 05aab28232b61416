#pragma once
// What characters and control sequences mean: applies what the Parser finds to a Screen and writes
// the answers. Made for the length of one feed() by the Terminal; holds no state of its own. Its
// sources:
//   interpreter.cpp  controls, ESC sequences, the cursor    printing.cpp  characters into cells
//   csi.cpp          CSI table and editing
//   modes.cpp        modes, reset, screen switching         sgr.cpp  colours and attributes
//   osc.cpp          titles, links, marks                   answers.cpp, reports.cpp  everything sent
//   margins.cpp      what the margins at the sides change           back to the program
//   erasing.cpp      erasing, protection                    resize.cpp  another size
//   rectangles.cpp   areas copied, filled, erased, summed   colour_commands.cpp  colours set and asked for

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "term/parser.h"
#include "term/reflow.h"
#include "term/screen.h"

namespace pawl::term {

class Interpreter final : public ParserSink {
 public:
  // `answers` is null when the terminal stays silent.
  Interpreter(Screen& screen, std::string* answers) : s_(screen), answers_(answers) {}

  void print_ascii(std::string_view run) override;
  void print(char32_t c) override;
  void execute(uint8_t control) override;
  void escape(std::string_view intermediates, char final) override;
  void control_sequence(const Sequence& sequence) override;
  void operating_system_command(std::string_view text, bool bell) override;
  void device_control_string(const Sequence& head, std::string_view text) override;
  void too_long() override { ++s_.ignored_.too_long; }

  void resize(Size size);

 private:
  // another size (resize.cpp)
  struct Along {  // what goes along with the text it stands on
    int row, col;
    bool behind;
    std::optional<size_t> number;  // for Reflow::where(); none when no text is there
  };
  void resize_cutting(Size size);
  void resize_wrapping(Size size);
  void wrap_main(Size size, Screen::Place& cursor, Screen::Place* saved);
  Reflow wrapped_text(int cols, std::vector<Along>& along);
  void show_rows(Size size, const std::vector<Reflow::Row>& rows, size_t first);
  std::vector<Cell> cells_of(const ScrollbackLine& line);

  // printing
  void print_run(std::string_view run);
  void print_cell(char32_t c, int width);
  bool combine(char32_t c);
  bool join(Cell& cell, const std::string& before, char32_t c);
  bool room_to_widen(int col) const;
  void widen(int col);
  void advance(int width);
  Counting counting() const { return s_.modes_.clusters ? Counting::clusters : s_.counting_; }
  void wrap_if_pending();
  void wrap();
  char32_t translate(char32_t c);
  uint32_t pen_text() const { return s_.at_.pen.extra_number << Cell::kExtraShift; }
  Cell blank() const { return {0, 0, s_.at_.pen.bg & Cell::kColourMask}; }
  uint64_t now() const { return s_.generation_; }

  // cursor
  int top() const { return s_.modes_.origin ? s_.top_ : 0; }
  int bottom() const { return s_.modes_.origin ? s_.bottom_ : s_.size_.rows - 1; }
  int left() const { return s_.modes_.origin ? s_.left_ : 0; }
  int right() const { return s_.modes_.origin ? s_.right_ : s_.size_.cols - 1; }
  // The last column for a cursor that stands here: the margin stops only who is not behind it.
  int last_col(int col) const { return col <= s_.right_ ? s_.right_ : s_.size_.cols - 1; }
  bool in_rows() const { return s_.at_.row >= s_.top_ && s_.at_.row <= s_.bottom_; }
  bool in_cols() const { return s_.at_.col >= s_.left_ && s_.at_.col <= s_.right_; }
  bool full_width() const { return s_.left_ == 0 && s_.right_ == s_.size_.cols - 1; }
  // The cursor as a program counts it, from 1: from the margins in origin mode.
  int seen_row() const { return std::max(s_.at_.row - top(), 0) + 1; }
  int seen_col() const { return std::max(s_.at_.col - left(), 0) + 1; }
  Grid::Area scrolled(int from_row) const { return {from_row, s_.left_, s_.bottom_, s_.right_}; }
  void move_to(int row, int col);  // clamped; ends a pending wrap
  void go_to(int row, int col);    // counted from the margins in origin mode, and inside them
  void home() { go_to(0, 0); }
  void carriage_return();
  void move_left(int count);
  void move_right(int count);
  bool wrap_backwards();
  void forward_index();
  void back_index();
  void move_up(int count);
  void move_down(int count);
  void line_feed();
  void reverse_line_feed();
  void next_tab(int count);
  void previous_tab(int count);
  void save_cursor();
  void restore_cursor();

  // editing
  void scroll_up(
      int top,
      int count);  // to the bottom margin; into the scrollback from the top of the main screen
  void scroll_down(int top, int count);
  void delete_lines(int count);
  void erase_display(int what, bool selective);
  void erase_line(int what, bool selective);
  bool minds_protection(bool selective) const;
  void erase_cells(int row, int from, int to, bool selective);
  void erase_row(int row, bool selective);
  void erase_characters(int count);
  void shift_in_line(int count);  // from the cursor to the margin; right, or left when negative
  void shift_columns(int count);  // the same in all rows between the margins
  void repeat(int count);
  void alignment_test();
  void clear_tabs(int what);
  void set_margins(const Sequence& q);
  void set_side_margins(const Sequence& q);
  void reset_margins();
  void set_level(const Sequence& q);
  void protect(Screen::Protection who, bool on);

  // rectangles
  bool rectangle_sequence(const Sequence& q);
  Grid::Area area_of(const Sequence& q, size_t first) const;
  void copy_rectangle(const Sequence& q);
  void fill_rectangle(const Sequence& q);
  void erase_rectangle(const Sequence& q, bool selective);
  void change_attributes(const Sequence& q, bool toggle);
  void checksum(const Sequence& q);

  // dispatch
  bool plain_sequence(const Sequence& q);
  bool marked_sequence(const Sequence& q);
  bool edit_sequence(const Sequence& q);
  bool move_sequence(const Sequence& q);
  bool quoted_sequence(const Sequence& q);
  bool private_sequence(const Sequence& q);
  void designate(char slot, char set);

  // modes
  void set_modes(const Sequence& q, bool on);
  bool set_private_mode(int mode, bool on);
  bool set_screen_mode(int mode, bool on);
  void column_mode(bool on);
  void save_modes(const Sequence& q);
  void restore_modes(const Sequence& q);
  int mode_report(int mode) const;  // as DECRQM counts: 0 unknown, 1 set, 2 reset, 4 never set
  int ansi_mode_report(int mode) const;
  void mouse(MouseTracking tracking, bool on);
  void mouse(MouseEncoding encoding, bool on);
  void switch_screen(bool alternate, bool clear);
  void save_and_switch(bool alternate);
  void soft_reset();
  void full_reset();
  bool kitty_keyboard(const Sequence& q);
  void set_kitty(uint8_t flags);
  bool modify_keys(const Sequence& q);

  // colours
  void select_graphics(const Sequence& q);
  size_t select_one(const Sequence& q, size_t at);
  size_t extended_colour(const Sequence& q, size_t at, Colour& out);
  void reset_graphics();
  void set_underline_colour(Colour colour);
  void set_extra(Extra extra);

  // operating system commands
  bool title(int command, std::string_view text);
  bool title_stack(const Sequence& q);
  bool title_modes(const Sequence& q);
  bool hyperlink(std::string_view text);
  bool nine(std::string_view text);
  bool progress(std::string_view text);
  bool clipboard(std::string_view text);
  bool shell_mark(std::string_view text);
  bool urxvt_notification(std::string_view text);
  void notify(std::string_view title, std::string_view body);
  bool colour_command(int command, std::string_view text, bool bell);
  bool dynamic_colours(int command, std::string_view text, bool bell);
  bool indexed_colours(int command, std::string_view text, bool bell);
  bool reset_colours(int command, std::string_view text);
  bool program_status(std::string_view text);

  // answers
  void answer(std::string_view bytes);
  void answer_colour(std::string_view head, uint32_t rgb, bool bell);
  void device_attributes(const Sequence& q);
  bool status_report(const Sequence& q);
  bool private_status_report(const Sequence& q);
  bool mode_query(const Sequence& q);
  bool window_report(const Sequence& q);
  void tab_stops_report();
  std::string setting(std::string_view name) const;
  void setting_report(std::string_view name);
  void capability_report(std::string_view names);

  Screen& s_;
  std::string* answers_;
};

}  // namespace pawl::term
