#pragma once
// Who is to be looked at when. Whoever is not due costs nothing: asking for those that are takes no look at the others.

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace pawl {

template <class Key, class Time>
class Agenda {
 public:
  // One time for each: a later word replaces the earlier one.
  void set(const Key& key, Time when) {
    const auto [it, fresh] = at_.try_emplace(key, when);
    if (!fresh) {
      if (it->second == when) return;
      order_.erase({it->second, key});
      it->second = when;
    }
    order_.insert({when, key});
  }
  void drop(const Key& key) {
    const auto it = at_.find(key);
    if (it == at_.end()) return;
    order_.erase({it->second, key});
    at_.erase(it);
  }
  bool contains(const Key& key) const { return at_.contains(key); }
  Time at(const Key& key) const { return at_.at(key); }
  // The earliest first; they stay until they are set anew or dropped.
  std::vector<Key> due(Time now) const {
    std::vector<Key> out;
    for (const auto& [when, key] : order_) {
      if (when > now) break;
      out.push_back(key);
    }
    return out;
  }
  std::optional<Time> first() const {
    return order_.empty() ? std::nullopt : std::optional(order_.begin()->first);
  }
  // The first that is not due yet.
  std::optional<Time> next(Time now) const {
    for (const auto& [when, key] : order_)
      if (when > now) return when;
    return std::nullopt;
  }

 private:
  std::map<Key, Time> at_;
  std::set<std::pair<Time, Key>> order_;
};

}  // namespace pawl
