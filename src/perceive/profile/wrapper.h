#pragma once
// A program that is started through another: `bwrap --ro-bind / / claude`, `env A=1 claude`, `timeout 8h codex`. Where it begins is
// found by what each wrapper's arguments take, never by searching for a name: a path of a --bind may be called the same.
// Wrappers that are not known here, and shells, stay unclear. Pure.

#include <string>
#include <vector>

namespace pawl::perceive {

// The index of the program itself: 0 without a wrapper; the length of argv when there is none, or it is not clear.
size_t program_at(const std::vector<std::string>& argv);

}  // namespace pawl::perceive
