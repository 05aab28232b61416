#pragma once
// Regular expressions over rows of a screen. Screen text is hostile, so they are RE2's: linear time, no recursion, bounded
// memory. One pass over a row says which patterns of a whole profile it matches.

#include <bitset>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pawl::perceive {

inline constexpr size_t kMaxPatterns = 192;       // of one profile, the shared ones included
inline constexpr size_t kMaxPatternBytes = 1024;  // of one
using Matches = std::bitset<kMaxPatterns>;

class Patterns {
 public:
  Patterns();
  Patterns(Patterns&&) noexcept;
  Patterns& operator=(Patterns&&) noexcept;
  ~Patterns();

  // The number of the pattern in Matches. Fails with RE2's own words for a pattern that is none.
  Result<int> add(const std::string& pattern);
  // Once, after the last add.
  Done compile();
  Matches match(std::string_view row) const;
  // Where in the row this pattern matched (bytes), for the few that need it.
  struct Span {
    size_t begin = 0, end = 0;
  };
  std::optional<Span> find(int number, std::string_view row) const;
  // What its first group captured.
  std::optional<std::string> capture(int number, std::string_view row) const;
  const std::string& text(int number) const { return texts_[static_cast<size_t>(number)]; }
  size_t size() const { return texts_.size(); }

 private:
  struct Compiled;
  std::unique_ptr<Compiled> compiled_;
  std::vector<std::string> texts_;
};

}  // namespace pawl::perceive
