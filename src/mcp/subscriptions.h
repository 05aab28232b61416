#pragma once
// Which resources the client wants to hear of, and what is to be said to it. Old clients subscribe one by one (resources/subscribe),
// new ones with a request that stays open (subscriptions/listen). A resource that changes often is told of once a second. Pure; time
// is an argument. For server.h.

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "mcp/resources.h"

namespace pawl::mcp {

inline constexpr size_t kMaxSubscriptions = 256;
inline constexpr size_t kMaxListens = 16;
inline constexpr Duration kTellEvery = std::chrono::seconds{1};  // of one resource

class Subscriptions {
 public:
  // `listen`: the id of the request that stays open; null: of an old client.
  bool add(const Json& listen, const std::string& uri);  // false: no such resource, or no room
  void remove(const std::string& uri);                   // of an old client
  bool open(const Json& listen);                         // false: too many
  bool close(const Json& listen);                        // false: there is none
  bool listens(const Json& id) const;

  // Whose events are needed.
  bool any_of(Resource::Of of) const;
  bool none() const { return entries_.empty(); }

  void agent_changed(const std::string& name);
  void task_changed(const std::string& name);
  void all_changed(Resource::Of of);  // nobody knows what: events were missed

  std::vector<Json> due(MonoTime now);  // notifications/resources/updated
  std::optional<MonoTime> wake_at() const;

 private:
  struct Entry {
    Json listen;
    std::string uri;
    Resource resource;
    bool changed = false;
    MonoTime not_before = {};
  };
  void changed(Resource::Of of, const std::string& name);

  std::vector<Entry> entries_;
  std::vector<Json> listens_;
};

}  // namespace pawl::mcp
