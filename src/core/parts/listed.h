#pragma once
// Names of work that a command lists: each line that it prints.

#include <string>
#include <string_view>

namespace pawl::core {

inline constexpr std::string_view kListed = "> ";

inline bool is_listed(const std::string& name) {
  return name.starts_with(kListed);
}

}  // namespace pawl::core
