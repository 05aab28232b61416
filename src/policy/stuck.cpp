#include "policy/rules.h"

namespace pawl::policy {
namespace {

constexpr double kStepS = 30;  // for a cure to show
constexpr const char* kMatter = "stuck";

}  // namespace

// The mildest cure first.
Claim stuck(const Situation& s) {
  const Agent& agent = s.agent;
  if (agent.state != State::stuck) return std::nullopt;
  const int tries = tries_at(s, kMatter);
  const auto& last = agent.memory.matter.last;
  if (tries > 0 && s.now - *last < seconds(kStepS))
    return wait(*last + seconds(kStepS), "the last cure is given time to work");
  const auto cure = [&](Action action, std::string_view how) {
    Choice choice = act(action, "work is pending and nothing progresses: " + agent.because);
    choice.matter = kMatter;
    choice.attempt = tries + 1;
    choice.how = how;
    return choice;
  };
  if (tries == 0) return cure(Action::interrupt, "Escape");
  if (tries == 1) return cure(Action::interrupt, "C-c");
  if (tries == 2 && replaceable(s)) {
    if (auto enough = enough_restarts(s, "was stuck and restarted")) return *enough;
    return cure(Action::restart, word(agent.session_id.empty() ? Launch::fresh : Launch::resume));
  }
  return tell(s, kMatter, "it is stuck, and nothing helped",
              "look at it with: pawl attach " + agent.spec.name);
}

}  // namespace pawl::policy
