#include "host/holder/session.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "host/protocol.h"

namespace pawl::holder {
namespace {

constexpr size_t kReadAtOnce = 16u << 10;   // a terminal gives at most 4 KiB per read
constexpr size_t kBulkRead = 2048;          // a read this large is probably followed by more
constexpr size_t kReadPerTurn = 64u << 10;  // then the other terminals get their turn
constexpr int kDrainTurns = 64;
// A daemon that confirms is waited for (the child blocks, as in front of any slow terminal); one
// that is gone or silent for this long is not: the backlog goes to the disk.
constexpr int64_t kPatienceUs = 1000000;

char read_space[kReadAtOnce];
// Bytes read when memory was short: they stay in read_space, and nothing else is read, until their
// session could take them.
Session* stuck = nullptr;
size_t stuck_count = 0;

bool take_stuck() {
  if (stuck && !stuck->backlog.append(read_space, stuck_count)) return false;
  stuck = nullptr;
  return true;
}

size_t smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

// Makes room when there is none, if that is allowed and possible.
size_t room_for_more(Session& session, const Shared& shared, bool connected) {
  if (!take_stuck()) return 0;
  const size_t room = session.backlog.room();
  if (room > 0) return room;
  const bool wait = connected && shared.now_us - session.progress_us < kPatienceUs;
  if (!wait) session.backlog.spill(shared.dir, session.id);
  return session.backlog.room();
}

void close_report(Session& session, const Shared& shared) {
  epoll_ctl(shared.epoll, EPOLL_CTL_DEL, session.child.report, nullptr);
  close(session.child.report);
  session.child.report = -1;
}

bool watch(int epoll, int fd, uint64_t tag, uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = tag;
  return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

}  // namespace

bool start(Session& session, const Request& request, const Shared& shared) {
  session.cols = request.cols;
  session.rows = request.rows;
  session.progress_us = shared.now_us;
  session.failure = start_child(request, shared.reports, &session.child);
  if (session.failure.step != 0) {
    session.phase = Phase::kFailed;
    return false;
  }
  session.interest = EPOLLIN;
  watch(shared.epoll, session.child.master, kTerminalTag | session.slot, session.interest);
  watch(shared.epoll, session.child.report, kReportTag | session.slot, EPOLLIN);
  return true;
}

void settle_start(Session& session, const Shared& shared) {
  if (session.phase != Phase::kStarting) return;
  Failure failure;
  const ssize_t got = read(session.child.report, &failure, sizeof failure);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  close_report(session, shared);
  const bool failed = got == static_cast<ssize_t>(sizeof failure) && failure.step != 0;
  session.phase = failed ? Phase::kFailed : Phase::kRunning;
  if (!failed) return;
  session.failure = failure;
  session.told_start = false;  // a daemon that came meanwhile knows it as starting
}

size_t read_terminal(Session& session, const Shared& shared, bool connected) {
  size_t total = 0;
  session.blocked = false;
  while (total < kReadPerTurn) {
    const size_t room = room_for_more(session, shared, connected);
    if (room == 0) {
      session.blocked = true;
      break;
    }
    const ssize_t got = read(session.child.master, read_space, smaller(room, kReadAtOnce));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      session.hung_up = got == 0 || errno != EAGAIN;
      session.drained = session.reaped;
      break;
    }
    session.hung_up = false;
    const size_t count = static_cast<size_t>(got);
    if (session.backlog.first == session.backlog.end()) session.progress_us = shared.now_us;
    stuck = &session;
    stuck_count = count;
    total += count;
    session.blocked = !take_stuck();
    if (session.blocked) break;
    if (count < kBulkRead && !session.reaped) break;
  }
  update_interest(session, shared);
  return total;
}

static void drop_input(Session& session) {
  session.input.release();
  session.before_mark = 0;
}

void flush_input(Session& session) {
  while (session.input.size() > 0) {
    const ssize_t done = write(session.child.master, session.input.begin(), session.input.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0 && errno != EAGAIN) drop_input(session);  // hung up: nobody will ever read it
    if (done <= 0) return;
    const size_t count = static_cast<size_t>(done);
    session.input.consume(count);
    session.before_mark -= smaller(session.before_mark, count);
  }
}

void set_mark(Session& session, uint64_t number) {
  session.mark = number;
  session.before_mark = session.input.size();
}

bool add_input(Session& session, const char* bytes, size_t count) {
  if (session.reaped || session.phase == Phase::kFailed) return false;
  if (session.input.size() + count > wire::kMaxInput) return false;
  if (!session.input.append(bytes, count)) return false;
  flush_input(session);
  return true;
}

void update_interest(Session& session, const Shared& shared) {
  if (session.child.master < 0) return;
  uint32_t wanted = 0;
  if (!session.blocked) wanted |= EPOLLIN;
  if (session.input.size() > 0) wanted |= EPOLLOUT;
  // A hang-up is reported whether asked for or not: leave the set instead of spinning. tick() looks
  // again.
  if (session.hung_up || session.blocked) wanted &= EPOLLOUT;
  if (session.hung_up) wanted = 0;
  if (wanted == session.interest) return;
  epoll_event event{};
  event.events = wanted;
  event.data.u64 = kTerminalTag | session.slot;
  const int action = wanted == 0             ? EPOLL_CTL_DEL
                     : session.interest == 0 ? EPOLL_CTL_ADD
                                             : EPOLL_CTL_MOD;
  epoll_ctl(shared.epoll, action, session.child.master, wanted ? &event : nullptr);
  session.interest = wanted;
}

void mark_reaped(Session& session, int status, const Shared& shared, bool connected) {
  settle_start(session, shared);
  if (session.phase == Phase::kStarting) {  // died between fork and exec, without a word
    close_report(session, shared);
    session.phase = Phase::kRunning;
  }
  session.reaped = true;
  session.status = status;
  drop_input(session);
  // Somebody else may go on printing there: the rest, if any, comes with the next turns.
  for (int turn = 0; turn < kDrainTurns && !session.drained && !session.blocked; ++turn)
    read_terminal(session, shared, connected);
}

void release(Session& session, const Shared& shared) {
  if (stuck == &session) stuck = nullptr;
  if (session.child.report >= 0) close_report(session, shared);
  if (session.child.master >= 0) {
    if (session.interest) epoll_ctl(shared.epoll, EPOLL_CTL_DEL, session.child.master, nullptr);
    close(session.child.master);
    session.child.master = -1;
  }
  session.input.release();
  free(session.group);
  session.group = nullptr;
  session.backlog.release(shared.dir, session.id);
}

}  // namespace pawl::holder
