#pragma once
// Which configuration files a person approved (`pawl trust`): the place and the content of each, as direnv keeps it. One file in
// PAWL_HOME, `trust`, 0600 and whole. What cannot be read is an error and approves nothing.

#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "store/disk.h"

namespace pawl::store {

inline constexpr const char* kApprovalsName = "trust";
inline constexpr size_t kMaxApprovals = 1000;           // the oldest is forgotten then
inline constexpr size_t kMaxApprovalsBytes = 8u << 20;  // of the file

struct Approval {
  std::string path;    // absolute
  std::string digest;  // SHA-256 of the text, as 64 hexadecimal digits
  WallTime at;
  bool operator==(const Approval&) const = default;
};

class Approvals {
 public:
  // No file: nothing was approved.
  static Result<Approvals> load(Disk& disk, const std::string& home);
  Done save(Disk& disk, const std::string& home) const;

  const std::vector<Approval>& all() const { return all_; }  // the oldest first
  const Approval* find(const std::string& path) const;       // null: never approved
  void add(Approval approval);                               // in place of what its path had
  bool forget(const std::string& path);                      // false: there was none

 private:
  std::vector<Approval> all_;
};

}  // namespace pawl::store
