#pragma once
// Our journal into the stream `events`: every event once, and in order. The journal is the outbox: after an outage, or a life of the
// daemon, it goes on after the last event that the stream has.
//
// Many are under way at once, so one can be lost while a later one arrives. Therefore each says which one it comes after, up to which
// all are known to be there (its floor) and where in the stream that one is: who goes on reads what is there behind the floor, and
// sends what is missing. After a doubt nothing new is sent until that was done.

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fleet/parts/desk.h"

namespace pawl::fleet {

inline constexpr size_t kEventWindow = 256;            // without an answer
inline constexpr size_t kReadsEvents = 256;            // of the journal at once
inline constexpr size_t kMostEventBytes = 256u << 10;  // of one; of more only that it was there
inline constexpr Duration kResumesEvents = std::chrono::seconds{1};  // after a doubt
inline constexpr Duration kReadsBack =
    std::chrono::seconds{20};  // what is behind the floor; then it is asked anew

class Outbox {
 public:
  explicit Outbox(Desk& desk) : desk_(desk) {}

  void journal(uint64_t last);
  void events(const std::vector<JournalEvent>& events);
  void link_changed();
  void reply(const Question& question, const BusReply& reply);
  bool message(const BusMessage& message);  // of our own, read back; false: it is not for us
  void step(bool joined);
  std::optional<MonoTime> wake_at() const;
  // All that the journal has is in the stream, as far as is known.
  bool settled() const { return stage_ == Stage::sending && waits_.empty() && sent_ >= last_; }

 private:
  enum class Stage { off, doubt, asking, back, sending };
  struct Ready {
    JournalEvent event;
    uint64_t after = 0;
  };
  void doubt();
  void newest(const BusReply& reply);
  void begin_sending(uint64_t floor, uint64_t floor_at);
  void read_more();
  void send();
  void acknowledged(uint64_t sequence, uint64_t at);
  void end_follow();

  Desk& desk_;
  Stage stage_ = Stage::off;
  bool joined_ = false;
  MonoTime at_{};      // of the stage: it goes on, or is begun again
  uint64_t last_ = 0;  // of the journal
  uint64_t read_ = 0;  // … up to here it was asked for
  bool reading_ = false;
  std::deque<Ready> ready_;
  uint64_t sent_ = 0;    // … up to here it was sent or is known to be there
  uint64_t before_ = 0;  // the event before the next one that comes from the journal
  uint64_t floor_ = 0, floor_at_ = 0;
  std::map<uint64_t, std::optional<uint64_t>>
      waits_;            // sent: where it is in the stream, once that is known; 0: lost
  bool failed_ = false;  // one of them was not acknowledged
  uint64_t follow_ = 0, back_floor_ = 0, back_until_ = 0;
  std::set<uint64_t> there_;  // behind the floor
};

}  // namespace pawl::fleet
