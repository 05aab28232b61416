#pragma once
// What the daemon is told without asking again: the watched buckets, and the follows it asked for. All of it is over with its connection.

#include <functional>
#include <map>
#include <memory>

#include "bus/reading.h"
#include "fleet/bus.h"

namespace pawl::bus {

inline constexpr size_t kMaxFollows = 16;

class Follows {
 public:
  struct Events {
    std::function<void(fleet::BusNews)> news;
    std::function<void(const std::string& because)> failed;  // of one: the connection is made anew
  };
  Follows(os::Loop& loop, Line& line, Questions& questions, Events events);

  void begin(const std::string& fleet);  // on a connection that is new: all buckets but blobs
  void clear();
  void follow(const fleet::BusAsk& ask);
  void unfollow(uint64_t id);
  bool heard(const Heard& heard);  // it was for one of us

 private:
  void watch(fleet::Bucket bucket);
  void read(const fleet::BusAsk& ask, const Stream& stream, uint64_t last);
  void entry(fleet::Bucket bucket, const Heard& heard, uint64_t sequence);
  void start(uint64_t id, Reading::Plan plan, Reading::Events events);

  os::Loop& loop_;
  Line& line_;
  Questions& questions_;
  Events events_;
  std::string fleet_;
  std::map<fleet::Bucket, uint64_t> told_;  // of a bucket, the last one
  uint64_t next_ = kFirstChannel;
  std::map<uint64_t, std::unique_ptr<Reading>> by_channel_;
  std::map<uint64_t, uint64_t> channel_of_;  // of a follow, by its id; 0: it is being started
};

}  // namespace pawl::bus
