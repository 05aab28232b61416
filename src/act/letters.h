#pragma once
// One letter has several spellings: é is one character or two. Programs show another one than they were sent, so texts are compared
// without the marks of letters, without soft hyphens, which only some screens show, and with Korean and Japanese put together. Not
// all of Unicode: what is commonly sent. Not the tones of a hand, which programs and our terminal measure differently: such a text
// is better not taken than a picture that is wrong from then on.

#include <string>

namespace pawl::act {

// A character that takes room, or a mark of the one before it. Others do not belong here.
void add_letter(std::u32string& out, char32_t c);

}  // namespace pawl::act
