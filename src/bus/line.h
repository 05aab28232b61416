#pragma once
// One connection to a NATS server at a time. The only place that knows libnats, whose threads put what they hear into a box here; the loop
// takes it out. Nothing of libnats is called back into, nothing of it is waited for on the loop: reaching a server and letting go of
// one are done by threads of their own, which may hang.
//
// libnats' own reconnecting is off. It would send what was written before the connection broke, long after its asker was told
// that nobody knows what became of it.

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "bus/server.h"
#include "fleet/nkey.h"
#include "os/fd.h"
#include "os/loop.h"

struct __natsConnection;
struct __natsSubscription;

namespace pawl::bus {

inline constexpr size_t kMaxBoxBytes =
    64u << 20;  // more than that is heard at once: the connection is given up
inline constexpr size_t kMaxBoxMessages = 200'000;
inline constexpr size_t kTakenAtOnce = 512, kBytesAtOnce = 2u << 20;  // in one turn of the loop
inline constexpr int kConnectsMs = 3000, kWritesMs = 2000;
inline constexpr int kPingsMs = 2000,
                     kPingsUnanswered = 2;  // a server that is stopped is noticed after six seconds

struct Wanted {
  std::vector<Place> places;
  size_t first = 0;  // which is tried first
  std::string ca;
  std::optional<fleet::NKey> key;
  std::string name;  // shown by the server
};

struct Reached {
  Place place;
  ServerInfo info;
};

struct Heard {
  uint64_t channel = 0;  // of listen()
  std::string subject, reply, value;
  int status = 0;        // it is no message: 404, 408, 409, 503
  std::string words;     // of the status
  bool removed = false;  // a key: it says that the key is gone
  bool busy = false;     // an answer: there is none
};

using Headers = std::vector<std::pair<const char*, std::string>>;
enum class Sent { sent, too_large, broken };

class Line {
 public:
  struct Events {
    std::function<void(const Reached&)> opened;
    std::function<void(const Error&, bool hopeless)> failed;  // hopeless: until somebody mends it
    std::function<void(const std::string& because)> lost;
    std::function<void(Heard&)> heard;
    std::function<void(const std::string& words)> denied;  // by the server's permissions
  };
  Line(os::Loop& loop, Events events);
  ~Line();

  void open(const Wanted& wanted);
  void close();
  bool is_open() const { return connection_ != nullptr; }
  bool listen(const std::string& subject, uint64_t channel);
  void unlisten(uint64_t channel);
  Sent send(const std::string& subject, const std::string& reply, const Headers& headers,
            std::string_view value);
  void flush();           // waits, for a moment
  void rest(bool rests);  // what is heard stays in the box

 private:
  void empty_box();

  Events events_;
  os::Fd bell_;
  uint64_t life_ = 0;  // of a connection: what others say is not heard
  __natsConnection* connection_ = nullptr;
  std::vector<std::pair<uint64_t, __natsSubscription*>> listening_;
  bool rests_ = false;
  os::FdWatch watch_;
};

}  // namespace pawl::bus
