#include <algorithm>
#include <array>
#include <cstdlib>

#include "ui/canvas.h"

namespace pawl::ui {
namespace {

struct Rgb {
  int red, green, blue;
};

constexpr std::array<int, 6> kLevels{0, 95, 135, 175, 215, 255};  // of the cube of 256 colours

Rgb light_of(uint32_t rgb) {
  return {static_cast<int>(rgb >> 16 & 0xff), static_cast<int>(rgb >> 8 & 0xff),
          static_cast<int>(rgb & 0xff)};
}

// What most terminals show for the numbers from 16 on.
Rgb light_of_number(uint32_t number) {
  if (number >= 232) {
    const int grey = 8 + static_cast<int>(number - 232) * 10;
    return {grey, grey, grey};
  }
  const uint32_t n = number - 16;
  return {kLevels[n / 36], kLevels[n / 6 % 6], kLevels[n % 6]};
}

int level_near(int value) {
  int best = 0;
  for (int i = 1; i < 6; ++i)
    if (std::abs(kLevels[static_cast<size_t>(i)] - value) <
        std::abs(kLevels[static_cast<size_t>(best)] - value))
      best = i;
  return best;
}

uint32_t number_near(const Rgb& light) {
  return static_cast<uint32_t>(16 + 36 * level_near(light.red) + 6 * level_near(light.green) +
                               level_near(light.blue));
}

// One of the first 16: each part on or off, bright when the brightest part is.
uint32_t plain_near(const Rgb& light) {
  const int most = std::max({light.red, light.green, light.blue});
  const int least = std::min({light.red, light.green, light.blue});
  if (most < 50) return 0;
  if (most - least < 30) return most > 200 ? 15 : most > 120 ? 7 : 8;
  const auto on = [&](int part) { return part * 2 > most; };
  const int colour = (on(light.red) ? 1 : 0) + (on(light.green) ? 2 : 0) + (on(light.blue) ? 4 : 0);
  return static_cast<uint32_t>(colour + (most > 200 ? 8 : 0));
}

term::Colour reduced_colour(term::Colour colour, Colours colours) {
  using Kind = term::Colour::Kind;
  if (colours == Colours::full || colour.kind == Kind::standard) return colour;
  if (colours == Colours::none) return {};
  const bool number = colour.kind == Kind::indexed;
  if (number && (colour.value < 16 || colours == Colours::indexed)) return colour;
  const Rgb light = number ? light_of_number(colour.value) : light_of(colour.value);
  return term::Colour::indexed(colours == Colours::indexed ? number_near(light)
                                                           : plain_near(light));
}

}  // namespace

Colours colours_of(std::string_view term, std::string_view colorterm, bool no_color) {
  if (no_color || term == "vt100" || term == "vt102" || term == "vt220" || term.ends_with("-m"))
    return Colours::none;
  if (colorterm == "truecolor" || colorterm == "24bit" || term.ends_with("-direct"))
    return Colours::full;
  if (term.find("256color") != std::string_view::npos || term == "xterm-kitty")
    return Colours::indexed;
  return Colours::sixteen;
}

bool usable(std::string_view term) {
  return !term.empty() && term != "dumb" && term != "unknown" && term != "emacs";
}

term::Style reduced(term::Style style, Colours colours) {
  style.link = 0;
  style.fg = reduced_colour(style.fg, colours);
  style.bg = reduced_colour(style.bg, colours);
  style.underline_colour = reduced_colour(style.underline_colour, colours);
  if (colours == Colours::full) return style;
  style.underline_colour = {};
  if (style.underline != term::Underline::none) style.underline = term::Underline::single;
  return style;
}

}  // namespace pawl::ui
