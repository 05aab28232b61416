// What a person halted stays so: nothing is done by rule, and nothing is typed, to an agent that is paused, parked or quarantined, and
// one that was stopped on request does not come back by itself.

#include <fmt/core.h>

#include "sim/world/invariants/checker.h"

namespace pawl::sim {
namespace {

using model::Action;

// Does something to the program; the others are words to people, or ends.
bool acts(Action action) {
  switch (action) {
    case Action::start:
    case Action::restart:
    case Action::send:
    case Action::wake:
    case Action::answer:
    case Action::nudge:
    case Action::interrupt:
    case Action::leave:
    case Action::refresh_auth:
    case Action::archive:
      return true;
    case Action::stop:
    case Action::remove:
    case Action::keys:
    case Action::park:
    case Action::escalate:
    case Action::limit_wait:
    case Action::finish:
    case Action::abandon:
    case Action::adopt:
    case Action::release:
      return false;
  }
  return false;
}

const char* halted(const model::Agent& agent, const model::Decided& decided) {
  if (agent.paused) return "paused";
  if (!agent.quarantined.empty()) return "quarantined";
  if (agent.parked && !decided.rule.empty()) return "parked";
  const bool begins = decided.action == Action::restart || decided.action == Action::start;
  return begins && !decided.rule.empty() && agent.memory.dismissed ? "stopped on request" : nullptr;
}

class Consent : public Checker {
 public:
  std::string_view name() const override { return "consent"; }
  void event(const Clock& now, const model::Event& event, const model::Fleet& before) override {
    const auto* decided = std::get_if<model::Decided>(&event.fact);
    const auto* agent = decided ? before.find(event.agent) : nullptr;
    const bool by_itself = decided && (!decided->rule.empty() || decided->item != 0);
    if (!agent || !by_itself || !acts(decided->action)) return;
    if (const char* how = halted(*agent, *decided))
      violated(now.mono, event.agent,
               fmt::format("{} although it is {}", word(decided->action), how));
  }
};

}  // namespace

std::unique_ptr<Checker> check_consent() {
  return std::make_unique<Consent>();
}

}  // namespace pawl::sim
