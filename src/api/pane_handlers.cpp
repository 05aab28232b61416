#include "api/pane_handlers.h"

#include "api/agent_request.h"
#include "api/handlers.h"
#include "base/text.h"

namespace pawl::api {
namespace {

// As configured under its name, else by the defaults; but nothing is started again unless it was asked for (A10).
Result<model::AgentSpec> spec_of_pane(const Call& call) {
  const Json& args = call.args;
  const auto config = user_config(call);
  if (!config) return tl::unexpected(config.error());
  const std::string name = args["name"].as_string();
  if (args.has("name") && !valid_name(name))
    return fail("bad name '" + name + "'",
                "use letters, digits, '.', '_' and '-', at most 64, not starting with '-'", 2);
  const model::AgentSpec* known = config->agent(name);
  model::AgentSpec spec = known ? *known : config->defaults;
  spec.name =
      args.has("name") ? name : free_name(call.engine.fleet(), args["wish"].as_string("pane"));
  if (!known) spec.restart = "never";
  spec.restart = args["restart"].as_string(spec.restart);
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
  auto spec = spec_of_pane(call);
  if (!spec) return Result<Json>(tl::unexpected(spec.error()));
  core::AdoptAsked ask{{}, std::move(*spec), environment_of(call)};
  Gathering gathering = for_one(call, ask.spec.name, ask.request);
  call.engine.submit(std::move(ask));
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
