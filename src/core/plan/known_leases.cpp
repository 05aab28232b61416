#include "core/plan/known_leases.h"

#include <fmt/core.h>

namespace pawl::core {

std::optional<BootTime> next_step(BootTime until, LeaseStage stage) {
  switch (stage) {
    case LeaseStage::unheard:
    case LeaseStage::confirmed:
      return until - model::kLeaseStop;
    case LeaseStage::stopping:
      return until - model::kLeaseHolder;
    case LeaseStage::over:
      break;
  }
  return std::nullopt;
}

void KnownLeases::note(const Clock& now, const LeaseNews& news) {
  Known& one = known_[news.agent];
  one.until = news.until;
  one.stage = news.stage;
  one.guessed = news.guessed;
  one.at.reset();
  if (const auto step = next_step(news.until, news.stage))
    one.at = now.mono + std::max(*step - now.boot, Duration{0});
}

const KnownLeases::Known* KnownLeases::find(const std::string& agent) const {
  const auto it = known_.find(agent);
  return it == known_.end() ? nullptr : &it->second;
}

std::string KnownLeases::gap(const model::Agent& agent, BootTime now) const {
  if (!agent.task || !agent.task->order.lease.held()) return {};
  const Known* known = find(agent.spec.name);
  if (!known) return "its lease is over";
  if (known->stage == LeaseStage::unheard)
    return "its lease was not confirmed since the daemon was started";
  if (known->stage != LeaseStage::confirmed) return "its lease is over";
  const Duration left = known->until - now;
  if (left > model::kLeaseToBegin) return {};
  return fmt::format("its lease ends in {}, unless it is renewed",
                     short_duration(std::max(left, Duration{0})));
}

bool KnownLeases::is_due(const Known& one, const Clock& now) {
  const auto step = next_step(one.until, one.stage);
  return step && (*step <= now.boot || (one.at && *one.at <= now.mono));
}

std::vector<std::string> KnownLeases::due(const Clock& now) const {
  std::vector<std::string> out;
  for (const auto& [agent, one] : known_)
    if (is_due(one, now)) out.push_back(agent);
  return out;
}

std::optional<MonoTime> KnownLeases::wake_at() const {
  std::optional<MonoTime> earliest;
  for (const auto& [agent, one] : known_) earliest = earlier(earliest, one.at);
  return earliest;
}

}  // namespace pawl::core
