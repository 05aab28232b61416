// pawl-holder DIR NAME, with the listening socket DIR/NAME as descriptor 3: owns pseudo-terminals
// and their children so that they survive the daemon. Started by the daemon
// (host/holder_start.cpp), in a session of its own; static, needs no file but itself. What it does
// is in holder.h.

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "host/holder/holder.h"

namespace pawl::holder {
namespace {

constexpr int kListener = 3;

Holder the_holder;

int64_t monotonic_us() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000ll + now.tv_nsec / 1000;
}

// Nothing an agent or a terminal sends by accident may end us; a request to end is remembered
// (should_leave).
int prepare_signals() {
  const int ignored[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE, SIGTSTP, SIGTTIN,
                         SIGTTOU, SIGUSR1, SIGUSR2, SIGALRM, SIGWINCH};
  for (const int number : ignored) signal(number, SIG_IGN);
  sigset_t handled;
  sigemptyset(&handled);
  sigaddset(&handled, SIGCHLD);
  sigaddset(&handled, SIGTERM);
  sigprocmask(SIG_BLOCK, &handled, nullptr);
  return signalfd(-1, &handled, SFD_CLOEXEC | SFD_NONBLOCK);
}

// Small blocks from one heap, larger ones from the kernel and back to it at once: what a burst used
// is not kept.
void prepare_memory() {
  mallopt(M_MMAP_THRESHOLD, 16 << 10);
  mallopt(M_TRIM_THRESHOLD, 32 << 10);
  mallopt(M_TOP_PAD, 4 << 10);
}

bool prepare_reports(Holder& holder) {
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0 || fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0) return false;
  holder.reports = ends[0];
  holder.shared.reports = ends[1];
  return true;
}

bool prepare(Holder& holder, const char* dir, const char* name) {
  prctl(PR_SET_NAME, "pawl-holder");
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prepare_memory();
  holder.listener = kListener;
  fcntl(kListener, F_SETFD, FD_CLOEXEC);
  holder.dir_path = dir;
  holder.socket_name = name;
  holder.shared.dir = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  holder.shared.epoll = epoll_create1(EPOLL_CLOEXEC);
  holder.signals = prepare_signals();
  holder.alarm = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
  if (!prepare_reports(holder)) return false;
  holder.alone_since_us = holder.shared.now_us = monotonic_us();
  return holder.shared.dir >= 0 && holder.shared.epoll >= 0 && holder.signals >= 0 &&
         holder.alarm >= 0 && fcntl(kListener, F_GETFD) >= 0;
}

void take_signals(Holder& holder) {
  signalfd_siginfo info{};
  while (read(holder.signals, &info, sizeof info) == static_cast<ssize_t>(sizeof info))
    if (info.ssi_signo == SIGTERM) holder.term_received = true;
  reap_children(holder);
}

void hear_daemon(Holder& holder) {
  const bool going = holder.daemon.receive();
  if (!obey_frames(holder) || !going) lose_daemon(holder);
}

enum Place { kSignals, kKeepers, kAlarm, kListening, kDaemon, kTerminals, kNewcomers };
constexpr int kPlaces = kNewcomers + kMaxNewcomers;

void fill(const Holder& holder, bool look_at_terminals, pollfd* fds) {
  const short daemon_events = static_cast<short>(POLLIN | (holder.daemon.out.size() ? POLLOUT : 0));
  fds[kSignals] = {holder.signals, POLLIN, 0};
  fds[kKeepers] = {holder.reports, POLLIN, 0};
  fds[kAlarm] = {holder.alarm, POLLIN, 0};
  fds[kListening] = {holder.listener, POLLIN, 0};
  fds[kDaemon] = {holder.daemon.fd, daemon_events, 0};
  fds[kTerminals] = {look_at_terminals ? holder.shared.epoll : -1, POLLIN, 0};
  for (uint32_t i = 0; i < kMaxNewcomers; ++i)
    fds[kNewcomers + i] = {holder.newcomers[i].fd, POLLIN, 0};
}

// Sleeps until something is to be done. Terminals are left alone while the pace says so.
void wait(const Holder& holder, int64_t pause_us, pollfd* fds) {
  int64_t timeout = next_deadline_us(holder);
  if (pause_us > 0 && (timeout < 0 || pause_us < timeout)) timeout = pause_us;
  fill(holder, pause_us == 0, fds);
  const timespec limit{timeout / 1000000, timeout % 1000000 * 1000};
  const int ready = ppoll(fds, kPlaces, timeout < 0 ? nullptr : &limit, nullptr);
  if (ready < 0)
    for (int i = 0; i < kPlaces; ++i) fds[i].revents = 0;
  if (ready == 0 && timeout == pause_us) fds[kTerminals].revents = POLLIN;  // waited long enough
}

// By what the daemon said last: it may have moved the time while we were stopped.
void keep_deadlines(Holder& holder) {
  if (something_due(holder, boot_ns())) {
    if (holder.daemon.open()) hear_daemon(holder);
    end_due(holder, boot_ns());
  }
  set_alarm(holder);
}

void turn(Holder& holder) {
  pollfd fds[kPlaces];
  wait(holder, holder.pace.wait(holder.shared.now_us), fds);
  const int64_t before = holder.shared.now_us;
  holder.shared.now_us = monotonic_us();
  if (fds[kSignals].revents) take_signals(holder);
  if (fds[kKeepers].revents) hear_keepers(holder);
  if (fds[kDaemon].revents & ~POLLOUT) hear_daemon(holder);
  for (uint32_t i = 0; i < kMaxNewcomers; ++i)
    if (fds[kNewcomers + i].revents) hear_newcomer(holder, holder.newcomers[i]);
  if (fds[kListening].revents) accept_newcomers(holder);
  if (fds[kTerminals].revents) read_terminals(holder);
  if (fds[kAlarm].revents) holder.alarm_at = 0;  // it rings until it is set anew
  keep_deadlines(holder);
  if (holder.shared.now_us / kTickUs != before / kTickUs) tick(holder);
  if (holder.shared.now_us / kLonelyUs != before / kLonelyUs) bind_again(holder);
  send_pending(holder);
  sweep(holder);
}

}  // namespace
}  // namespace pawl::holder

int main(int argc, char** argv) {
  using namespace pawl::holder;
  if (argc == 2) keep(atoi(argv[1]), {});  // one of its keepers, in a fresh image
  if (argc == 4) keep(atoi(argv[1]), {atoi(argv[2]), argv[3]});
  if (argc != 3) return 2;
  if (!prepare(the_holder, argv[1], argv[2])) return 1;
  while (!should_leave(the_holder)) turn(the_holder);
  // First the name, then the socket: who is refused a connection finds no name of ours to remove.
  unlinkat(the_holder.shared.dir, the_holder.socket_name, 0);
  _exit(0);
}
