#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "policy/rules.h"

namespace pawl::policy {
namespace {

constexpr const char* kMatter = "outage";
constexpr double kFirstS = 60, kMostS = 900;  // between two tries, doubled
constexpr int kTellAfter = 4;                 // tries; a person cannot help, and may want to know

}  // namespace

// The service is overloaded or cannot be reached, and the program gave up. It is asked to go on, now and then, until it does: that
// is no nudge, and it does not end.
Claim outage(const Situation& s) {
  const Agent& agent = s.agent;
  if (agent.state != State::ready && agent.state != State::typing) return std::nullopt;
  const auto notice = std::find_if(agent.notices.begin(), agent.notices.end(),
                                   [](const auto& one) { return one.kind == "overload"; });
  if (notice == agent.notices.end()) return std::nullopt;
  const std::string because = "its service does not answer: " + notice->text;
  const model::Matter& matter = agent.memory.matter;
  const int tries = tries_at(s, kMatter);
  const WallTime from = tries > 0 ? std::max(*matter.last, agent.since) : agent.since;
  const WallTime due = from + seconds(std::min(kFirstS * std::pow(2, std::min(tries, 10)), kMostS));
  if (tries >= kTellAfter && !matter.told)
    return tell(s, kMatter,
                fmt::format("{}; {} tries did not help, and it is tried again", because, tries),
                "look at it with: pawl show " + agent.spec.name);
  if (s.now < due) return wait(due, because + "; it is tried again");
  Choice choice = act(Action::wake, because);
  choice.matter = kMatter;
  choice.attempt = tries + 1;
  choice.how = word(model::Topic::outage);
  return choice;
}

}  // namespace pawl::policy
