#include "host/leftovers.h"

#include "host/environment.h"

namespace pawl::host {

std::vector<os::ProcessId> leftovers(const std::string& home, SessionId session) {
  std::vector<os::ProcessId> living;
  for (const auto& process : os::with_environment(session_cookie(home, session)))
    if (os::alive(process)) living.push_back(process);
  return living;
}

size_t signal_leftovers(const std::string& home, SessionId session, int signal_number) {
  const auto all = leftovers(home, session);
  for (const auto& process : all) os::send_signal(process, signal_number);
  return all.size();
}

}  // namespace pawl::host
