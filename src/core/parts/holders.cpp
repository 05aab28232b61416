#include "core/parts/holders.h"

#include <fmt/core.h>

#include "base/text.h"

namespace pawl::core {
namespace {

using What = host::HolderSeen::What;

constexpr size_t kNamed = 8;  // agents; of more only the number is said

std::string count_of(size_t number) {
  return fmt::format("{} agent{}", number, number == 1 ? "" : "s");
}

// "3 agents (a, b, c)"
std::string agents_of(const model::Fleet& fleet, const host::HolderSeen& seen) {
  std::vector<std::string> names;
  for (const SessionId session : seen.sessions)
    if (const model::Agent* agent = fleet.by_session(session)) names.push_back(agent->spec.name);
  const std::string count = count_of(seen.sessions.size());
  if (names.empty() || names.size() > kNamed) return count;
  return count + " (" + join(names, ", ") + ")";
}

std::string todo_of(const host::HolderSeen& seen) {
  const auto pid = seen.process.pid;
  switch (seen.what) {
    case What::ended:
      return "see who killed it (out of memory: dmesg); agents are restarted by their own rules, "
             "the others with: pawl restart NAME";
    case What::lost:
      return fmt::format("see holders/holders.log; if it lives, end it: kill {}", pid);
    case What::stopped:
      return fmt::format("let it go on: kill -CONT {}", pid);
    case What::silent:
      return pid > 0 ? fmt::format(
                           "see what it waits for: cat /proc/{}/stack; kill -9 ends it and "
                           "its agents",
                           pid)
                     : "see holders/holders.log";
    case What::answers:
      break;
  }
  return "";
}

// What it means for its agents.
std::string effect_of(What what, const std::string& agents) {
  switch (what) {
    case What::ended:
    case What::lost:
      return fmt::format("; it held {}", agents);
    case What::stopped:
    case What::silent:
      return fmt::format("; {} can be neither seen nor written to", agents);
    case What::answers:
      break;
  }
  return fmt::format("; {} can be seen again", agents);
}

}  // namespace

model::Alerted alert_of(const model::Fleet& fleet, const host::HolderSeen& seen) {
  const std::string agents = agents_of(fleet, seen);
  return {seen.what == What::answers ? model::Severity::info : model::Severity::error,
          "the " + host::text_of(seen) + effect_of(seen.what, agents),
          fmt::format("{} {}", seen.name, seen.process.pid),
          todo_of(seen),
          {}};
}

}  // namespace pawl::core
