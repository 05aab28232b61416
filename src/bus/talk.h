#pragma once
// The daemon's end, seen from here: frames of fleet/bus_wire.h on our standard input and output. When it ends, or says what makes no
// sense, or does not read what it is told, we end.

#include <functional>
#include <string>

#include "api/frame.h"
#include "fleet/bus_wire.h"
#include "os/fd.h"
#include "os/loop.h"

namespace pawl::bus {

inline constexpr size_t kMuchUnread = 4u << 20;   // from then on less is read from the bus
inline constexpr size_t kMostUnread = 64u << 20;  // then it does not read at all

class Talk {
 public:
  struct Events {
    std::function<void(const fleet::ToBus&)> said;
    std::function<void(const std::string& because)> over;  // empty: it has ended
    std::function<void(bool much)> unread;
  };
  Talk(os::Loop& loop, Events events);

  void say(const fleet::FromBus& news);

 private:
  void read();
  void write();
  void end(const std::string& because);

  Events events_;
  api::FrameReader reader_;
  std::string out_;
  size_t written_ = 0;
  bool much_ = false, over_ = false;
  os::Fd in_, out_fd_;
  os::FdWatch in_watch_, out_watch_;
};

}  // namespace pawl::bus
