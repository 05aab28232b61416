#pragma once
// Questions to the server and to other nodes, many at a time: each has an answer within its limit, or none. They are over with their
// connection: nobody is told then, because the daemon's end tells everybody.

#include <functional>
#include <map>
#include <set>
#include <string>

#include "bus/line.h"
#include "os/loop.h"

namespace pawl::bus {

inline constexpr uint64_t kRepliesChannel = 1, kCommandsChannel = 2, kFirstChannel = 16;

struct Answer {
  enum class How { came, late, denied, too_large };
  How how = How::late;
  Heard heard = {};
};

class Questions {
 public:
  using Then = std::function<void(const Answer&)>;
  Questions(os::Loop& loop, Line& line);

  // On a connection that is new. `prefix`: where answers to us may come.
  bool begin(const std::string& prefix);
  void clear();
  // Where others of this connection may be answered; a name makes it theirs.
  std::string inbox(const std::string& name) const { return inbox_ + "." + name; }

  // Its number. 0: the connection is broken, and `then` is not called.
  uint64_t ask(const std::string& subject, const Headers& headers, std::string_view value,
               Duration limit, Then then);
  void forget(uint64_t number);  // whoever asked is not there any more
  void heard(const Heard& heard);
  void denied(const std::string& words);  // "… "pawl.home.events.lap.x""
  size_t size() const { return open_.size(); }

 private:
  struct Open {
    MonoTime by;
    std::string subject;
    Then then;
  };
  void answer(uint64_t number, const Answer& with);
  void look();
  void arm();

  Line& line_;
  std::string inbox_;
  uint64_t last_ = 0;
  std::map<uint64_t, Open> open_;
  std::set<std::pair<MonoTime, uint64_t>> by_;
  os::Timer timer_;
};

}  // namespace pawl::bus
