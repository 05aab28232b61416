#include "model/state.h"

#include <array>

namespace pawl::model {
namespace {

constexpr std::array<std::string_view, 11> kWords{"starting", "ready",   "typing", "busy",
                                                  "waiting",  "limited", "stuck",  "shell",
                                                  "exited",   "crashed", "unknown"};

}  // namespace

std::string_view word(State state) {
  return kWords[static_cast<size_t>(state)];
}

std::optional<State> state_from(std::string_view text) {
  for (size_t i = 0; i < kWords.size(); ++i)
    if (kWords[i] == text) return static_cast<State>(i);
  return std::nullopt;
}

std::string_view input_word(State state, std::string_view mode) {
  if (!mode.empty() && !ended(state)) return mode;
  switch (state) {
    case State::waiting:
      return "picker";
    case State::ready:
    case State::typing:
    case State::busy:
    case State::limited:
      return "prompt";
    case State::starting:
    case State::stuck:
    case State::shell:
    case State::exited:
    case State::crashed:
    case State::unknown:
      break;
  }
  return "none";
}

std::vector<std::string> state_words() {
  return {kWords.begin(), kWords.end()};
}

}  // namespace pawl::model
