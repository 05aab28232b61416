#include "core/parts/starts.h"

#include <fmt/core.h>

#include <csignal>

#include "core/parts/conversations.h"
#include "core/parts/preflight.h"
#include "model/permission.h"
#include "perceive/profile/launch.h"
#include "store/surroundings.h"

namespace pawl::core {
namespace {

// One that is started again while nobody watches.
bool unattended(const model::AgentSpec& spec) {
  return spec.loops() || spec.restart != model::Restart::never;
}

}  // namespace

void Starts::begin(const Clock& now, const OpenTerminal& effect, Inputs& out) {
  const model::Agent* agent = ground_.fleet.find(effect.agent);
  if (agent && !ask_first(*agent, effect)) prepare(now, effect, {}, out);
}

// Its program says whether its login works, before it is needed. True: the start waits for that.
bool Starts::ask_first(const model::Agent& agent, const OpenTerminal& effect) {
  const EngineOptions& options = ground_.options;
  if (!options.asks || !options.catalog || agent.task || !unattended(agent.spec)) return false;
  const auto* profile =
      perceive::profile_of(*options.catalog, agent.spec.runtime, agent.spec.command);
  if (!profile) return false;
  auto argv = perceive::login_probe(*profile, agent.spec.command);
  if (argv.empty()) return false;
  asked_[effect.session] = {effect};
  commands_.push_back({effect.agent, Seq{effect.session.value}, std::move(argv), kAskLimit});
  return true;
}

// A login that does not work is renewed, when somebody said how; then it is tried in any case: its program knows best.
bool Starts::heard(const Clock& now, const CommandEnded& seen, Inputs& out) {
  const auto it = asked_.find(SessionId{seen.intent.value});
  if (it == asked_.end()) return false;
  Asked& one = it->second;
  const model::Agent* agent = ground_.fleet.find(one.order.agent);
  if (agent && !seen.fine && one.said.empty() && !agent->spec.recovery.auth_refresh.empty()) {
    one.said = seen.how;
    commands_.push_back({one.order.agent, seen.intent, agent->spec.recovery.auth_refresh});
    return true;
  }
  model::Check login{"login", seen.fine, seen.fine ? "works" : "its program says no: " + seen.how};
  if (!one.said.empty())
    login.text = seen.fine ? "renewed; before it said: " + one.said : "not renewed: " + seen.how;
  const OpenTerminal order = one.order;
  asked_.erase(it);
  if (agent && agent->session == order.session) prepare(now, order, login, out);
  return true;
}

bool Starts::withdrawn(SessionId session, Inputs& out) {
  if (asked_.erase(session) == 0) return false;
  out.push_back(ProgramEnded{session, {-1, SIGTERM, true}, "it had not begun"});
  return true;
}

// The file of an agent's folder is read anew before each start (O13); what it says is journalled. The agent itself can write it:
// it may narrow what the agent is allowed to do, and never widen it.
std::string Starts::permission_now(const model::Agent& agent, model::Check& check) const {
  const auto said = ground_.files.permission(agent.spec.name);
  check = {"permission", true, agent.spec.permission};
  if (!said) return agent.spec.permission;
  const auto mode = model::permission_in(*said);
  if (!mode) {
    check = {"permission", false,
             fmt::format("{}: {}; it stays {}", store::kModeName, mode.error().what,
                         agent.spec.permission)};
    return agent.spec.permission;
  }
  if (!model::within(*mode, agent.spec.permission)) {
    check = {"permission", false,
             fmt::format("{} asks for {}, which is not less than {}: refused", store::kModeName,
                         *mode, agent.spec.permission)};
    return agent.spec.permission;
  }
  check.text = *mode + ", by " + store::kModeName;
  return *mode;
}

void Starts::look_for_permission(const std::string& name, Inputs& out) {
  const model::Agent* agent = ground_.fleet.find(name);
  if (!agent || agent->spec.adopted()) return;
  model::Check check;
  model::AgentSpec spec = agent->spec;
  spec.permission = permission_now(*agent, check);
  if (spec != agent->spec) out.push_back(Reconfigure{{}, std::move(spec), store::kModeName});
  std::string& told = mode_trouble_[name];
  if (check.fine) return told.clear();
  if (told == check.text) return;
  told = check.text;
  const auto mode = model::permission_in(ground_.files.permission(name).value_or(""));
  const std::string todo = mode ? "if you want it: pawl permission " + name + " " + *mode
                                : model::permission_in("").error().fix;
  out.push_back(Noted{name, {model::Severity::warning, check.text, "permission file", todo, {}}});
}

// A conversation we named: its program chooses the file, and writes it only when something was said. Without it there is nothing
// to go on with, and some programs do not come up when they are told to.
bool Starts::lost(model::Agent& agent, Inputs& out) const {
  const auto* catalog = ground_.options.catalog;
  const auto* profile =
      catalog ? perceive::profile_of(*catalog, agent.spec.runtime, agent.spec.command) : nullptr;
  if (!profile || profile->launch.name.empty() || !agent.transcript.empty() ||
      agent.session_id.empty())
    return false;
  agent.transcript = conversation_file(ground_.files, agent.spec, *profile, agent.session_id);
  if (agent.transcript.empty()) return true;
  model::session_kept_in(agent.memory.sessions, agent.transcript);
  out.push_back(ConversationTold{agent.session, agent.session_id, agent.transcript});
  return false;
}

// A run without an interface tells the name of its conversation, and not its file.
void Starts::find_transcript(model::Agent& task) const {
  const auto* catalog = ground_.options.catalog;
  const auto* profile =
      catalog ? perceive::profile_of(*catalog, task.spec.runtime, task.spec.command) : nullptr;
  if (!profile || !task.transcript.empty() || task.session_id.empty()) return;
  task.transcript = conversation_file(ground_.files, task.spec, *profile, task.session_id);
  if (!task.transcript.empty()) model::session_kept_in(task.memory.sessions, task.transcript);
}

// Every start comes through here: a transcript that is too large is never loaded, and nothing is resumed that is not there.
void Starts::prepare(const Clock& now, const OpenTerminal& effect,
                     std::optional<model::Check> login, Inputs& out) {
  const model::Agent* agent = ground_.fleet.find(effect.agent);
  if (!agent) return;
  OpenTerminal order = effect;
  Readiness ready;
  ready.login = std::move(login);
  if (agent->spec.adopted()) return launch(order, *agent, out);
  model::Agent with = *agent;
  const bool interface = !agent->task || agent->task->order.interactive;
  const bool gone = order.resume && interface && lost(with, out);
  if (order.resume && !interface) find_transcript(with);
  model::Surroundings seen = store::look_around(ground_.files.disk(), with, ground_.options.home);
  if (gone) seen.resumable = order.resume = false;
  if (!agent->task) order.resume = order.resume && seen.resumable;
  if (order.resume && too_large(*agent, seen)) {
    ready.archived = put_away(ground_.files, now.wall, with, false).how;
    order.resume = false;
  }
  with.spec.permission = permission_now(*agent, ready.permission);
  ready.resume = order.resume && !agent->session_id.empty();
  if (with.spec.permission != agent->spec.permission || !ready.permission.fine)
    look_for_permission(effect.agent, out);
  out.push_back(StartPrepared{effect.agent, prepared(*agent, seen, ready)});
  launch(order, with, out);
}

void Starts::launch(const OpenTerminal& order, const model::Agent& agent, Inputs& out) {
  auto its = launch_of(agent, order, out);
  if (!its) return out.push_back(TerminalFailed{order.session, its.error()});
  openings_.push_back({order.agent, order.session, std::move(*its)});
}

}  // namespace pawl::core
