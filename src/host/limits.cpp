#include "host/limits.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>

#include "base/sha256.h"
#include "host/protocol.h"
#include "model/limits.h"
#include "os/file.h"
#include "os/service_manager.h"

namespace pawl::host {
namespace {

constexpr size_t kMarkDigits = 8;
constexpr int kKilledCode = 128 + SIGKILL;  // as a shell says it of its child
constexpr const char* kProcs = "/cgroup.procs";
constexpr const char* kForMemory = "killed for memory";

std::string cause_of(const os::GroupStory& story, uint64_t limit) {
  const std::string peak = story.peak ? "peak " + model::memory_text(*story.peak) : "";
  const std::string most = limit > 0 ? model::memory_text(limit) : "";
  if (peak.empty() && most.empty()) return kForMemory;
  if (peak.empty()) return fmt::format("{} (limit {})", kForMemory, most);
  return fmt::format("{} ({}{})", kForMemory, peak, most.empty() ? "" : " of " + most);
}

Error no_cpu(const std::string& why) {
  return {"a CPU limit cannot be kept here: " + why,
          "leave it out; pawl doctor says what it needs"};
}

// Whatever it is: a session's, a holder's, or a helper of the daemon.
bool below_any(pid_t pid, const std::vector<Root>& roots) {
  const os::Proc proc;
  for (int i = 0; pid > 0 && i < kAncestorsVisited; ++i) {
    const auto is_it = [&](const Root& root) { return root.process.pid == pid; };
    if (std::any_of(roots.begin(), roots.end(), is_it)) return true;
    const auto stat = proc.stat(pid);
    pid = stat ? stat->parent : 0;
  }
  return false;
}

}  // namespace

LimitKeeper::LimitKeeper(os::Loop& loop, const std::string& home, MemoryWatch::Roots roots,
                         std::function<void(SessionId)> over, std::function<void()> settled,
                         std::string root)
    : mark_("pawl-" + sha256_hex(home, kMarkDigits) + "-"),
      root_(std::move(root)),
      roots_(std::move(roots)),
      over_(std::move(over)),
      watch_(loop, roots_, [this](SessionId session, uint64_t bytes) { too_much(session, bytes); }),
      shortage_(loop, root_),
      tidy_timer_(loop, [this] { tidy(); }),
      settled_(std::move(settled)),
      scope_(
          loop, mark_, [this] { move_to_scope(); }, root_) {}

// The next daemon would find them; those in which somebody is stay.
LimitKeeper::~LimitKeeper() {
  for (const auto& [session, its] : sessions_)
    if (!its.group.empty()) (void)os::remove_group(its.group);
}

// Ours: we, who started us as the first process of a container, and what descends from us, a session or a holder. What a holder left
// that was killed descends from nobody; in a service of our own it is ours all the same.
void LimitKeeper::begin() {
  const auto roots = roots_();
  const bool service = os::service_is_ours();
  const auto mine = [&](pid_t pid) {
    return service || pid == ::getpid() || (pid == 1 && ::getppid() == 1) || below_any(pid, roots);
  };
  place_ = os::group_place(mine, root_);
  if (auto out = os::leave_group(place_, ::getpid()); !out) {
    place_ = {};
    place_.why = out.error().what;
  }
  own_ = place_;
  shortage_.begin();
  if (!place_.service) return;
  scope_.want(place_.dir);
  move_to_scope();
}

// … or back: groups that are there stay where they are.
void LimitKeeper::move_to_scope() {
  if (!own_.service) return;
  prepared_ = false;
  if (!scope_.dir().empty()) {
    place_ = os::place_in(scope_.dir());
  } else {
    place_ = own_;
    place_.why += scope_.asking() ? "; it is asked for a scope beside it"
                                  : ", and there is no scope beside it: " + scope_.why();
  }
  settled_();
}

std::string LimitKeeper::name_of(SessionId session, bool task) const {
  return fmt::format("{}{}{}", mark_, task ? 't' : 'a', session.value);
}

void LimitKeeper::end_orphans(const std::function<bool(SessionId)>& known) {
  if (own_.dir.empty()) return;
  end_orphans_in(own_.dir, known);
  if (!own_.service) return;
  const std::string above = own_.dir.substr(0, own_.dir.rfind('/'));
  for (const auto& name : os::list_dir(above))  // scopes of daemons before us
    if (name.starts_with(mark_) && name.ends_with(".scope"))
      end_orphans_in(above + "/" + name, known);
}

void LimitKeeper::end_orphans_in(const std::string& dir,
                                 const std::function<bool(SessionId)>& known) {
  for (const auto& name : os::list_dir(dir)) {
    if (!name.starts_with(mark_) || name.size() < mark_.size() + 2) continue;
    const SessionId session{std::strtoull(name.c_str() + mark_.size() + 1, nullptr, 10)};
    if (known(session) || sessions_.contains(session)) continue;
    const bool task = name[mark_.size()] == 't';
    Its& its = sessions_[session];
    its.group = dir + "/" + name;
    its.limits.task = task;
    if (task) signal({session}, SIGKILL);
    forget(session);
  }
}

Result<std::string> LimitKeeper::prepare(SessionId session, const Limits& limits) {
  if (!limits.any()) return std::string();
  if (!std::exchange(prepared_, true)) {
    if (auto done = os::prepare_groups(place_, ::getpid()); !done) {
      place_.memory = place_.cpu = false;
      place_.why = done.error().what;
    }
    shortage_.begin();
  }
  if (limits.cpu_pct > 0 && !place_.cpu) return tl::unexpected(no_cpu(place_.why));
  Its& its = sessions_[session];
  its = {};
  its.limits = limits;
  if (place_.dir.empty()) return std::string();
  const std::string dir = place_.dir + "/" + name_of(session, limits.task);
  (void)os::remove_group(dir);  // of a journal that counted from 1 as well
  const auto made =
      os::make_group(dir, {place_.memory ? limits.memory : 0, place_.cpu ? limits.cpu_pct : 0});
  if (!made) {
    (void)os::remove_group(dir);
    if (limits.cpu_pct > 0) return tl::unexpected(no_cpu(made.error().what));
    return std::string();
  }
  its.group = dir;
  const std::string file = dir + kProcs;
  return file.size() <= wire::kMaxPlace ? file : std::string();
}

// A holder of an older version does not know groups: its program is put there now, and what it started meanwhile may be missing.
void LimitKeeper::began(SessionId session, const os::ProcessId& program) {
  const auto at = sessions_.find(session);
  if (at == sessions_.end()) return;
  Its& its = at->second;
  const std::string now = its.group.empty() ? "" : os::group_of(program.pid, root_);
  if (!now.empty() && now != its.group && !os::enter_group(its.group, program.pid)) {
    (void)os::remove_group(its.group);
    its.group.clear();
  }
  its.kept = !its.group.empty() && os::group_limits_memory(its.group);
  if (its.limits.cpu_pct > 0 && its.group.empty()) {
    its.cause = "killed: " + no_cpu("its process could not be put into its cgroup").what;
    return over_(session);
  }
  if (its.limits.memory > 0 && !its.kept) watch_.watch(session, its.limits.memory);
}

void LimitKeeper::found(SessionId session, const Limits& limits, const os::ProcessId& program) {
  if (!limits.any()) return;
  Its& its = sessions_[session];
  its.limits = limits;
  // Wherever the daemon that opened it had its groups.
  const std::string dir = os::group_of(program.pid, root_);
  if (dir.ends_with("/" + name_of(session, limits.task))) its.group = dir;
  its.kept = !its.group.empty() && os::group_limits_memory(its.group);
  if (limits.memory > 0 && !its.kept) watch_.watch(session, limits.memory);
}

void LimitKeeper::too_much(SessionId session, uint64_t bytes) {
  const auto at = sessions_.find(session);
  if (at == sessions_.end()) return watch_.forget(session);
  at->second.cause =
      fmt::format("{} ({} of {}; looked at every {} s)", kForMemory, model::memory_text(bytes),
                  model::memory_text(at->second.limits.memory),
                  std::chrono::duration_cast<std::chrono::seconds>(kMemoryLook).count());
  signal({session}, SIGKILL);
  over_(session);
}

std::string LimitKeeper::ended(const Ended& event) {
  const bool killed = event.signal == SIGKILL || event.exit_code == kKilledCode;
  watch_.forget(event.session);
  if (!killed) return {};
  if (const auto at = sessions_.find(event.session); at != sessions_.end()) {
    const Its& its = at->second;
    if (!its.cause.empty()) return its.cause;
    const auto story = its.group.empty() ? os::GroupStory{} : os::group_story(its.group);
    if (story.oom_kills > 0) return cause_of(story, its.limits.memory);
  }
  return shortage_.claim() ? kForMemory : "";
}

void LimitKeeper::forget(SessionId session) {
  watch_.forget(session);
  const auto at = sessions_.find(session);
  if (at == sessions_.end()) return;
  at->second.closed = true;
  tries_ = 0;
  tidy();
}

void LimitKeeper::tidy() {
  bool more = false;
  std::erase_if(sessions_, [&](const auto& one) {
    const Its& its = one.second;
    if (!its.closed) return false;
    const bool gone = its.group.empty() || os::remove_group(its.group) || !os::is_dir(its.group);
    more |= !gone;
    return gone;
  });
  if (more && ++tries_ <= kTidyTries && !tidy_timer_.armed()) tidy_timer_.start(kTidyEvery);
}

size_t LimitKeeper::signal(const std::vector<SessionId>& sessions, int signal_number) {
  size_t count = 0;
  for (const SessionId session : sessions) {
    const auto at = sessions_.find(session);
    if (at == sessions_.end() || at->second.group.empty()) continue;
    const auto members = os::group_members(at->second.group);
    count += members.size();
    if (members.empty() || (signal_number == SIGKILL && os::kill_group(at->second.group))) continue;
    for (const pid_t pid : members)
      if (const auto process = os::identify(pid)) os::send_signal(*process, signal_number);
  }
  return count;
}

}  // namespace pawl::host
