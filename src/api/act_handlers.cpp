#include "api/act_handlers.h"

#include <fmt/core.h>

#include <set>

#include "api/agent_request.h"
#include "api/handlers.h"
#include "api/look_handlers.h"
#include "api/profiles.h"
#include "os/home.h"
#include "store/agent_files.h"

namespace pawl::api {
namespace {

// Changes one key of an agent.
template <class Change>
Outcome reconfigure(const Call& call, Change&& change) {
  const auto agent = agent_of(call);
  if (!agent) return Result<Json>(tl::unexpected(agent.error()));
  core::Reconfigure ask;
  ask.spec = (*agent)->spec;
  Done fine = change(ask.spec);
  if (fine) fine = model::check(ask.spec);
  if (!fine) return Result<Json>(tl::unexpected(fine.error()));
  Gathering gathering = for_one(call, ask.spec.name, ask.request);
  call.engine.submit(std::move(ask));
  return gathering;
}

// The agent a client describes, as the input that asks for it.
template <class Ask>
Outcome described(const Call& call, Ask ask) {
  auto spec = spec_of(call);
  if (!spec) return Result<Json>(tl::unexpected(spec.error()));
  ask.spec = std::move(*spec);
  ask.environment = kept_environment(call);
  Gathering gathering = for_one(call, ask.spec.name, ask.request);
  call.engine.submit(std::move(ask));
  return gathering;
}

// Those that no agent is called like: with one they are ended together.
std::vector<std::string> names_of_strangers(const Call& call) {
  std::set<std::string> names;
  for (const auto& one : call.engine.strangers())
    if (!call.engine.fleet().find(one.name)) names.insert(one.name);
  return {names.begin(), names.end()};
}

// Whom --all means.
enum class All { agents_and_tasks, but_tasks_that_are_over };

// One wish for each named agent.
template <class Make>
Outcome for_each_named(const Call& call, Make&& make, All all = All::agents_and_tasks) {
  std::vector<std::string> names = call.args["names"].as_strings();
  if (call.args["all"].as_bool())
    for (const auto& [name, agent] : call.engine.fleet().agents) {
      const bool over = agent.task && model::final(agent.task->status);
      if (!over || all == All::agents_and_tasks) names.push_back(name);
    }
  else if (names.empty())
    return Result<Json>(fail("which agent?", "name one or more, or use --all", 2));
  Gathering gathering;
  for (const auto& name : names) {
    const RequestId request = call.engine.next_request();
    gathering.waiting[request] = name;
    call.engine.submit(make(request, name));
  }
  return gathering;
}

}  // namespace

Outcome run(const Call& call) {
  core::RunAsked ask;
  ask.because = "asked by pawl run";
  return described(call, std::move(ask));
}

// Declared now, started later.
Outcome register_agent(const Call& call) {
  return described(call, core::RegisterAsked{});
}

Outcome stop(const Call& call) {
  return for_each_named(call, [](RequestId request, const std::string& name) {
    return core::StopAsked{request, name, "asked by pawl stop"};
  });
}

Outcome restart(const Call& call) {
  const bool resume = !call.args["fresh"].as_bool();
  return for_each_named(
      call,
      [&](RequestId request, const std::string& name) {
        (void)call.engine.recall(name);
        return core::RestartAsked{request, name, "asked by pawl restart", resume};
      },
      All::but_tasks_that_are_over);
}

Outcome start(const Call& call) {
  const bool resume = !call.args["fresh"].as_bool();
  return for_each_named(
      call,
      [&](RequestId request, const std::string& name) {
        (void)call.engine.recall(name);
        return core::StartAsked{request, name, "asked by pawl start", resume};
      },
      All::but_tasks_that_are_over);
}

Outcome pause(const Call& call) {
  return for_each_named(call, [](RequestId request, const std::string& name) {
    return core::PauseAsked{request, name, true, "pawl pause"};
  });
}

Outcome resume(const Call& call) {
  return for_each_named(call, [](RequestId request, const std::string& name) {
    return core::PauseAsked{request, name, false, "pawl resume"};
  });
}

Outcome mode(const Call& call) {
  return reconfigure(call, [&](model::AgentSpec& spec) {
    spec.mode = call.args["mode"].as_string();
    return Done();
  });
}

// Its program is told at its next start.
Outcome permission(const Call& call) {
  return reconfigure(call, [&](model::AgentSpec& spec) {
    spec.permission = call.args["mode"].as_string();
    if (auto fine = check_wishes(call, spec, {}, true); !fine) return fine;
    return call.engine.files().keep_permission(spec.name, spec.permission);
  });
}

Outcome rm(const Call& call) {
  const bool force = call.args["force"].as_bool();
  return for_each_named(call, [&](RequestId request, const std::string& name) {
    (void)call.engine.recall(name);
    return core::RemoveAsked{request, name, force};
  });
}

Outcome down(const Call& call) {
  Gathering gathering;
  for (const auto& [name, agent] : call.engine.fleet().agents) {
    const RequestId request = agent.running() ? call.engine.next_request() : RequestId{};
    if (agent.running()) gathering.waiting[request] = name;
    if (agent.spec.adopted())  // not Pawl's to end
      call.engine.submit(core::ReleaseAsked{request, name, "asked by pawl down"});
    else  // ended ones too: what they left
      call.engine.submit(core::StopAsked{request, name, "asked by pawl down"});
  }
  for (const auto& name : names_of_strangers(call)) {
    const RequestId request = call.engine.next_request();
    gathering.waiting[request] = name;
    call.engine.submit(core::StopAsked{request, name, "asked by pawl down"});
  }
  return gathering;
}

Outcome serve(const Call& call) {
  if (!call.server.serve) return Result<Json>(fail("nobody serves here"));
  return call.server.serve(call.args);
}

Outcome attach(const Call& call) {
  const auto agent = agent_of(call);
  if (!agent) return Result<Json>(tl::unexpected(agent.error()));
  AttachWish wish;
  wish.size = size_from(call.args["cols"].as_int(80), call.args["rows"].as_int(24));
  wish.read_only = call.args["read-only"].as_bool();
  wish.states = call.args["states"].as_bool();
  wish.stay = call.args["stay"].as_bool();
  wish.calls = call.args["calls"].as_bool();
  wish.progress = call.args["progress"].as_bool();
  wish.where = call.args["where"].as_string("attach");
  // An agent in tmux is visited there: the client only asks whether it may.
  if (call.args["elsewhere"].as_bool()) return Result<Json>(Json::object());
  if (!(*agent)->running() && !wish.stay)
    return Result<Json>(fail(fmt::format("'{}' has {} ({})", (*agent)->spec.name,
                                         word((*agent)->state), (*agent)->because),
                             "look with: pawl screen " + (*agent)->spec.name +
                                 ", or start it with: pawl restart " + (*agent)->spec.name));
  return AttachStream((*agent)->spec.name, std::move(wish), call.server.seats);
}

// The profiles' files may have changed.
Outcome reload(const Call& call) {
  Profiles profiles = load_profiles(os::config_dir());
  Json names = Json::array(), complaints = Json::array();
  for (const auto& name : profiles.catalog.names()) names.push(name);
  for (const auto& error : profiles.complaints) complaints.push(text_of(error));
  call.engine.use_profiles(call.now, std::move(profiles.catalog));
  return Result<Json>(
      Json::object({{"version", 1}, {"profiles", names}, {"complaints", complaints}}));
}

Outcome shutdown(const Call& call) {
  call.server.leaving = true;
  size_t running = 0;
  for (const auto& [name, agent] : call.engine.fleet().agents) running += agent.running() ? 1 : 0;
  return Result<Json>(Json::object({{"running", running}, {"pid", call.server.pid}}));
}

}  // namespace pawl::api
