#include "api/pane_handlers.h"

#include <set>

#include "api/agent_request.h"
#include "api/handlers.h"
#include "base/text.h"

namespace pawl::api {
namespace {

// As configured under its name, else by the defaults; but nothing is started again unless it was asked for (A10).
Result<model::AgentSpec> spec_of_pane(const Call& call, const model::Config& config,
                                      const Json& args, std::set<std::string>& taken) {
  const std::string name =
      args.has("name") ? args["name"].as_string()
                       : free_name(call.engine.fleet(), args["wish"].as_string("pane"), taken);
  if (!valid_name(name))
    return fail("bad name '" + name + "'",
                "use letters, digits, '.', '_' and '-', at most 64, not starting with '-'", 2);
  const model::AgentSpec* known = config.agent(name);
  model::AgentSpec spec = known ? *known : config.defaults;
  spec.name = name;
  taken.insert(name);
  if (!known) spec.restart = model::Restart::never;
  spec.restart = model::written_restart(args["restart"].as_string(spec.restart.text()));
  spec.backend = "tmux";
  spec.runtime = args["runtime"].as_string("generic");
  spec.command = args["command"].as_strings();
  if (spec.command.empty()) spec.command = {"tmux"};
  spec.dir = args["dir"].as_string("/");
  spec.pane = {args["server"].as_string(), args["pane"].as_string(), args["pid"].as_int(),
               args["start_ticks"].as_int()};
  if (!spec.pane.id.starts_with('%') || spec.pane.server.empty() || spec.pane.pid <= 1)
    return fail("which pane?", "use the pawl command: pawl adopt SESSION:WINDOW.PANE", 2);
  if (auto fine = model::check(spec); !fine) return tl::unexpected(fine.error());
  return spec;
}

}  // namespace

Outcome adopt(const Call& call) {
  const auto config = user_config(call);
  if (!config) return Result<Json>(tl::unexpected(config.error()));
  Gathering gathering;
  std::set<std::string> taken;
  for (const auto& pane : call.args["panes"].items()) {
    auto spec = spec_of_pane(call, *config, pane, taken);
    if (!spec) {
      gathering.results.emplace_back(pane["pane"].as_string(), tl::unexpected(spec.error()));
      continue;
    }
    const RequestId request = call.engine.next_request();
    gathering.waiting[request] = spec->name;
    call.engine.submit(core::AdoptAsked{request, std::move(*spec), kept_environment(call)});
  }
  if (gathering.waiting.empty() && gathering.results.empty())
    return Result<Json>(fail("which pane?", "use the pawl command: pawl adopt PANE", 2));
  return gathering;
}

Outcome release(const Call& call) {
  Gathering gathering;
  for (const auto& name : call.args["names"].as_strings()) {
    const RequestId request = call.engine.next_request();
    gathering.waiting[request] = name;
    call.engine.submit(core::ReleaseAsked{request, name, "asked by pawl release"});
  }
  if (gathering.waiting.empty()) return Result<Json>(fail("which agent?", "name one or more", 2));
  return gathering;
}

}  // namespace pawl::api
