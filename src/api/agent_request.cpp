#include "api/agent_request.h"

#include <fmt/core.h>

#include <cstdio>
#include <filesystem>

#include "api/any_task.h"
#include "api/roles.h"
#include "base/text.h"
#include "os/file.h"
#include "os/home.h"
#include "os/process.h"
#include "perceive/profile/catalog.h"
#include "perceive/profile/launch.h"
#include "store/environment.h"
#include "store/unreadable.h"

namespace pawl::api {
namespace {

Done check_dir(store::Disk& disk, const std::string& dir) {
  const bool there = disk.exists(dir);
  if (const auto silent = store::silent_folder(disk, dir)) return fail(silent->text, silent->todo);
  if (!there) return fail("no such directory: " + dir, "create it, or give another one with --dir");
  if (!disk.is_dir(dir)) return fail("not a directory: " + dir, "give a directory with --dir");
  return {};
}

// One that cannot be kept is refused: nobody would see that it is not.
Done check_limits(const Call& call, const model::AgentSpec& spec) {
  if (spec.cpu.empty()) return {};
  const auto limits = call.server.limits();
  if (limits.cpu || limits.asking) return {};
  return fail("a CPU limit cannot be kept here: " + limits.why,
              "leave it out (--cpu), or see \"Limits\" in pawl doctor");
}

// Its folder and its recordings are still there.
Done no_filed_task(const Call& call, const std::string& name) {
  const auto known = any_agent(call.engine, name);
  if (!known) return tl::unexpected(known.error());
  if (!*known || !known->filed()) return {};
  const std::string& task = (*known)->task->order.name;
  return fail(fmt::format("'{}' was the agent of the task '{}', which is over", name, task),
              "choose another name, or: pawl task clean " + task);
}

Result<Size> parse_size(const std::string& text) {
  unsigned cols = 0, rows = 0;
  char more = 0;
  if (std::sscanf(text.c_str(), "%ux%u%c", &cols, &rows, &more) != 2 || cols < 2 || rows < 1 ||
      cols > 1000 || rows > 1000)
    return fail("'" + text + "' is not a size", "use COLSxROWS, like 120x40", 2);
  return Size{static_cast<uint16_t>(cols), static_cast<uint16_t>(rows)};
}

}  // namespace

std::string free_name(const model::Fleet& fleet, const std::string& wish,
                      const std::set<std::string>& taken) {
  std::string base;
  for (const char c : wish) base += valid_name(std::string("x") + c) ? c : '-';
  if (!valid_name(base)) base = "agent";
  base = base.substr(0, 60);
  std::string name = base;
  for (int n = 2; fleet.find(name) != nullptr || taken.contains(name); ++n)
    name = fmt::format("{}-{}", base, n);
  return name;
}

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

Done check_wishes(const Call& call, const model::AgentSpec& spec, const model::Config& config,
                  bool asked) {
  const auto runtime = config.runtimes.find(spec.runtime);
  if (runtime != config.runtimes.end() && spec.command == filled(runtime->second.start, spec))
    return {};
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

void narrow_rights(const Call& call, model::AgentSpec& spec) {
  if (!call.asker.inside()) return;
  const model::Agent* own = agent_of_asker(call.engine.fleet(), call.asker);
  std::erase_if(spec.may, [&](const std::string& word) {
    return !own ||
           std::find(own->spec.may.begin(), own->spec.may.end(), word) == own->spec.may.end();
  });
}

Result<model::AgentSpec> completed(const Call& call, model::AgentSpec spec,
                                   const std::string& base_dir, const model::Config& config) {
  const auto& runtimes = config.runtimes;
  if (const auto full = config.models.find(spec.model); full != config.models.end())
    spec.model = full->second;
  spec.dir = os::absolute(spec.dir.empty() ? "." : spec.dir, base_dir);
  for (auto& folder : spec.work.folders) folder = os::absolute(folder, base_dir);
  if (auto fine = check_dir(call.engine.files().disk(), spec.dir); !fine)
    return tl::unexpected(fine.error());
  if (auto fine = model::check(spec); !fine) return tl::unexpected(fine.error());
  if (auto fine = check_limits(call, spec); !fine) return tl::unexpected(fine.error());
  if (auto fine = no_filed_task(call, spec.name); !fine) return tl::unexpected(fine.error());
  if (!spec.command.empty()) return spec;
  const auto runtime = runtimes.find(spec.runtime);
  if (runtime != runtimes.end() && !runtime->second.start.empty()) {
    spec.command = filled(runtime->second.start, spec);
    return spec;
  }
  if (spec.runtime == "generic")
    return fail("nothing to run for '" + spec.name + "'", "give a command after --, or a --runtime",
                2);
  const auto* catalog = call.engine.catalog();
  const auto* profile = catalog ? catalog->find(spec.runtime) : nullptr;
  spec.command =
      profile && !profile->launch.start.empty() ? profile->launch.start : std::vector{spec.runtime};
  return spec;
}

// An agent does not bring a configuration of its own: what it starts could be allowed anything, and have programs run by the
// daemon itself.
static Result<model::Config> own_config() {
  const std::string path = os::config_path();
  const auto text = os::read_file(path);
  if (!text) return model::Config{};
  auto read = model::read_config(*text, path);
  if (!read) return tl::unexpected(read.error());
  return std::move(read->config);
}

Result<model::Config> user_config(const Call& call) {
  if (call.asker.inside()) return own_config();
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
  spec.prompt = args["prompt"].as_string(spec.prompt);
  spec.prompt_file = args["prompt-file"].as_string(args.has("prompt") ? "" : spec.prompt_file);
  if (args.has("prompt-file"))
    spec.prompt_file = os::absolute(spec.prompt_file, call.request["cwd"].as_string("/"));
  spec.memory = args["memory"].as_string(spec.memory);
  spec.cpu = args["cpu"].as_string(spec.cpu);
  spec.restart = model::written_restart(args["restart"].as_string(spec.restart.text()));
  spec.mode = args["mode"].as_string(spec.mode);
  spec.dry_run = args["dry-run"].as_bool(spec.dry_run);
  if (const std::string text = args["size"].as_string(); !text.empty()) {
    const auto size = parse_size(text);
    if (!size) return tl::unexpected(size.error());
    spec.size = *size;
  }
  narrow_rights(call, spec);
  auto whole = completed(call, std::move(spec), call.request["cwd"].as_string("/"), *config);
  if (!whole) return whole;
  if (auto fine = check_wishes(call, *whole, *config, has_wishes(args)); !fine)
    return tl::unexpected(fine.error());
  return whole;
}

bool has_wishes(const Json& args) {
  return args.has("model") || args.has("permission") || args.has("yolo");
}

// An agent that starts another does not hand on what its own hooks show.
std::vector<std::string> environment_of(const Call& call) {
  const Json& given = call.request["environment"];
  auto all = given.is_array() ? given.as_strings() : os::own_environment();
  std::erase_if(all, [](const auto& one) { return one.starts_with("PAWL_HOOK="); });
  return all;
}

std::vector<std::string> kept_environment(const Call& call) {
  const Json& given = call.request["environment"];
  return given.is_array() ? given.as_strings() : std::vector<std::string>{store::kDaemonsOwn};
}

}  // namespace pawl::api
