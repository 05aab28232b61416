#pragma once
// `screen --at`: the screen as it was, from the recording. Finds the part that was being written then, and reads it in slices
// (store/recording_seek.h), some after each turn: a long recording is nobody else's wait. Never touches the agent.

#include <optional>
#include <string>
#include <vector>

#include "api/stream.h"
#include "store/recording_seek.h"
#include "term/terminal.h"

namespace pawl::api {

// The reply of `screen`.
Json screen_json(const term::Screen& screen, bool ansi);
// The last one of its recording: of an agent without a terminal. `damage`: where to say that the recording's end cannot be read.
Result<term::Terminal> last_screen(const core::Engine& engine, const std::string& agent,
                                   std::string* damage = nullptr);

class ScreenAt {
 public:
  ScreenAt(std::string agent, WallTime at, bool ansi)
      : agent_(std::move(agent)), at_(at), ansi_(ansi) {}
  StreamEnd pump(StreamContext& context);
  std::optional<MonoTime> wake_at() const { return next_; }

 private:
  void begin(StreamContext& context);
  StreamEnd find_part(store::Disk& disk);
  StreamEnd read_on();

  std::string agent_;
  WallTime at_;
  bool ansi_;
  bool begun_ = false;
  std::vector<store::Part> parts_;  // not yet looked at; the newest last
  std::optional<WallTime> oldest_;  // where the recordings begin, as far as is known
  SessionId session_;
  std::string unreadable_;  // a part that may have been written then
  std::optional<store::PartSeek> seek_;
  std::optional<term::Terminal> terminal_;
  std::optional<MonoTime> next_;
};

}  // namespace pawl::api
