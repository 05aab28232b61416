// The fleet of a night: a bus that has leases of tasks, and a member that renews them, hears late, or hears nothing. Enough to judge
// that nothing runs after its lease's end, whatever dies; what a real member does is fleet's.

#include "sim/world/night/night.h"

namespace pawl::sim {
namespace {

constexpr Duration kLeaseLasts = std::chrono::seconds{30};   // from the moment its renewal was sent
constexpr Duration kLeaseRenewed = std::chrono::seconds{8};  // as often
constexpr Duration kMeetsBus = std::chrono::seconds{2};      // a daemon that came, the bus
constexpr Duration kAnswersLate = std::chrono::seconds{6};   // at most
constexpr double kAnsweredLate = 0.3, kUnanswered = 0.05;

}  // namespace

void Night::give_lease(core::TaskAsked& ask) {
  const std::string& agent = ask.spec.name;
  const TaskActor& task = *tasks_.at(agent);
  ask.order.lease = {"unit-" + ask.order.name, "here", ++last_token_};
  ask.until = now_.boot + kLeaseLasts;
  leases_.insert_or_assign(agent, LeaseGiven{last_token_, ask.until, now_.mono + kLeaseRenewed,
                                             Chance(task.seed + last_token_)});
  each_checker([&](Checker& one) { one.leased(now_, agent, ask.until); });
}

void Night::hear_lease(core::LeaseSeen seen) {
  const auto it = leases_.find(seen.agent);
  if (it == leases_.end() || it->second.token != seen.token) return;
  const BootTime until = seen.lost.empty() ? seen.until : BootTime{};
  each_checker([&](Checker& one) { one.leased(now_, seen.agent, until); });
  engine_->submit(std::move(seen));
}

void Night::lose_lease(const std::string& agent) {
  const auto it = leases_.find(agent);
  if (it == leases_.end() || !it->second.ours || now_.mono < bus_back_) return;
  it->second.ours = false;
  hear_lease({agent, it->second.token, {}, "somebody else has it"});
}

// Without a daemon nobody renews: it is the daemon that has the member.
void Night::keep_leases() {
  if (!engine_) return;
  while (!answers_late_.empty() && answers_late_.begin()->first <= now_.mono) {
    auto seen = std::move(answers_late_.begin()->second);
    answers_late_.erase(answers_late_.begin());
    hear_lease(std::move(seen));
  }
  if (now_.mono < bus_back_) return;
  for (auto& [agent, lease] : leases_) {
    if (!lease.ours || now_.mono < lease.renew) continue;
    if (lease.until <= now_.boot) {
      lease.ours = false;
      hear_lease({agent, lease.token, {}, "it ran out"});
      continue;
    }
    lease.until = now_.boot + kLeaseLasts;
    lease.renew = now_.mono + kLeaseRenewed;
    const core::LeaseSeen seen{agent, lease.token, lease.until, {}};
    if (lease.chance.happens(kUnanswered)) continue;
    if (lease.chance.happens(kAnsweredLate))
      answers_late_.emplace(now_.mono + lease.chance.between(Duration{1}, kAnswersLate), seen);
    else
      hear_lease(seen);
  }
}

// One that is over is given back: from now on nothing of it may run.
void Night::leases_after_turn() {
  for (const auto& one : engine_->take_lease_ends()) {
    const auto it = leases_.find(one.agent);
    if (it == leases_.end() || it->second.token != one.lease.token) continue;
    it->second.ours = false;
    it->second.until = std::min(it->second.until, now_.boot);
  }
}

std::optional<MonoTime> Night::next_lease() const {
  if (!engine_) return std::nullopt;
  std::optional<MonoTime> at;
  if (!answers_late_.empty()) at = answers_late_.begin()->first;
  for (const auto& [agent, lease] : leases_)
    if (lease.ours) at = earlier(at, std::max(lease.renew, bus_back_));
  return at;
}

// After holders had their turn, and before anybody else has.
void Night::judge_leases() {
  for (const auto& [agent, lease] : leases_)
    if (host_.program(agent) && lease.until < now_.boot)
      report_.violations.push_back(
          {now_.mono, "leases", agent, "its program runs, and its lease is over"});
}

// A daemon that came meets the bus in a moment.
void Night::meet_bus() {
  for (auto& [agent, lease] : leases_) lease.renew = std::max(lease.renew, now_.mono + kMeetsBus);
}

}  // namespace pawl::sim
