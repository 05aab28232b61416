#include "core/plan/situation.h"

#include "act/gate.h"

namespace pawl::core {

policy::Situation situation_of(WallTime now, const model::Agent& agent, const model::Fleet& fleet,
                               const RulesDue& due, const std::set<std::string>* limited) {
  policy::Situation out{.now = now,
                        .agent = agent,
                        .fleet = fleet,
                        .auto_continue = due.auto_continue,
                        .signs = due.signs,
                        .compact = due.compact,
                        .leavable = due.leavable,
                        .own_text = due.own_text,
                        .before = due.before,
                        .zone = due.zone,
                        .limited = limited};
  if (agent.running() && !agent.outbox.empty())
    if (const auto held = act::held_back(agent, agent.outbox.front(), now))
      out.held = held->because;
  return out;
}

}  // namespace pawl::core
