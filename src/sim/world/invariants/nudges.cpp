// Rules nudge not more often than they may, and not sooner.

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>

#include "sim/world/invariants/checker.h"

namespace pawl::sim {
namespace {

class Nudges : public Checker {
 public:
  std::string_view name() const override { return "nudges"; }
  void event(const Clock& now, const model::Event& event, const model::Fleet& before) override {
    const auto* decided = std::get_if<model::Decided>(&event.fact);
    if (!decided || decided->action != model::Action::nudge || decided->rule.empty()) return;
    const auto* agent = before.find(event.agent);
    if (!agent) return;
    const model::Nudge& its = agent->spec.nudge;
    if (decided->attempt > its.attempts)
      violated(now.mono, event.agent,
               fmt::format("nudged {} times, and {} are allowed", decided->attempt, its.attempts));
    const auto least = std::chrono::duration<double>(std::min(its.base_s, its.cap_s));
    auto& last = last_[event.agent];
    if (last && now.mono - *last + kClocks < least)
      violated(now.mono, event.agent,
               fmt::format("nudged again after {:.0f} s",
                           std::chrono::duration<double>(now.mono - *last).count()));
    last = now.mono;
  }

 private:
  std::map<std::string, std::optional<MonoTime>> last_;
};

}  // namespace

std::unique_ptr<Checker> check_nudges() {
  return std::make_unique<Nudges>();
}

}  // namespace pawl::sim
