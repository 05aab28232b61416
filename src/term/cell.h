#pragma once
// One place of the grid in 12 bytes, so that main and alternate screen of 80x24 stay under 64 KiB.
// Only grid, interpreter, screen and codec see this; everybody else sees Style and text.
//
//   text  bits 0..20  a code point, or (from 0x110000) the number of a cluster; 0 is "never
//   written"
//         bits 21..22 0 narrow, 1 wide, 2 the right half of a wide one
//         bits 23..31 extra (hyperlink, underline colour), 0 is none
//   fg    bits 0..25  colour; 26..31 bold dim italic blink reverse hidden
//   bg    bits 0..25  colour; 26 strike, 27..29 underline, 30 overline, 31 protected (DECSCA, SPA)
// A cell of zeros is a blank one.

#include <cstdint>

#include "term/style.h"

namespace pawl::term {

struct Cell {
  uint32_t text = 0, fg = 0, bg = 0;

  static constexpr uint32_t kTextMask = 0x1fffff, kFirstCluster = 0x110000;
  static constexpr uint32_t kWide = 1u << 21, kRight = 2u << 21, kWidthMask = 3u << 21;
  static constexpr uint32_t kExtraShift = 23, kMaxExtra = 511;
  static constexpr uint32_t kColourMask = 0x3ffffff;
  static constexpr uint32_t kBold = 1u << 26, kDim = 1u << 27, kItalic = 1u << 28,
                            kBlink = 1u << 29, kReverse = 1u << 30, kHidden = 1u << 31;  // in fg
  static constexpr uint32_t kStrike = 1u << 26, kUnderlineShift = 27, kUnderlineMask = 7u << 27,
                            kOverline = 1u << 30, kProtected = 1u << 31;  // in bg

  uint32_t character() const { return text & kTextMask; }
  bool is_cluster() const { return character() >= kFirstCluster; }
  bool wide() const { return (text & kWidthMask) == kWide; }
  bool right_half() const { return (text & kWidthMask) == kRight; }
  uint32_t extra() const { return text >> kExtraShift; }
  bool blank() const { return (text | fg | bg) == 0; }
  bool is_protected() const { return bg & kProtected; }
  bool operator==(const Cell&) const = default;
};
static_assert(sizeof(Cell) == 12);

inline uint32_t pack(Colour c) {
  return (static_cast<uint32_t>(c.kind) << 24) | c.value;
}
inline Colour unpack(uint32_t bits) {
  return {static_cast<Colour::Kind>((bits >> 24) & 3), bits & 0xffffff};
}

// Everything of a style but link and underline colour, which live in the extras.
inline Style style_of(uint32_t fg, uint32_t bg) {
  Style s;
  s.fg = unpack(fg);
  s.bg = unpack(bg);
  s.bold = fg & Cell::kBold;
  s.dim = fg & Cell::kDim;
  s.italic = fg & Cell::kItalic;
  s.blink = fg & Cell::kBlink;
  s.reverse = fg & Cell::kReverse;
  s.hidden = fg & Cell::kHidden;
  s.strike = bg & Cell::kStrike;
  s.overline = bg & Cell::kOverline;
  s.underline = static_cast<Underline>((bg & Cell::kUnderlineMask) >> Cell::kUnderlineShift);
  return s;
}

// False for bits that no sequence can set (only restore() meets them).
inline bool valid_style_bits(uint32_t fg, uint32_t bg) {
  return ((fg >> 24) & 3) <= 2 && ((bg >> 24) & 3) <= 2 &&
         ((bg & Cell::kUnderlineMask) >> Cell::kUnderlineShift) <= 5;
}

}  // namespace pawl::term
