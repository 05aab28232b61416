#pragma once
// Items for agents of nodes that are away: put on the stream `inbox`, where their node finds them when it is back. Said again under the
// same message id after an answer that did not come, which the server keeps once.

#include <map>
#include <optional>
#include <string>

#include "fleet/parts/desk.h"

namespace pawl::fleet {

inline constexpr Duration kItemWithin = std::chrono::seconds{7};
inline constexpr Duration kItemAgain = std::chrono::seconds{1};
inline constexpr size_t kMostItemsSent = 64;  // at the same time
inline constexpr size_t kMostItemBytes = 384u << 10;

class Items {
 public:
  explicit Items(Desk& desk) : desk_(desk) {}

  // The answer is the order Submitted.
  void send(uint64_t ticket, const std::string& node, const std::string& agent, std::string value);
  void link_changed();
  void reply(const Question& question, const BusReply& reply);
  void step();
  std::optional<MonoTime> wake_at() const;

 private:
  struct Item {
    std::string subject, value, message_id;
    bool asking = false;
    MonoTime until{}, again{};
  };
  void drive(uint64_t ticket, Item& item);
  void over(uint64_t ticket, bool done, std::string because);

  Desk& desk_;
  std::map<uint64_t, Item> items_;  // by ticket
};

}  // namespace pawl::fleet
