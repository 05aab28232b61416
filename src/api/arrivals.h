#pragma once
// The other end of `pawl move` (mover.h): an agent comes from another machine. Its files come in pieces and wait in HOME/arrivals/MOVE; told
// to start it, they are verified and put where its program keeps its conversations, and only then the agent is in the journal and begins.
// Everything may be asked twice: whoever asks may not have heard the answer. What was dropped never starts.
//
//   begin   may it come? name, folder, program, room; nothing is changed
//   part    a piece of a file, at its end
//   start   everything is there: these are the digests. Answered at once; `status` tells what became of it
//   status  unknown, staged, placing, failed, here
//   drop    what came is removed, and the agent if it is here already. {"gone": true} when nothing of it is left
//   done    it runs here for good: what waited is removed

#include <map>
#include <string>

#include "api/away.h"
#include "api/conversation.h"

namespace pawl::api {

inline constexpr size_t kMaxArrivals = 8;                        // that wait at the same time
inline constexpr Duration kArrivalKept = std::chrono::hours{1};  // without a word of them
inline constexpr uint64_t kMaxMoved = 4ull << 30;                // bytes of one agent
inline constexpr size_t kMovePiece = 256u << 10;

class Arrivals {
 public:
  Arrivals(core::Engine& engine, Away away) : engine_(engine), away_(std::move(away)) {}

  Result<Json> asked(const Call& call);
  void answered(const core::Answer& answer);

 private:
  struct Doing {  // in this life of the daemon
    bool placing = false, dropped = false;
    RequestId request = {};  // of its start
    std::string failed = {};
    std::vector<std::string> environment = {};
    model::Asker by = {};
  };
  struct Placing;

  Result<Json> begin(const Call& call, const std::string& dir);
  Result<Json> part(const Json& args, const std::string& dir);
  Result<Json> start(const Call& call, const std::string& move);
  Result<Json> status(const Call& call, const std::string& move);
  Result<Json> drop(const Call& call, const std::string& move);
  Done room_for(const Call& call, uint64_t bytes);
  void take_back(const std::string& move);
  void placed(const std::string& move, const Placing* what);
  void remove_old(const Clock& now);
  std::string dir_of(const std::string& move) const;
  const model::Agent* arrived(const std::string& move) const;

  core::Engine& engine_;
  Away away_;
  std::map<std::string, Doing> doing_;  // by move
};

Outcome arrive(const Call& call);
Outcome arrive_look(const Call& call);

}  // namespace pawl::api
