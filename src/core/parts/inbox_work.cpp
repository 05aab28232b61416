// Between an agent's inbox, which is a folder, and what the journal knows of its work.

#include <algorithm>
#include <set>

#include "act/gate.h"
#include "core/parts/inboxes.h"
#include "core/parts/listed.h"
#include "store/inbox.h"

namespace pawl::core {
namespace {

// Of the inbox; what is elsewhere has a path for a name, and is nobody's to move; and what a command lists begins with "> ".
bool of_inbox(const std::string& name) {
  return name.find('/') == std::string::npos && !is_listed(name);
}

// A folder that work lies in; what is in it is named by its file, after the prefix.
struct Place {
  store::Inbox inbox;
  std::string prefix;
  store::Inbox::Listing files;
};

std::vector<Place> places_of(const store::AgentFiles& files, const model::Agent& agent) {
  std::vector<Place> places{{store::Inbox(files.disk(), files.inbox(agent.spec.name)), "", {}}};
  for (const auto& folder : agent.spec.work.folders)
    places.push_back({store::Inbox(files.disk(), folder), folder + "/", {}});
  for (auto& place : places) place.files = place.inbox.listing();
  return places;
}

// It was in a folder that does not answer now.
bool unseen(const std::vector<Place>& places, const std::string& item) {
  return std::any_of(places.begin(), places.end(), [&](const Place& place) {
    return !place.files.answers && item.starts_with(place.prefix);
  });
}

}  // namespace

// Only what is news is opened: a look at thousands of files that were seen before costs no more than their list.
// What is not there any more makes room; what finds none is found when there is some.
void Inboxes::look_for_work(const model::Agent& agent, Inputs& out) {
  const std::string& name = agent.spec.name;
  const model::Desk& desk = agent.memory.desk;
  const std::set<std::string> forgotten = heed_ledger(agent, out);
  std::vector<Place> places = places_of(ground_.files, agent);
  std::set<std::string> there;
  std::vector<store::Unreadable> refused;
  for (auto& place : places) {
    for (const auto& file : place.files.names) there.insert(place.prefix + file);
    for (const auto& [path, kind] : place.files.refused)
      refused.push_back(store::unreadable(path, kind));
  }
  for (const auto& folder : agent.spec.work.folders)
    if (auto silent = store::silent_folder(ground_.files.disk(), folder))
      refused.push_back(std::move(*silent));
  tell_unreadable(name, "work", refused, out);
  size_t room = model::kWorkKept - std::min(model::kWorkKept, desk.waiting.size());
  for (const auto& [item, fingerprint] : desk.ledger) {
    const bool has_it = desk.given && desk.given->work.name == item;
    if (is_listed(item) || has_it || there.contains(item) || unseen(places, item)) continue;
    out.push_back(WorkVanished{name, item});
    ++room;
  }
  for (const auto& place : places)
    for (const auto& listed : place.files.items) {
      const std::string item = place.prefix + listed.name;
      const auto known = desk.ledger.find(item);
      const bool more = known == desk.ledger.end() || forgotten.contains(item);
      if (!more && known->second == listed.fingerprint()) continue;
      if (more && room == 0) continue;
      const auto found = place.inbox.find(listed.name);
      if (!found) continue;
      if (more) --room;
      out.push_back(WorkFound{name, {item, found->from, found->fingerprint(), found->priority}});
    }
}

void Inboxes::written(const std::vector<model::Event>& events) {
  for (const auto& event : events) {
    if (std::holds_alternative<model::Registered>(event.fact) ||
        std::holds_alternative<model::TaskGiven>(event.fact))
      new_folder(event.agent);
    if (std::holds_alternative<model::WorkSeen>(event.fact) ||
        std::holds_alternative<model::WorkGone>(event.fact))
      ledgers_.insert(event.agent);
  }
}

// For people, who may change it (heed_ledger). One that cannot be written is written with the next change.
void Inboxes::keep_ledgers() {
  for (const auto& name : std::exchange(ledgers_, {}))
    if (const model::Agent* agent = ground_.fleet.find(name))
      (void)ground_.files.keep_seen_work(name, agent->memory.desk.ledger);
}

// What somebody took out of the ledger is new again.
std::set<std::string> Inboxes::heed_ledger(const model::Agent& agent, Inputs& out) const {
  const model::Desk& desk = agent.memory.desk;
  const std::string& name = agent.spec.name;
  std::set<std::string> forgotten;
  if (desk.ledger.empty() || ledgers_.contains(name)) return forgotten;
  const auto lines = ground_.files.seen_work(name).value_or(std::set<std::string>{});
  for (const auto& entry : desk.ledger) {
    const std::string& item = entry.first;
    const bool has_it = desk.given && desk.given->work.name == item;
    if (has_it || lines.contains(item + ":" + entry.second)) continue;
    const bool waits = std::any_of(desk.waiting.begin(), desk.waiting.end(),
                                   [&](const model::Work& one) { return one.name == item; });
    if (waits) continue;
    out.push_back(WorkVanished{name, item});
    forgotten.insert(item);
  }
  return forgotten;
}

// Claimed before it is typed: nobody else gets it. Nothing: it is gone.
std::optional<std::string> Inboxes::work_text(const std::string& name) const {
  const model::Agent* agent = ground_.fleet.find(name);
  if (!agent || !agent->memory.desk.given) return std::nullopt;
  const model::Work& work = agent->memory.desk.given->work;
  const std::string who = work.from.empty() ? "somebody" : work.from;
  const std::string seen =
      work.again ? " You may have been given this before: look first whether it is done." : "";
  const size_t limit = act::kTextBytes / 2;
  if (is_listed(work.name)) return "Work: " + work.name.substr(kListed.size()) + seen;
  if (!of_inbox(work.name))
    return "Work from " + who + " (" + work.name + ")." + seen + "\n\n" +
           store::Inbox::text_in(ground_.files.disk(), work.name, limit);
  const store::Inbox inbox(ground_.files.disk(), ground_.files.inbox(name));
  if (!inbox.has_claimed(work.name) && !inbox.claim(work.name)) return std::nullopt;
  return "Work from " + who + " (" + work.name + ")." + seen + "\n\n" +
         inbox.text(work.name, limit);
}

void Inboxes::settle(const SettleWork& effect) {
  if (!of_inbox(effect.name)) return;
  const store::Inbox inbox(ground_.files.disk(), ground_.files.inbox(effect.agent));
  // Not claimed: somebody took it away. What has its name in the inbox now is another one.
  if (inbox.has_claimed(effect.name) && effect.done)
    inbox.finish(effect.name);
  else
    inbox.give_back(effect.name);
  look_at(effect.agent);
}

}  // namespace pawl::core
