#include "sim/world/night/faults.h"

#include <array>

#include "base/text.h"

namespace pawl::sim {
namespace {

constexpr std::array<std::string_view, kFaults> kFaultWords{
    "kill",   "holder", "suspend", "clock", "disk",   "read",   "fifo",  "slow",
    "kernel", "hook",   "home",    "limit", "outage", "reboot", "mount", "bus"};

}  // namespace

std::string_view word(Fault fault) {
  return kFaultWords[static_cast<size_t>(fault)];
}

Result<Faults> faults_from(std::string_view text) {
  Faults out;
  if (text == "none") return out;
  for (const auto& name : split(text, ',')) {
    bool known = name == "all";
    for (size_t i = 0; i < kFaultWords.size(); ++i)
      if (name == "all" || name == kFaultWords[i]) known = true, out.insert(static_cast<Fault>(i));
    if (known) continue;
    const std::vector<std::string> words(kFaultWords.begin(), kFaultWords.end());
    return fail("--faults: there is no fault '" + std::string(name) + "'",
                "use all, none, or some of: " + join(words, ", "));
  }
  return out;
}

}  // namespace pawl::sim
