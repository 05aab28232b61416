#pragma once
// The words users see everywhere for what an agent is doing (interfaces: "States").

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::model {

enum class State {
  starting,
  ready,
  typing,
  busy,
  waiting,
  limited,
  stuck,
  shell,
  exited,
  crashed,
  unknown
};

// The kind of a busy state in which no turn runs: sub-agents, background jobs.
inline constexpr const char* kBackground = "background";
// The kind of `typing` when what stands in the box is a text of ours that was not taken.
inline constexpr const char* kOwnText = "pawl";
inline constexpr const char* kOwnTextLeft = "a text of Pawl's that was not taken is in its box";

std::string_view word(State state);
std::optional<State> state_from(std::string_view text);
std::vector<std::string> state_words();

// The program is gone: nothing can be written to it.
inline bool ended(State state) {
  return state == State::exited || state == State::crashed;
}

// What the keyboard reaches (interfaces: "input"): the mode when there is one, else what the state says.
std::string_view input_word(State state, std::string_view mode);

}  // namespace pawl::model
