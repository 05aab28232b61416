#pragma once
// Conversations that were put out of the way, each in a folder of its own under the agent's `archive`: the file as it was, and
// where it came from. Nothing is ever deleted here; `pawl archive restore` puts one back.

#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "store/disk.h"

namespace pawl::store {

struct Archived {
  std::string id;      // the folder's name: "2026-11-15T021531.204Z-0f7c.jsonl"
  std::string origin;  // where the file was
  std::string path;    // where it is
  uint64_t bytes = 0;
};

class Archive {
 public:
  Archive(Disk& disk, std::string dir) : disk_(&disk), dir_(std::move(dir)) {}

  bool can_put(const std::string& path) const;  // it is there
  // Moved; also to another disk, then the original goes when the copy is safe.
  Result<Archived> put(const std::string& path, WallTime now) const;
  std::vector<Archived> list() const;  // the oldest first
  // Back to where it was, unless something is there. Gives that place.
  Result<std::string> restore(const std::string& id) const;

 private:
  Disk* disk_;
  std::string dir_;
};

}  // namespace pawl::store
