// What of the past goes, and what people are told before.

#include "core/plan/inputs.h"
#include "core/plan/plan_builder.h"

namespace pawl::core::plan {
namespace {

// Something may have happened in the same turn: nobody who is there, or whose program runs, loses anything.
bool stays(const PlanBuilder& to, const model::Going& one) {
  const Agent* agent = to.find(one.held.agent);
  if (!agent || one.what == model::Forget::archive) return false;
  return one.what != model::Forget::recordings || agent->running() || agent->intent;
}

void add_new(std::vector<std::string>& names, const std::string& name) {
  if (!name.empty() && (names.empty() || names.back() != name)) names.push_back(name);
}

}  // namespace

void follow(PlanBuilder& to, const ForgetAsked& ask) {
  RemoveForgotten gone;
  model::Forgotten fact;
  for (const auto& one : ask.going) {
    if (stays(to, one)) continue;
    fact.what = one.what;
    fact.why = one.why;
    fact.count += 1;
    fact.bytes += one.held.bytes;
    add_new(fact.names, one.held.agent);
    if (one.what == model::Forget::tasks || one.what == model::Forget::folders)
      fact.folders.push_back(one.held.name);
    gone.going.push_back(one);
  }
  if (gone.going.empty()) return;
  to.emit("", std::move(fact));
  to.effect(std::move(gone));
}

void follow(PlanBuilder& to, const ForgetTold& told) {
  to.emit("", told.word);
  to.emit("", told.alert);
}

}  // namespace pawl::core::plan
