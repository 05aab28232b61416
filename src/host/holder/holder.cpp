#include "host/holder/holder.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/holder/proc.h"

namespace pawl::holder {
namespace {

constexpr int kEventsAtOnce = 64;
constexpr int kBacklog = 16;

// A process of our user; and while somebody has the daemon's lock, nobody else: an agent that comes here is not the daemon. When the one
// who has it cannot be seen, whoever comes is believed: no agent may be lost for that.
bool may_come(const Holder& holder, int fd) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid != geteuid())
    return false;
  const pid_t daemon = locked_by(holder.shared.dir, "../daemon.lock");
  return daemon <= 0 || daemon == peer.pid || kill(daemon, 0) != 0;
}

Link& place_for_newcomer(Holder& holder) {
  Link* oldest = &holder.newcomers[0];
  for (Link& link : holder.newcomers) {
    if (!link.open()) return link;
    if (link.since_us < oldest->since_us) oldest = &link;
  }
  oldest->shut();
  return *oldest;
}

bool speaks_our_language(const wire::Header& header, const char* payload) {
  wire::Hello hello{};
  if (header.type != wire::kHello || header.length < sizeof hello) return false;
  memcpy(&hello, payload, sizeof hello);
  return hello.magic == wire::kMagic && hello.version >= wire::kMinVersion &&
         hello.min_version <= wire::kVersion;
}

void refuse_newcomer(Link& newcomer) {
  const wire::Hello hello{wire::kMagic, wire::kVersion, wire::kMinVersion,
                          static_cast<uint32_t>(getpid()), 0};
  newcomer.put(wire::kHello, 0, &hello, sizeof hello);
  newcomer.send();
  newcomer.shut();
}

bool waits_for_tick(const Session& session) {
  if (session.phase == Phase::kFailed) return false;
  return session.blocked || (session.hung_up && !session.reaped);
}

bool live_child(const Holder& holder) {
  for (const Session* session : holder.sessions)
    if (session && !session->reaped && session->phase != Phase::kFailed) return true;
  return false;
}

// As os/socket.cpp does it. -1: it cannot be had, or the name is another's by now.
int listen_in(int dir, const char* name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const int length =
      snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s", dir, name);
  if (dir < 0 || length < 0 || static_cast<size_t>(length) >= sizeof address.sun_path) return -1;
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  const mode_t before = umask(0177);
  const int bound = bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  umask(before);
  if (bound == 0 && listen(fd, kBacklog) == 0) return fd;
  close(fd);
  return -1;
}

// Our name, or the whole PAWL_HOME, was removed: nobody can come for what we hold.
bool unreachable(const Holder& holder) {
  struct stat info {};
  return fstatat(holder.shared.dir, holder.socket_name, &info, AT_SYMLINK_NOFOLLOW) != 0 &&
         errno == ENOENT;
}

// A child of ours was killed. When it was a session's keeper, what that had is ours now, and that session's; unless others had
// fallen to us before. Anybody else may have been the keeper of a session that is closed.
void note_orphans(Holder& holder, pid_t pid) {
  Session* its = nullptr;
  Session* before = nullptr;
  for (Session* session : holder.sessions) {
    if (!session) continue;
    if (session->child.keeper == pid) its = session;
    if (session->child.pid == pid) return;
    if (session->has_orphans) before = session;
  }
  if (its && !before && !holder.strays) {
    its->has_orphans = true;
    return;
  }
  if (!its && before) return;  // one of those that had fallen to us
  if (before) before->has_orphans = false;
  holder.strays = true;
}

}  // namespace

Session* find(Holder& holder, uint64_t id) {
  for (Session* session : holder.sessions)
    if (session && session->id == id && !session->closed) return session;
  return nullptr;
}

Session* add_session(Holder& holder, uint64_t id) {
  for (uint32_t slot = 0; slot < kMaxSessions; ++slot) {
    if (holder.sessions[slot]) continue;
    void* memory = malloc(sizeof(Session));
    if (!memory) return nullptr;
    const Session blank;
    memcpy(memory, &blank, sizeof blank);
    Session* session = static_cast<Session*>(memory);
    session->id = id;
    session->slot = slot;
    holder.sessions[slot] = session;
    ++holder.count;
    return session;
  }
  return nullptr;
}

void accept_newcomers(Holder& holder) {
  for (;;) {
    const int fd = accept4(holder.listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) return;
    if (!may_come(holder, fd)) {
      close(fd);
      continue;
    }
    Link& link = place_for_newcomer(holder);
    link.fd = fd;
    link.since_us = holder.shared.now_us;
  }
}

void hear_newcomer(Holder& holder, Link& newcomer) {
  wire::Header header{};
  bool broken = false;
  const bool going = newcomer.receive();
  const char* payload = newcomer.next(&header, &broken);
  if (broken) return newcomer.shut();
  if (!payload) {
    if (!going) newcomer.shut();
    return;
  }
  if (!speaks_our_language(header, payload)) return refuse_newcomer(newcomer);
  newcomer.drop(header);
  lose_daemon(holder);
  holder.daemon = newcomer;
  newcomer = Link{};
  greet(holder);
  if (!obey_frames(holder)) lose_daemon(holder);
}

void lose_daemon(Holder& holder) {
  if (!holder.daemon.open()) return;
  // What it said to its last breath still counts.
  holder.daemon.receive();
  obey_frames(holder);
  holder.daemon.shut();
  holder.alone_since_us = holder.shared.now_us;
  holder.bye_received = false;
  for (Session* session : holder.sessions) {
    if (!session) continue;
    session->attached = session->told_start = session->told_end = false;
    session->refused = session->mark = 0;
    // Blocked out of patience with a daemon that is gone now: the disk may take it.
    if (session->blocked) read_terminal(*session, holder.shared, false);
  }
  bind_again(holder);
}

void bind_again(Holder& holder) {
  if (holder.daemon.open() || !unreachable(holder)) return;
  const int dir = open(holder.dir_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const int listener = listen_in(dir, holder.socket_name);
  if (listener < 0) {
    if (dir >= 0) close(dir);
    return;
  }
  close(holder.listener);
  close(holder.shared.dir);
  holder.listener = listener;
  holder.shared.dir = dir;
}

// How programs ended. Also of sessions that are closed: nobody is kept waiting.
void hear_keepers(Holder& holder) {
  Report report{};
  while (read(holder.reports, &report, sizeof report) == static_cast<ssize_t>(sizeof report)) {
    for (Session* session : holder.sessions) {
      if (!session || session->reaped || session->child.pid != report.program) continue;
      mark_reaped(*session, report.status, holder.shared, session->attached);
    }
    let_go(report.keeper);
  }
}

// Keepers that have nobody left; and, where one was killed, its program and what that left behind: we are the next reaper.
void reap_children(Holder& holder) {
  hear_keepers(holder);  // before its writer's number can be somebody else's
  int status = 0;
  for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
    if (WIFSIGNALED(status)) note_orphans(holder, pid);
    for (Session* session : holder.sessions) {
      if (!session) continue;
      if (session->child.keeper == pid) session->child.keeper = 0;
      if (session->reaped || session->child.pid != pid) continue;
      mark_reaped(*session, status, holder.shared, session->attached);
    }
  }
}

void read_terminals(Holder& holder) {
  epoll_event events[kEventsAtOnce];
  const int count = epoll_wait(holder.shared.epoll, events, kEventsAtOnce, 0);
  bool bulk = count == kEventsAtOnce;
  for (int i = 0; i < count; ++i) {
    Session* session = holder.sessions[static_cast<uint32_t>(events[i].data.u64) % kMaxSessions];
    if (!session || session->closed) continue;
    if (events[i].data.u64 & kReportTag) {
      settle_start(*session, holder.shared);
      continue;
    }
    if (events[i].events & EPOLLOUT) flush_input(*session);
    if ((events[i].events & ~EPOLLOUT) != 0)
      bulk |= read_terminal(*session, holder.shared, session->attached) >= 4096;
    update_interest(*session, holder.shared);
  }
  if (count > 0) holder.pace.woke(holder.shared.now_us, bulk);
}

void tick(Holder& holder) {
  for (Session* session : holder.sessions)
    if (session && waits_for_tick(*session))
      read_terminal(*session, holder.shared, session->attached);
}

void sweep(Holder& holder) {
  for (Session*& session : holder.sessions) {
    if (!session || !session->closed) continue;
    release(*session, holder.shared);
    free(session);
    session = nullptr;
    --holder.count;
  }
}

bool should_leave(const Holder& holder) {
  if (holder.count == 0 && (holder.bye_received || holder.term_received)) return true;
  if (holder.daemon.open()) return false;
  const bool lonely = holder.shared.now_us - holder.alone_since_us >= kLonelyUs;
  if (holder.count == 0) return lonely;
  // Nothing left to supervise, nobody came for the last bytes, and we were asked to go or nobody
  // can come.
  return lonely && !live_child(holder) && (holder.term_received || unreachable(holder));
}

int64_t next_deadline_us(const Holder& holder) {
  for (const Session* session : holder.sessions)
    if (session && waits_for_tick(*session)) return kTickUs;
  if (holder.daemon.open()) return -1;
  if (live_child(holder)) return kLonelyUs;
  const int64_t left = holder.alone_since_us + kLonelyUs - holder.shared.now_us;
  return left > 0 ? left : kLonelyUs;
}

}  // namespace pawl::holder
