#pragma once
// The output of one session that the daemon has not acknowledged yet: the newest part in memory,
// the older part, when there is too much of it, in a spill file. Offsets count from the start of
// the session.
//
//   0 ........ first ======== memory_at -------- end()
//   forgotten   | in the file (if any)|  in memory |
//
// Loses nothing: when memory is full and the file cannot take more, room() is 0 and the caller
// stops reading.

#include <stdint.h>

#include "host/holder/bytes.h"

namespace pawl::holder {

constexpr size_t kMemoryLimit = 256u << 10;
constexpr uint64_t kSpillLimit = 1ull << 30;

struct Backlog {
  Bytes memory;
  uint64_t first = 0;      // the oldest byte held
  uint64_t memory_at = 0;  // offset of memory's first byte
  int file = -1;
  uint64_t file_at = 0;   // offset of the file's byte 0
  uint64_t freed_at = 0;  // everything of the file before this offset was given back to the disk

  uint64_t end() const { return memory_at + memory.size(); }
  size_t room() const { return memory.size() < kMemoryLimit ? kMemoryLimit - memory.size() : 0; }

  // At most room() bytes. False when memory is short; nothing is taken then.
  bool append(const char* bytes, size_t count) { return memory.append(bytes, count); }
  // Moves memory to the file DIR/spill-SESSION. False when nothing could be moved (limit, disk
  // full).
  bool spill(int dir, uint64_t session, uint64_t limit = kSpillLimit);
  void acknowledge(uint64_t upto, int dir, uint64_t session);
  // Copies up to `count` bytes from `offset` on; 0 at the end or when the file cannot be read.
  size_t read(uint64_t offset, char* to, size_t count) const;
  void release(int dir, uint64_t session);

 private:
  void drop_file(int dir, uint64_t session);
  void free_acknowledged();
};

}  // namespace pawl::holder
