#pragma once
// How many columns characters take, and which of them stand in one cell: Unicode 16, as the programs of today count
// (doc/terminal.md has what was measured). Called by the interpreter for every character that is not ASCII. Never looks at a locale.

#include <cstdint>
#include <optional>
#include <string_view>

#include "term/letter_class.h"

namespace pawl::term {

struct Letter {
  uint8_t bits = 0;
  LetterClass kind() const { return static_cast<LetterClass>(bits & 0xf); }
  int width() const { return bits >> kWidthShift & 3; }
  bool emoji() const { return bits & kEmojiBit; }
  bool takes_tone() const { return bits & kToneBaseBit; }
};
Letter letter(char32_t c);

// Programs agree on emoji and differ in the scripts of India.
enum class Counting : uint8_t {
  characters,  // each as the C library has it: a mark that stands beside its letter takes a column (का is 2)
  letters,   // a letter and its marks are one (का is 1, क्ष is 2)
  clusters,  // what a reader sees as one is one (क्ष is 1); what mode 2027 asks for
};

// `c` belongs to the letter before it, which has these columns: how many are they together? Nothing: it stands for itself.
std::optional<int> joined_width(std::string_view before, int columns, char32_t c,
                                Counting counting);

// The letter that begins at `begin`: where it ends, its columns, its first character. At most kLetterBytes are taken as one.
struct LetterSpan {
  size_t end = 0;
  int columns = 0;
  char32_t first = 0;
  bool several = false;  // characters
};
inline constexpr size_t kLetterBytes = 64;
LetterSpan next_letter(std::string_view text, size_t begin, Counting counting);

// Of one code point alone: 0, 1 or 2.
int char_width(char32_t c);
// Of UTF-8, as the terminal shows it.
int text_width(std::string_view text);

inline constexpr char32_t kZeroWidthJoiner = 0x200d;
inline constexpr char32_t kAsPicture = 0xfe0f;  // VS16

}  // namespace pawl::term
