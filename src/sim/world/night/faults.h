#pragma once
// What goes wrong in a made-up night, by the names of `pawl simulate --faults`. Which of them a night has is drawn with it (draw.h).

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pawl::sim {

enum class Fault : uint8_t {
  kill,     // the daemon, with -9, between any two things it does
  holder,   // the process that holds terminals, with everything in it
  suspend,  // the machine sleeps
  clock,    // is set, forward or back
  disk,     // is full, and free again
  read,     // files of an agent cannot be read
  fifo,     // a pipe where a file of an agent is read
  slow,     // terminals open late
  kernel,   // does not say what processes do
  hook,     // calls are lost, late or doubled
  home,     // the daemon's folder is removed
  limit,    // of an account: everybody who shares it waits
  outage,   // of the model's service
  reboot,   // nothing lives on
  mount,    // the folder of an agent does not answer
  bus       // of the fleet, does not answer: leases run out
};
inline constexpr size_t kFaults = static_cast<size_t>(Fault::bus) + 1;
std::string_view word(Fault fault);

using Faults = std::set<Fault>;
// "all", "none", or names with commas between them.
Result<Faults> faults_from(std::string_view text);

}  // namespace pawl::sim
