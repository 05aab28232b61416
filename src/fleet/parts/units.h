#pragma once
// All units of work of the fleet as the bus tells them, and which of them this node could take now: those that wait, and those whose
// node was not heard of for the lease's time and a margin, counted by ourselves. Nothing here looks at all of them: each is in one place
// (open, or looked at later), so that ten thousand cost what changes.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/agenda.h"
#include "fleet/parts/desk.h"

namespace pawl::fleet {

inline constexpr size_t kMostUnits = 100'000;         // known; more are not looked at
inline constexpr size_t kMostUnitBytes = 256u << 10;  // of one
inline constexpr size_t kChoices = 64;  // oldest ones of an account, among which a node chooses
inline constexpr Duration kUnfit =
    std::chrono::hours{1};  // a unit that could not run here is not tried again so soon

inline constexpr Duration kLeaseStuck = std::chrono::minutes{5};
// In a cluster: what we wrote, and were not told by then, is read again. A change of leader may have lost it.
inline constexpr Duration kToldWithin = std::chrono::seconds{15};

struct Unit {
  std::string name;
  uint64_t revision = 0;
  UnitState state = UnitState::waiting;
  int64_t at = 0;  // milliseconds: when it was submitted
  std::string on, node, id, nonce, account;
  uint64_t token = 0;
  int tries = 0, most = 0;
  std::set<std::string> needs;
  Json value;
  // Of our own looking:
  std::optional<MonoTime> lease_news;  // its lease's key: is there, or was renewed
  MonoTime news{};                     // the unit was written
  MonoTime not_before{};               // we leave it alone until then
  bool told = false;
};

// None: it is no unit that this version understands.
std::optional<Unit> read_unit(const std::string& name, const std::string& value, uint64_t revision);

class Units {
 public:
  explicit Units(Desk& desk) : desk_(desk) {}

  void link_changed();
  // Something of it is new to us; false: nothing.
  bool entry(const BusEntry& entry);
  void lease_entry(const BusEntry& entry);
  void lease_there(const std::string& name);  // nobody told us of its lease, and there is one
  void caught_up(Bucket bucket);
  // As it was read or written by ourselves.
  void learned(const std::string& name, const std::string& value, uint64_t revision);
  // As it is there, also when we knew a newer one. What we run is not touched.
  void looked_up(const std::string& name, const std::string& value, uint64_t revision);
  void gone(const std::string& name);
  void capacity(const Capacity& capacity);
  // Accounts that nobody uses now.
  void limited(std::set<std::string> accounts) { limited_ = std::move(accounts); }
  void leave_alone(const std::string& name, Duration length);
  // Ours: it is no candidate.
  void mine(const std::string& name, bool ours);
  bool is_mine(const std::string& name) const { return mine_.contains(name); }
  void step();
  std::optional<MonoTime> wake_at() const { return earlier(later_.first(), untold_.first()); }

  bool complete() const { return units_complete_ && leases_complete_; }
  const Unit* find(const std::string& name) const;
  const std::map<std::string, Unit>& all() const { return units_; }
  size_t waiting() const { return waiting_; }
  // One that may be claimed now; others choose differently.
  std::optional<std::string> choose();
  // Nobody can have it any more, as far as we have seen: its node is silent for the lease's time and the margin.
  bool silent(const Unit& unit) const;
  // … and for so long that its lease's key should be gone, and is not: the server's clock was set back.
  bool stuck(const Unit& unit) const;
  std::string why(const Unit& unit) const;  // it does not run here
  // Those that came to their end since, while we looked.
  std::vector<std::string> take_over() { return std::exchange(over_, {}); }
  // Claimed under our id, and not by a claim that we know: left over from an earlier life.
  std::vector<std::string> take_orphans();
  std::vector<std::string> take_untold() { return std::exchange(never_told_, {}); }
  // Keys of the bucket leases under our id that no claim of ours has: (unit, revision).
  std::vector<std::pair<std::string, uint64_t>> take_left_leases();
  void our_nonce(const std::string& nonce, bool ours);

 private:
  void place(Unit& unit);
  void take_out(const Unit& unit);
  bool fits(const Unit& unit) const;
  MonoTime silent_at(const Unit& unit) const;
  MonoTime free_at(const Unit& unit) const;
  void put(Unit unit);

  Desk& desk_;
  Capacity capacity_;
  std::set<std::string> limited_, mine_, nonces_, orphans_;
  std::map<std::string, uint64_t> left_leases_;
  std::map<std::string, Unit> units_;
  std::map<std::string, std::set<std::pair<int64_t, std::string>>> open_;  // by account
  Agenda<std::string, MonoTime> later_, untold_;
  std::vector<std::string> never_told_;
  std::map<std::string, MonoTime>
      lease_there_;  // keys that are there, of whatever unit, and their last news
  std::set<std::string> leases_told_;
  std::vector<std::string> over_;
  bool units_complete_ = false, leases_complete_ = false, told_full_ = false;
  MonoTime since_{};  // we see everything that is renewed
  size_t waiting_ = 0;
  uint64_t chosen_ = 0;
};

}  // namespace pawl::fleet
