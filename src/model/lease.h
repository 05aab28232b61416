#pragma once
// Why this machine, and no other, runs a task of the fleet (doc/fleet.md, "Work runs once"). A lease ends at a time of the clock that
// goes on during a suspend; who renews it and who may take it over is the fleet's business, what may run under it is ours.

#include <cstdint>
#include <string>

#include "base/clock.h"
#include "base/json.h"

namespace pawl::model {

struct Lease {
  std::string unit;    // empty: no lease; the task is this machine's own
  std::string node;    // who this machine is in the fleet
  uint64_t token = 0;  // the fence: larger with every claim of the unit
  // Kept for whoever claimed it, so that a daemon that comes later knows the claim again; nothing here reads them.
  std::string nonce = {}, boot_id = {};
  bool held() const { return !unit.empty(); }
  bool operator==(const Lease&) const = default;
};
Json to_json(const Lease& lease);
Lease lease_from(const Json& json);

// With less than this left nothing is begun: no run, no turn.
inline constexpr Duration kLeaseToBegin = std::chrono::seconds{10};
// So long before its end, unrenewed, the daemon ends the work; and so long before it the holder does (host::Launch::until), which had
// been told so before the program ran. What is left is for the end itself.
inline constexpr Duration kLeaseStop = std::chrono::seconds{5};
inline constexpr Duration kLeaseHolder = std::chrono::seconds{3};
static_assert(kLeaseToBegin > kLeaseStop && kLeaseStop > kLeaseHolder);
// A daemon that was started knows of no lease before it is told: so long it waits to be. By then the lease is over for certain.
inline constexpr Duration kLeaseUnheard = std::chrono::minutes{1};
// … and so long for one whose program runs in a holder that has not said how long it may.
inline constexpr Duration kLeaseBlind = std::chrono::seconds{5};

inline constexpr const char* kLeaseRule =
    "lease";  // who decided that: no rule of policy/, there is nothing to weigh
// Why a task was given up.
inline constexpr const char* kLeaseLost = "lease_lost";

}  // namespace pawl::model
