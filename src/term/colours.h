#pragma once
// The colours a program has set (OSC 4, 5, 10 to 19) and what is answered when one is asked for. Kept, never painted: a person's
// terminal has colours of its own. Pure; called by the interpreter and the codec. Bounded: one entry for each number there is.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace pawl::term {

inline constexpr unsigned kSpecialColours =
    256;  // OSC 5 ; 0 is OSC 4 ; 256: bold, underline, blink, reverse, italic
inline constexpr unsigned kDynamicColours = 261;  // OSC 10: text, 11 background, 12 cursor, … 19
inline constexpr unsigned kColours = kDynamicColours + 10;

// "rgb:f/80/ffff", "#rgb" to "#rrrrggggbbbb": 0xRRGGBB. Names and the spaces of X11's colour management are not read.
std::optional<uint32_t> parse_colour(std::string_view text);

class Colours {
 public:
  // 0..255 the palette, then the special ones, then the dynamic ones; as set, or as they are by themselves.
  uint32_t at(unsigned number) const;
  void set(unsigned number, uint32_t rgb);
  void reset(unsigned number);
  void reset(unsigned first, unsigned end);
  // What OSC 10 and 11 are by themselves: those of the person who looks.
  void person(uint32_t text, uint32_t background) { text_ = text, background_ = background; }
  uint32_t text() const { return text_; }
  uint32_t background() const { return background_; }
  bool dark() const;  // the background is, as it is now

  struct Entry {
    uint16_t number = 0;
    uint32_t rgb = 0;
    bool operator==(const Entry&) const = default;
  };
  const std::vector<Entry>& all() const { return set_; }
  bool operator==(const Colours&) const = default;

 private:
  std::vector<Entry> set_;  // by number
  uint32_t text_ = 0xd0d0d0, background_ = 0x1e1e2e;
};

}  // namespace pawl::term
