#pragma once
// `pawl move AGENT MACHINE`: an agent of this machine goes to another one, with its conversation. Owned by the daemon, so that it comes to
// its end whether or not somebody waits for it; what it does is in the journal before it does it (model/move.h), so that the next daemon
// knows how far it came.
//
//   waits    until it is ready and nobody is at its keyboard; nothing happened yet
//   asks     may it come there? (arrivals.h) Nothing happened yet
//   ends     it is ended here: `leaving`. From now on nothing starts it here
//   looks    at its files, off the loop
//   ships    them, a piece at a time, each after the answer to the one before
//   gives    `given`, in the journal; only then
//   starts   that machine is told to start it, and asked until it is seen there
//   keeps    `gone`: it is that machine's
//   undoes   something went wrong: what is there is removed. Once it was given this has to be confirmed, however long that takes: it may run
//   returns  `back`: it is started again here, in its conversation
//
// So the conversation never runs in both places: here nothing starts it between `leaving` and `back`, there nothing before `given`, and
// `back` comes after `given` only when that machine says that nothing of it is left, or a person says so (here()).

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/away.h"
#include "api/place.h"
#include "api/stream.h"

namespace pawl::api {

class OneMove;
struct Server;

inline constexpr size_t kMaxMoves = 4;                               // at the same time
inline constexpr size_t kMovesRemembered = 16;                       // that are over
inline constexpr Duration kMovePatience = std::chrono::minutes{10};  // for a turn to end

struct MoveOrder {
  std::string agent, machine, there;  // `there`: what it is called there
  std::string dir = {};               // there; empty: the same as here
  bool now = false;                   // its turn is not waited for
  Duration patience = kMovePatience;
  model::Asker by = {};
};

// What is told of a move, for whoever waits for it.
struct MoveStory {
  std::vector<std::string> told;
  std::optional<Result<Json>> end;
};

class Mover {
 public:
  Mover(core::Engine& engine, Server& server, Away away, std::function<void()> wake);
  ~Mover();

  // Moves that an earlier life of the daemon began: undone, or seen to their end.
  void begin_again(const Clock& now);
  // Gives its id; an error: it cannot be begun.
  Result<std::string> begin(const Clock& now, MoveOrder order);
  // A person knows that it does not run there.
  Done here(const std::string& agent);
  // Null: nobody remembers it.
  const MoveStory* story(const std::string& id) const;
  // Somebody still wants it; as long as nothing happened, that is needed.
  void watched(const std::string& id, const Clock& now);

  void answered(const Clock& now, const core::Answer& answer);
  void turn(const Clock& now);
  std::optional<MonoTime> wake_at() const;

 private:
  OneMove* find(const std::string& id) const;

  core::Engine& engine_;
  Server& server_;
  Away away_;
  std::function<void()> wake_;
  std::map<std::string, std::unique_ptr<OneMove>> moves_;  // by id
  std::deque<std::pair<std::string, MoveStory>> over_;
};

// Whoever asked for it hears how it goes.
class MoveWatch {
 public:
  MoveWatch(Mover& mover, std::string id) : mover_(&mover), id_(std::move(id)) {}
  StreamEnd pump(StreamContext& context);

 private:
  Mover* mover_;
  std::string id_;
  size_t told_ = 0;
};

}  // namespace pawl::api
