#pragma once
// Limits of accounts, as each node saw them: the latest reset holds for all. Agents go on one after the other in the order of node and
// agent, so that they do not all hit the next limit in the same second; nobody has to agree on it.

#include <map>
#include <optional>
#include <set>
#include <string>

#include "fleet/parts/mirror.h"
#include "fleet/parts/presence.h"

namespace pawl::fleet {

inline constexpr Duration kWakesApart = std::chrono::seconds{5};    // more than clocks differ
inline constexpr Duration kWakesWithin = std::chrono::minutes{10};  // all of them
inline constexpr Duration kSameReset = std::chrono::seconds{1};  // of two that say nearly the same
inline constexpr Duration kPutsAccountAgain = std::chrono::seconds{1};  // after no answer
inline constexpr Duration kLongestLimit = std::chrono::hours{24 * 31};  // what says more is garbage
inline constexpr int64_t kLatestReset = 100'000'000'000'000;  // milliseconds: the year 5138
inline constexpr size_t kMostAccounts = 10'000;

class Accounts {
 public:
  Accounts(Desk& desk, const Presence& presence, const Mirror& mirror)
      : desk_(desk), presence_(presence), mirror_(mirror) {}

  void limited(const std::string& account, WallTime until);
  void link_changed();
  void entry(const BusEntry& entry);
  void reply(const Question& question, const BusReply& reply);
  void caught_up() { complete_ = true; }
  void step(bool joined);
  std::optional<MonoTime> wake_at() const;

  bool complete() const { return complete_; }  // all that others said was heard, once
  std::set<std::string> limited_now() const;
  std::optional<WallTime> wake_of(const std::string& agent) const;

 private:
  struct Account {
    std::map<std::string, WallTime> until;  // by node, ours among them, each by its own clock
    std::optional<WallTime> told;           // to the daemon
  };
  void our_entry(const std::string& account, const BusEntry& entry);
  void look(const std::string& name, Account& account);
  // The latest reset that is after this.
  std::optional<std::pair<WallTime, std::string>> latest(const Account& account,
                                                         WallTime after) const;

  Desk& desk_;
  const Presence& presence_;
  const Mirror& mirror_;
  bool joined_ = false, complete_ = false;
  uint64_t clocks_ = 0;  // of presence, as they were when we looked last
  std::map<std::string, Account> accounts_;
  std::map<std::string, MonoTime> puts_;  // ours that the bus does not have yet: when to put them
  std::set<std::string> asking_;
  std::map<std::string, uint64_t>
      overtaken_;  // ours that say something else than we do, and their revision
  Agenda<std::string, WallTime> resets_;
};

}  // namespace pawl::fleet
