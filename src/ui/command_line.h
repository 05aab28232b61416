#pragma once
// The line after `:` — any verb of pawl, in words, with completion from the verbs' own rows. Pure.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pawl::ui {

// As a shell would: blanks part words, quotes hold them together, a backslash takes the next character as it is.
Result<std::vector<std::string>> words_of(std::string_view line);
// Whole lines that it may become: verbs, their options, the names of agents.
std::vector<std::string> completions(const std::string& line,
                                     const std::vector<std::string>& agents);
// Why it cannot be done inside the interface; empty: it can.
std::string unfit(const std::vector<std::string>& words);

}  // namespace pawl::ui
