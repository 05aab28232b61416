#pragma once
// How a character looks: colours and attributes, as values people can compare and print.
// Perception reads them (dim placeholder text, reversed menu rows), the painter shows them.

#include <cstdint>

namespace pawl::term {

// Default (the person's own colour), one of 256 palette entries, or 24-bit red-green-blue.
struct Colour {
  enum class Kind : uint8_t { standard, indexed, rgb };
  Kind kind = Kind::standard;
  uint32_t value = 0;  // index 0..255, or 0xRRGGBB

  static Colour indexed(uint32_t index) { return {Kind::indexed, index & 0xff}; }
  static Colour rgb(uint32_t value) { return {Kind::rgb, value & 0xffffff}; }
  bool operator==(const Colour&) const = default;
};

enum class Underline : uint8_t { none, single, twice, curly, dotted, dashed };

struct Style {
  Colour fg, bg, underline_colour;
  Underline underline = Underline::none;
  bool bold = false, dim = false, italic = false, blink = false;
  bool reverse = false, hidden = false, strike = false, overline = false;
  uint16_t link =
      0;  // Screen::link() names the address; 0 is none. Numbers are reused: compare addresses.

  bool operator==(const Style&) const = default;
};

}  // namespace pawl::term
