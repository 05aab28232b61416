#pragma once
// Verbs that go on: each is a small value with a position, asked to go on after every turn. None keeps a queue: a slow
// client is simply further behind, and reads on from the journal, the recording or the newest screen.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/journal_reader.h"
#include "base/clock.h"
#include "core/face.h"
#include "store/part_file.h"
#include "term/cast.h"
#include "term/paint.h"
#include "term/strip.h"

namespace pawl::api {

struct StreamContext {
  core::Engine& engine;
  const Clock& now;
  std::string& out;  // encoded frames for the client
  size_t room;       // how much it may grow
};

// Why a stream is over: a last reply, or an error.
using StreamEnd = std::optional<Result<Json>>;

class EventStream {
 public:
  // `world`: of whoever reads it (core/parts/showings.h).
  EventStream(Seq after, std::string agent, bool follow, std::string world)
      : reader_(after), agent_(std::move(agent)), world_(std::move(world)), follow_(follow) {}
  StreamEnd pump(StreamContext& context);
  std::optional<MonoTime> wake_at() const { return reader_.wake_at(); }

 private:
  JournalReader reader_;
  std::string agent_, world_;
  bool follow_;
};

// Until each of them has been in one of the states. The answer is the agent as it was then, or {"agents"} when they are several.
class WaitStream {
 public:
  WaitStream(std::vector<std::string> agents, std::set<model::State> states,
             std::optional<MonoTime> deadline, std::string world)
      : agents_(std::move(agents)),
        states_(std::move(states)),
        deadline_(deadline),
        world_(std::move(world)) {}
  StreamEnd pump(StreamContext& context);
  std::optional<MonoTime> wake_at() const { return deadline_; }

 private:
  StreamEnd look(const StreamContext& context, const std::string& name);

  std::vector<std::string> agents_;
  std::map<std::string, Json> reached_;  // by name, as each was then
  std::set<model::State> states_;
  std::optional<MonoTime> deadline_;
  std::string world_;
};

// Follows the recording's files as they are flushed.
class LogStream {
 public:
  LogStream(std::string agent, bool follow, std::optional<size_t> lines, bool raw)
      : agent_(std::move(agent)), follow_(follow), lines_(lines), raw_(raw) {}
  StreamEnd pump(StreamContext& context);
  std::optional<MonoTime> wake_at() const {
    return follow_ ? std::optional(next_flush_) : std::nullopt;
  }

 private:
  void begin(store::Disk& disk, const std::string& dir);
  void go_to(store::Disk& disk, const std::string& part);
  bool read_more(StreamContext& context, const std::string& dir);
  bool take_lines(StreamContext& context, std::string_view lines);
  std::string shown(std::string_view bytes);

  std::string agent_;
  bool follow_;
  std::optional<size_t> lines_;
  bool raw_;
  bool begun_ = false;
  MonoTime next_flush_{};
  store::PartFile part_;  // being read
  uint64_t at_ = 0;       // bytes of it read, whole lines only
  std::string damage_;    // of one that was read
  bool skip_repaint_ = false;
  term::CastDecoder decoder_;
  term::Stripper stripper_;
};

// A person at the terminal. What the person sees is painted from our screen: the program's own bytes never reach them.
struct AttachWish {
  Size size;
  bool read_only = false;
  bool states =
      false;  // hear of every change of the agent's state: {"state": {"state": …, "kind": …}}
  // For browsers: the terminal keeps its size and says it ({"size": {"cols": …, "rows": …}}), and goes on when its program has
  // ended and is started again.
  bool stay = false;
  std::string where = "attach";  // what is typed came from there
};
class AttachStream {
 public:
  AttachStream(std::string agent, AttachWish wish)
      : agent_(std::move(agent)), wish_(std::move(wish)), size_(wish_.size) {}
  StreamEnd pump(StreamContext& context);
  const std::string& agent() const { return agent_; }
  void control(bool wanted) { wish_.read_only = !wanted; }
  void pace(Duration every) { every_ = every; }  // at most one frame in so much time
  void input(core::Engine& engine, const Clock& now, std::string_view keys);
  void resize(core::Engine& engine, const Clock& now, Size size);
  std::optional<MonoTime> wake_at() const { return next_frame_; }

 private:
  void tell(StreamContext& context, const model::Agent& agent);
  void fit(StreamContext& context, Size size);
  void paint(StreamContext& context, const term::Screen& screen, SessionId session, bool over);
  void paint_last(StreamContext& context, const model::Agent& agent);

  std::string agent_;
  AttachWish wish_;
  Size size_;
  Duration every_ = std::chrono::milliseconds{16};
  std::optional<std::pair<model::State, std::string>> told_;  // state and kind
  bool sized_ = false;
  term::Painter painter_;
  SessionId session_;
  uint64_t painted_ = 0;
  bool repaint_ = true;
  std::optional<MonoTime> next_frame_;
  MonoTime last_frame_{};
};

}  // namespace pawl::api
