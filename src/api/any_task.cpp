#include "api/any_task.h"

#include "api/task_view.h"
#include "store/journal.h"

namespace pawl::api {
namespace {

AnyAgent of_fleet(const model::Agent* agent) {
  return AnyAgent(std::shared_ptr<const void>(), agent);
}

Result<AnyAgent> of_journal(core::Engine& engine, const std::string& name) {
  auto filed = engine.journal().tasks().find(name);
  if (!filed) return tl::unexpected(filed.error());
  if (!*filed || engine.fleet().find((*filed)->spec.name)) return AnyAgent();
  return std::make_shared<const model::Agent>(std::move(**filed));
}

}  // namespace

Result<AnyAgent> any_task(core::Engine& engine, const std::string& name) {
  if (const model::Agent* agent = find_task(engine.fleet(), name)) return of_fleet(agent);
  return of_journal(engine, name);
}

Result<AnyAgent> any_agent(core::Engine& engine, const std::string& name) {
  if (const model::Agent* agent = engine.fleet().find(name)) return of_fleet(agent);
  auto found = of_journal(engine, name);
  if (found && *found && (*found)->spec.name != name) return AnyAgent();
  return found;
}

bool filed(core::Engine& engine, const model::Agent& agent) {
  return engine.fleet().find(agent.spec.name) != &agent;
}

}  // namespace pawl::api
