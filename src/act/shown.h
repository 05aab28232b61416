#pragma once
// Is this text in that box? A box wraps, indents, scrolls, draws signs of its own, and shows a long paste as
// "[Pasted text #1 +39 lines]". Compared are the characters that can be seen, in
// whatever spelling (letters.h). A part of the text is never taken for the text.

#include <string>
#include <string_view>
#include <vector>

namespace pawl::act {

enum class Shown {
  nothing,  // of it
  part,     // something else, or not all of it
  likely,   // its end in a box that scrolls, or a note without a size: nothing speaks against it
  whole     // all of it, or a note of its size
};

// `pasted`: one of the rows is a note in place of a long paste.
Shown shown(const std::vector<std::string>& rows, bool pasted, std::string_view text);

// Is all of it in these rows, with signs between, before and after it? Too little of it to tell is not.
bool shown_within(const std::vector<std::string>& rows, std::string_view text);

// Is there nothing in that box but what may be of this text? Not when it holds a letter that is not in it, in this order.
bool ours(const std::vector<std::string>& rows, bool pasted, std::string_view text);

// The same characters that can be seen.
bool alike(std::string_view a, std::string_view b);

inline bool may_be_there(Shown seen) {
  return seen == Shown::likely || seen == Shown::whole;
}

}  // namespace pawl::act
