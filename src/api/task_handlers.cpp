#include "api/task_handlers.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "api/agent_request.h"
#include "api/any_task.h"
#include "api/fleet_tasks.h"
#include "api/handlers.h"
#include "api/look_handlers.h"
#include "api/model_names.h"
#include "api/roles.h"
#include "api/task_view.h"
#include "api/window.h"
#include "base/sha256.h"
#include "base/text.h"
#include "os/child.h"
#include "os/file.h"
#include "perceive/profile/catalog.h"
#include "perceive/profile/launch.h"
#include "store/agent_files.h"
#include "store/task_files.h"

namespace pawl::api {
namespace {

constexpr size_t kNameBytes = 64;  // of an agent

Outcome refused(const Error& error) {
  return Result<Json>(tl::unexpected(error));
}

bool task_name(const std::string& name) {
  return !name.empty() && name.size() <= 64 && name[0] != '-' &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
         });
}

// Of its agent. Long ones that begin alike are told apart.
std::string agent_name(const std::string& runtime, const std::string& task) {
  const std::string name = (runtime == "generic" ? "task" : runtime) + "-" + task;
  if (name.size() <= kNameBytes) return name;
  const std::string mark = "-" + sha256_hex(name, 8);
  return name.substr(0, kNameBytes - mark.size()) + mark;
}

// A number of the caller's environment (R12).
Done monitor_value(const std::vector<std::string>& environment, const std::string& name,
                   double& value) {
  for (const auto& entry : environment) {
    if (!entry.starts_with(name + "=")) continue;
    const std::string text = entry.substr(name.size() + 1);
    const auto seconds = parse_duration_s(text);
    if (!text.empty() && !seconds)
      return fail("'" + text + "' in the environment's " + name + " is not a number",
                  "use 90, 5m or 2h, or unset it", 2);
    if (seconds) value = *seconds;
  }
  return {};
}

Done take_monitor_values(const std::vector<std::string>& environment, model::TaskHealth& health) {
  double retries = health.retries;
  const std::pair<const char*, double*> names[] = {
      {"MONITOR_BASE_INTERVAL", &health.base_s},          {"MONITOR_MAX_INTERVAL", &health.max_s},
      {"MONITOR_DEADLINE", &health.deadline_s},           {"MONITOR_GRACE_PERIOD", &health.grace_s},
      {"MONITOR_DISPATCH_WAIT", &health.dispatch_wait_s}, {"MONITOR_MAX_RETRIES", &retries}};
  for (const auto& [name, value] : names)
    if (auto fine = monitor_value(environment, name, *value); !fine) return fine;
  health.retries = static_cast<int>(std::clamp(retries, 0.0, 1000.0));
  return {};
}

Done take_bounds(const Json& args, model::AgentSpec& spec, model::TaskOrder& order) {
  const auto span = [&](const char* key, double& value) -> Done {
    const std::string text = args[key].as_string();
    const auto seconds = parse_duration_s(text);
    if (!text.empty() && !seconds)
      return fail("'" + text + "' is not a time span", "use 90, 5m or 2h", 2);
    if (seconds) value = *seconds;
    return {};
  };
  for (auto fine :
       {span("deadline", spec.task_health.deadline_s), span("stale", spec.task_health.stale_s)})
    if (!fine) return fine;
  const auto number = [&](const char* key, double& value) -> Done {
    const std::string text = args[key].as_string();
    if (text.empty()) return {};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !(value >= 0) || value > 1e15)
      return fail(fmt::format("--{} {}", key, text), "give a number", 2);
    return {};
  };
  double retries = spec.task_health.retries, tokens = 0;
  for (auto fine : {number("retries", retries), number("max-tokens", tokens),
                    number("max-cost", order.max_cost_usd)})
    if (!fine) return fine;
  spec.task_health.retries = static_cast<int>(std::min(retries, 1000.0));
  order.max_tokens = static_cast<int64_t>(tokens);
  return {};
}

// Its command lines: the user's own, a runtime's of the configuration, or the profile's.
Done take_lines(const Call& call, const model::Config& config, const model::AgentSpec& spec,
                model::TaskOrder& order) {
  order.format = "plain";
  if (!spec.command.empty()) {
    order.start = spec.command;
    return {};
  }
  if (const auto own = config.runtimes.find(spec.runtime);
      own != config.runtimes.end() && !own->second.task.empty()) {
    order.start = filled(own->second.task, spec);
    order.resume = filled(own->second.task_resume, spec);
    return {};
  }
  const auto* catalog = call.engine.catalog();
  const auto* profile = catalog ? catalog->find(spec.runtime) : nullptr;
  if (!profile || profile->launch.task.empty())
    return fail("how '" + spec.runtime + "' runs a task is not known",
                "give a command after --, or [runtime." + spec.runtime + "] task in pawl.toml", 2);
  const perceive::Wishes wishes{spec.model, spec.permission};
  if (const std::string why = perceive::unfulfilled_task(*profile, wishes); !why.empty())
    return fail(why, "choose another permission or model", 2);
  order.start = perceive::task_line(*profile, profile->launch.task, wishes);
  order.resume = perceive::task_line(*profile, profile->launch.task_resume, wishes);
  order.format = profile->launch.task_format;
  return {};
}

// Before anything is made: a shell would only say it later, and in its own words.
Done check_program(const Call& call, const std::string& name) {
  std::string path = "/usr/bin:/bin";
  for (const auto& entry : environment_of(call))
    if (entry.starts_with("PATH=")) path = entry.substr(5);
  if (!os::find_program(name, path).empty()) return {};
  return fail("there is no program '" + name + "'",
              "install it, or look at your PATH; --runtime chooses another", 1);
}

// Of those that are over as well: their folders and recordings are there.
Done name_is_free(const Call& call, const std::string& agent, const std::string& task) {
  const auto other = any_task(call.engine, task);
  if (!other) return tl::unexpected(other.error());
  if (*other)
    return fail("there is a task '" + task + "' already",
                "choose another name, or: pawl task clean " + task);
  const auto same = any_agent(call.engine, agent);
  if (!same) return tl::unexpected(same.error());
  if (!*same) return {};
  return fail(
      fmt::format("a task '{}' would be the agent '{}', and there is one already", task, agent),
      "choose another name");
}

struct Wanted {
  model::AgentSpec spec;
  model::TaskOrder order;
};

Result<Wanted> wanted_task(const Call& call) {
  const Json& args = call.args;
  const auto config = user_config(call);
  if (!config) return tl::unexpected(config.error());
  Wanted wanted{config->defaults, {}};
  auto& [spec, order] = wanted;
  order.name = args["name"].as_string();
  if (!task_name(order.name))
    return fail("bad task name '" + order.name + "'",
                "use lowercase letters, digits and '-', at most 64", 2);
  spec.command = args["command"].as_strings();
  const std::string usual = spec.runtime == "generic" ? "claude" : spec.runtime;  // [defaults]
  spec.runtime = args["runtime"].as_string(spec.command.empty() ? usual : "generic");
  spec.name = agent_name(spec.runtime, order.name);
  if (auto fine = name_is_free(call, spec.name, order.name); !fine)
    return tl::unexpected(fine.error());
  const auto* catalog = call.engine.catalog();
  auto model = full_model_name(*config, catalog ? catalog->find(spec.runtime) : nullptr,
                               args["model"].as_string(spec.model));
  if (!model) return tl::unexpected(model.error());
  spec.model = *model;
  spec.permission = args["permission"].as_string(spec.permission);
  if (args["yolo"].as_bool()) spec.permission = "bypassPermissions";
  spec.dir = args["dir"].as_string(".");
  spec.backend = args["backend"].as_string(spec.backend);
  spec.memory = args["memory"].as_string(spec.memory);
  spec.cpu = args["cpu"].as_string(spec.cpu);
  if (args.has("env-file"))
    spec.env_file = os::absolute(args["env-file"].as_string(), call.request["cwd"].as_string("/"));
  order.interactive = args["interactive"].as_bool();
  order.worktree = args["worktree"].as_string();
  spec.prompt.clear();
  spec.prompt_file.clear();
  spec.restart = order.interactive ? model::Restart::resume : model::Restart::never;
  spec.mode = order.interactive ? "task-only" : "";
  if (auto fine = take_monitor_values(environment_of(call), spec.task_health); !fine)
    return tl::unexpected(fine.error());
  if (auto fine = take_bounds(args, spec, order); !fine) return tl::unexpected(fine.error());
  if (!order.interactive)
    if (auto fine = take_lines(call, *config, spec, order); !fine)
      return tl::unexpected(fine.error());
  if (spec.command.empty() && !order.interactive) spec.command = order.start;
  if (!order.interactive)
    if (auto fine = check_program(call, order.start[0]); !fine) return tl::unexpected(fine.error());
  narrow_rights(call, spec);
  auto whole = completed(call, spec, call.request["cwd"].as_string("/"), *config);
  if (!whole) return tl::unexpected(whole.error());
  spec = std::move(*whole);
  if (order.interactive)
    if (auto fine = check_wishes(call, spec, *config, has_wishes(args)); !fine)
      return tl::unexpected(fine.error());
  return wanted;
}

// Of a task that the fleet gave this machine: the bus room has put it there.
Result<BootTime> take_lease(const Call& call, model::TaskOrder& order) {
  const std::string name = call.args["lease"].as_string();
  if (name.empty()) return BootTime{};
  const auto it = call.server.leases.find(name);
  if (it == call.server.leases.end())
    return fail("there is no such lease", "the fleet gives work to machines: --on any", 2);
  order.lease = it->second.lease;
  const BootTime until = it->second.until;
  call.server.leases.erase(it);
  return until;
}

Gathering for_task(const Call& call, const std::string& agent, RequestId& request) {
  Gathering gathering = for_one(call, agent, request);
  gathering.task = true;
  return gathering;
}

}  // namespace

namespace {

// Any bytes: text, or in base64 what is none. Larger ones are left as a file, on this machine.
Result<std::string> prompt_of(const Json& args) {
  const std::string coded = args["prompt-base64"].as_string();
  if (coded.empty()) return args["prompt"].as_string();
  const auto bytes = from_base64(coded);
  if (!bytes) return fail("'prompt-base64' is no base64", "", 2);
  return *bytes;
}

}  // namespace

Outcome task_start(const Call& call) {
  if (call.args["on"].is_string()) return give_to_fleet(call);
  if (call.args["needs"].is_string())
    return refused({"--needs is for tasks of the fleet", "say --on any as well", 2});
  auto wanted = wanted_task(call);
  if (!wanted) return refused(wanted.error());
  auto prompt = prompt_of(call.args);
  if (!prompt) return refused(prompt.error());
  auto& [spec, order] = *wanted;
  const auto until = take_lease(call, order);
  if (!until) return refused(until.error());
  const auto dir = store::make_task_dir(call.engine.files().disk(), call.engine.home(), order.name,
                                        {std::move(*prompt), call.args["prompt-left"].as_string()});
  if (!dir) return refused(dir.error());
  order.dir = dir->path;
  order.prompt_sha256 = dir->prompt_sha256;
  order.by = call.asker;
  if (order.interactive) spec.prompt_file = order.dir + "/" + store::kPromptName;
  RequestId request;
  Gathering gathering = for_task(call, spec.name, request);
  call.engine.submit(core::TaskAsked{request, spec, order, kept_environment(call), *until});
  return gathering;
}

Result<AnyAgent> task_named(const Call& call, const std::string& name) {
  auto found = any_task(call.engine, name);
  if (!found || *found) return found;
  return fail("no task named '" + name + "'", "pawl task ls --all shows them all");
}

static Result<TaskMeant> meant(const Call& call, const std::string& name) {
  auto found = task_meant(call.engine, call.server, name);
  if (!found || found->here || !found->unit.is_null()) return found;
  return fail("no task named '" + name + "'", "pawl task ls --all shows them all");
}

static Result<TaskMeant> meant(const Call& call) {
  return meant(call, call.args["name"].as_string());
}

Outcome task_status(const Call& call) {
  const auto task = meant(call);
  if (!task) return refused(task.error());
  return Result<Json>(task->here ? task_view(*task->here) : unit_view(task->unit));
}

Outcome task_wait(const Call& call) {
  std::vector<std::string> agents;
  const auto names = call.args["names"].as_strings();
  bool units = false;
  for (const auto& name : names) {
    const auto task = meant(call, name);
    if (!task) return refused(task.error());
    units = units || !task->here || task->here->task->order.lease.held();
    if (task->here) agents.push_back(task->here->spec.name);
  }
  if (names.empty()) return refused({"which task?", "name one or more", 2});
  const auto deadline = deadline_of(call);
  if (!deadline) return refused(deadline.error());
  if (units) return UnitWait(call.server, names, call.args["any"].as_bool(), *deadline);
  return TaskWait(std::move(agents), call.args["any"].as_bool(), *deadline);
}

Outcome task_output(const Call& call) {
  const auto task = meant(call);
  if (!task) return refused(task.error());
  if (!task->here) return unit_output(call, task->unit);
  const AnyAgent& agent = task->here;
  const auto lines = lines_of(call);
  if (!lines) return refused(lines.error());
  OutputWish wish{call.args["follow"].as_bool(), call.args["result"].as_bool(), *lines};
  wish.from = static_cast<uint64_t>(std::max<int64_t>(call.args["from"].as_int(), 0));
  wish.places = call.args["places"].as_bool();
  return TaskOutput(agent->spec.name, wish);
}

// Nothing given: with -f from now on, else from the beginning.
Outcome task_events(const Call& call) {
  const bool follow = call.args["follow"].as_bool();
  auto after = events_since(call);
  if (!after) return refused(after.error());
  if (follow && call.args["since"].as_string().empty()) after = call.engine.fleet().last;
  const auto names = call.args["names"].as_strings();
  return TaskEvents(call.engine, *after, {names.begin(), names.end()}, follow);
}

Outcome task_cancel(const Call& call) {
  const auto task = meant(call);
  if (!task) return refused(task.error());
  if (!task->here) return cancel_unit(call, task->unit["unit"].as_string());
  const AnyAgent& agent = task->here;
  if (agent.filed()) return Result<Json>(task_view(*agent));  // it is over
  core::CancelAsked ask{{}, agent->spec.name, "asked by pawl task cancel"};
  Gathering gathering = for_task(call, ask.agent, ask.request);
  call.engine.submit(std::move(ask));
  return gathering;
}

Outcome abandon_tasks(const Call& call) {
  Gathering gathering;
  for (const auto& [name, agent] : call.engine.fleet().agents) {
    if (!agent.task || model::final(agent.task->status)) continue;
    const RequestId request = call.engine.next_request();
    gathering.waiting[request] = name;
    call.engine.submit(
        core::CancelAsked{request, name, "asked by pawl daemon --stop", "daemon_stopped"});
  }
  return gathering;
}

Outcome task_resume(const Call& call) {
  const auto task = meant(call);
  if (!task) return refused(task.error());
  if (!task->here) return resume_unit(call, task->unit);
  const AnyAgent& agent = task->here;
  if (auto fine = allowed_task(call.engine.fleet(), call.asker, "task resume", *agent); !fine)
    return refused(fine.error());
  core::GoOnAsked ask{{}, agent->spec.name, "asked by pawl task resume"};
  Gathering gathering = for_task(call, ask.agent, ask.request);
  (void)call.engine.recall(ask.agent);
  call.engine.submit(std::move(ask));
  return gathering;
}

}  // namespace pawl::api
