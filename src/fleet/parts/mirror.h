#pragma once
// The agents of the fleet. Ours go into the bucket `agents`: only what changed, the newest of what came meanwhile, and each agent at
// most once in kPutsAgentEvery. Those of the others are kept as they were heard last.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fleet/parts/desk.h"

namespace pawl::fleet {

inline constexpr Duration kPutsAgentEvery = std::chrono::seconds{1};
inline constexpr Duration kPutsAgentAgain =
    std::chrono::seconds{10};                         // after the server refused it
inline constexpr size_t kMirrorWindow = 64;           // puts without an answer
inline constexpr size_t kMostAgents = 100'000;        // of other nodes
inline constexpr size_t kMostAgentBytes = 64u << 10;  // of one; more is not shown elsewhere

class Mirror {
 public:
  explicit Mirror(Desk& desk) : desk_(desk) {}

  void agent(const std::string& name, const std::string& account, Json view);
  void gone(const std::string& name);
  void link_changed();
  void entry(const BusEntry& entry);
  void caught_up();
  void reply(const Question& question, const BusReply& reply);
  void step(bool joined);
  std::optional<MonoTime> wake_at() const;

  std::vector<AgentSeen> others() const;
  // (node, agent) of everybody on this account, in order.
  std::vector<std::pair<std::string, std::string>> on_account(const std::string& account) const;
  const std::string* account_of(const std::string& agent) const;  // of ours

 private:
  struct Ours {
    std::string account;
    std::string want;                  // what is to be there; empty: nothing
    std::optional<std::string> there;  // what is, as far as is known
    bool asking = false;
    // As it was told last. An earlier put that was thought lost may come after a later one.
    uint64_t seen = 0;
    std::string seen_value = {};
  };
  void look_at(const std::string& name, Ours& ours, Duration after);
  void put(const std::string& name, Ours& ours);
  std::string key_of(const std::string& agent) const;

  Desk& desk_;
  bool complete_ = false, joined_ = false;
  size_t asking_ = 0;
  std::map<std::string, Ours> ours_;
  Agenda<std::string, MonoTime> due_;    // of ours: that differ from what is there
  std::map<std::string, MonoTime> put_;  // when each was put last
  std::map<std::pair<std::string, std::string>, AgentSeen> others_;
  std::set<std::pair<std::string, std::string>>
      told_;  // since the link came up, until it is complete
};

}  // namespace pawl::fleet
