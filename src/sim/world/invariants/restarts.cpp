// Rules restart within their window: only whoever is to come back, when it is certain that it is gone, with a pause between two, and
// not more than so many in a while; and not too late is not called too late.

#include <fmt/core.h>

#include <deque>
#include <map>
#include <optional>

#include "sim/world/invariants/checker.h"

namespace pawl::sim {
namespace {

Duration seconds(double s) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(s));
}

double passed(Duration time) {
  return std::chrono::duration<double>(time).count();
}

class Restarts : public Checker {
 public:
  std::string_view name() const override { return "restarts"; }
  void asked(MonoTime, const std::string& agent) override { lives_[agent].restarts.clear(); }
  void event(const Clock& now, const model::Event& event, const model::Fleet& before) override {
    const auto* agent = before.find(event.agent);
    if (!agent || agent->task) return;  // tasks: tasks.cpp
    Life& its = lives_[event.agent];
    if (const auto* changed = std::get_if<model::StateChanged>(&event.fact)) {
      if (!model::ended(changed->to)) its.ended.reset();
      if (model::ended(changed->to) && !its.ended) its.ended = now.mono;
    }
    const auto* decided = std::get_if<model::Decided>(&event.fact);
    if (!decided || decided->rule.empty()) return;
    if (decided->action == model::Action::restart && !agent->spec.loops())
      restarted(now.mono, event.agent, its, *agent);
    if (decided->matter == "restart too late" && its.ended &&
        now.mono - *its.ended + kClocks < seconds(agent->spec.alive_window_s))
      violated(
          now.mono, event.agent,
          fmt::format("called too late {:.0f} s after it ended", passed(now.mono - *its.ended)));
  }

 private:
  struct Life {
    std::deque<MonoTime> restarts;  // by rules
    std::optional<MonoTime> ended;
  };
  void restarted(MonoTime now, const std::string& name, Life& its, const model::Agent& agent) {
    const auto& spec = agent.spec;
    const bool nameless = agent.memory.named && agent.memory.nameless;  // once, and at once
    if (spec.restart == model::Restart::never && !nameless)
      violated(now, name, "restarted although it is not to be");
    if (its.ended && !nameless && now - *its.ended + kClocks < seconds(spec.settle_s))
      violated(now, name,
               fmt::format("restarted {:.1f} s after it ended", passed(now - *its.ended)));
    auto& times = its.restarts;
    if (!times.empty() && now - times.back() + kClocks < seconds(spec.cooldown_s))
      violated(now, name,
               fmt::format("restarted again after {:.0f} s, within its pause of {:.0f} s",
                           passed(now - times.back()), spec.cooldown_s));
    times.push_back(now);
    while (now - times.front() + kClocks > seconds(spec.crash_loop.window_s)) times.pop_front();
    if (static_cast<int>(times.size()) > spec.crash_loop.count)
      violated(now, name,
               fmt::format("restarted {} times within {:.0f} s", times.size(),
                           spec.crash_loop.window_s));
  }
  std::map<std::string, Life> lives_;
};

}  // namespace

std::unique_ptr<Checker> check_restarts() {
  return std::make_unique<Restarts>();
}

}  // namespace pawl::sim
