#include <fmt/core.h>

#include "policy/rules.h"

namespace pawl::policy {
namespace {

using model::BudgetMark;

model::Today today(const Situation& s) {
  return model::today(s.agent.memory.spending, s.now);
}

double used(const Situation& s) {
  return model::used_of(s.agent.spec.budget, today(s));
}

std::string told(const Situation& s) {
  const model::Budget& budget = s.agent.spec.budget;
  const model::Today spent = today(s);
  const bool money = budget.cost_per_day_usd > 0 && spent.cost_usd;
  const bool tokens = budget.tokens_per_day > 0;
  std::string out;
  if (tokens) out = fmt::format("{} of {} tokens", spent.tokens, budget.tokens_per_day);
  if (money)
    out += fmt::format("{}${:.2f} of ${:.2f}", tokens ? " and " : "", *spent.cost_usd,
                       budget.cost_per_day_usd);
  return "it has used " + out + " today";
}

// Nothing would be started or typed anyway.
bool over_and_done(const Situation& s) {
  if (!model::ended(s.agent.state)) return false;
  const bool comes_back = s.agent.spec.loops() ||
                          s.auto_continue.value_or(s.agent.spec.restart != model::Restart::never);
  return s.agent.memory.dismissed || !comes_back;
}

// A turn that waits for an answer is under way, and is let go on.
bool at_work(State state) {
  return state == State::waiting || state == State::starting || state == State::unknown;
}

Choice say(const Situation& s, Action action, BudgetMark how, std::string because,
           std::string todo) {
  Choice choice = act(action, std::move(because));
  choice.how = word(how);
  choice.matter = fmt::format("{} {} {}", model::kBudgetRule, word(how), model::day_of(s.now));
  choice.todo = std::move(todo);
  return choice;
}

Claim used_up(const Situation& s) {
  const std::string& name = s.agent.spec.name;
  if (!s.agent.memory.spending.told_hard) {
    Choice choice =
        say(s, Action::limit_wait, BudgetMark::hard, told(s) + ": its budget is used up",
            "raise its budget in pawl.toml, or send it something yourself: pawl send " + name +
                " TEXT");
    choice.until = model::next_day(s.now);
    return choice;
  }
  if (at_work(s.agent.state)) return std::nullopt;
  return wait(model::next_day(s.now), told(s) + ": its budget is used up");
}

}  // namespace

std::optional<std::string> over_budget(const Situation& s) {
  if (used(s) < 1) return std::nullopt;
  return told(s);
}

Claim budget(const Situation& s) {
  const model::Budget& budget = s.agent.spec.budget;
  const model::Spending& spending = s.agent.memory.spending;
  if (over_and_done(s)) return std::nullopt;
  const double part = used(s);
  if (part >= 1) return used_up(s);
  if (budget.soft_pct > 0 && part * 100 >= budget.soft_pct && !spending.told_soft)
    return say(s, Action::escalate, BudgetMark::soft, told(s),
               "it stops when all of its budget is used");
  const bool unpriced = budget.cost_per_day_usd > 0 && today(s).tokens > 0 && !today(s).cost_usd;
  if (unpriced && !spending.told_unpriced)
    return say(s, Action::escalate, BudgetMark::unpriced,
               "what it costs is not known: its budget in dollars cannot be kept",
               "give budget.tokens_per_day, or the price of its model in its profile");
  return std::nullopt;
}

}  // namespace pawl::policy
