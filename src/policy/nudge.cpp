#include <fmt/core.h>

#include <cmath>

#include "policy/rules.h"

namespace pawl::policy {
namespace {

Duration patience(const model::Nudge& nudge, int attempt) {
  return seconds(std::min(nudge.base_s * std::pow(nudge.factor, attempt), nudge.cap_s));
}

std::string since(WallTime from, WallTime now) {
  return fmt::format("{} s", std::chrono::duration_cast<std::chrono::seconds>(now - from).count());
}

}  // namespace

Claim begin(const Situation& s) {
  const model::AgentSpec& spec = s.agent.spec;
  const bool prompt = !spec.prompt.empty() || !spec.prompt_file.empty();
  if (s.agent.state != State::ready || s.agent.memory.told || !prompt) return std::nullopt;
  if (spec.effective_mode() == "paused") return std::nullopt;
  Choice choice = act(Action::wake, "it was just started and knows nothing of its task");
  choice.how = spec.effective_mode();
  return choice;
}

Claim nudge(const Situation& s) {
  const Agent& agent = s.agent;
  if (agent.state != State::ready && agent.state != State::typing) return std::nullopt;
  const std::string mode = agent.spec.effective_mode();
  if (mode == "paused") return nothing("it has no prompt and no mode: nothing is typed into it");
  if (!agent.memory.rested) return std::nullopt;
  const model::Nudge& its = agent.spec.nudge;
  const WallTime rested = *agent.memory.rested;
  const bool enough = agent.nudges >= its.attempts;
  const WallTime due = rested + (enough ? seconds(its.base_s) : patience(its, agent.nudges));
  if (s.now < due)
    return wait(due, fmt::format("it is idle; {} of {} nudges", agent.nudges, its.attempts));
  if (enough)
    return tell(s, "nudge", fmt::format("{} nudges did not get it to work", its.attempts),
                "look at it with: pawl attach " + agent.spec.name);
  Choice choice = act(Action::nudge, "it has been idle for " + since(rested, s.now));
  choice.attempt = agent.nudges + 1;
  choice.how = mode;
  return choice;
}

}  // namespace pawl::policy
