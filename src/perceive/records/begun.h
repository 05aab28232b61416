#pragma once
// The first line of a conversation's file, as Codex writes it when something is said in it for the first time: where and when it was
// begun. So the conversation of a program that nobody can ask is found by its folder (core/parts/conversations.h).
// Pure: who reads the file gives its bytes.

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace pawl::perceive {

inline constexpr size_t kMaxBegunBytes = 256u << 10;  // its instructions are in that line, too

struct Begun {
  std::string id, dir;
  WallTime at;
};

// Nothing when the line is not whole or another, or when no window of a person's began it: a run without one, a sub-agent.
std::optional<Begun> read_begun(std::string_view head);

}  // namespace pawl::perceive
