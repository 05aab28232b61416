#pragma once
// What the program has asked of its terminal. Keys and paste are encoded by these; attach mirrors
// them.

#include <cstdint>

namespace pawl::term {

enum class MouseTracking : uint8_t { off, x10, normal, button, any };  // 9 1000 1002 1003
enum class MouseEncoding : uint8_t {
  legacy,
  utf8,
  sgr,
  urxvt,
  sgr_pixels
};                                  // - 1005 1006 1015 1016
enum class CursorStyle : uint8_t {  // DECSCUSR; `standard` is the person's own
  standard,
  blinking_block,
  block,
  blinking_underline,
  underline,
  blinking_bar,
  bar
};

struct Modes {
  bool autowrap = true;           // DECAWM ?7
  bool origin = false;            // DECOM ?6
  bool insert = false;            // IRM 4
  bool newline = false;           // LNM 20
  bool app_cursor_keys = false;   // DECCKM ?1
  bool app_keypad = false;        // DECKPAM, ?66
  bool reverse_video = false;     // DECSCNM ?5
  bool cursor_blink = false;      // ?12
  bool bracketed_paste = false;   // ?2004
  bool focus_events = false;      // ?1004
  bool synchronized = false;      // ?2026: in the middle of drawing, look later
  bool alternate_scroll = false;  // ?1007
  bool colour_scheme = false;     // ?2031
  bool clusters = false;          // ?2027: columns are counted for what a reader sees as one
  bool side_margins = false;      // DECLRMM ?69: CSI s sets the left and the right margin
  bool reverse_wrap =
      false;  // ?45: BS and CUB go back to the row before, if the line goes on from there
  bool reverse_wrap_always = false;  // ?1045: … and to any row, from the first one to the last
  bool tab_wraps = false;            // ?41: a tab behind the last column is one of the next row
  bool hex_titles = false;           // CSI > 0 t: titles come as hexadecimal digits
  uint16_t remembered =
      0;  // modes that change nothing here and are told when asked for: kRemembered of modes.cpp
  MouseTracking mouse = MouseTracking::off;
  MouseEncoding mouse_encoding = MouseEncoding::legacy;
  uint8_t kitty_keyboard = 0;     // flags 1..31 of the screen in use
  uint8_t modify_other_keys = 0;  // xterm's CSI > 4 ; n m

  bool operator==(const Modes&) const = default;
};

}  // namespace pawl::term
