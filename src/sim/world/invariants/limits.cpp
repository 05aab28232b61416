// Nothing is typed to an agent whose usage limit ends later, no rule nudges another one of the same account before that, and then
// they are woken one after the other.

#include <fmt/core.h>

#include <map>
#include <optional>

#include "sim/world/invariants/checker.h"

namespace pawl::sim {
namespace {

constexpr Duration kOneAfterTheOther = std::chrono::seconds{5};

class Limits : public Checker {
 public:
  std::string_view name() const override { return "limits"; }
  void event(const Clock& now, const model::Event& event, const model::Fleet& before) override {
    if (const auto* changed = std::get_if<model::StateChanged>(&event.fact))
      return heard(event.agent, *changed);
    if (const auto* seen = std::get_if<model::AccountSeen>(&event.fact))
      elsewhere_[seen->account] =
          std::max(seen->until.value_or(WallTime{}), seen->turn.value_or(WallTime{}));
    // Nobody knows any more when that is.
    if (const auto* gap = std::get_if<model::Gap>(&event.fact); gap && gap->clock != Duration{0})
      until_.clear(), elsewhere_.clear();
    const auto* decided = std::get_if<model::Decided>(&event.fact);
    const bool types = decided && (decided->action == model::Action::nudge ||
                                   decided->action == model::Action::wake ||
                                   decided->action == model::Action::send);
    if (!types) return;
    const auto its = until_.find(event.agent);
    if (its != until_.end() && now.wall + kClocks < its->second)
      violated(now.mono, event.agent,
               fmt::format("{} before its limit is over", word(decided->action)));
    else if (decided->action == model::Action::nudge && !decided->rule.empty())
      of_account(now, event.agent, before);
    else if (decided->rule == "limit" && decided->attempt == 1)  // further ones have their own pace
      woken(now, event.agent, before);
  }

 private:
  void of_account(const Clock& now, const std::string& name, const model::Fleet& before) {
    const auto* agent = before.find(name);
    if (agent && limited_elsewhere(now, *agent))
      return violated(now.mono, name, "nudge while its account is limited elsewhere");
    for (const auto& [other, until] : until_) {
      const auto* limited = before.find(other);
      if (agent && limited && limited->state == model::State::limited &&
          limited->account() == agent->account() && now.wall + kClocks < until)
        return violated(now.mono, name, "nudge while " + other + " of its account is limited");
    }
  }
  void woken(const Clock& now, const std::string& name, const model::Fleet& before) {
    const auto* agent = before.find(name);
    if (!agent) return;
    const auto its = until_.find(name);
    const auto margin = std::chrono::duration_cast<Duration>(
        std::chrono::duration<double>(agent->spec.limit.margin_s));
    if (its != until_.end() && now.wall + kClocks < its->second + margin)
      violated(now.mono, name, "woken within the margin of its limit");
    if (limited_elsewhere(now, *agent))
      violated(now.mono, name, "woken while its account is limited elsewhere");
    if (!agent->limited_until) return;
    auto& last = woken_[agent->account()];
    if (last && last->second != name && now.mono - last->first < kOneAfterTheOther)
      violated(now.mono, name, "woken together with " + last->second + " of its account");
    last = {now.mono, name};
  }
  bool limited_elsewhere(const Clock& now, const model::Agent& agent) const {
    const auto it = elsewhere_.find(agent.account());
    return it != elsewhere_.end() && now.wall + kClocks < it->second;
  }
  void heard(const std::string& agent, const model::StateChanged& fact) {
    if (fact.to != model::State::limited) {
      until_.erase(agent);
      return;
    }
    for (const auto& notice : fact.notices)
      if (notice.kind == "limit" && notice.until) until_[agent] = *notice.until;
  }
  std::map<std::string, WallTime> until_;
  std::map<std::string, WallTime> elsewhere_;                                     // by account
  std::map<std::string, std::optional<std::pair<MonoTime, std::string>>> woken_;  // by account
};

}  // namespace

std::unique_ptr<Checker> check_limits() {
  return std::make_unique<Limits>();
}

}  // namespace pawl::sim
