#pragma once
// The connection to one holder: greets, cuts what it says into frames, queues what we say. Owned by
// PtyHost, which is told about every readiness and reads when it has room. Knows nothing about
// sessions.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "host/frames.h"
#include "os/fd.h"
#include "os/loop.h"
#include "os/process.h"

namespace pawl::host {

// Frames for a holder that does not read: writes are refused above the first limit, everything
// above the second.
constexpr size_t kWriteQueueLimit = 4u << 20;
constexpr size_t kQueueLimit = 8u << 20;

class HolderLink {
 public:
  enum class State { greeting, ready, lost };

  // `on_readable` may call receive(); it must not destroy the link.
  HolderLink(os::Loop& loop, unsigned number, std::function<void(HolderLink&)> on_readable);

  void connect(os::Fd fd);  // also anew, after lost()
  unsigned number() const { return number_; }
  State state() const { return state_; }
  int fd() const { return fd_.get(); }
  size_t queued() const { return held_.size() + out_.size(); }

  // Kept back until the holder has greeted. False when the queue is full: nothing is queued then.
  bool send(std::string_view frame, size_t limit = kQueueLimit);
  // Reads what is there (at most about `limit` bytes) for next(). False: the connection is over.
  bool receive(size_t limit);
  std::optional<Frame> next() { return reader_.next(); }
  bool broken() const { return reader_.broken(); }
  void greeted();  // the holder's hello was good: lets go of the frames kept back
  void lose();
  void pause(bool paused);  // stop watching for output

  // Written by PtyHost.
  os::ProcessId process = {};  // the holder's, as it said
  uint16_t version =
      wire::kVersion;         // that it speaks; until it has greeted: ours, if it was started here
  size_t live = 0;            // sessions with a living child
  size_t total = 0;           // all sessions
  size_t to_be_found = 0;     // Found frames still missing after the hello
  bool started_here = false;  // by us, not by the daemon before
  bool ever_greeted = false;
  std::optional<HolderSeen::What> told = {};  // people know that it is stopped or silent
  int reconnects = 0;

 private:
  void flush();
  void update_watch();

  os::Loop& loop_;
  unsigned number_;
  std::function<void(HolderLink&)> on_readable_;
  os::Fd fd_;
  std::optional<os::FdWatch> watch_;  // before fd_ goes, this must
  State state_ = State::lost;
  bool paused_ = false;
  FrameReader reader_;
  std::string held_;  // until the hello
  std::string out_;
  size_t out_at_ = 0;
};

}  // namespace pawl::host
