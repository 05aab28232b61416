#pragma once
// A night as a file that a person can read, keep as a test and play again (`pawl simulate FILE`). An unknown word is an error that
// names its line.

#include <string>

#include "base/result.h"
#include "sim/world/night/story.h"

namespace pawl::sim {

// Does this file tell a night, and not a story of one agent?
bool is_night(const std::string& text);
Result<NightStory> read_night(const std::string& text, const std::string& path);
// `about`: comments at its beginning, a line each.
std::string write_night(const NightStory& story, const std::vector<std::string>& about);

}  // namespace pawl::sim
