#pragma once
// The events of the others, each once and in its node's order: one that came before its time is held until the one it follows is there.
// That one is on its way, because its node sends again what was not acknowledged; unless the floor of a later one says that it was in the
// stream before (outbox.h): then it was there before we came, or has left the store. Nor is anything held for ever.

#include <map>
#include <optional>
#include <string>

#include "fleet/parts/desk.h"

namespace pawl::fleet {

inline constexpr size_t kHeldEvents = 1024;                         // of one node
inline constexpr Duration kHoldsEvents = std::chrono::minutes{10};  // for one that is missing
inline constexpr Duration kFollowsAgain =
    std::chrono::seconds{5};  // after the follow was not taken
inline constexpr size_t kMostWriters = 1000;

class Reader {
 public:
  explicit Reader(Desk& desk) : desk_(desk) {}

  void link_changed();
  void reply(const Question& question, const BusReply& reply);
  bool message(const BusMessage& message);  // false: not of our follow
  void step();
  std::optional<MonoTime> wake_at() const;

 private:
  struct Held {
    RemoteEvent event;
    uint64_t after = 0, floor = 0;
    MonoTime since{};
  };
  struct Writer {
    std::string id;
    bool begun = false;
    uint64_t last = 0;
    uint64_t floor = 0;  // what was to come up to here has come
    std::map<uint64_t, Held> held;
  };
  void took(Writer& writer, Held next);
  void give(Writer& writer, Held held);
  void give_all(Writer& writer);

  Desk& desk_;
  uint64_t follow_ = 0;
  uint64_t at_ = 0;  // of the stream
  std::optional<MonoTime> again_;
  std::map<std::string, Writer> writers_;
  std::optional<MonoTime> look_;  // at what is held
};

}  // namespace pawl::fleet
