#include "host/leftovers.h"

#include <set>

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

size_t signal_leftovers(const std::string& home, const std::vector<SessionId>& sessions,
                        int signal_number) {
  std::set<std::string> cookies;
  for (const SessionId session : sessions) cookies.insert(session_cookie(home, session));
  const std::string variable =
      cookies.empty() ? "" : cookies.begin()->substr(0, cookies.begin()->find('='));
  size_t signalled = 0;
  for (const auto& [process, value] : os::carriers_of(variable)) {
    if (!cookies.contains(variable + "=" + value) || !os::alive(process)) continue;
    if (os::send_signal(process, signal_number)) ++signalled;
  }
  return signalled;
}

}  // namespace pawl::host
