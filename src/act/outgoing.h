#pragma once
// The messages that wait on one way to a person (a channel), and when each of them goes. Pure: time is an argument, and who
// sends says how it went. daemon/notifier has one of these for each channel; outgoing_test.cpp has an hour of trouble in a
// millisecond.
//
// Who is told of what:
//   warnings and errors; what is only information is in `pawl events` and goes to nobody
//   of a matter of an agent once in kMatterEvery, unless it became worse; without a matter its text is what it is about
// Never a flood:
//   at most kMessages begin in any kMessagesIn; those that come too fast wait until one may begin again, and go as ONE digest
//   errors have kErrors more: however many warnings came before, an error goes at once, and overtakes those that wait
//   kWaiting wait at most: the oldest are dropped, warnings first, and the digest counts them
// One is sent at a time. When it fails it is tried again after each of kRetryAfter and then given up; meanwhile the others
// wait, and after it was given up they go as one digest: a channel that is dead for long is not hammered. An error does not wait for
// a warning that is tried again.

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "act/message.h"
#include "base/clock.h"

namespace pawl::act {

inline constexpr Duration kMatterEvery = std::chrono::hours{1};
inline constexpr size_t kMattersKept = 1000;  // then the one told longest ago may be told again
inline constexpr size_t kMessages = 3;
inline constexpr size_t kErrors = 3;  // … beside them
inline constexpr Duration kMessagesIn = std::chrono::seconds{60};
inline constexpr size_t kWaiting = 200;
inline constexpr size_t kDigestBytes =
    1500;  // of a digest's text; then it says how many more there are
inline constexpr std::array<Duration, 5> kRetryAfter{
    std::chrono::seconds{5}, std::chrono::seconds{15}, std::chrono::seconds{45},
    std::chrono::minutes{2}, std::chrono::minutes{5}};

class Outgoing {
 public:
  // False: nobody is to be told, or was just now.
  bool add(MonoTime now, Message message);

  // What has to be sent now; sent() or failed() tells how that went, and nothing else goes before.
  std::optional<Message> next(const Clock& now);
  void sent();
  // Given up, and never told: how many messages that were. 0: it is tried again.
  size_t failed(MonoTime now);

  // When next() has something again; nothing while one is being sent, or none waits.
  std::optional<MonoTime> wake_at() const;
  // How many were not sent yet.
  size_t unsent() const;
  // Nothing waits and nothing has to be remembered.
  bool idle(MonoTime now) const;

 private:
  using Matter = std::pair<std::string, std::string>;  // agent, and what it is about
  struct Told {
    MonoTime at;
    bool error = false;
  };
  struct Waiting {
    Message message;
    bool late = false;  // came too fast: goes in a digest
  };
  // What is on its way, or is tried again.
  struct Parcel {
    Message message;
    std::vector<Matter> matters;  // of every message in it
    size_t messages = 1;
    size_t tries = 0;
    bool under_way = false;
    MonoTime again{};
  };

  static Matter matter_of(const Message& message);
  static MonoTime over(MonoTime begun) { return begun + kMessagesIn; }
  void forget_old(MonoTime now);
  bool room_for(bool error) const;
  bool error_waits() const;
  bool overtaken() const;
  std::vector<size_t> next_ones() const;
  void pack(const Clock& now, const std::vector<size_t>& which);
  Message digest(const Clock& now, const std::vector<Message>& all) const;

  std::map<Matter, Told> told_;
  std::deque<Waiting> waiting_;
  size_t dropped_ = 0;
  std::deque<MonoTime> begun_;  // within the last kMessagesIn
  std::optional<Parcel> parcel_;
  std::optional<Parcel> aside_;  // a warning's that is tried again, while an error goes
};

}  // namespace pawl::act
