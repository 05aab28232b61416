#pragma once
// This machine in one fleet, from joining to leaving: the member, the bus and those who work for them. Behind BusRoom, and nobody else's.

#include "daemon/bus_accounts.h"
#include "daemon/bus_inbox.h"
#include "daemon/bus_room.h"

namespace pawl::daemon {

// One membership, from joining to leaving.
struct BusRoom::Joined {
  Joined(BusRoom& all, const fleet::Membership& membership, const fleet::Now& now);

  fleet::Now now() const;

  void hear(const fleet::BusNews& news);

  void step(const Clock& clock, const std::vector<core::Answer>& answers);

  // What the member wants said and done, until it wants nothing more.
  void pump();

  void carry_out(fleet::StartUnit& order);
  void carry_out(fleet::LeaseUntil& order);
  void carry_out(fleet::StopUnit& order);
  void carry_out(fleet::UnitSettled& order);
  void carry_out(fleet::Submitted& order);
  void carry_out(fleet::TellPeople& order);
  void carry_out(fleet::NodeChanged& order);
  void carry_out(fleet::VerbAsked& order);
  void carry_out(fleet::VerbAnswered& order);
  void carry_out(fleet::ReadJournal& order);
  void carry_out(fleet::RemoteEvent&);
  void carry_out(fleet::InboxItem& order);
  void carry_out(fleet::AccountLimited& order);
  void carry_out(fleet::BlobCame& order);

  // Those of which something happened since. At first all of them.
  void tell_agents(const fleet::Now& at);

  bool enough_memory(const fleet::Now& at);

  void tell_capacity(const fleet::Now& at);

  // What runs here under a lease: why is said to people.
  void end_all(const std::string& because);

  // What people and verbs want of units. The answer comes as Submitted.
  Result<Json> give(const std::string& verb, const Json& request);

  Result<Json> answer(int64_t number);

  Json unit_json(const std::string& name) const;
  Json waiting_json() const;

  void look_at_places();

  // As the others see it, when they do.
  fleet::NodeSeen self() const;

  std::string because_of(const fleet::NodeSeen& seen) const;

  BusRoom& room;
  std::string node;
  WallTime since;
  fleet::NodeTalks& talks;
  BusUnits units;
  BusAccounts accounts;
  BusInbox inbox;
  fleet::FarDesk desk;
  fleet::Member member;
  fleet::BusProcess bus;
  std::map<std::string, fleet::NodePlace> places;
  std::map<uint64_t, fleet::Submitted> submitted;
  std::map<uint64_t, std::string> units_asked;
  std::map<uint64_t, std::string> items_asked;  // whose inbox
  uint64_t last_ticket = 0;
  std::set<std::string> told;  // agents
  std::vector<std::string> runtimes;
  bool has_git;
  Seq told_events, told_agents;
  std::optional<fleet::Capacity> told_capacity;
  bool draining = false, had_memory = true;
  MonoTime memory_again{};
};

}  // namespace pawl::daemon
