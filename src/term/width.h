#pragma once
// How many columns a character takes: 0, 1 or 2, as tmux 3.3a on Debian 12 counts them, but for the soft hyphen: no program that
// was seen leaves a column for it.
// Called by the interpreter for every character that is not ASCII. Never looks at a locale.

#include <cstdint>
#include <string_view>

namespace pawl::term {

// Of one code point. Emoji sequences are the interpreter's business: whatever follows a zero width
// joiner joins the cell before it, so does the tone of a skin, and VS16 (U+FE0F) takes no column and widens nothing.
int char_width(char32_t c);
// A colour of skin, for the emoji before it; alone it is a coloured square.
bool is_tone(char32_t c);
// One that a tone may belong to.
bool takes_tone(char32_t c);
// Of UTF-8, one code point after the other.
int text_width(std::string_view text);

inline constexpr char32_t kZeroWidthJoiner = 0x200d;

}  // namespace pawl::term
