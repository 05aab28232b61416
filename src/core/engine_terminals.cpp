// How terminals are opened for agents, and let go again.

#include <algorithm>
#include <csignal>

#include "core/engine.h"
#include "perceive/profile/launch.h"
#include "store/environment.h"

namespace pawl::core {

// The specification stays as the person wrote it; what is added for the program to tell us of its turns is added here.
Result<host::Launch> Engine::launch_of(const model::Agent& agent, SessionId session, bool resume) {
  const model::AgentSpec& spec = agent.spec;
  const auto own = files_.env_file(spec);
  if (!own) return tl::unexpected(own.error());
  host::Launch launch{spec.command, {}, spec.dir, spec.size, {}};
  if (spec.adopted()) {
    launch.pane = host::Pane{
        spec.pane.server,
        spec.pane.id,
        {static_cast<pid_t>(spec.pane.pid), static_cast<uint64_t>(spec.pane.start_ticks)}};
    return launch;
  }
  if (spec.backend == "tmux") launch.backend = host::Backend::tmux;
  launch.environment =
      store::merge_environment(store::merge_environment(files_.environment(spec.name), *own),
                               {"PAWL_HOME=" + options_.home, "PAWL_AGENT=" + spec.name});
  if (agent.task && !agent.task->order.interactive)
    return task_launch(agent, session, resume, std::move(launch));
  if (!options_.catalog) return launch;
  const auto* profile = perceive::profile_of(*options_.catalog, spec.runtime, spec.command);
  if (!profile) return launch;
  launch.terminal = perceive::terminal_wishes(*profile, *own);
  launch.argv =
      perceive::with_wishes(*profile, std::move(launch.argv), {spec.model, spec.permission});
  if (resume && !agent.session_id.empty())
    launch.argv = perceive::resuming(*profile, std::move(launch.argv), agent.session_id);
  if (spec.hooks && spec.loop.stop_hook && !profile->hooks.stop_event.empty())
    launch.environment.push_back("PAWL_STOP_HOOK=" + profile->hooks.stop_event);
  if (spec.hooks && !options_.pawl.empty())
    launch.argv = perceive::with_hooks(*profile, std::move(launch.argv),
                                       {options_.pawl, options_.home, spec.name, session});
  return launch;
}

void Engine::launch_program(const Clock& now, const OpenTerminal& effect,
                            const model::Agent& agent) {
  const auto launch = launch_of(agent, effect.session, effect.resume);
  if (!launch) return queue_.push_back(TerminalFailed{effect.session, launch.error()});
  if (const auto old = current_.find(effect.agent); old != current_.end() && !closing(old->second))
    terminals_.erase(old->second);
  current_[effect.agent] = effect.session;
  terminals_.insert_or_assign(
      effect.session, open_live(now, effect.agent, effect.session, agent.spec.size, Offset{}));
  if (agent.task) task_runs_.opened(now, agent, effect.session);
  host_.open(effect.session, *launch);
}

void Engine::close_terminal(const Clock& now, const CloseTerminal& effect) {
  const auto it = terminals_.find(effect.session);
  if (effect.end_leftovers) to_sweep_.push_back(effect.session);
  if (it == terminals_.end()) return host_.close(effect.session);
  it->second.program_ended(now.wall, effect.exit_code);
  closing_.push_back(effect.session);
  finish_closing(now);
}

void Engine::release_terminal(const Clock& now, const ReleaseTerminal& effect) {
  perception_.closed(effect.session);
  deliveries_.closed(effect.session);
  close_terminal(now, {effect.agent, effect.session, false, 0});
}

// The holder lets go of a session only after its last byte is in the recording.
void Engine::finish_closing(const Clock& now) {
  std::erase_if(closing_, [&](SessionId session) {
    const auto it = terminals_.find(session);
    if (it == terminals_.end()) return true;
    flush_one(now, it->second);
    if (it->second.dirty()) {
      flush_at_ = now.mono + kRetryEvery;
      return false;
    }
    host_.close(session);
    unrecorded_.erase(session);
    const auto newest = current_.find(it->second.agent());
    if (newest == current_.end() || newest->second != session) terminals_.erase(it);
    return true;
  });
}

bool Engine::closing(SessionId session) const {
  return std::find(closing_.begin(), closing_.end(), session) != closing_.end();
}

// Processes that detached themselves from an ended terminal: TERM, and KILL for those that stay.
void Engine::sweep_leftovers(const Clock& now) {
  if (!to_sweep_.empty()) {
    if (host_.signal_leftovers(to_sweep_, SIGTERM) > 0)
      sweeps_.push_back({to_sweep_, now.mono + kLeftoverGrace});
    to_sweep_.clear();
  }
  std::erase_if(sweeps_, [&](const Sweep& sweep) {
    if (now.mono < sweep.kill_at) return false;
    host_.signal_leftovers(sweep.sessions, SIGKILL);
    return true;
  });
}

}  // namespace pawl::core
