#pragma once
// `pawl ls -w`: the table, live, without flicker.

#include <string>

namespace pawl::cli {

// Until q or Ctrl-C. The exit code.
int watch(const std::string& home, bool machines);

}  // namespace pawl::cli
