#pragma once
// `pawl hook RUNTIME`: called by agents, not by people. An agent must never suffer from being watched, so this says nothing,
// always succeeds, starts nothing, and is gone after kHookPatience whatever happens: a hook that does not get through is lost,
// and the reading stands without it.

#include <chrono>
#include <string>
#include <vector>

namespace pawl::cli {

inline constexpr std::chrono::milliseconds kHookPatience{50};
inline constexpr std::chrono::milliseconds kHookInputPatience{
    30};  // of it, for standard input to end
// … of one that asks whether its agent may stop: PAWL_STOP_HOOK names its event.
inline constexpr std::chrono::milliseconds kStopPatience{2000};

// words: "hook", RUNTIME, and the JSON as the last argument or on standard input. Finds its agent in PAWL_HOME, PAWL_AGENT and
// PAWL_SESSION, which every program that Pawl starts has.
int hook(const std::vector<std::string>& words);

}  // namespace pawl::cli
