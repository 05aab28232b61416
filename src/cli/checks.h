#pragma once
// What `pawl doctor` looks at beyond the machine itself: the journal, the sockets, the daemon's limits and the holders. Each finding
// says what to do.

#include <string>
#include <vector>

#include "base/json.h"

namespace pawl::cli {

struct Check {
  std::string name;
  enum class Grade { good, warning, bad } grade = Grade::good;
  std::string found;
  std::string fix;
};
using Checks = std::vector<Check>;

Check journal_check(const std::string& home);
// Who answers at the daemon's socket; nothing is said when nobody does.
void add_socket(const std::string& home, Checks& checks);
// How near the daemon is to the end of its descriptors.
void add_descriptors(long pid, Checks& checks);
void add_holders(const std::string& home, Checks& checks);
// What the home holds of the past, and how much it may; `status` is the answer to that.
void add_kept(const Json& status, Checks& checks);
// Who keeps memory and CPU limits here; `status` is the daemon's.
void add_limits(const Json& status, Checks& checks);
// Running programs that are not in the journal; `list` is the answer to ls.
void add_strangers(const Json& list, Checks& checks);

}  // namespace pawl::cli
