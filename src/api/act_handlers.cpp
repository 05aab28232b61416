#include "api/act_handlers.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <filesystem>

#include "api/handlers.h"
#include "api/look_handlers.h"
#include "api/profiles.h"
#include "base/text.h"
#include "model/config.h"
#include "os/file.h"
#include "os/home.h"
#include "perceive/launch.h"

namespace pawl::api {
namespace {

std::string free_name(const model::Fleet& fleet, const std::string& wish) {
  std::string base;
  for (const char c : wish) base += valid_name(std::string("x") + c) ? c : '-';
  if (!valid_name(base)) base = "agent";
  base = base.substr(0, 60);
  std::string name = base;
  for (int n = 2; fleet.find(name) != nullptr; ++n) name = fmt::format("{}-{}", base, n);
  return name;
}

Done check_dir(const std::string& dir) {
  if (!os::exists(dir))
    return fail("no such directory: " + dir, "create it, or give another one with --dir");
  if (!os::is_dir(dir)) return fail("not a directory: " + dir, "give a directory with --dir");
  return {};
}

// {model} and {permission} in a runtime's command line; an item whose value is empty is left out.
std::vector<std::string> filled(const std::vector<std::string>& items,
                                const model::AgentSpec& spec) {
  std::vector<std::string> out;
  for (const auto& item : items) {
    const std::string* value = item == "{model}"        ? &spec.model
                               : item == "{permission}" ? &spec.permission
                                                        : &item;
    if (!value->empty()) out.push_back(*value);
  }
  return out;
}

// Can its program be told its model, and what it may do? `asked`: somebody wants that of this one, and not of all.
Done check_wishes(const Call& call, const model::AgentSpec& spec, bool asked) {
  const auto* catalog = call.engine.catalog();
  const auto* profile =
      catalog ? perceive::profile_of(*catalog, spec.runtime, spec.command) : nullptr;
  if (!profile && asked)
    return fail("how '" + spec.command[0] + "' is told its model or permissions is not known",
                "give it its own arguments, after --", 2);
  const std::string why =
      profile ? perceive::unfulfilled(*profile, {spec.model, spec.permission}) : std::string();
  return why.empty() ? Done() : fail(why, "choose another, or give its own arguments after --", 2);
}

// What a spec needs before it can be started, worked out: command, absolute folder, the full name of its model.
Result<model::AgentSpec> completed(const Call& call, model::AgentSpec spec,
                                   const std::string& base_dir, const model::Config& config) {
  const auto& runtimes = config.runtimes;
  const bool asked = call.args.has("model") || call.args.has("permission") || call.args.has("yolo");
  if (const auto full = config.models.find(spec.model); full != config.models.end())
    spec.model = full->second;
  spec.dir = os::absolute(spec.dir.empty() ? "." : spec.dir, base_dir);
  if (auto fine = check_dir(spec.dir); !fine) return tl::unexpected(fine.error());
  if (auto fine = model::check(spec); !fine) return tl::unexpected(fine.error());
  if (spec.backend == "tmux")
    return fail("the tmux backend is not there yet", "use --backend pty", 2);
  if (!spec.command.empty()) {
    if (auto fine = check_wishes(call, spec, asked); !fine) return tl::unexpected(fine.error());
    return spec;
  }
  const auto runtime = runtimes.find(spec.runtime);
  if (runtime != runtimes.end() && !runtime->second.start.empty()) {
    spec.command = filled(runtime->second.start, spec);
    return spec;
  }
  if (spec.runtime == "generic")
    return fail("nothing to run for '" + spec.name + "'", "give a command after --, or a --runtime",
                2);
  spec.command = {spec.runtime};
  if (auto fine = check_wishes(call, spec, asked); !fine) return tl::unexpected(fine.error());
  return spec;
}

Result<Size> parse_size(const std::string& text) {
  unsigned cols = 0, rows = 0;
  char more = 0;
  if (std::sscanf(text.c_str(), "%ux%u%c", &cols, &rows, &more) != 2 || cols < 2 || rows < 1 ||
      cols > 1000 || rows > 1000)
    return fail("'" + text + "' is not a size", "use COLSxROWS, like 120x40", 2);
  return Size{static_cast<uint16_t>(cols), static_cast<uint16_t>(rows)};
}

// The caller's own configuration file, as the command line sends it along.
Result<model::Config> user_config(const Call& call) {
  const Json& config = call.request["config"];
  if (!config.is_object()) return model::Config{};
  auto read = model::read_config(config["text"].as_string(), config["path"].as_string());
  if (!read) return tl::unexpected(read.error());
  return std::move(read->config);
}

Result<model::AgentSpec> spec_of(const Call& call) {
  const auto config = user_config(call);
  if (!config) return tl::unexpected(config.error());
  const Json& args = call.args;
  const model::AgentSpec* known = config->agent(args["name"].as_string());
  model::AgentSpec spec = known ? *known : config->defaults;
  if (args.has("command")) spec.command = args["command"].as_strings();
  spec.runtime = args["runtime"].as_string(spec.runtime);
  spec.name = args["name"].as_string();
  if (!args["name"].is_string() && (!spec.command.empty() || spec.runtime != "generic"))
    spec.name = free_name(call.engine.fleet(),
                          spec.command.empty()
                              ? spec.runtime
                              : std::filesystem::path(spec.command[0]).filename().string());
  if (!args["name"].is_string() && spec.name.empty())
    return fail("nothing to run", "give a command after --, like: pawl run -- bash", 2);
  if (!valid_name(spec.name))
    return fail("bad name '" + spec.name + "'",
                "use letters, digits, '.', '_' and '-', at most 64, not starting with '-'", 2);
  spec.dir = args["dir"].as_string(spec.dir);
  spec.backend = args["backend"].as_string(spec.backend);
  spec.env_file = args["env-file"].as_string(spec.env_file);
  if (args.has("env-file"))
    spec.env_file = os::absolute(spec.env_file, call.request["cwd"].as_string("/"));
  spec.model = args["model"].as_string(spec.model);
  spec.permission = args["permission"].as_string(spec.permission);
  if (args["yolo"].as_bool()) spec.permission = "bypassPermissions";
  spec.prompt_file = args["prompt-file"].as_string(spec.prompt_file);
  if (args.has("prompt-file"))
    spec.prompt_file = os::absolute(spec.prompt_file, call.request["cwd"].as_string("/"));
  spec.restart = args["restart"].as_string(spec.restart);
  spec.mode = args["mode"].as_string(spec.mode);
  spec.dry_run = args["dry-run"].as_bool(spec.dry_run);
  if (const std::string text = args["size"].as_string(); !text.empty()) {
    const auto size = parse_size(text);
    if (!size) return tl::unexpected(size.error());
    spec.size = *size;
  }
  return completed(call, std::move(spec), call.request["cwd"].as_string("/"), *config);
}

std::vector<std::string> environment_of(const Call& call) {
  const Json& given = call.request["environment"];
  return given.is_array() ? given.as_strings() : os::own_environment();
}

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
  ask.environment = environment_of(call);
  Gathering gathering = for_one(call, ask.spec.name, ask.request);
  call.engine.submit(std::move(ask));
  return gathering;
}

// One wish for each named agent.
template <class Make>
Outcome for_each_named(const Call& call, Make&& make) {
  std::vector<std::string> names = call.args["names"].as_strings();
  if (call.args["all"].as_bool())
    for (const auto& [name, agent] : call.engine.fleet().agents) names.push_back(name);
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

Outcome up(const Call& call) {
  const std::string path = call.args["path"].as_string("pawl.toml");
  const auto below = user_config(call);
  if (!below) return Result<Json>(tl::unexpected(below.error()));
  const auto read = model::read_config(call.args["text"].as_string(), path, *below);
  if (!read) return Result<Json>(tl::unexpected(read.error()));
  const model::Config* config = &read->config;
  if (config->agents.empty()) return Result<Json>(fail(path + " has no [agent.NAME]", "add one"));
  Gathering gathering;
  for (const auto& repair : read->repairs) gathering.complaints.push_back(text_of(repair));
  for (const auto& wish : config->agents) {
    const model::Agent* known = call.engine.fleet().find(wish.name);
    const auto spec = completed(call, wish, call.args["dir"].as_string("/"), *config);
    if (!spec) {
      gathering.results.emplace_back(wish.name, tl::unexpected(spec.error()));
      continue;
    }
    const RequestId request = call.engine.next_request();
    gathering.waiting[request] = wish.name;
    if (known && known->running())  // rules follow at once, the program at its next start
      call.engine.submit(core::Reconfigure{request, *spec});
    else
      call.engine.submit(core::RunAsked{request, *spec, environment_of(call), "asked by pawl up"});
  }
  return gathering;
}

Outcome stop(const Call& call) {
  return for_each_named(call, [](RequestId request, const std::string& name) {
    return core::StopAsked{request, name, "asked by pawl stop"};
  });
}

Outcome restart(const Call& call) {
  const bool resume = !call.args["fresh"].as_bool();
  return for_each_named(call, [&](RequestId request, const std::string& name) {
    return core::RestartAsked{request, name, "asked by pawl restart", resume};
  });
}

Outcome start(const Call& call) {
  const bool resume = !call.args["fresh"].as_bool();
  return for_each_named(call, [&](RequestId request, const std::string& name) {
    return core::StartAsked{request, name, "asked by pawl start", resume};
  });
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
    return check_wishes(call, spec, true);
  });
}

Outcome rm(const Call& call) {
  const bool force = call.args["force"].as_bool();
  return for_each_named(call, [&](RequestId request, const std::string& name) {
    return core::RemoveAsked{request, name, force};
  });
}

Outcome down(const Call& call) {
  Gathering gathering;
  for (const auto& [name, agent] : call.engine.fleet().agents) {
    const RequestId request = agent.running() ? call.engine.next_request() : RequestId{};
    if (agent.running()) gathering.waiting[request] = name;
    call.engine.submit(
        core::StopAsked{request, name, "asked by pawl down"});  // ended ones too: what they left
  }
  return gathering;
}

Outcome attach(const Call& call) {
  const auto agent = agent_of(call);
  if (!agent) return Result<Json>(tl::unexpected(agent.error()));
  if (!(*agent)->running())
    return Result<Json>(fail(fmt::format("'{}' has {} ({})", (*agent)->spec.name,
                                         word((*agent)->state), (*agent)->because),
                             "look with: pawl screen " + (*agent)->spec.name +
                                 ", or start it with: pawl restart " + (*agent)->spec.name));
  return AttachStream((*agent)->spec.name,
                      size_from(call.args["cols"].as_int(80), call.args["rows"].as_int(24)),
                      call.args["read-only"].as_bool(), call.args["states"].as_bool());
}

// "<home>-<id>", as the environment has it, or the id alone.
SessionId session_of(const std::string& cookie) {
  const std::string digits = cookie.substr(cookie.rfind('-') + 1);
  uint64_t id = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), id);
  return error == std::errc{} && end == digits.data() + digits.size() ? SessionId{id} : SessionId{};
}

Outcome hook(const Call& call) {
  const Json& args = call.args;
  call.engine.hook(call.now, args["agent"].as_string(), session_of(args["session"].as_string()),
                   args["runtime"].as_string(), args["json"].as_string());
  return Result<Json>(Json::object());  // nobody waits for it
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
