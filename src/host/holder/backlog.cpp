#include "host/holder/backlog.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

namespace pawl::holder {
namespace {

constexpr uint64_t kFreeStep = 4u << 20;  // the disk gets acknowledged parts back in steps of this

struct SpillName {
  char text[32];
  explicit SpillName(uint64_t session) {
    snprintf(text, sizeof text, "spill-%llu", static_cast<unsigned long long>(session));
  }
};

size_t smaller(uint64_t a, size_t b) {
  return a < b ? static_cast<size_t>(a) : b;
}

}  // namespace

bool Backlog::spill(int dir, uint64_t session, uint64_t limit) {
  if (file < 0) {
    file = openat(dir, SpillName(session).text, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
                  0600);
    if (file < 0) return false;
    file_at = freed_at = memory_at;
  }
  const uint64_t used = memory_at - freed_at;
  if (used >= limit) return false;
  const size_t wanted = smaller(limit - used, memory.size());
  const ssize_t done =
      pwrite(file, memory.begin(), wanted, static_cast<off_t>(memory_at - file_at));
  if (done <= 0) return false;
  memory.consume(static_cast<size_t>(done));
  memory_at += static_cast<uint64_t>(done);
  return true;
}

void Backlog::acknowledge(uint64_t upto, int dir, uint64_t session) {
  if (upto > end()) upto = end();
  if (upto <= first) return;
  first = upto;
  if (upto < memory_at) return free_acknowledged();
  memory.consume(static_cast<size_t>(upto - memory_at));
  memory_at = upto;
  drop_file(dir, session);
}

size_t Backlog::read(uint64_t offset, char* to, size_t count) const {
  if (offset < first || offset >= end()) return 0;
  if (offset >= memory_at) {
    const size_t skip = static_cast<size_t>(offset - memory_at);
    const size_t some = smaller(memory.size() - skip, count);
    memcpy(to, memory.begin() + skip, some);
    return some;
  }
  const size_t wanted = smaller(memory_at - offset, count);
  const ssize_t got = pread(file, to, wanted, static_cast<off_t>(offset - file_at));
  return got > 0 ? static_cast<size_t>(got) : 0;
}

void Backlog::release(int dir, uint64_t session) {
  memory.release();
  drop_file(dir, session);
}

void Backlog::drop_file(int dir, uint64_t session) {
  if (file < 0) return;
  close(file);
  file = -1;
  unlinkat(dir, SpillName(session).text, 0);
}

// Where the file system cannot punch holes the file keeps counting against the limit until it is
// all acknowledged.
void Backlog::free_acknowledged() {
  if (file < 0 || first - freed_at < kFreeStep) return;
  const off_t from = static_cast<off_t>(freed_at - file_at);
  const off_t length = static_cast<off_t>(first - freed_at);
  if (fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, from, length) == 0)
    freed_at = first;
}

}  // namespace pawl::holder
