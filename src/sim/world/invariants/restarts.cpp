// Rules restart within their window: a pause between two, and not more than so many in a while.

#include <fmt/core.h>

#include <deque>
#include <map>

#include "sim/world/invariants/checker.h"

namespace pawl::sim {
namespace {

Duration seconds(double s) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(s));
}

class Restarts : public Checker {
 public:
  std::string_view name() const override { return "restarts"; }
  void asked(MonoTime, const std::string& agent) override { last_[agent].clear(); }
  void event(const Clock& now, const model::Event& event, const model::Fleet& before) override {
    const auto* decided = std::get_if<model::Decided>(&event.fact);
    if (!decided || decided->action != model::Action::restart || decided->rule.empty()) return;
    const auto* agent = before.find(event.agent);
    if (!agent || agent->spec.loops() || agent->task) return;  // tasks: tasks.cpp
    auto& times = last_[event.agent];
    const auto& spec = agent->spec;
    if (!times.empty() && now.mono - times.back() + kClocks < seconds(spec.cooldown_s))
      violated(now.mono, event.agent,
               fmt::format("restarted again after {:.0f} s, within its pause of {:.0f} s",
                           std::chrono::duration<double>(now.mono - times.back()).count(),
                           spec.cooldown_s));
    times.push_back(now.mono);
    while (now.mono - times.front() + kClocks > seconds(spec.crash_loop.window_s))
      times.pop_front();
    if (static_cast<int>(times.size()) > spec.crash_loop.count)
      violated(now.mono, event.agent,
               fmt::format("restarted {} times within {:.0f} s", times.size(),
                           spec.crash_loop.window_s));
  }

 private:
  std::map<std::string, std::deque<MonoTime>> last_;
};

}  // namespace

std::unique_ptr<Checker> check_restarts() {
  return std::make_unique<Restarts>();
}

}  // namespace pawl::sim
