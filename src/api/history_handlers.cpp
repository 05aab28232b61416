#include "api/history_handlers.h"

#include "api/look_handlers.h"
#include "api/window.h"
#include "store/journal.h"

namespace pawl::api {
namespace {

using std::chrono::hours;

Outcome search(const Call& call, const Window& window, JournalSearch::Fold fold) {
  const auto after = call.engine.journal().seq_at(window.since);
  if (!after) return Result<Json>(tl::unexpected(after.error()));
  return JournalSearch(*after, std::move(fold));
}

}  // namespace

Outcome timeline(const Call& call) {
  const auto window = window_of(call, hours{8});
  if (!window) return Result<Json>(tl::unexpected(window.error()));
  if (call.args["name"].as_string().empty())
    return search(call, *window, TimelineFold(window->since, window->until));
  const auto agent = agent_of(call);
  if (!agent) return Result<Json>(tl::unexpected(agent.error()));
  return search(call, *window, HistoryFold((*agent)->spec.name, window->since, window->until));
}

Outcome alerts(const Call& call) {
  const auto window = window_of(call, hours{24});
  if (!window) return Result<Json>(tl::unexpected(window.error()));
  for (const auto& [name, agent] : call.engine.fleet().agents)  // whose dialog is among them
    if (agent.dialog && agent.memory.matter.told &&
        agent.memory.matter.id == agent.dialog->matter())
      note_shown(call, agent);
  return search(call, *window, AlertFold(window->since, window->until));
}

Outcome report(const Call& call) {
  const auto window = window_of(call, hours{12});
  if (!window) return Result<Json>(tl::unexpected(window.error()));
  return search(call, *window, ReportFold(window->since, window->until, call.engine.fleet()));
}

}  // namespace pawl::api
