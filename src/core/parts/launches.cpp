// Command lines: the specification stays as the person wrote it; what is added for one run is added here.

#include <algorithm>

#include "core/parts/conversations.h"
#include "core/parts/starts.h"
#include "model/limits.h"
#include "perceive/profile/launch.h"
#include "store/environment.h"
#include "store/task_files.h"

namespace pawl::core {
namespace {

constexpr const char* kSessionId = "{session_id}";
// Its standard input is a file, and never a terminal.
constexpr const char* kWithInput = "exec \"$@\" <\"$0\"";

std::vector<std::string> filled(const std::vector<std::string>& argv, const std::string& id) {
  std::vector<std::string> out;
  for (const auto& item : argv)
    if (item != kSessionId)
      out.push_back(item);
    else if (!id.empty())
      out.push_back(id);
  return out;
}

bool chooses_id(const model::TaskOrder& order) {
  return std::find(order.start.begin(), order.start.end(), kSessionId) != order.start.end();
}

host::Pane pane_of(const model::AgentSpec& spec) {
  return {spec.pane.server,
          spec.pane.id,
          {static_cast<pid_t>(spec.pane.pid), static_cast<uint64_t>(spec.pane.start_ticks)}};
}

std::vector<std::string> task_argv(const model::TaskOrder& order, const std::string& id,
                                   bool goes_on) {
  const std::string input = order.dir + "/" + (goes_on ? store::kGoOnName : store::kPromptName);
  std::vector<std::string> argv = {"/bin/sh", "-c", kWithInput, input};
  for (auto& item : filled(goes_on ? order.resume : order.start, id))
    argv.push_back(std::move(item));
  return argv;
}

}  // namespace

// A text that is none was said when its file was read.
host::Limits limits_of(const model::Agent& agent) {
  return {model::memory_limit(agent.spec.memory).value_or(0),
          model::cpu_limit(agent.spec.cpu).value_or(0), agent.task.has_value()};
}

// What the conversation before was called is forgotten in any case: it is not the one that begins.
std::vector<std::string> Starts::named(const perceive::Profile& profile, const model::Agent& agent,
                                       const OpenTerminal& run, std::vector<std::string> argv,
                                       Inputs& out) const {
  const EngineOptions& options = ground_.options;
  if (profile.files.begun && !agent.session_id.empty())
    out.push_back(ConversationTold{run.session, "", ""});
  if (profile.launch.name.empty() || !options.new_id) return argv;
  perceive::Conversation its;
  std::vector<std::string> with = argv;
  if (!agent.memory.nameless) {
    its.id = options.new_id();
    its.file = new_conversation_file(ground_.files, agent.spec, profile, its.id);
    with = perceive::naming(profile, argv, its);
  }
  if (with == argv) its = {};
  out.push_back(ConversationTold{run.session, its.id, its.file, !its.id.empty()});
  return with;
}

Result<host::Launch> Starts::launch_of(const model::Agent& agent, const OpenTerminal& run,
                                       Inputs& out) {
  const model::AgentSpec& spec = agent.spec;
  const EngineOptions& options = ground_.options;
  const auto own = ground_.files.env_file(spec);
  if (!own) return tl::unexpected(own.error());
  host::Launch launch{spec.command, {}, spec.dir, spec.size, {}};
  if (spec.adopted()) {
    launch.pane = pane_of(spec);
    return launch;
  }
  ground_.files.narrow_environment(spec);
  if (spec.backend == "tmux") launch.backend = host::Backend::tmux;
  launch.limits = limits_of(agent);
  launch.environment =
      store::merge_environment(store::merge_environment(ground_.files.environment(spec), *own),
                               {"PAWL_HOME=" + options.home, "PAWL_AGENT=" + spec.name});
  if (options.hook_secret)
    launch.environment.push_back("PAWL_HOOK=" + options.hook_secret(run.session));
  if (agent.task && agent.task->order.lease.held()) {
    launch.environment.push_back("PAWL_UNIT=" + agent.task->order.lease.unit);
    launch.environment.push_back("PAWL_FENCE=" + std::to_string(agent.task->order.lease.token));
  }
  if (agent.task && !agent.task->order.interactive) {
    // A conversation that is begun gets a name of ours, where its program allows that: whatever is killed later, it can be found.
    const model::TaskOrder& order = agent.task->order;
    const bool goes_on = run.resume && !order.resume.empty() && !agent.session_id.empty();
    std::string id = agent.session_id;
    if (!goes_on && options.new_id && chooses_id(order)) {
      id = options.new_id();
      out.push_back(ConversationTold{run.session, id, ""});
    }
    launch.argv = task_argv(order, id, goes_on);
    return launch;
  }
  const auto* profile = options.catalog
                            ? perceive::profile_of(*options.catalog, spec.runtime, spec.command)
                            : nullptr;
  if (!profile) return launch;
  launch.terminal = perceive::terminal_wishes(*profile, *own);
  launch.argv =
      perceive::with_wishes(*profile, std::move(launch.argv), {spec.model, spec.permission});
  if (run.resume && !agent.session_id.empty())
    launch.argv =
        perceive::resuming(*profile, std::move(launch.argv), {agent.session_id, agent.transcript});
  else
    launch.argv = named(*profile, agent, run, std::move(launch.argv), out);
  if (spec.hooks && spec.loop.stop_hook && !profile->hooks.stop_event.empty())
    launch.environment.push_back("PAWL_STOP_HOOK=" + profile->hooks.stop_event);
  if (spec.hooks && !options.pawl.empty() &&
      (!profile->hooks.beside || has_company(ground_, agent)))
    launch.argv = perceive::with_hooks(*profile, std::move(launch.argv),
                                       {options.pawl, options.home, spec.name, run.session});
  return launch;
}

}  // namespace pawl::core
