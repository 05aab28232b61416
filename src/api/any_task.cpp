#include "api/any_task.h"

#include "api/task_view.h"
#include "store/journal.h"

namespace pawl::api {
namespace {

Result<AnyAgent> of_journal(core::Engine& engine, const std::string& name) {
  auto filed = engine.journal().tasks().find(name);
  if (!filed) return tl::unexpected(filed.error());
  if (!*filed || engine.fleet().find((*filed)->spec.name)) return AnyAgent();
  return AnyAgent(std::move(**filed));
}

}  // namespace

Result<AnyAgent> any_task(core::Engine& engine, const std::string& name) {
  if (const model::Agent* agent = find_task(engine.fleet(), name)) return AnyAgent(agent);
  return of_journal(engine, name);
}

std::string agent_of_task(core::Engine& engine, const std::string& name) {
  if (const model::Agent* agent = find_task(engine.fleet(), name)) return agent->spec.name;
  const auto row = engine.journal().tasks().find_row(name);
  return row && *row && !engine.fleet().find((*row)->agent) ? (*row)->agent : "";
}

Result<AnyAgent> any_agent(core::Engine& engine, const std::string& name) {
  if (const model::Agent* agent = engine.fleet().find(name)) return AnyAgent(agent);
  auto found = of_journal(engine, name);
  if (found && *found && (*found)->spec.name != name) return AnyAgent();
  return found;
}

}  // namespace pawl::api
