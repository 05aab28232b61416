#pragma once
// One client: its socket, TLS when it has it, and the version of HTTP it speaks. Bytes go out as fast as it reads; while some wait,
// nothing new is made for it, so that a stalled browser costs one buffer and the fleet nothing.

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "os/loop.h"
#include "os/tls.h"
#include "serve/http1.h"
#include "serve/http2.h"

namespace pawl::serve {

inline constexpr size_t kMaxOut = 64u << 10;                      // made ahead for one client
inline constexpr Duration kHandshake = std::chrono::seconds{10};  // for TLS and the first byte
inline constexpr Duration kWholeRequest = std::chrono::seconds{20};
inline constexpr Duration kKeepAlive = std::chrono::seconds{75};
inline constexpr Duration kRests = std::chrono::milliseconds{50};  // a stranger, at least
inline constexpr Duration kStalled = std::chrono::seconds{30};  // bytes wait, and it does not read

// How it asks for a turn: at once, or with others in a while.
struct Turns {
  std::function<void()> soon, later;
};

class Connection {
 public:
  // `tls` may be null: plain only. With it a plain client is told to come back with https.
  Connection(os::Loop& loop, os::NetStream stream, std::string address, Site& site,
             const os::TlsServer* tls, const Clock& now, const Turns& turns);

  // Answers of a turn, each told once.
  void follow(const Clock& now, const std::vector<core::Answer>& answers);
  // Says what it has to; called after turns, when it is writable, and when its time has come.
  void go_on(const Clock& now);
  bool has_more(const Clock& now) const;  // and could say it
  std::optional<MonoTime> wake_at() const;
  MonoTime deadline() const { return deadline_; }
  bool check_time(const Clock& now);  // true: it is let go because it did not read
  // A stranger who cost too much is not read for a while (patience.h).
  void rest(const Clock& now);

  bool gone() const { return gone_; }
  bool wants_views() const;
  bool live() const;  // a stream, a terminal or a verb under way
  Terminal* terminal() const;

 private:
  void readable();
  void pay(const Clock& now, Duration spent);
  void take_back(const Clock& now);
  bool make(const Clock& now);
  bool begin_speaking();
  void write();
  void watch();
  void set_deadline(const Clock& now);
  template <class Call>
  auto speak(Call&& call) const;

  Site& site_;
  const os::TlsServer* tls_;
  std::string address_;
  os::NetStream stream_;
  const Turns& turns_;
  bool known_ = false;  // it showed a credential
  Account account_;     // … and until then it has this
  Duration paid_{};     // of its address
  std::optional<MonoTime> rests_until_ = {};
  std::variant<std::monostate, std::unique_ptr<Http1>, std::unique_ptr<Http2>> session_;
  std::string out_;
  size_t sent_ = 0;
  MonoTime deadline_;
  MonoTime moved_;  // bytes last went out
  bool gone_ = false;
  os::FdWatch watch_;  // last: withdrawn before the descriptor closes
};

}  // namespace pawl::serve
