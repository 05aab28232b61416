#pragma once
// One stream read in order from somewhere on: a reader of the server's ("consumer") is asked for a window of messages at a time, so that
// never more comes than was asked for. When it is lost (its server died, a message went missing), another is made that goes on behind the
// last message told.

#include <functional>
#include <string>

#include "bus/questions.h"
#include "bus/stores.h"

namespace pawl::bus {

inline constexpr int kWindow = 256;
inline constexpr int64_t kWindowBytes = 2 << 20;  // of all readings together less than kMaxBoxBytes
inline constexpr Duration kWindowStays = std::chrono::seconds{30};
inline constexpr Duration kHeartbeats = std::chrono::seconds{3};  // while there is nothing
inline constexpr Duration kWindowLate = std::chrono::seconds{7};  // without anything: it is lost
inline constexpr Duration kReaderMade = std::chrono::seconds{5};
inline constexpr Duration kReaderAgain = std::chrono::milliseconds{500};
inline constexpr int kReaderTries = 6;  // in a row

// What it tells must not destroy it.
class Reading {
 public:
  struct Plan {
    std::string stream, filter;  // on the bus
    From from = From::now;
    uint64_t after = 0;
  };
  struct Events {
    std::function<void(uint64_t after)> began;
    std::function<void(const Heard& message, uint64_t sequence)> told;
    std::function<void()> caught_up;  // once: all that was there has been told
    std::function<void(const std::string& because)> failed;
  };
  Reading(os::Loop& loop, Line& line, Questions& questions, uint64_t channel, Plan plan,
          Events events);
  ~Reading();
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

  void heard(const Heard& heard);

 private:
  void make();
  void made(const Answer& answer);
  void pull();
  void window_over();
  void again(const std::string& because);

  Line& line_;
  Questions& questions_;
  uint64_t channel_;
  Plan plan_;
  Events events_;
  std::string inbox_, reader_;
  uint64_t expected_ = 1;  // the next message's number
  int left_ = 0;           // of the window
  int tries_ = 0;
  bool began_ = false, caught_up_ = false;
  uint64_t asked_ = 0;  // for a reader
  os::Timer timer_;     // the window is lost, or it is tried again
};

}  // namespace pawl::bus
