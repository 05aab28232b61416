#include "core/supervisor.h"

#include "core/intent.h"

namespace pawl::core {

RequestId request_of(const Input& input) {
  return std::visit(
      [](const auto& it) -> RequestId {
        if constexpr (requires { it.request; })
          return it.request;
        else
          return {};
      },
      input);
}

int shell_code(const model::Ending& ending) {
  return ending.signal != 0 ? 128 + ending.signal : ending.exit_code;
}

void Supervisor::commit(const Clock& now, const Plan& plan) {
  for (const auto& event : plan.events) {
    model::apply(fleet_, event);
    if (std::holds_alternative<model::Decided>(event.fact))
      live_[event.seq] = Live{event.agent, now.mono, false, {}};
    if (const auto* finished = std::get_if<model::Finished>(&event.fact))
      live_.erase(finished->decision);
  }
  if (plan.adopts_intents)
    for (const auto& [name, agent] : fleet_.agents)
      if (agent.intent) live_.try_emplace(agent.intent->seq, Live{name, now.mono, false, {}});
  for (const auto& [seq, request] : plan.waits)
    if (auto it = live_.find(seq); it != live_.end()) it->second.waiting.push_back(request);
  for (const Seq seq : plan.escalated)
    if (auto it = live_.find(seq); it != live_.end()) it->second.killed = true;
}

const model::Agent* Supervisor::unkilled(Seq intent, const Live& live) const {
  const model::Agent* agent = fleet_.find(live.agent);
  if (live.killed || !agent || !agent->running() || !ending(*agent)) return nullptr;
  return agent->intent->seq == intent ? agent : nullptr;
}

std::optional<MonoTime> Supervisor::wake_at() const {
  std::optional<MonoTime> earliest;
  for (const auto& [intent, live] : live_) {
    const model::Agent* agent = unkilled(intent, live);
    if (!agent) continue;
    const MonoTime due = live.started + stop_grace(*agent);
    if (!earliest || due < *earliest) earliest = due;
  }
  return earliest;
}

}  // namespace pawl::core
