#pragma once
// What those who showed no credential may cost us: time of our processor. One connection, one address and all of them have an account
// each, which fills up again slowly. Who has used up one of them is not read until it is filled, and costs nothing meanwhile. Who is
// known pays nothing; and an address from which somebody came in lately has an account of its own, which strangers elsewhere cannot
// empty. Pure: time is an argument.

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "base/clock.h"

namespace pawl::serve {

// Time that fills up again: `burst` at most, `share` of every second. Bursts are for slow machines, on which a handshake takes 10 ms and a
// browser makes six at once.
struct Allowance {
  Duration burst{};
  double share = 0;
};
inline constexpr Allowance kOfConnection{std::chrono::milliseconds{100}, 0.001};
inline constexpr Allowance kOfAddress{std::chrono::milliseconds{100}, 0.015};
inline constexpr Allowance kOfKnownAddress{std::chrono::milliseconds{200}, 0.02};
inline constexpr Allowance kOfAll{std::chrono::milliseconds{100}, 0.025};
inline constexpr Duration kOfTurn =
    std::chrono::milliseconds{1};  // strangers, between two turns: others are waiting
inline constexpr Duration kAddressKnown =
    std::chrono::minutes{30};                   // after somebody came in from there
inline constexpr size_t kAddressesKept = 1024;  // then those that used least lately are forgotten
inline constexpr Duration kTurnCosts =
    std::chrono::microseconds{40};  // of a request, beside what is measured

class Account {
 public:
  void charge(const Allowance& allowance, MonoTime now, Duration spent);
  void give_back(Duration spent) { used_ = std::max(used_ - spent, Duration{0}); }
  // When it is above nought again; nothing: it is.
  std::optional<MonoTime> until(const Allowance& allowance, MonoTime now) const;
  bool full(const Allowance& allowance, MonoTime now) const;

 private:
  Duration left(const Allowance& allowance, MonoTime now) const;
  Duration used_{};  // of the burst, at `at_`
  MonoTime at_{};
};

class Patience {
 public:
  void charge(const std::string& address, MonoTime now, Duration spent);
  // Of what was charged there: it was somebody who came in.
  void give_back(const std::string& address, MonoTime now, Duration spent);
  // When strangers of this address are read again; nothing: now.
  std::optional<MonoTime> until(const std::string& address, MonoTime now) const;
  void came_in(const std::string& address, MonoTime now);
  bool known(const std::string& address, MonoTime now) const;
  void next_turn() { this_turn_ = {}; }
  size_t addresses() const { return places_.size(); }

 private:
  struct Place {
    Account account;
    std::optional<MonoTime> known_until;
  };
  static bool known(const Place& place, MonoTime now);
  Place& place(const std::string& address, MonoTime now);

  Account all_;  // but for addresses that are known
  Duration this_turn_{};
  std::map<std::string, Place> places_;
};

// One machine has many addresses of IPv6: they count together, by what its network gave it (/64).
std::string network_of(const std::string& address);

}  // namespace pawl::serve
