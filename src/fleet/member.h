#pragma once
// One node of a fleet, as a pure machine: what it says to the bus, what it makes of what it hears, and what the daemon is to do.
// doc/fleet.md has the rules; the simulated world (sim/fleet) plays many of these against a modelled bus.
//
// Who drives it (daemon/bus_room) does this, and nothing else:
//
//   Member member(options, claims, now);     // claims: those of the journal that were not settled, with what the holders know
//   each thing that happens:
//     member.hear(now, news);                // from pawl-bus
//     member.agent(now, …), .journal(now, last), .capacity(now, …), .ended(now, …), …    // local facts
//     member.step(now);                      // time has passed: at wake_at(), and after a sleep or a stop of the daemon
//   … and after each of them:
//     for (ask : member.asks()) bus.send(ask);         // in this order
//     for (order : member.orders()) carry_out(order);  // in this order
//     timer.set(member.wake_at());
//
// What the driver has to keep to, because units run once only if it does:
//   - a StartUnit's claim is in the journal, on disk, before anything of it starts, and leaves it at its UnitSettled;
//   - nothing starts at or after claim.stop_at; the holder is told stop_at with the start and at every LeaseUntil, and kills by itself;
//   - every StartUnit, StopUnit or claim given at the start is followed by one ended(), once no process of it lives any more;
//   - after its start the daemon first looks which claims still run, makes the Member with all of them, and calls ended() for the
//     others. A claim whose boot id is not this boot's cannot run.
//
// What it never does: wait, read a clock, draw chance (nodes differ by a digest of their ids), throw. Everything that is asked is asked
// again or given up by a named limit; an answer that did not come is never taken for one: the member reads before it goes on.
// While the link is down the lists stand as they were heard last; nothing is claimed, and what runs here runs until its lease says no.

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fleet/bus.h"
#include "fleet/member_values.h"

namespace pawl::fleet {

struct UnitSeen {
  std::string unit;
  UnitState state = UnitState::waiting;
  std::string node;  // that runs it, or ended it
  uint64_t token = 0;
  int tries = 0;
  Json value;       // all of it: "task", "needs", "result", "because" …
  std::string why;  // it waits, or who runs it; for people
};

class Member {
 public:
  Member(MemberOptions options, const std::vector<Claim>& claims, const Now& now);
  ~Member();
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;

  void hear(const Now& now, const BusNews& news);
  void step(const Now& now);
  std::vector<BusAsk> asks();
  std::vector<Order> orders();
  std::optional<MonoTime> wake_at() const;

  // ---- Local facts ----
  void capacity(const Now& now, Capacity capacity);
  void agent(const Now& now, const std::string& name, const std::string& account, Json view);
  void agent_gone(const Now& now, const std::string& name);
  void journal(const Now& now, uint64_t last);  // its newest event
  void events(const Now& now,
              const std::vector<JournalEvent>&
                  events);  // the answer to ReadJournal; fewer than asked: that is all
  void ended(const Now& now, const std::string& unit, uint64_t token, Ended ended);
  void inboxed(const Now& now, const std::string& token,
               bool kept);  // not kept: somebody else may try, later
  void account_limited(const Now& now, const std::string& account,
                       WallTime until);  // one of our agents hit it, or it is over
  void drain(
      const Now& now);  // nothing new is claimed; what runs is ended by the daemon as it sees fit
  void leave(const Now& now);  // … and others hear at once that we go

  // ---- What people and verbs want; the answer is an Order with this ticket, which is the caller's ----
  // `prompt`: one that is too large for a unit; it goes into blobs first.
  void submit(const Now& now, uint64_t ticket, const UnitOrder& order, std::string prompt = {});
  void again(const Now& now, uint64_t ticket, const std::string& unit, const std::string& by);
  // For an agent of a node that is away: it waits on the bus.
  void send_item(const Now& now, uint64_t ticket, const std::string& node, const std::string& agent,
                 std::string value);
  // A unit's prompt that is in blobs ("blob" of its task): BlobCame says how it went.
  void fetch(const Now& now, uint64_t ticket, const Json& blob);
  void cancel(const Now& now, uint64_t ticket, const std::string& unit, const std::string& by);
  void ask(const Now& now, uint64_t ticket, const std::string& node, std::string verb,
           Duration limit);
  void answered(const Now& now, const std::string& token, std::string value);

  // ---- What is known ----
  bool linked() const;          // to the bus
  bool joined() const;          // … and the name is ours
  std::string because() const;  // it is not linked or not joined, and what to do
  std::vector<NodeSeen> nodes() const;
  std::vector<AgentSeen> agents() const;  // of the other nodes
  size_t units() const;
  size_t held() const;  // that we claimed, and about which not all is said
  std::optional<UnitSeen> unit(const std::string& name) const;
  std::vector<UnitSeen> unit_list(size_t most) const;  // those not over first
  // Accounts that nobody uses now; none: not all was heard yet.
  std::optional<std::set<std::string>> limited() const;
  // When our agent goes on after its account's reset: staggered over the fleet. None: the account is free. To be asked at each
  // AccountLimited; for ten minutes after the reset it is known.
  std::optional<WallTime> wake_of(const std::string& agent) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace pawl::fleet
