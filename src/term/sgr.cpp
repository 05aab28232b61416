// Select graphic rendition, with ; and : forms.
#include <algorithm>

#include "term/interpreter.h"

namespace pawl::term {
namespace {

void set(uint32_t& bits, uint32_t mask, bool on) {
  bits = on ? bits | mask : bits & ~mask;
}

void set_colour(uint32_t& bits, Colour colour) {
  bits = (bits & ~Cell::kColourMask) | pack(colour);
}

void set_underline(uint32_t& bg, Underline style) {
  bg = (bg & ~Cell::kUnderlineMask) | (static_cast<uint32_t>(style) << Cell::kUnderlineShift);
}

// The values after `at` that are joined to it by colons.
size_t joined_after(const Sequence& q, size_t at) {
  size_t n = 0;
  while (at + 1 + n < q.count && q.is_joined(at + 1 + n)) ++n;
  return n;
}

uint32_t channel(int value) {
  return static_cast<uint32_t>(std::min(value, 255));
}

Colour rgb_of(const Sequence& q, size_t at) {
  return Colour::rgb(channel(q.raw(at)) << 16 | channel(q.raw(at + 1)) << 8 |
                     channel(q.raw(at + 2)));
}

}  // namespace

void Interpreter::select_graphics(const Sequence& q) {
  if (q.count == 0) return reset_graphics();
  for (size_t i = 0; i < q.count;) i = select_one(q, i);
}

// A hyperlink is no attribute: it goes on.
void Interpreter::reset_graphics() {
  s_.at_.pen.fg = 0;
  s_.at_.pen.bg &= Cell::kProtected;  // … nor is protection
  set_underline_colour({});
}

void Interpreter::set_underline_colour(Colour colour) {
  const Extra& extra = s_.at_.pen.extra;
  if (!(extra.underline_colour == colour)) set_extra({colour, extra.uri, extra.id});
}

// Returns where the next attribute starts.
size_t Interpreter::select_one(const Sequence& q, size_t i) {
  uint32_t &fg = s_.at_.pen.fg, &bg = s_.at_.pen.bg;
  const int n = q.values[i];
  const size_t joined = joined_after(q, i), next = i + 1 + joined;
  switch (n) {
    case 0:
      reset_graphics();
      break;
    case 1:
      set(fg, Cell::kBold, true);
      break;
    case 2:
      set(fg, Cell::kDim, true);
      break;
    case 3:
      set(fg, Cell::kItalic, true);
      break;
    case 4: {
      const int style = joined > 0 ? q.raw(i + 1, 1) : 1;
      if (style <= 5) set_underline(bg, static_cast<Underline>(style));
      break;
    }
    case 5:
    case 6:
      set(fg, Cell::kBlink, true);
      break;
    case 7:
      set(fg, Cell::kReverse, true);
      break;
    case 8:
      set(fg, Cell::kHidden, true);
      break;
    case 9:
      set(bg, Cell::kStrike, true);
      break;
    case 21:
      set_underline(bg, Underline::twice);
      break;
    case 22:
      set(fg, Cell::kBold | Cell::kDim, false);
      break;
    case 23:
      set(fg, Cell::kItalic, false);
      break;
    case 24:
      set_underline(bg, Underline::none);
      break;
    case 25:
      set(fg, Cell::kBlink, false);
      break;
    case 27:
      set(fg, Cell::kReverse, false);
      break;
    case 28:
      set(fg, Cell::kHidden, false);
      break;
    case 29:
      set(bg, Cell::kStrike, false);
      break;
    case 39:
      set_colour(fg, {});
      break;
    case 49:
      set_colour(bg, {});
      break;
    case 53:
      set(bg, Cell::kOverline, true);
      break;
    case 55:
      set(bg, Cell::kOverline, false);
      break;
    case 59:
      set_underline_colour({});
      break;
    case 38:
    case 48:
    case 58: {
      Colour colour;
      const size_t end = extended_colour(q, i, colour);
      if (colour == Colour{}) return end;
      if (n == 38)
        set_colour(fg, colour);
      else if (n == 48)
        set_colour(bg, colour);
      else
        set_underline_colour(colour);
      return end;
    }
    default:
      if (n >= 30 && n <= 37) set_colour(fg, Colour::indexed(n - 30));
      if (n >= 40 && n <= 47) set_colour(bg, Colour::indexed(n - 40));
      if (n >= 90 && n <= 97) set_colour(fg, Colour::indexed(n - 82));
      if (n >= 100 && n <= 107) set_colour(bg, Colour::indexed(n - 92));
  }
  return next;
}

// 38:2::r:g:b, 38:2:r:g:b, 38:5:n and 38;2;r;g;b, 38;5;n. Leaves `out` alone when malformed.
size_t Interpreter::extended_colour(const Sequence& q, size_t i, Colour& out) {
  const size_t joined = joined_after(q, i);
  if (joined > 0) {
    const int kind = q.raw(i + 1);
    if (kind == 5 && joined >= 2) out = Colour::indexed(channel(q.raw(i + 2)));
    if (kind == 2 && joined >= 4) out = rgb_of(q, joined >= 5 ? i + 3 : i + 2);
    return i + 1 + joined;
  }
  const int kind = q.raw(i + 1);
  if (kind == 5 && i + 2 < q.count) out = Colour::indexed(channel(q.raw(i + 2)));
  if (kind == 2 && i + 4 < q.count) out = rgb_of(q, i + 2);
  if (kind == 5) return std::min<size_t>(i + 3, q.count);
  if (kind == 2) return std::min<size_t>(i + 5, q.count);
  return i + 1;
}

// The pen's link and underline colour; lost, not wrong, when the table is full.
void Interpreter::set_extra(Extra extra) {
  Screen::Pen& pen = s_.at_.pen;
  if (pen.extra_number == 0 && extra == Extra{}) {
    pen.extra = {};
    return;
  }
  pen.extra_number = 0;
  uint32_t number = s_.extras_.extra(extra);
  if (number == 0 && !(extra == Extra{}) && s_.extras_.may_sweep()) {
    s_.sweep_extras();
    number = s_.extras_.extra(extra);
  }
  if (number == 0 && !(extra == Extra{})) {
    s_.extras_.count_refusal();
    extra = {};
  }
  pen.extra = std::move(extra);
  pen.extra_number = number;
}

}  // namespace pawl::term
