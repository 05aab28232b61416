// Between an agent's inbox, which is a folder, and what the journal knows of its work.

#include <algorithm>

#include "act/gate.h"
#include "core/engine.h"
#include "core/wakeups.h"
#include "store/inbox.h"

namespace pawl::core {
namespace {

// Of the inbox; what is elsewhere has a path for a name, and is nobody's to move.
bool of_inbox(const std::string& name) {
  return name.find('/') == std::string::npos;
}

}  // namespace

// Only what is news is opened: a look at thousands of files that were seen before costs no more than their list.
void Engine::look_for_work(const std::string& name) {
  const model::Agent* agent = fleet().find(name);
  if (!agent) return;
  const model::Desk& desk = agent->memory.desk;
  const store::Inbox inbox(files_.inbox(name));
  const auto [items, there] = inbox.listing();
  size_t room = model::kWorkKept - std::min(model::kWorkKept, desk.waiting.size());
  for (const auto& [item, fingerprint] : desk.ledger) {  // first: that makes room
    const bool has_it = desk.given && desk.given->work.name == item;
    if (!of_inbox(item) || has_it || there.contains(item)) continue;
    queue_.push_back(WorkVanished{name, item});
    ++room;
  }
  for (const auto& listed : items) {
    const auto known = desk.ledger.find(listed.name);
    if (known != desk.ledger.end() && known->second == listed.fingerprint()) continue;
    const bool more = known == desk.ledger.end();
    if (more && room == 0) continue;  // it is found when there is room again
    const auto item = inbox.find(listed.name);
    if (!item) continue;
    if (more) --room;
    queue_.push_back(
        WorkFound{name, {item->name, item->from, item->fingerprint(), item->priority}});
  }
}

// What was claimed and is not with the agent, by the journal, waits again.
void Engine::recover_work(const model::Agent& agent) {
  const store::Inbox inbox(files_.inbox(agent.spec.name));
  const auto& given = agent.memory.desk.given;
  for (const auto& name : inbox.claimed())
    if (!given || given->work.name != name) inbox.give_back(name);
}

// Claimed before it is typed: nobody else gets it. Nothing: it is gone.
std::optional<std::string> Engine::work_text(const std::string& name) const {
  const model::Agent* agent = fleet().find(name);
  if (!agent || !agent->memory.desk.given) return std::nullopt;
  const model::Work& work = agent->memory.desk.given->work;
  const std::string who = work.from.empty() ? "somebody" : work.from;
  const std::string seen =
      work.again ? " You may have been given this before: look first whether it is done." : "";
  if (!of_inbox(work.name)) return "Work from " + who + ": " + work.name + "." + seen;
  const store::Inbox inbox(files_.inbox(name));
  if (!inbox.has_claimed(work.name) && !inbox.claim(work.name)) return std::nullopt;
  return "Work from " + who + " (" + work.name + ")." + seen + "\n\n" +
         inbox.text(work.name, act::kTextBytes / 2);
}

void Engine::settle(const SettleWork& effect) {
  if (!of_inbox(effect.name)) return;
  const store::Inbox inbox(files_.inbox(effect.agent));
  // Not claimed: somebody took it away. What has its name in the inbox now is another one.
  if (inbox.has_claimed(effect.name) && effect.done)
    inbox.finish(effect.name);
  else
    inbox.give_back(effect.name);
  look_for_wakeup(effect.agent);
}

}  // namespace pawl::core
