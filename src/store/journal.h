#pragma once
// Durability: the second of the three seams. The turn appends before it acts; when appending fails nothing is done.
// The tests' journal fails on command (store/memory_journal.h); the daemon's is SQLite (store/sqlite_journal.h).

#include <string>
#include <vector>

#include "base/result.h"
#include "model/event.h"
#include "model/fleet.h"
#include "store/filed_tasks.h"

namespace pawl::store {

class Journal {
 public:
  virtual ~Journal() = default;

  // All of them or none. Their Seqs follow the last one without a gap.
  virtual Done append(const std::vector<model::Event>& events) = 0;
  // The fold of everything appended: the newest snapshot and what came after.
  virtual Result<model::Fleet> recover() = 0;
  // Events with a Seq above `after`, oldest first, at most `limit`. Old ones may be gone (retention).
  virtual Result<std::vector<model::Event>> read(Seq after, size_t limit) = 0;
  // The last Seq at or before this time, 0 when there is none: where `--since TIME` starts reading.
  virtual Result<Seq> seq_at(WallTime time) = 0;
  // Tasks that are over and in the fleet no longer.
  virtual FiledTasks& tasks() = 0;
  // For the audit alone (store/audit.h): nothing of the fleet is about it. One that cannot be written is lost.
  virtual void note(WallTime at, const model::Requested& what) { (void)at, (void)what; }
};

}  // namespace pawl::store
