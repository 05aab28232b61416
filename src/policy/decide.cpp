#include "policy/decide.h"

#include <algorithm>

#include "policy/rules.h"

namespace pawl::policy {
namespace {

struct Rule {
  const char* name;
  Claim (*claim)(const Situation&);
};

// The order is the policy.
constexpr Rule kRules[] = {
    {"not-there", not_there},
    {"own-text", own_text},
    {"paused", paused},
    {"quarantined", quarantined},
    {"parked", parked},
    {"task", task},
    {model::kBudgetRule, budget},
    {"mode", mode},
    {"background", background},
    {"work", work},
    {"human", human},
    {"dialog", dialog},
    {"limit", limit},
    {"trouble", trouble},
    {"loop", loop},
    {"restart", restart},
    {"begin", begin},
    {"stuck", stuck},
    {"outbox", outbox},
    {"patience", patience},
    {"account", account},
    {"outage", outage},
    {"nudge", nudge},
};

}  // namespace

static Decision first_claim(const Situation& situation) {
  Decision decision;
  for (const Rule& rule : kRules) {
    if (auto claim = rule.claim(situation)) {
      decision.rule = rule.name;
      decision.choice = std::move(*claim);
      return decision;
    }
    decision.passed.emplace_back(rule.name);
  }
  decision.choice = nothing("no rule has anything to say");
  return decision;
}

// What is said to it comes from one at a time, and a text before what a rule would say, or end to make room for other work. One
// that is held back by the very trouble a rule would wake it from does not hold that rule up.
static bool yields(const Situation& s, const Choice& choice) {
  if (s.agent.outbox.empty() || !s.agent.running()) return false;
  if (choice.action == Action::restart) return choice.matter == model::kNextWork;
  return choice.action == Action::nudge || (choice.action == Action::wake && text_goes(s));
}

bool begins(Action action) {
  switch (action) {
    case Action::start:
    case Action::restart:
    case Action::wake:
    case Action::nudge:
    case Action::refresh_auth:
    case Action::archive:
    case Action::adopt:
      return true;
    case Action::stop:
    case Action::remove:
    case Action::send:
    case Action::keys:
    case Action::answer:
    case Action::interrupt:
    case Action::leave:
    case Action::park:
    case Action::escalate:
    case Action::limit_wait:
    case Action::finish:
    case Action::abandon:
    case Action::release:
      return false;
  }
  return false;
}

Decision decide(const Situation& situation) {
  Decision decision = first_claim(situation);
  Choice& choice = decision.choice;
  if (yields(situation, choice)) choice = nothing("a text waits in its outbox: that goes first");
  if (!situation.lease.empty() && choice.action && begins(*choice.action))
    choice = nothing(situation.lease + "; else: " + choice.because);
  if (const auto end = task_ends(situation); end && !choice.action)
    choice.until = std::min(choice.until.value_or(*end), *end);
  return decision;
}

std::vector<std::string> rule_names() {
  std::vector<std::string> names;
  for (const Rule& rule : kRules) names.emplace_back(rule.name);
  return names;
}

int tries_at(const Situation& s, const std::string& matter) {
  return s.agent.memory.matter.id == matter ? s.agent.memory.matter.tries : 0;
}

Choice tell(const Situation& s, const std::string& matter, std::string because, std::string todo,
            Action action) {
  const model::Matter& known = s.agent.memory.matter;
  if (known.id == matter && known.told) return nothing(because + "; a person was told");
  Choice choice = act(action, std::move(because));
  choice.matter = matter;
  choice.attempt = std::max(1, tries_at(s, matter));
  choice.todo = std::move(todo);
  return choice;
}

}  // namespace pawl::policy
