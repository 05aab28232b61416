// Limits of accounts that machines of a fleet share.

#include "core/plan/inputs.h"
#include "core/plan/plan_builder.h"

namespace pawl::core::plan {
namespace {

// As the journal keeps it.
std::optional<WallTime> whole_ms(const std::optional<WallTime>& time) {
  if (!time) return time;
  return WallTime{std::chrono::floor<std::chrono::milliseconds>(time->time_since_epoch())};
}

}  // namespace

// What is known already is not written again.
void follow(PlanBuilder& to, const AccountHeard& heard) {
  model::AccountSeen seen = heard.seen;
  seen.until = whole_ms(seen.until), seen.turn = whole_ms(seen.turn);
  const auto& known = to.fleet.accounts;
  const auto it = known.find(seen.account);
  const bool nothing = !seen.until && !seen.turn;
  if (it == known.end() ? nothing
                        : it->second == model::AccountLimit{seen.node, seen.until, seen.turn})
    return;
  to.emit("", std::move(seen));
}

}  // namespace pawl::core::plan
