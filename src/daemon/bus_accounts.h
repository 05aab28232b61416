#pragma once
// Usage limits of accounts that several machines of a fleet use: what agents here run into is told to the others, and what the others
// run into is told to the engine, so that it is in the journal before rules go by it. Only accounts that have a name in pawl.toml
// (`account = "work"`) are anybody else's.

#include <map>
#include <string>

#include "core/face.h"
#include "fleet/member.h"

namespace pawl::daemon {

class BusAccounts {
 public:
  explicit BusAccounts(core::Engine& engine) : engine_(engine) {}

  // After every turn.
  void publish(const fleet::Now& now, fleet::Member& member);
  void hear(const fleet::Now& now, const fleet::AccountLimited& order, const fleet::Member& member);

 private:
  void tell(const fleet::Now& now, fleet::Member& member);
  void compare(const fleet::Member& member);

  core::Engine& engine_;
  struct Told {
    std::string agent;
    WallTime until;
  };
  std::map<std::string, Told> told_;  // by account
  Seq seen_;
  bool compared_ = false;
};

// Nothing the fleet said about accounts holds any longer.
void forget_accounts(core::Engine& engine);

}  // namespace pawl::daemon
