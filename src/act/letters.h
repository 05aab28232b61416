#pragma once
// One letter has several spellings: é is one character or two, 한 is one or three. Programs show another one than they were sent, so
// texts are compared spelt apart in the one canonical way (utf8proc), without characters that show nothing (soft hyphens, joiners,
// selectors, marks of direction): programs drop them or not, and no screen tells.

#include <string>
#include <string_view>

namespace pawl::act {

// Each letter, then its marks. What is not UTF-8 becomes U+FFFD.
std::u32string spelt_apart(std::string_view text);

// A mark of the letter before it. Where a program and our terminal measure a text differently, marks are what gets lost.
bool is_mark(char32_t c);

}  // namespace pawl::act
