#pragma once
// An agent's inbox: a folder with one file per piece of work. Anybody may put files there with cp, mv or `pawl inbox add`, and
// take them out again. What an agent is given is claimed by a rename first, so that nobody else gets it; it comes back when the
// agent did not live to finish it, and goes to `done` when it did.
//
//   inbox/NAME            waits
//   inbox/claimed/NAME    the agent has it
//   inbox/done/NAME       the agent's turn that got it came to its end; the oldest are dropped
//
// A file may begin with lines "from: WHO" and "priority: high|low", up to an empty line; the rest is the text.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "store/disk.h"

namespace pawl::store {

inline constexpr size_t kItemBytes = 1u << 20;  // of a text; more is named, not shown
inline constexpr size_t kItemsSeen = 10000;     // waiting; more are seen when these are done
inline constexpr size_t kDoneKept = 1000;
inline constexpr size_t kRefusedSeen = 8;  // of what is no file

struct InboxItem {
  std::string name;
  WallTime modified;
  uint64_t size = 0;
  std::string from;
  int priority = 0;  // 1 high, -1 low
  std::string fingerprint() const;
};

class Inbox {
 public:
  Inbox(Disk& disk, std::string dir) : disk_(&disk), dir_(std::move(dir)) {}

  // Names that people and programs use for files they still write are none: ".x", "x.part", "x.tmp", "x~".
  static bool is_item(const std::string& name);

  Result<std::string> add(const std::string& text, const std::string& from, int priority,
                          WallTime now) const;
  std::optional<InboxItem> find(const std::string& name) const;
  std::vector<InboxItem> waiting() const;
  // The same without a look into the files: nothing is known of who they are from. And the names of all that are there, also of
  // those beyond the limit.
  struct Listing {
    std::vector<InboxItem> items;
    std::set<std::string> names;
    bool answers = true;  // false: what is there cannot be seen now, and is not gone
    std::vector<std::pair<std::string, std::string>> refused;  // what is no file, and its kind
  };
  Listing listing() const;
  std::vector<std::string> claimed() const;
  bool has_claimed(const std::string& name) const;
  bool claim(const std::string& name) const;  // false: it is gone
  // Of any file, without the lines at its head; a path in place of what is too long to be typed.
  static std::string text_in(Disk& disk, const std::string& path, size_t limit);
  // Of a claimed one, without the lines at its head; a path in place of what is too long to be typed.
  std::string text(const std::string& name, size_t limit) const;
  bool give_back(const std::string& name) const;
  bool finish(const std::string& name) const;  // claimed or not

 private:
  void refuse(const std::string& name, Listing& out) const;
  std::string at(const std::string& name) const { return dir_ + "/" + name; }
  std::string claimed_at(const std::string& name) const { return dir_ + "/claimed/" + name; }

  Disk* disk_;
  std::string dir_;
};

}  // namespace pawl::store
