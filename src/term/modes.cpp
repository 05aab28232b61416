// Modes, resets, the two screens, the keyboard protocols.
#include <algorithm>
#include <iterator>

#include "term/interpreter.h"

namespace pawl::term {

namespace {

struct RememberedMode {
  int number;
  bool is_private;
};
// What a program can set and ask for, and what changes nothing here: the width is the person's, nothing is printed on paper, …
// The order is that of the bits in saved terminals.
constexpr RememberedMode kRemembered[] = {{3, true},  {4, true},  {18, true},
                                          {19, true}, {40, true}, {42, true},
                                          {67, true}, {2, false}, {12, false}};
constexpr unsigned kColumnBit = 1u << 0, kColumnsAllowedBit = 1u << 4;

unsigned remembered(int mode, bool is_private) {
  for (unsigned i = 0; i < std::size(kRemembered); ++i)
    if (kRemembered[i].number == mode && kRemembered[i].is_private == is_private) return 1u << i;
  return 0;
}

uint16_t with_bit(uint16_t bits, unsigned bit, bool on) {
  return static_cast<uint16_t>(on ? bits | bit : bits & ~bit);
}

}  // namespace

void Interpreter::set_modes(const Sequence& q, bool on) {
  for (size_t i = 0; i < q.count; ++i) {
    const int mode = q.values[i];
    if (q.prefix == '?') {
      if (!set_private_mode(mode, on)) ++s_.ignored_.sequences;
    } else if (mode == 4) {
      s_.modes_.insert = on;
    } else if (mode == 20) {
      s_.modes_.newline = on;
    } else if (const unsigned bit = remembered(mode, false)) {
      s_.modes_.remembered = with_bit(s_.modes_.remembered, bit, on);
    } else {
      ++s_.ignored_.sequences;
    }
  }
}

namespace {

struct PlainMode {
  int number;
  bool Modes::*flag;
};
// Those that are set and reset and nothing else.
constexpr PlainMode kPlainModes[] = {
    {1, &Modes::app_cursor_keys},     {5, &Modes::reverse_video},
    {12, &Modes::cursor_blink},       {41, &Modes::tab_wraps},
    {45, &Modes::reverse_wrap},       {1045, &Modes::reverse_wrap_always},
    {66, &Modes::app_keypad},         {1004, &Modes::focus_events},
    {1007, &Modes::alternate_scroll}, {2004, &Modes::bracketed_paste},
    {2026, &Modes::synchronized},     {2027, &Modes::clusters},
    {2031, &Modes::colour_scheme}};

}  // namespace

bool Interpreter::set_private_mode(int mode, bool on) {
  Modes& m = s_.modes_;
  for (const PlainMode& one : kPlainModes)
    if (one.number == mode) return m.*one.flag = on, true;
  if (const unsigned bit = remembered(mode, true); bit && bit != kColumnBit)
    return m.remembered = with_bit(m.remembered, bit, on), true;
  switch (mode) {
    case 3:
      column_mode(on);
      return true;
    case 6:
      m.origin = on, home();
      return true;
    case 7:
      m.autowrap = on;
      if (!on) s_.at_.pending_wrap = false;
      return true;
    case 9:
      mouse(MouseTracking::x10, on);
      return true;
    case 25:
      s_.cursor_visible_ = on;
      return true;
    case 69:
      if (s_.level_ < 4) return false;
      m.side_margins = on;
      s_.left_ = 0;
      s_.right_ = static_cast<uint16_t>(s_.size_.cols - 1);
      return true;
    case 1000:
      mouse(MouseTracking::normal, on);
      return true;
    case 1002:
      mouse(MouseTracking::button, on);
      return true;
    case 1003:
      mouse(MouseTracking::any, on);
      return true;
    case 1005:
      mouse(MouseEncoding::utf8, on);
      return true;
    case 1006:
      mouse(MouseEncoding::sgr, on);
      return true;
    case 1015:
      mouse(MouseEncoding::urxvt, on);
      return true;
    case 1016:
      mouse(MouseEncoding::sgr_pixels, on);
      return true;
    default:
      return set_screen_mode(mode, on);
  }
}

bool Interpreter::set_screen_mode(int mode, bool on) {
  switch (mode) {
    case 47:
      switch_screen(on, false);
      return true;
    case 1047:
      switch_screen(on, true);
      return true;
    case 1048:
      on ? save_cursor() : restore_cursor();
      return true;
    case 1049:
      save_and_switch(on);
      return true;
    default:
      return false;
  }
}

// DECCOLM: the width stays that of the person, the rest is done: an empty screen without margins.
void Interpreter::column_mode(bool on) {
  Modes& m = s_.modes_;
  if (!(m.remembered & kColumnsAllowedBit)) return;
  m.remembered = with_bit(m.remembered, kColumnBit, on);
  reset_margins();
  for (int r = 0; r < s_.size_.rows; ++r) s_.grid().erase_row(r, blank(), now());
  home();
}

void Interpreter::save_modes(const Sequence& q) {
  auto& saved = s_.saved_modes_;
  for (size_t i = 0; i < q.count; ++i) {
    const int mode = q.values[i], state = mode_report(mode);
    if (state != 1 && state != 2) continue;
    const auto it = std::find_if(saved.begin(), saved.end(),
                                 [&](const Screen::SavedMode& one) { return one.mode == mode; });
    if (it != saved.end())
      it->on = state == 1;
    else if (saved.size() < kMaxSavedModes)
      saved.push_back({static_cast<uint16_t>(mode), state == 1});
  }
}

void Interpreter::restore_modes(const Sequence& q) {
  for (size_t i = 0; i < q.count; ++i) {
    for (const Screen::SavedMode& one : s_.saved_modes_) {
      if (one.mode != q.values[i]) continue;
      set_private_mode(one.mode, one.on);
      break;
    }
  }
}

int Interpreter::ansi_mode_report(int mode) const {
  const Modes& m = s_.modes_;
  auto is = [](bool on) { return on ? 1 : 2; };
  if (mode == 4) return is(m.insert);
  if (mode == 20) return is(m.newline);
  if (const unsigned bit = remembered(mode, false)) return is(m.remembered & bit);
  const bool known = mode == 1 || mode == 5 || mode == 7 || (mode >= 10 && mode <= 19);
  return known ? 4 : 0;
}

int Interpreter::mode_report(int mode) const {
  const Modes& m = s_.modes_;
  auto is = [](bool on) { return on ? 1 : 2; };
  for (const PlainMode& one : kPlainModes)
    if (one.number == mode) return is(m.*one.flag);
  if (const unsigned bit = remembered(mode, true)) return is(m.remembered & bit);
  switch (mode) {
    case 6:
      return is(m.origin);
    case 7:
      return is(m.autowrap);
    case 9:
      return is(m.mouse == MouseTracking::x10);
    case 25:
      return is(s_.cursor_visible_);
    case 60:
      return 4;  // DECHCCM: there is no wider page to move over
    case 69:
      return is(m.side_margins);
    case 47:
    case 1047:
    case 1049:
      return is(s_.alternate_);
    case 1000:
      return is(m.mouse == MouseTracking::normal);
    case 1002:
      return is(m.mouse == MouseTracking::button);
    case 1003:
      return is(m.mouse == MouseTracking::any);
    case 1005:
      return is(m.mouse_encoding == MouseEncoding::utf8);
    case 1006:
      return is(m.mouse_encoding == MouseEncoding::sgr);
    case 1015:
      return is(m.mouse_encoding == MouseEncoding::urxvt);
    case 1016:
      return is(m.mouse_encoding == MouseEncoding::sgr_pixels);
    case 1048:
      return 1;
    default:
      return 0;
  }
}

void Interpreter::mouse(MouseTracking tracking, bool on) {
  s_.modes_.mouse = on ? tracking : MouseTracking::off;
}

void Interpreter::mouse(MouseEncoding encoding, bool on) {
  s_.modes_.mouse_encoding = on ? encoding : MouseEncoding::legacy;
}

// `clear`: the alternate screen is left empty (1047), or is cleared before use (1049 by its
// caller).
void Interpreter::switch_screen(bool alternate, bool clear) {
  if (alternate == s_.alternate_) return;
  if (s_.alternate_ && clear)
    for (int r = 0; r < s_.size_.rows; ++r) s_.alternate_grid_.erase_row(r, blank(), now());
  if (alternate && s_.alternate_grid_.empty()) s_.alternate_grid_ = Grid(s_.size_);
  s_.alternate_ = alternate;
  s_.modes_.kitty_keyboard = s_.kitty_flags_[alternate];
  s_.grid().mark_all(now());
}

void Interpreter::save_and_switch(bool alternate) {
  if (alternate == s_.alternate_) {
    if (!alternate) restore_cursor();
    return;
  }
  if (alternate) save_cursor();
  switch_screen(alternate, false);
  if (!alternate) return restore_cursor();
  for (int r = 0; r < s_.size_.rows; ++r) s_.grid().erase_row(r, blank(), now());
}

void Interpreter::soft_reset() {
  s_.cursor_visible_ = true;
  reset_margins();
  s_.modes_.side_margins = s_.modes_.reverse_wrap = s_.modes_.reverse_wrap_always = false;
  s_.modes_.remembered = with_bit(s_.modes_.remembered, remembered(2, false), false);
  s_.protection_ = Screen::Protection::off;
  s_.modes_.insert = s_.modes_.origin = s_.modes_.app_cursor_keys = s_.modes_.app_keypad = false;
  s_.modes_.autowrap = true;
  s_.at_.pen = {};
  s_.at_.charsets = {};
  s_.at_.pending_wrap = false;
  s_.saved_[s_.alternate_] = {};
}

// Everything but counters, marks of the past (notifications, clipboard) and the scrollback's lines.
void Interpreter::full_reset() {
  Screen fresh(s_.size_, s_.scrollback_.max_lines());
  fresh.generation_ = s_.generation_;
  fresh.main_grid_.mark_all(s_.generation_);
  fresh.scrollback_ = std::move(s_.scrollback_);
  fresh.counting_ = s_.counting_;
  fresh.cell_ = s_.cell_;
  fresh.colours_.person(s_.colours_.text(), s_.colours_.background());
  fresh.title_ = s_.title_;
  fresh.icon_title_ = s_.icon_title_;
  fresh.cwd_ = s_.cwd_;
  fresh.shell_mark_ = s_.shell_mark_;
  fresh.notifications_ = std::move(s_.notifications_);
  fresh.clipboard_ = std::move(s_.clipboard_);
  fresh.ignored_ = s_.ignored_;
  fresh.bells_ = s_.bells_;
  fresh.palette_queries_ = s_.palette_queries_;
  s_ = std::move(fresh);
}

void Interpreter::set_kitty(uint8_t flags) {
  s_.kitty_flags_[s_.alternate_] = flags & 31;
  s_.modes_.kitty_keyboard = flags & 31;
}

bool Interpreter::kitty_keyboard(const Sequence& q) {
  auto& stack = s_.kitty_[s_.alternate_];
  const auto flags = static_cast<uint8_t>(q.at(0, 0) & 31);
  const uint8_t now_on = s_.modes_.kitty_keyboard;
  switch (q.prefix) {
    case '>':
      if (stack.size() >= kMaxKittyStack) stack.erase(stack.begin());
      stack.push_back(now_on);
      set_kitty(flags);
      return true;
    case '<':
      for (int n = q.at(0, 1); n > 0; --n) {
        set_kitty(stack.empty() ? 0 : stack.back());
        if (stack.empty()) break;
        stack.pop_back();
      }
      return true;
    case '=': {
      const int how = q.at(1, 1);
      if (how == 1) set_kitty(flags);
      if (how == 2) set_kitty(now_on | flags);
      if (how == 3) set_kitty(static_cast<uint8_t>(now_on & ~flags));
      return true;
    }
    case '?':
      answer("\x1b[?" + std::to_string(now_on) + "u");
      return true;
    default:
      return false;
  }
}

bool Interpreter::modify_keys(const Sequence& q) {
  if (q.at(0, 0) != 4 && q.count > 0) return true;  // the other resources change nothing we send
  if (q.prefix == '?')
    answer("\x1b[>4;" + std::to_string(s_.modes_.modify_other_keys) + "m");
  else
    s_.modes_.modify_other_keys = static_cast<uint8_t>(std::min(q.at(1, 0), 2));
  return true;
}

}  // namespace pawl::term
