// Sessions that have to be over at some time, whoever dies before: what runs for a lease (doc/fleet.md) is not to run when that is
// another's. By the clock that goes on while the machine is suspended and while we are stopped.

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "host/holder/below.h"
#include "host/holder/holder.h"
#include "host/holder/proc.h"

namespace pawl::holder {
namespace {

constexpr uint64_t kSecond = 1000000000ull;
constexpr int kCleanLooks = 2;

// 0: never.
uint64_t next_look(const Session& session) {
  if (session.closed || session.due == Due::kDone) return 0;
  return session.due == Due::kEnding ? session.look_at : session.until;
}

bool is_due(const Session& session, uint64_t now_ns) {
  const uint64_t at = next_look(session);
  return at != 0 && at <= now_ns;
}

// All at once, also whoever is being forked. What is not there, or not allowed, is found by descent.
void kill_group(const char* file) {
  const int fd = file ? open(file, O_WRONLY | O_CLOEXEC) : -1;
  if (fd < 0) return;
  if (write(fd, "1", 1) < 0) errno = 0;
  close(fd);
}

pid_t daemon_seen(const Holder& holder) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (holder.daemon.open() &&
      getsockopt(holder.daemon.fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0)
    return peer.pid;
  return daemon_of(holder.shared.dir);
}

Root root_of(pid_t pid, uint64_t start_ticks) {
  return {pid, start_ticks};
}

size_t kill_descendants(const Holder& holder, const Session& session) {
  Root roots[kRoots] = {};
  size_t count = 0;
  const Child& child = session.child;
  Spared spared{holder.dir_path, daemon_seen(holder)};
  if (child.keeper > 0) roots[count++] = root_of(child.keeper, child.keeper_ticks);
  if (!session.reaped && child.pid > 0) roots[count++] = root_of(child.pid, child.start_ticks);
  size_t acting = count > 0 ? kill_below(roots, count, spared) : 0;
  if (!session.has_orphans) return acting;
  Stat self{};
  if (!read_stat(getpid(), &self)) return acting + 1;
  const Root own = root_of(getpid(), self.start_ticks);
  spared.keepers = true;
  return acting + kill_below(&own, 1, spared);
}

}  // namespace

uint64_t boot_ns() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return static_cast<uint64_t>(now.tv_sec) * kSecond + static_cast<uint64_t>(now.tv_nsec);
}

// One that is being ended stays so, whatever is said now.
void obey_until(Holder& holder, uint64_t id, uint64_t at) {
  if (Session* session = find(holder, id)) {
    session->until = at;
    return;
  }
  holder.until_for = id;
  holder.until = at;
}

bool end_everybody(Holder& holder, Session& session) {
  if (session.phase == Phase::kFailed) return true;
  kill_group(session.group);
  if (!session.reaped && session.child.pid > 0)
    signal_child(session.child.pid, session.child.master, SIGKILL);
  const size_t acting = kill_descendants(holder, session);
  const bool runs = !session.reaped && session.child.keeper == 0;  // else it is one of those below
  session.clean_looks = acting > 0 || runs ? 0 : session.clean_looks + 1;
  return session.clean_looks >= kCleanLooks;
}

bool something_due(const Holder& holder, uint64_t now_ns) {
  for (const Session* session : holder.sessions)
    if (session && is_due(*session, now_ns)) return true;
  return false;
}

// Who cannot be ended (a program of another user) is tried for as long as its session is there, but not so often any more.
void end_due(Holder& holder, uint64_t now_ns) {
  for (Session* session : holder.sessions) {
    if (!session || !is_due(*session, now_ns)) continue;
    if (session->due == Due::kNot) session->overdue = !session->reaped;
    session->due = end_everybody(holder, *session) ? Due::kDone : Due::kEnding;
    const bool hard = session->until + kEndHardNs < now_ns;
    session->look_at = now_ns + (hard ? kEndHardNs : kEndAgainNs);
  }
}

void set_alarm(Holder& holder) {
  uint64_t next = 0;
  for (const Session* session : holder.sessions) {
    const uint64_t at = session ? next_look(*session) : 0;
    if (at != 0 && (next == 0 || at < next)) next = at;
  }
  if (next == holder.alarm_at) return;
  itimerspec when{};
  when.it_value = {static_cast<time_t>(next / kSecond), static_cast<long>(next % kSecond)};
  if (timerfd_settime(holder.alarm, TFD_TIMER_ABSTIME, &when, nullptr) == 0) holder.alarm_at = next;
}

}  // namespace pawl::holder
