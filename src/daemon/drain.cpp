#include "daemon/drain.h"

#include <fmt/core.h>

#include <cstdio>
#include <vector>

#include "base/text.h"
#include "daemon/under_way.h"

namespace pawl::daemon {
namespace {

constexpr Duration kDrainLook = std::chrono::seconds{1};

}  // namespace

Drain::Drain(core::Engine& engine, BusRoom& bus, std::optional<double> seconds)
    : engine_(engine), bus_(bus), seconds_(seconds) {}

bool Drain::begin(MonoTime now) {
  if (!seconds_) return false;
  if (stage_ == Stage::resting) {
    stage_ = Stage::waiting;
    until_ = now + std::chrono::duration_cast<Duration>(std::chrono::duration<double>(*seconds_));
    engine_.drain();
    bus_.drain();
  } else {
    until_ = now;  // a second word is the last
  }
  return true;
}

bool Drain::step(const Clock& now) {
  if (stage_ == Stage::waiting) wait(now);
  if (stage_ == Stage::giving_back) give_back(now);
  return stage_ == Stage::over;
}

void Drain::wait(const Clock& now) {
  std::vector<std::string> busy;
  for (const auto& [name, agent] : engine_.fleet().agents)
    if (under_way(agent, now.wall)) busy.push_back(name);
  const std::string names = join(busy, ", ");
  cut_off_ = !busy.empty() && now.mono >= until_;
  if (cut_off_)
    fmt::print(stderr, "pawl: the time to end is over; turns are cut off: {}\n", names);
  else if (!busy.empty() && names != waited_for_)
    fmt::print(stderr, "pawl: about to end; turns under way: {}\n", names);
  waited_for_ = names;
  if (!busy.empty() && !cut_off_) return;
  stage_ = Stage::giving_back;
  until_ = now.mono + kGivesBackWithin;
  bus_.give_back();
}

void Drain::give_back(const Clock& now) {
  const bool all = bus_.gave_back();
  if (!all && now.mono < until_) return;
  if (!all)
    fmt::print(stderr,
               "pawl: not all of the fleet's work could be given back; others go on with it when "
               "its leases have run out\n");
  bus_.say_farewell();
  stage_ = Stage::over;
}

// Also of what is only a matter of time: it is looked at again soon.
std::optional<MonoTime> Drain::wake_at(MonoTime now) const {
  if (stage_ != Stage::waiting && stage_ != Stage::giving_back) return std::nullopt;
  return std::min(until_, now + kDrainLook);
}

}  // namespace pawl::daemon
