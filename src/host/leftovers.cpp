#include "host/leftovers.h"

#include <algorithm>
#include <set>

#include "host/environment.h"

namespace pawl::host {
namespace {

std::vector<os::ProcessId> carriers(const std::string& home,
                                    const std::vector<SessionId>& sessions) {
  std::vector<os::ProcessId> found;
  std::set<std::string> cookies;
  for (const SessionId session : sessions) cookies.insert(session_cookie(home, session));
  if (cookies.empty()) return found;
  const std::string variable = cookies.begin()->substr(0, cookies.begin()->find('='));
  for (const auto& [process, value] : os::carriers_of(variable))
    if (cookies.contains(variable + "=" + value) && os::alive(process)) found.push_back(process);
  return found;
}

// A daemon that was begun inside an agent has that agent's cookie, and so have its holders.
bool anothers(const os::ProcessId& process, const std::vector<SessionId>& sessions,
              const std::vector<Root>& roots) {
  const auto is_it = [&](const Root& root) { return root.process == process; };
  const auto root = std::find_if(roots.begin(), roots.end(), is_it);
  if (root != roots.end() && root->session.value == 0) return true;
  const auto owner = session_of(process.pid, roots);
  return owner && std::find(sessions.begin(), sessions.end(), *owner) == sessions.end();
}

}  // namespace

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
                        int signal_number, const std::vector<Root>& roots) {
  std::vector<os::ProcessId> all = descendants(sessions, roots);
  for (const auto& process : carriers(home, sessions))
    if (!anothers(process, sessions, roots)) all.push_back(process);
  std::set<pid_t> signalled;
  for (const auto& process : all)
    if (!signalled.contains(process.pid) && os::send_signal(process, signal_number))
      signalled.insert(process.pid);
  return signalled.size();
}

}  // namespace pawl::host
