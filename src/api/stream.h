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
#include "term/strip.h"

namespace pawl::api {

struct StreamContext {
  core::Engine& engine;
  const Clock& now;
  std::string& out;      // encoded frames for the client
  size_t room;           // how much it may grow
  bool leaving = false;  // the daemon ends
};

// Of attached people: it is no fault of the agent's, and the next daemon may be there soon.
inline constexpr const char* kDaemonEnds = "the daemon ends";

tl::unexpected<Error> no_agent(const std::string& name);

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

}  // namespace pawl::api
