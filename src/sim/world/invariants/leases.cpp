// A task of the fleet is begun, and gone on with, only under a lease that was confirmed in this life of the daemon and lasts for a while;
// and it is given up for its lease only when that is lost, or about to be. That nothing runs after its lease's end is judged by the night itself,
// which knows what the bus has (night/leases.cpp).

#include <fmt/core.h>

#include <map>
#include <optional>

#include "sim/world/invariants/checker.h"

namespace pawl::sim {
namespace {

using model::Action;

double lease_seconds(Duration time) {
  return std::chrono::duration<double>(time).count();
}

bool begins_under_it(Action action) {
  return action == Action::start || action == Action::restart || action == Action::wake ||
         action == Action::nudge;
}

class Leases : public Checker {
 public:
  std::string_view name() const override { return "leases"; }
  void leased(const Clock&, const std::string& agent, BootTime until) override {
    BootTime& its = heard_[agent];
    its = until == BootTime{} ? until : std::max(its, until);
  }
  void died(MonoTime, MonoTime) override { heard_.clear(); }
  void event(const Clock& now, const model::Event& event, const model::Fleet& before) override {
    if (const auto* given = std::get_if<model::TaskGiven>(&event.fact))
      fences_[event.agent] = given->order.lease.token;
    const auto fence = fences_.find(event.agent);
    if (fence == fences_.end() || fence->second == 0) return;
    if (before.find(event.agent) && event.fence != fence->second)
      violated(now.mono, event.agent, "an event without its fence");
    const auto* decided = std::get_if<model::Decided>(&event.fact);
    if (decided && begins_under_it(decided->action)) begun(now, event.agent, *decided);
    if (decided && decided->how == model::kLeaseLost) lost(now, event.agent);
  }

 private:
  void begun(const Clock& now, const std::string& agent, const model::Decided& decided) {
    const auto it = heard_.find(agent);
    const Duration left = it == heard_.end() ? Duration{0} : it->second - now.boot;
    if (left <= model::kLeaseToBegin)
      violated(now.mono, agent,
               fmt::format("{} with {:.0f} s of its lease left", word(decided.action),
                           std::max(0.0, lease_seconds(left))));
  }
  void lost(const Clock& now, const std::string& agent) {
    const auto it = heard_.find(agent);
    const Duration left = it == heard_.end() ? Duration{0} : it->second - now.boot;
    if (left > model::kLeaseStop + kClocks)
      violated(now.mono, agent,
               fmt::format("given up with {:.0f} s of its lease left", lease_seconds(left)));
  }

  std::map<std::string, BootTime> heard_;
  std::map<std::string, uint64_t> fences_;
};

}  // namespace

std::unique_ptr<Checker> check_leases() {
  return std::make_unique<Leases>();
}

}  // namespace pawl::sim
