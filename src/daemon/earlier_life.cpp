#include "daemon/earlier_life.h"

namespace pawl::daemon {

std::vector<host::TmuxHost::Known> panes(const model::Fleet& fleet) {
  std::vector<host::TmuxHost::Known> known;
  for (const auto& [name, agent] : fleet.agents) {
    const auto& pane = agent.spec.pane;
    if (!agent.running() || agent.spec.backend != "tmux") continue;
    if (!agent.spec.adopted() && !agent.process) continue;
    const os::ProcessId process =
        agent.spec.adopted()
            ? os::ProcessId{static_cast<pid_t>(pane.pid), static_cast<uint64_t>(pane.start_ticks)}
            : os::ProcessId{static_cast<pid_t>(agent.process->pid), agent.process->start_ticks};
    known.push_back({agent.session, {pane.server, pane.id, process}, agent.spec.size});
  }
  return known;
}

std::vector<host::PtyHost::Known> terminals(const model::Fleet& fleet) {
  std::vector<host::PtyHost::Known> known;
  for (const auto& [name, agent] : fleet.agents) {
    if (!agent.running() || !agent.process || agent.spec.backend == "tmux") continue;
    known.push_back({agent.session,
                     {static_cast<pid_t>(agent.process->pid), agent.process->start_ticks},
                     agent.spec.size});
  }
  return known;
}

}  // namespace pawl::daemon
