#pragma once
// Items of the fleet's stream `inbox` for agents of this machine, from programs outside and from machines to which this one was away
// (doc/fleet.md, "Items from outside"). Each is put into its agent's inbox once, under the name it has in the stream and by its content.
// What makes no sense is put aside; what is for an agent that does not exist is waited with, and then put aside as well.

#include <functional>
#include <map>
#include <string>

#include "core/face.h"
#include "fleet/member_values.h"

namespace pawl::daemon {

inline constexpr Duration kAgentAwaited = std::chrono::minutes{15};
inline constexpr size_t kItemsAwaited = 1000;  // more than these are put aside at once
inline constexpr size_t kItemsAside = 1000;    // then they stay on the bus, and it is said

// What an item says: its text as it came, or {"text", "from", "priority"}. Empty text: it is garbage.
struct OutsideItem {
  std::string text, from;
  int priority = 0;
};
OutsideItem outside_item(const std::string& value);

class BusInbox {
 public:
  using Tell = std::function<void(model::Severity, const std::string&)>;
  BusInbox(core::Engine& engine, std::string home, Tell tell)
      : engine_(engine), home_(std::move(home)), tell_(std::move(tell)) {}

  // True: it is kept here, and may leave the stream. False: it comes again in a while.
  bool take(MonoTime now, const fleet::InboxItem& item);

 private:
  bool give(const fleet::InboxItem& item, const OutsideItem& said);
  bool await(MonoTime now, const fleet::InboxItem& item);
  bool put_aside(MonoTime now, const fleet::InboxItem& item, const std::string& because);
  void tell_once(MonoTime now, const std::string& matter, const std::string& text);

  core::Engine& engine_;
  std::string home_;
  Tell tell_;
  std::map<std::string, MonoTime> awaited_;  // item: since when
  std::map<std::string, MonoTime> told_;     // matter: when
};

}  // namespace pawl::daemon
