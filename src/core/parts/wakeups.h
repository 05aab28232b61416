#pragma once
// What a wake-up says: the words an agent reads, and the file `wakeup_pending` that others leave in its folder.

#include <string>
#include <string_view>

namespace pawl::core {

struct Wakeup {
  std::string from;
  std::string text;  // may be empty
};

// "from: WHO" in the first line, then the text; without that line all of it is the text.
Wakeup wakeup_in(std::string_view file);

// What is typed.
std::string words_of(const Wakeup& wakeup);

}  // namespace pawl::core
