#pragma once
// Texts of a made-up night carry numbers of their own, so that they are known again wherever they turn up: "#7#".

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::sim {

inline std::string mark_of(uint64_t number) {
  return "#" + std::to_string(number) + "#";
}

inline std::vector<uint64_t> marks_in(std::string_view text) {
  std::vector<uint64_t> out;
  for (size_t at = text.find('#'); at != std::string_view::npos; at = text.find('#', at + 1)) {
    uint64_t number = 0;
    size_t end = at + 1;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9')
      number = number * 10 + static_cast<uint64_t>(text[end++] - '0');
    if (end == at + 1 || end >= text.size() || text[end] != '#') continue;
    out.push_back(number);
    at = end;
  }
  return out;
}

}  // namespace pawl::sim
