#pragma once
// Is this text in that box? A box wraps, indents, scrolls, and shows a long paste as "[Pasted text #1 +39 lines]". Compared is
// what survives all that: letters and digits. A part of the text is never taken for the text.

#include <string>
#include <string_view>
#include <vector>

namespace pawl::act {

enum class Shown {
  nothing,  // of it
  part,     // something else, or a part where all of it would have room
  whole     // all of it, or its end in a box that scrolls, or a placeholder of its size
};

// `pasted`: one of the rows is a placeholder.
Shown shown(const std::vector<std::string>& rows, bool pasted, std::string_view text);

}  // namespace pawl::act
