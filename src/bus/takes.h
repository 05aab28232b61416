#pragma once
// Messages of work queues: taken one at a time, held by saying so again and again, done or given back. What is held when we end, or when
// the daemon is silent, comes back to the queue by itself after kAckWait.

#include <deque>
#include <functional>
#include <map>
#include <string>

#include "bus/questions.h"
#include "bus/stores.h"
#include "fleet/bus.h"

namespace pawl::bus {

inline constexpr size_t kMaxHeld = 256;  // and takes that wait
inline constexpr Duration kHeldSaid = std::chrono::seconds{10};
inline constexpr Duration kTakeLate = std::chrono::seconds{2};  // after its limit: nobody knows

class Takes {
 public:
  Takes(os::Loop& loop, Line& line, Questions& questions, std::function<void(fleet::BusNews)> news);

  void begin(const std::string& fleet, const std::string& node);
  void clear();
  void take(const fleet::BusAsk& ask);
  void done(const fleet::BusAsk& ask);
  void back(const fleet::BusAsk& ask);
  bool heard(const Heard& heard);  // it was for one of us
  void give_all_back();
  size_t held() const { return held_.size(); }

 private:
  struct Waiting {
    uint64_t id;
    Duration limit;
    MonoTime by;
  };
  struct Queue {
    QueueReader reader;
    uint64_t channel = 0;
    bool ready = false;
    std::deque<Waiting> waiting;
  };
  Queue& queue_of(const QueueReader& reader);
  void made(const std::string& filter, const Answer& answer);
  void pull(const Queue& queue, const Waiting& waiting);
  void came(Queue& queue, const Heard& heard);
  void end_all(Queue& queue, fleet::BusEnd end, const std::string& because);
  void look();
  void arm();

  Line& line_;
  Questions& questions_;
  std::function<void(fleet::BusNews)> news_;
  std::string fleet_, node_;
  std::map<std::string, Queue> queues_;             // by what they filter
  std::map<std::string, std::string> held_;         // token: where it is acknowledged
  uint64_t tokens_ = 0, next_ = uint64_t{1} << 30;  // channels of their own
  os::Timer held_timer_, late_timer_;
};

}  // namespace pawl::bus
