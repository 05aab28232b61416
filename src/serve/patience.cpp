#include "serve/patience.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>

#include "os/digest.h"

namespace pawl::serve {
namespace {

Duration filled(const Allowance& allowance, Duration passed) {
  return std::chrono::duration_cast<Duration>(passed * allowance.share);
}

}  // namespace

Duration Account::left(const Allowance& allowance, MonoTime now) const {
  const Duration back = filled(allowance, std::max(now - at_, Duration{0}));
  return allowance.burst - std::max(used_ - back, Duration{0});
}

void Account::charge(const Allowance& allowance, MonoTime now, Duration spent) {
  used_ = allowance.burst - left(allowance, now) + spent;
  at_ = now;
}

std::optional<MonoTime> Account::until(const Allowance& allowance, MonoTime now) const {
  const Duration mine = left(allowance, now);
  if (mine > Duration{0}) return std::nullopt;
  const double seconds = std::chrono::duration<double>(-mine).count() / allowance.share;
  return now + std::chrono::milliseconds{1} +
         std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
}

bool Account::full(const Allowance& allowance, MonoTime now) const {
  return left(allowance, now) >= allowance.burst;
}

bool Patience::known(const Place& place, MonoTime now) {
  return place.known_until && now < *place.known_until;
}

Patience::Place& Patience::place(const std::string& address, MonoTime now) {
  const std::string network = network_of(address);
  if (places_.size() >= kAddressesKept && !places_.contains(network)) {
    std::erase_if(places_, [&](const auto& it) {
      return !known(it.second, now) && it.second.account.full(kOfAddress, now);
    });
    // All of them are busy: then what all of them used counts.
    const auto stranger = std::find_if(places_.begin(), places_.end(),
                                       [&](const auto& it) { return !known(it.second, now); });
    if (places_.size() >= kAddressesKept)
      places_.erase(stranger == places_.end() ? places_.begin() : stranger);
  }
  return places_[network];
}

void Patience::charge(const std::string& address, MonoTime now, Duration spent) {
  Place& its = place(address, now);
  const bool trusted = known(its, now);
  its.account.charge(trusted ? kOfKnownAddress : kOfAddress, now, spent);
  if (trusted) return;
  all_.charge(kOfAll, now, spent);
  this_turn_ += spent;
}

void Patience::give_back(const std::string& address, MonoTime now, Duration spent) {
  Place& its = place(address, now);
  if (known(its, now)) its.account.give_back(spent);
}

std::optional<MonoTime> Patience::until(const std::string& address, MonoTime now) const {
  const auto it = places_.find(network_of(address));
  if (it != places_.end() && known(it->second, now))
    return it->second.account.until(kOfKnownAddress, now);
  auto all = all_.until(kOfAll, now);
  if (!all && this_turn_ >= kOfTurn) all = now + std::chrono::milliseconds{1};
  const auto own = it == places_.end() ? std::nullopt : it->second.account.until(kOfAddress, now);
  if (!all || !own) return all ? all : own;
  return std::max(*all, *own);
}

bool Patience::known(const std::string& address, MonoTime now) const {
  const auto it = places_.find(network_of(address));
  return it != places_.end() && known(it->second, now);
}

void Patience::came_in(const std::string& address, MonoTime now) {
  place(address, now).known_until = now + kAddressKnown;
}

std::string network_of(const std::string& address) {
  std::array<unsigned char, 16> bytes{};
  if (::inet_pton(AF_INET6, address.c_str(), bytes.data()) != 1) return address;
  const bool four = std::all_of(bytes.begin(), bytes.begin() + 10, [](auto b) { return b == 0; }) &&
                    bytes[10] == 0xff;
  if (four) return address;
  return os::hex({reinterpret_cast<const char*>(bytes.data()), 8});
}

}  // namespace pawl::serve
