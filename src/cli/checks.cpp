#include "cli/checks.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "api/journal_check.h"
#include "base/text.h"
#include "cli/style.h"
#include "model/retention.h"
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

void add_limits(const Json& status, Checks& checks) {
  const Json& limits = status["limits"];
  if (!limits.is_object()) return;  // a daemon of an older version
  const bool memory = limits["memory"].as_string() == "kernel", cpu = limits["cpu"].as_bool();
  const std::string scope = safe(limits["scope"].as_string());
  std::string found = "cgroups are delegated (memory, cpu): the kernel keeps all limits";
  if (!scope.empty()) found += ", in " + scope;
  if (!memory || !cpu) {
    found = fmt::format(
        "{} ({}): ", limits["groups"].as_bool() ? "cgroups without limits" : "no cgroups",
        limits["why"].as_string());
    found += memory ? "memory limits are kept by the kernel"
                    : "memory limits are kept by looking every 2 s";
    found += cpu ? ", and CPU limits" : "; CPU limits are not possible";
  }
  checks.push_back({"limits", Grade::good, found,
                    cpu ? ""
                        : "for CPU limits, run pawl daemon as a service (pawl install-service), in "
                          "a container with its own writable "
                          "cgroup, or: systemd-run --user --scope -p Delegate=yes pawl daemon"});
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

void add_kept(const Json& status, Checks& checks) {
  const Json& disk = status["disk"];
  if (!disk.is_object()) return;
  const auto bytes = [&](const char* key) { return static_cast<uint64_t>(disk[key].as_int()); };
  const model::HeldBytes held{bytes("tasks"), bytes("recordings"), bytes("archive")};
  const bool limited = disk["limit"].is_integer();
  const auto found =
      fmt::format("{} in PAWL_HOME (recordings {}, tasks {}, archive {}); {}",
                  model::bytes_text(held.total()), model::bytes_text(held.recordings),
                  model::bytes_text(held.tasks), model::bytes_text(held.archive),
                  limited ? "limit " + model::bytes_text(bytes("limit")) : "no limit (total_mb)");
  const bool over = limited && held.total() > bytes("limit");
  checks.push_back(
      {"kept", over ? Grade::warning : Grade::good, found,
       over ? "what is not in use goes within an hour; unread results after an alert" : ""});
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
