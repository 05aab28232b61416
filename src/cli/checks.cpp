#include "cli/checks.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "api/journal_check.h"
#include "base/text.h"
#include "cli/style.h"
#include "os/file.h"
#include "os/holders.h"
#include "os/home.h"
#include "os/socket.h"

namespace pawl::cli {
namespace {

using Grade = Check::Grade;

std::optional<long> soft_limit_of(long pid) {
  constexpr std::string_view kRow = "Max open files";
  const auto limits = os::read_file(fmt::format("/proc/{}/limits", pid));
  const size_t at = limits ? limits->find(kRow) : std::string::npos;
  if (at == std::string::npos) return std::nullopt;
  return std::strtol(limits->c_str() + at + kRow.size(), nullptr, 10);
}

std::optional<Check> trouble_of(const os::HolderProcess& holder, const std::string& dir) {
  const auto pid = holder.id.pid;
  if (holder.stopped)
    return Check{"holders", Grade::bad,
                 fmt::format("the holder (pid {}) is stopped: its agents can be neither seen nor "
                             "written to",
                             pid),
                 fmt::format("let it go on: kill -CONT {}", pid)};
  if (!os::exists(dir + "/" + holder.socket))
    return Check{"holders", Grade::warning,
                 fmt::format("the socket of the holder (pid {}) was removed", pid),
                 "look again in 10 s: it makes another"};
  return std::nullopt;
}

// Left by one that was killed while no daemon ran.
void add_dead_sockets(const std::vector<os::HolderProcess>& alive, const std::string& dir,
                      Checks& checks) {
  for (const auto& name : os::list_dir(dir)) {
    if (!name.ends_with(".sock")) continue;
    const bool used = std::any_of(alive.begin(), alive.end(),
                                  [&](const auto& holder) { return holder.socket == name; });
    if (!used)
      checks.push_back({"holders", Grade::warning,
                        "the holder of holders/" + name + " is gone, and its agents with it",
                        "pawl ls shows who has crashed"});
  }
}

}  // namespace

Check journal_check(const std::string& home) {
  const std::string path = home + "/journal.db";
  if (!os::exists(path)) return {"journal", Grade::good, "not created yet", ""};
  const auto last = api::check_journal(path);
  if (!last) return {"journal", Grade::bad, last.error().what, last.error().fix};
  return {"journal", Grade::good, fmt::format("{} events", *last), ""};
}

void add_socket(const std::string& home, Checks& checks) {
  const auto fd = os::connect_local(home, os::kSocketName);
  const auto peer = fd ? os::peer_of(fd->get()) : Result<os::Peer>(os::Peer{});
  if (!fd || !peer) return;
  const auto lock = os::read_file(home + "/" + os::kLockName);
  const long owner = lock ? std::strtol(lock->c_str(), nullptr, 10) : 0;
  if (owner == peer->pid)
    checks.push_back({"socket", Grade::good, fmt::format("answered by pid {}", owner), ""});
  else
    checks.push_back({"socket", Grade::bad,
                      fmt::format("answered by pid {}, but the daemon is pid {}", peer->pid, owner),
                      fmt::format("end the other one: kill {}", peer->pid)});
}

void add_descriptors(long pid, Checks& checks) {
  const auto most = soft_limit_of(pid);
  const size_t open = os::list_dir(fmt::format("/proc/{}/fd", pid)).size();
  if (!most || *most <= 0 || open == 0) return;
  const auto found = fmt::format("{} of {} used by the daemon", open, *most);
  const bool near = open * 5 > static_cast<size_t>(*most) * 4;
  checks.push_back({"handles", near ? Grade::bad : Grade::good, found,
                    near ? "raise the limit (ulimit -Hn), then: pawl daemon --stop; agents keep "
                           "running"
                         : ""});
}

void add_holders(const std::string& home, Checks& checks) {
  const std::string dir = home + "/holders";
  const auto holders = os::holders_in(dir);
  const size_t before = checks.size();
  for (const auto& holder : holders)
    if (auto trouble = trouble_of(holder, dir)) checks.push_back(std::move(*trouble));
  add_dead_sockets(holders, dir, checks);
  if (checks.size() > before) return;
  std::vector<std::string> pids;
  for (const auto& holder : holders) pids.push_back(std::to_string(holder.id.pid));
  checks.push_back(
      {"holders", Grade::good,
       pids.empty() ? "none; the first agent starts one" : "running: pid " + join(pids, ", "), ""});
}

void add_strangers(const Json& list, Checks& checks) {
  for (const auto& one : list["strangers"].items()) {
    const std::string name = safe(one["name"].as_string());
    checks.push_back(
        {"agents", Grade::bad,
         fmt::format("{} runs (pid {}), but is not in the journal", name, one["pid"].as_int()),
         "end it with: pawl stop " + name + ", or put the old journal.db back"});
  }
}

}  // namespace pawl::cli
