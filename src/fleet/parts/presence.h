#pragma once
// Who is there. Our own entry in the bucket `nodes` is renewed by compare-and-set, so that two nodes of one name see each other: the
// second, whose id differs, is refused for as long as the first one renews. The others are looked at: NATS 2.9 tells nobody that a key
// expired, so a node that was not heard for kSilent is offline.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fleet/parts/desk.h"

namespace pawl::fleet {

inline constexpr Duration kRenewsName = std::chrono::seconds{4};
inline constexpr Duration kSilent = std::chrono::seconds{12};
inline constexpr Duration kLooksAround = std::chrono::seconds{1};
inline constexpr Duration kTriesName =
    std::chrono::seconds{1};  // after an answer that did not come
inline constexpr Duration kClockOff = std::chrono::seconds{60};  // people are told
inline constexpr Duration kClocksAgree =
    std::chrono::seconds{2};  // two that differ by less: that is how long news take
inline constexpr size_t kMostNodes = 1000;
inline constexpr size_t kMostIdBytes = 128;

class Presence {
 public:
  explicit Presence(Desk& desk) : desk_(desk) {}

  void link_changed();
  void entry(const BusEntry& entry);
  void caught_up();
  void reply(const Question& question, const BusReply& reply);
  void step();
  std::optional<MonoTime> wake_at() const;
  void capacity(const Capacity& capacity) { capacity_ = capacity; }
  void leave();

  bool joined() const { return stage_ == Stage::joined && desk_.up; }
  const std::string& refused() const { return refused_; }  // why; empty: it is not
  std::vector<NodeSeen> nodes() const;
  // Grows whenever something else is known about somebody's clock.
  uint64_t clocks() const { return clocks_; }
  bool online(const std::string& node) const;
  const NodeSeen* find(const std::string& node) const;

 private:
  enum class Stage { away, reading, creating, renewing, watching, joined, left };
  struct Known {
    NodeSeen seen;
    uint64_t revision = 0;
    MonoTime heard{};
    bool told = false;  // since the link came up
  };
  void ask(BusOp op);
  void found(const BusReply& reply);
  void another(const std::string& id, const BusReply& reply);
  void again(Duration after);
  std::string value() const;
  void heard(Known& known, const BusEntry& entry, const Json& value);
  void garbage(const std::string& key);
  void newer(const std::string& node, const Json& value);
  void turn(Known& known, bool online, std::string because);

  Desk& desk_;
  Capacity capacity_;
  Stage stage_ = Stage::away;
  bool asking_ = false;
  uint64_t revision_ = 0;
  MonoTime next_{};  // our entry is looked after
  std::string refused_;
  uint64_t other_revision_ = 0;  // of somebody else's entry under our name
  MonoTime other_moved_{};
  bool snapshot_ = false;  // entries tell how it is, not what is new
  std::map<std::string, Known> known_;
  MonoTime look_{};
  uint64_t clocks_ = 0;
};

}  // namespace pawl::fleet
