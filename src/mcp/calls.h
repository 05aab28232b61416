#pragma once
// Requests of the client that wait for the daemon: which they are, how many there may be, and who is told how long they have taken.
// Pure; time is an argument. For server.h.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "mcp/protocol.h"
#include "mcp/resources.h"
#include "mcp/results.h"
#include "mcp/tools.h"

namespace pawl::mcp {

inline constexpr size_t kMaxCalls = 64;  // at a time: each is a connection to the daemon
inline constexpr size_t kMaxWaits = 32;  // … of these waits, so that looking is always possible
inline constexpr Duration kProgressEvery = std::chrono::seconds{10};

struct Call {
  Json id;
  Revision revision = Revision::november_2025;
  enum class For { tool, resource, agents, tasks } what = For::tool;
  const Tool* tool = nullptr;
  Resource resource = {};
  std::string uri = {};
  Json agents = {};  // of a list of resources: the first answer
  Before before = {};
  // Of waits whose client asked for it.
  Json progress = {};
  std::string about = {};
  double total_s = 0;
  MonoTime begun = {};
  std::optional<MonoTime> tell_at = {};

  bool waits() const { return tool && tool->has(kWaits); }
};

class Calls {
 public:
  // Why there is no room for another; nothing: there is.
  std::optional<Error> full(bool waits) const;
  void add(uint64_t ask, Call call) { calls_.insert_or_assign(ask, std::move(call)); }
  Call* find(uint64_t ask);
  std::optional<Call> take(uint64_t ask);
  // The ask of a request of the client.
  std::optional<uint64_t> asked_by(const Json& id) const;

  // notifications/progress that are due.
  std::vector<Json> progress(MonoTime now);
  std::optional<MonoTime> wake_at() const;

 private:
  std::map<uint64_t, Call> calls_;
};

}  // namespace pawl::mcp
