#include <fmt/core.h>

#include "policy/rules.h"

namespace pawl::policy {
namespace {

constexpr int kKilled = 9, kShellCode = 128;  // SIGKILL, and what a shell adds to a signal
constexpr double kLookS = 10;                 // at the env file of an agent that is gone

// Is it to come back, and how?
std::optional<Launch> wanted(const Situation& s) {
  if (s.auto_continue == false) return std::nullopt;
  switch (s.agent.spec.restart) {
    case Restart::fresh:
      return Launch::fresh;
    case Restart::resume:
      return Launch::resume;
    case Restart::never:
      break;
  }
  return s.auto_continue == true ? std::optional(Launch::fresh) : std::nullopt;
}

// The argument that names its conversation is ours: whoever does not come up with it is started once without, whatever else is
// said about restarts.
bool refused_name(const Agent& agent) {
  return agent.memory.named && agent.memory.nameless;
}

// Of the automatic restarts, those in the window that makes a loop.
int recent(const Situation& s) {
  const WallTime from = s.now - seconds(s.agent.spec.crash_loop.window_s);
  const auto& all = s.agent.memory.restarts;
  return static_cast<int>(
      std::count_if(all.begin(), all.end(), [&](WallTime at) { return at > from; }));
}

// Its env file may change its mind as long as it could come back.
Choice unwanted(const Situation& s) {
  const std::string why = s.auto_continue == false
                              ? "CC_AUTO_CONTINUE in its env file says no"
                              : "it is not to be restarted (restart = \"never\")";
  // Somebody waits for it.
  if (!s.agent.outbox.empty())
    return tell(s, "text for one that is gone", "a text waits for it, and " + why,
                "start it: pawl start " + s.agent.spec.name);
  const auto& alive = s.agent.last_alive;
  if (!alive || s.now - *alive > seconds(s.agent.spec.alive_window_s)) return nothing(why);
  return wait(s.now + seconds(kLookS), why);
}

Choice relaunch(const Situation& s, Launch how) {
  const Agent& agent = s.agent;
  Choice choice = act(Action::restart, how_it_ended(agent));
  choice.attempt = recent(s) + 1;
  choice.matter = "restart";
  choice.how = word(how);
  const bool in_vain = resumed_in_vain(agent);
  if (how != Launch::resume || (!agent.session_id.empty() && !in_vain)) return choice;
  choice.how = word(Launch::fresh);
  choice.because += in_vain ? "; it could not go on with its conversation, so it starts afresh"
                            : "; its conversation is not known, so it starts afresh";
  return choice;
}

// No rule restarts it before then; nothing: it may be restarted now (A6).
std::optional<WallTime> cools_until(const Situation& s) {
  const auto& all = s.agent.memory.restarts;
  if (all.empty()) return std::nullopt;
  const WallTime next = all.back() + seconds(s.agent.spec.cooldown_s);
  return s.now < next ? std::optional(next) : std::nullopt;
}

// So many restarts by rules within so long: it is parked. `what` it did so often: "ended".
Claim crash_loop(const Situation& s, const char* what) {
  const model::CrashLoop& most = s.agent.spec.crash_loop;
  if (recent(s) < most.count) return std::nullopt;
  return tell(s, "crash loop",
              fmt::format("it {} {} times within {} s", what, most.count, most.window_s),
              "find out why, then: pawl restart " + s.agent.spec.name, Action::park);
}

}  // namespace

std::string how_it_ended(const Agent& agent) {
  if (agent.state == State::shell) return "it exited to its shell";
  if (!agent.ending) return "it ended by itself: nobody saw how";
  if (!agent.ending->known && !agent.because.empty()) return "it ended: " + agent.because;
  std::string how = "it ended by itself: " + text_of(*agent.ending);
  if (agent.ending->signal == kKilled || agent.ending->exit_code == kShellCode + kKilled)
    how += ", as programs end when memory runs out";
  return how;
}

bool resumed_in_vain(const Agent& agent) {
  const bool cut_short = agent.ending && !agent.ending->known;
  return agent.memory.resumed && !agent.memory.seen && !cut_short;
}

bool replaceable(const Situation& s) {
  return s.agent.spec.restart != Restart::never && !s.agent.spec.adopted();
}

Claim enough_restarts(const Situation& s, const char* what) {
  if (auto enough = crash_loop(s, what)) return enough;
  if (const auto next = cools_until(s)) return wait(*next, "it was restarted a moment ago");
  return std::nullopt;
}

Claim held_up(const Situation& s) {
  const Agent& agent = s.agent;
  if (auto enough = crash_loop(s, "ended")) return enough;
  if (const WallTime settled = agent.since + seconds(agent.spec.settle_s); s.now < settled)
    return wait(settled, how_it_ended(agent) + "; it is looked at again before it is started");
  if (const auto next = cools_until(s))
    return wait(*next, fmt::format("{}; it was restarted less than {} s ago", how_it_ended(agent),
                                   agent.spec.cooldown_s));
  return std::nullopt;
}

Claim restart(const Situation& s) {
  const Agent& agent = s.agent;
  const bool gone = model::ended(agent.state) || agent.state == State::shell;
  if (!gone) return std::nullopt;
  if (agent.memory.dismissed) return nothing("it was stopped on request");
  if (agent.spec.adopted() && model::ended(agent.state))
    return nothing("its tmux pane is gone: there is nowhere to start it again");
  if (agent.state == State::shell && !agent.memory.seen)
    return nothing("a shell is there and no agent was seen in it");
  if (refused_name(agent)) {
    if (auto enough = crash_loop(s, "ended")) return enough;
    Choice choice =
        act(Action::restart,
            how_it_ended(agent) + "; it may not take a name for its conversation, so it gets none");
    choice.attempt = recent(s) + 1;
    choice.matter = "restart";
    choice.how = word(Launch::fresh);
    return choice;
  }
  const auto how = wanted(s);
  if (!how) return unwanted(s);
  // In this order: a claim that waits must not hide that it is too late.
  const Duration window = seconds(agent.spec.alive_window_s);
  if (!agent.last_alive || s.now - *agent.last_alive > window)
    return tell(s, "restart too late",
                fmt::format("it was not seen alive within {} s", agent.spec.alive_window_s),
                "start it with: pawl restart " + agent.spec.name);
  if (auto no = held_up(s)) return no;
  return relaunch(s, *how);
}

}  // namespace pawl::policy
