// Limits of accounts that machines of a fleet share.

#include "core/plan/inputs.h"
#include "core/plan/plan_builder.h"

namespace pawl::core::plan {

// What is known already is not written again.
void follow(PlanBuilder& to, const AccountHeard& heard) {
  const auto& known = to.fleet.accounts;
  const auto it = known.find(heard.seen.account);
  const model::AccountLimit limit{heard.seen.node, heard.seen.until, heard.seen.turn};
  const bool nothing = !limit.until && !limit.turn;
  if (it == known.end() ? nothing : it->second == limit) return;
  to.emit("", heard.seen);
}

}  // namespace pawl::core::plan
