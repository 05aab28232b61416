#include "mcp/subscriptions.h"

#include <algorithm>

#include "mcp/protocol.h"

namespace pawl::mcp {

bool Subscriptions::add(const Json& listen, const std::string& uri) {
  const auto resource = resource_from(uri);
  if (!resource) return false;
  for (const Entry& entry : entries_)
    if (entry.listen == listen && entry.uri == uri) return true;
  if (entries_.size() >= kMaxSubscriptions) return false;
  entries_.push_back({listen, uri, *resource});
  return true;
}

void Subscriptions::remove(const std::string& uri) {
  std::erase_if(entries_,
                [&](const Entry& entry) { return entry.listen.is_null() && entry.uri == uri; });
}

bool Subscriptions::open(const Json& listen) {
  if (listens_.size() >= kMaxListens) return false;
  listens_.push_back(listen);
  return true;
}

bool Subscriptions::close(const Json& listen) {
  std::erase_if(entries_, [&](const Entry& entry) { return entry.listen == listen; });
  return std::erase(listens_, listen) > 0;
}

bool Subscriptions::listens(const Json& id) const {
  return std::find(listens_.begin(), listens_.end(), id) != listens_.end();
}

bool Subscriptions::any_of(Resource::Of of) const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [&](const Entry& entry) { return entry.resource.of == of; });
}

void Subscriptions::changed(Resource::Of of, const std::string& name) {
  for (Entry& entry : entries_)
    if (entry.resource.of == Resource::Of::fleet ||
        (entry.resource.of == of && entry.resource.name == name))
      entry.changed = true;
}

void Subscriptions::agent_changed(const std::string& name) {
  changed(Resource::Of::agent, name);
}
void Subscriptions::task_changed(const std::string& name) {
  changed(Resource::Of::task, name);
}

void Subscriptions::all_changed(Resource::Of of) {
  for (Entry& entry : entries_)
    if (entry.resource.of == of || entry.resource.of == Resource::Of::fleet) entry.changed = true;
}

std::vector<Json> Subscriptions::due(MonoTime now) {
  std::vector<Json> out;
  for (Entry& entry : entries_) {
    if (!entry.changed || entry.not_before > now) continue;
    entry.changed = false;
    entry.not_before = now + kTellEvery;
    Json params = Json::object({{"uri", entry.uri}});
    if (!entry.listen.is_null())
      params.set("_meta", Json::object({{std::string(kSubscriptionKey), entry.listen}}));
    out.push_back(notification("notifications/resources/updated", std::move(params)));
  }
  return out;
}

std::optional<MonoTime> Subscriptions::wake_at() const {
  std::optional<MonoTime> at;
  for (const Entry& entry : entries_)
    if (entry.changed) at = earlier(at, entry.not_before);
  return at;
}

}  // namespace pawl::mcp
