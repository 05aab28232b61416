#include "host/holder/proc.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace pawl::holder {

// Counted from the last ')': the command's name before it may hold anything.
bool read_stat(pid_t pid, Stat* out) {
  char path[32];
  char text[1024];
  snprintf(path, sizeof path, "/proc/%d/stat", static_cast<int>(pid));
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const ssize_t got = read(fd, text, sizeof text - 1);
  close(fd);
  if (got <= 0) return false;
  text[got] = '\0';
  const char* at = strrchr(text, ')');
  if (!at || at[1] == '\0') return false;
  const char* name = strchr(text, '(');
  if (!name || name++ > at) return false;
  const size_t length = static_cast<size_t>(at - name);
  const size_t kept = length < sizeof out->name ? length : sizeof out->name - 1;
  memcpy(out->name, name, kept);
  out->name[kept] = '\0';
  at += 2;
  out->state = *at;
  for (int field = 3; *at && field < 22; ++field) {
    if (field == 4) out->parent = atoi(at);
    if (field == 5) out->group = atoi(at);
    if (field == 6) out->session = atoi(at);
    if (field == 20) out->threads = atoi(at);
    at = strchr(at, ' ');
    if (!at) return false;
    ++at;
  }
  out->start_ticks = strtoull(at, nullptr, 10);
  return true;
}

// Lines of /proc/locks: "1: FLOCK  ADVISORY  WRITE 4711 fe:01:131 0 EOF".
pid_t locked_by(int dir, const char* name) {
  struct stat file {};
  if (fstatat(dir, name, &file, 0) != 0) return 0;
  FILE* locks = fopen("/proc/locks", "re");
  if (!locks) return 0;
  char line[256];
  pid_t found = 0;
  while (!found && fgets(line, sizeof line, locks)) {
    int pid = 0;
    unsigned first = 0, second = 0;
    unsigned long inode = 0;
    const bool whole =
        sscanf(line, "%*s FLOCK %*s WRITE %d %x:%x:%lu", &pid, &first, &second, &inode) == 4;
    if (whole && inode == file.st_ino && first == major(file.st_dev) &&
        second == minor(file.st_dev))
      found = pid;
  }
  fclose(locks);
  return found;
}

bool group_in_session(pid_t group, pid_t session) {
  if (getsid(group) == session) return true;
  DIR* dir = opendir("/proc");
  if (!dir) return false;
  bool found = false;
  while (const dirent* entry = found ? nullptr : readdir(dir)) {
    const pid_t pid = atoi(entry->d_name);
    Stat stat{};
    found = pid > 0 && read_stat(pid, &stat) && stat.group == group && stat.session == session;
  }
  closedir(dir);
  return found;
}

}  // namespace pawl::holder
