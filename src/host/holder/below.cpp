#include "host/holder/below.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host/holder/proc.h"

namespace pawl::holder {
namespace {

constexpr size_t kAtFirst = 1024;  // processes; doubled as needed
constexpr const char* kHolderName = "pawl-holder";
constexpr const char* kKeeperName = "pawl-keeper";

struct One {
  pid_t pid;
  Stat stat;
  bool below;
};

struct Everybody {
  One* ones = nullptr;
  size_t count = 0;
  size_t room = 0;
};

bool add(Everybody& all, const One& one) {
  if (all.count == all.room) {
    const size_t room = all.room ? 2 * all.room : kAtFirst;
    void* more = realloc(all.ones, room * sizeof(One));
    if (!more) return false;
    all.ones = static_cast<One*>(more);
    all.room = room;
  }
  all.ones[all.count++] = one;
  return true;
}

int by_pid(const void* a, const void* b) {
  return static_cast<const One*>(a)->pid - static_cast<const One*>(b)->pid;
}

bool read_all(Everybody& all) {
  DIR* dir = opendir("/proc");
  if (!dir) return false;
  bool fine = true;
  while (const dirent* entry = fine ? readdir(dir) : nullptr) {
    One one{};
    one.pid = atoi(entry->d_name);
    if (one.pid > 0 && read_stat(one.pid, &one.stat)) fine = add(all, one);
  }
  closedir(dir);
  if (all.count > 0) qsort(all.ones, all.count, sizeof(One), by_pid);
  return fine;
}

const One* find(const Everybody& all, pid_t pid) {
  One wanted{};
  wanted.pid = pid;
  if (all.count == 0) return nullptr;
  return static_cast<const One*>(bsearch(&wanted, all.ones, all.count, sizeof(One), by_pid));
}

// A holder of our folder: "pawl-holder", the folder, its socket.
bool holds_for(pid_t pid, const char* dir) {
  char path[32];
  char text[4096];
  snprintf(path, sizeof path, "/proc/%d/cmdline", static_cast<int>(pid));
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const ssize_t got = read(fd, text, sizeof text - 1);
  close(fd);
  if (got <= 0) return false;
  text[got] = '\0';
  const char* second = text + strlen(text) + 1;
  return second < text + got && strcmp(second, dir) == 0;
}

bool is_spared(const One& one, const Spared& spared) {
  if (one.pid == spared.daemon) return true;
  if (spared.keepers && strcmp(one.stat.name, kKeeperName) == 0) return true;
  return strcmp(one.stat.name, kHolderName) == 0 && holds_for(one.pid, spared.dir);
}

// Nobody is older than its parent: else one of the two numbers has changed hands meanwhile.
bool child_of(const One& one, const One& parent) {
  return one.stat.start_ticks >= parent.stat.start_ticks;
}

bool hangs_below(const One& one, const Everybody& all, const Root* roots, size_t count) {
  const One* parent = find(all, one.stat.parent);
  if (!parent || !child_of(one, *parent)) return false;
  if (parent->below) return true;
  for (size_t i = 0; i < count; ++i)
    if (roots[i].pid == parent->pid && roots[i].start_ticks == parent->stat.start_ticks)
      return true;
  return false;
}

void mark(Everybody& all, const Root* roots, size_t count, const Spared& spared) {
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < all.count; ++i) {
      One& one = all.ones[i];
      if (one.below || !hangs_below(one, all, roots, count) || is_spared(one, spared)) continue;
      one.below = more = true;
    }
  }
}

// Not one that only waits to be reaped, nor one the kernel does not let go: that does nothing any more when it is let go.
bool can_act(const Stat& stat) {
  const bool over = (stat.state == 'Z' || stat.state == 'X') && stat.threads <= 1;
  return !over && stat.state != 'D';
}

void kill_one(const One& one) {
  const int fd = static_cast<int>(syscall(SYS_pidfd_open, one.pid, 0u));
  Stat now{};
  const bool same = read_stat(one.pid, &now) && now.start_ticks == one.stat.start_ticks;
  if (fd < 0) {
    if (errno == ENOSYS && same) kill(one.pid, SIGKILL);
    return;
  }
  if (same) syscall(SYS_pidfd_send_signal, fd, SIGKILL, nullptr, 0u);
  close(fd);
}

}  // namespace

size_t kill_below(const Root* roots, size_t count, const Spared& spared) {
  Everybody all;
  const bool fine = read_all(all);
  mark(all, roots, count, spared);
  size_t acting = 0;
  for (size_t i = 0; i < all.count; ++i) {
    const One& one = all.ones[i];
    if (!one.below) continue;
    kill_one(one);
    if (can_act(one.stat)) ++acting;
  }
  free(all.ones);
  return fine ? acting : acting + 1;
}

pid_t daemon_of(int dir) {
  return dir < 0 ? 0 : locked_by(dir, "../daemon.lock");
}

}  // namespace pawl::holder
