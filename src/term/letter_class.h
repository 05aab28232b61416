#pragma once
// What a character does to the one before it (UAX 29, Grapheme Cluster Break), and the byte that holds it in the table made by
// unicode/make_tables.cpp: bits 0..3 the class, 4..5 the columns, 6 and 7 below.

#include <cstdint>

namespace pawl::term {

enum class LetterClass : uint8_t {
  other,
  extend,   // a mark of the one before it
  linker,   // a mark that takes the next consonant along: क् + ष
  spacing,  // a mark with a column of its own: का
  prepend,  // belongs to the one after it
  lead,     // Korean letters, which make one syllable
  vowel,
  tail,
  open,       // … a syllable that takes a tail
  closed,     // … one that has it
  regional,   // two of them are a flag
  joiner,     // U+200D
  picture,    // an emoji, which a joiner may bind to the next
  tone,       // a colour of skin
  consonant,  // … which a linker may bind to the next
};

inline constexpr unsigned kWidthShift = 4;
inline constexpr uint8_t kEmojiBit = 0x40;     // VS16 makes a picture of it, two columns wide
inline constexpr uint8_t kToneBaseBit = 0x80;  // may have a tone

}  // namespace pawl::term
