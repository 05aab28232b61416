#pragma once
// Machines on which a unit ran and did not come to its end. What it did there and had not pushed is there still, and nowhere else: no
// other machine pretends to go on with it. Written into the unit as "left" by whoever takes it over or gives it back.

#include <string>

#include "base/json.h"

namespace pawl::fleet {

inline constexpr size_t kMostLeft = 8;  // nodes; the newest are kept

void note_left_on(Json& unit, const std::string& node);
// "gpu, pod"; empty: nowhere.
std::string left_on(const Json& unit);
// For people, behind another sentence: "; what it did on gpu and did not push stayed there".
std::string left_words(const Json& unit);

}  // namespace pawl::fleet
