#pragma once
// What comes from outside: messages on `work.<queue>` become units, those on `inbox.<node>.>` items of an agent's inbox. A message is off
// its queue only when what it became is stored; one that comes again becomes the same. Messages that make no sense become units that have
// failed and say why: nothing is lost, nothing is run, and nothing comes for ever.

#include <map>
#include <optional>
#include <string>

#include "fleet/parts/edits.h"

namespace pawl::fleet {

inline constexpr Duration kTakesFor =
    std::chrono::seconds{20};  // one question, while a queue is empty
inline constexpr Duration kComesAgain = std::chrono::seconds{10};  // what could not be kept
inline constexpr Duration kTakesAgain = std::chrono::seconds{2};  // after the server did not answer
inline constexpr size_t kEnoughWaiting =
    2000;  // units: more stays in the queue, which may be as long as it likes
inline constexpr size_t kInboxAtOnce = 16;
inline constexpr size_t kMostKept = 4096;  // bytes of what made no sense

// The unit that a message asks for. `number`: of the message in its queue's stream.
struct Wanted {
  std::string unit, source;
  Json value;
};
Wanted wanted_unit(const std::string& queue, uint64_t number, const std::string& text,
                   WallTime now);

class Intake {
 public:
  Intake(Desk& desk, Units& units, Edits& edits) : desk_(desk), units_(units), edits_(edits) {}

  void link_changed();
  bool message(const BusMessage& message);  // false: it is not for us
  void reply(const Question& question, const BusReply& reply);
  void inboxed(const std::string& token, bool kept);
  void step(bool joined);
  std::optional<MonoTime> wake_at() const;

 private:
  void take(const std::string& queue);
  void work(const std::string& queue, const BusMessage& message);
  void inbox(const BusMessage& message);
  void settle(const std::string& token, bool kept);

  Desk& desk_;
  Units& units_;
  Edits& edits_;
  bool joined_ = false;
  std::map<std::string, MonoTime>
      next_;  // queue (empty: our inbox): when it is asked, if it is not
  std::map<uint64_t, std::string> asked_;   // question: queue
  std::map<uint64_t, std::string> making_;  // edit's number: the message's token
  std::map<std::string, MonoTime> items_;   // tokens of inbox items with the daemon
  uint64_t number_ = 0;
};

}  // namespace pawl::fleet
