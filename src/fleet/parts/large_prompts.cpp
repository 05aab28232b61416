#include "fleet/parts/large_prompts.h"

#include <fmt/core.h>

namespace pawl::fleet {

void LargePrompts::submit(uint64_t ticket, const UnitOrder& order, std::string prompt) {
  const auto refuse = [&](std::string because) {
    desk_.order(Submitted{ticket, false, std::move(because)});
  };
  if (!desk_.up) return refuse("the fleet's bus is not reached");
  if (units_.find(order.unit))
    return refuse(fmt::format("the fleet has another unit named {}", order.unit));
  const std::string salt = fmt::format("{} {} {}", desk_.options.life, ticket, order.unit);
  if (!blobs_.store(ticket, salt, std::move(prompt)))
    return refuse("too many large prompts are on their way: try again");
  waiting_[ticket] = order;
}

void LargePrompts::fetch(uint64_t ticket, const Json& blob) {
  if (const auto name = blob_from(blob)) return blobs_.fetch(ticket, *name);
  desk_.order(BlobCame{.ticket = ticket, .gone = true, .because = "its name makes no sense"});
}

void LargePrompts::let_go(const Json& unit) {
  if (const auto blob = blob_from(unit["task"]["blob"])) blobs_.let_go(*blob);
}

void LargePrompts::step() {
  for (const auto& name : units_.take_over()) {
    const Unit* unit = units_.find(name);
    if (!unit || !over(unit->state)) continue;
    if (unit->state == UnitState::cancelled || unit->id == desk_.options.id) let_go(unit->value);
  }
  for (const auto& value : edits_.take_refused()) let_go(value);
  blobs_.step();
  for (auto& said : blobs_.take_stored()) {
    const auto it = waiting_.find(said.ticket);
    UnitOrder order = std::move(it->second);
    waiting_.erase(it);
    if (!said.name) {
      desk_.order(Submitted{said.ticket, false, "its prompt is not in the fleet: " + said.because});
      continue;
    }
    order.task.set("blob", to_json(*said.name));
    order.needs.insert(kCanBlobs);
    edits_.submit(said.ticket, order);
  }
}

}  // namespace pawl::fleet
