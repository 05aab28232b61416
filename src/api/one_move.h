#pragma once
// One move on its way, as a machine of steps (one_move.cpp) and what it has to do with the other machine (one_move_there.cpp): for mover.cpp
// alone.

#include "api/line.h"
#include "api/mover.h"

namespace pawl::api {

// Its clocks.
inline constexpr Duration kMovePoll = std::chrono::milliseconds{250};
inline constexpr Duration kMoveAnswers = std::chrono::seconds{30};  // one question
inline constexpr Duration kMoveAsks = std::chrono::seconds{40};
inline constexpr Duration kMoveEnds = std::chrono::seconds{90};
inline constexpr Duration kMoveLooks = std::chrono::minutes{5},
                          kMoveReads = std::chrono::seconds{20};
inline constexpr Duration kMoveTidies =
    std::chrono::seconds{8};  // what was sent, when it never ran there
inline constexpr Duration kMoveAlive = std::chrono::seconds{90};   // from its start there
inline constexpr Duration kMovePerson = std::chrono::minutes{10};  // … when it asks a person first
inline constexpr Duration kMoveStays = std::chrono::seconds{1};    // alive for so long
inline constexpr Duration kMoveCalls =
    std::chrono::seconds{2};  // a machine that does not answer, again
inline constexpr Duration kMovePatient = std::chrono::seconds{10};  // … before somebody is told
inline constexpr Duration kMoveUnwatched = std::chrono::seconds{5};
inline constexpr Duration kMoveHurry =
    std::chrono::seconds{30};  // for what is being typed, with --now
inline constexpr const char* kArrive = "arrive";
inline constexpr const char* kArriveLook = "arrive look";

struct MoveAround {
  core::Engine& engine;
  Server& server;
  const Away& away;
  // A move that is on its way still; null: it is over.
  std::function<OneMove*(const std::string& id)> find;
  // Something was asked of the engine: a turn is due.
  std::function<void()> wake;
};

class OneMove {
 public:
  enum class Step {
    waits,
    asks,
    ends,
    looks,
    ships,
    gives,
    starts,
    keeps,
    closes,
    undoes,
    returns,
    over
  };

  OneMove(MoveAround around, std::string id, MoveOrder order, const Clock& now);
  // One of an earlier life: as the journal has it.
  OneMove(MoveAround around, const model::Agent& agent, const Clock& now);

  void turn(const Clock& now);
  void answered(const Clock& now, const core::Answer& answer);
  Done here();
  bool over() const { return step_ == Step::over; }
  const std::string& agent() const { return order_.agent; }
  const MoveStory& story() const { return story_; }
  MonoTime wake_at() const { return next_; }
  void watched(MonoTime now) { watched_ = now; }

 private:
  void tell(std::string text) { story_.told.push_back(std::move(text)); }
  void go(const Clock& now, Step step, Duration limit);
  void step(const Clock& now);
  void wrong(const Clock& now, Error error);
  void wrong(const Clock& now, std::string because) { wrong(now, Error{std::move(because)}); }
  void undone(const Clock& now);
  void end(Result<Json> result);

  void wait(const Clock& now);
  void ask(const Clock& now);
  void look(const Clock& now);
  void ship(const Clock& now);
  void start(const Clock& now);
  void undo(const Clock& now);
  void close(const Clock& now);
  Json outcome() const;
  struct Looking;
  struct Reading;
  void send(std::unique_ptr<Errand> errand);
  std::string held_up(const model::Agent& agent, const Clock& now) const;
  Json brings(const model::Agent& agent) const;
  void seen_there(const Clock& now, const Json& agent);
  void journal(const Clock& now, model::MoveStep step, Step next);

  const model::Agent* own() const;
  // Speaks with the other machine; an error: it is not reached.
  Done open(const Clock& now);
  Done say(const Clock& now, const char* verb, const char* what, Json args = Json::object());
  // The answer to what was said last; nothing: none is there yet. An error: the line is gone.
  Result<std::optional<Result<Json>>> hear(const Clock& now);
  Error said(const Error& error, const char* verb) const;
  std::string from() const;
  void unreached(const Clock& now, const std::string& because);

  MoveAround around_;
  std::string id_;
  MoveOrder order_;
  MoveStory story_;
  Step step_ = Step::waits;
  MonoTime next_{}, limit_{};  // to be looked at again; this step is given up
  MonoTime watched_{}, answer_by_{};
  std::optional<Line> line_;
  bool asked_ = false;  // and not answered
  bool start_asked_ = false, busy_told_ = false, trouble_told_ = false;
  bool looked_ = false, reading_ = false;
  bool away_ = false;                   // an errand is on its way …
  ErrandBox found_ = {};                // … and what it brought; null: nothing, in time
  bool begun_there_ = false;            // that machine knows of it
  bool left_ = false;                   // it is not this machine's: `leaving` is in the journal
  bool given_ = false;                  // it may run there
  std::optional<MonoTime> lost_since_;  // nobody answers
  std::optional<MonoTime> there_since_, well_since_;  // in that machine's journal; alive
  RequestId request_;                                 // of ours, at the engine
  Error error_;                                       // what went wrong
  std::string because_;                               // … in words
  std::string told_there_, state_there_;
  std::string session_id_, transcript_;
  struct File {
    std::string path, name, digest;
    uint64_t size = 0;
  };
  std::vector<File> files_;
  size_t file_ = 0;
  uint64_t offset_ = 0, sent_ = 0;
};

}  // namespace pawl::api
