#pragma once
// What the lifecycle hooks of programs say (`pawl hook RUNTIME`). Whatever runs in a terminal can say anything here: nonsense,
// another session than the agent's newest, a runtime without profile are ignored.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/parts/ground.h"
#include "perceive/records/hook.h"

namespace pawl::core {

inline constexpr Duration kLearnEvery =
    std::chrono::seconds{1};  // at most one learned event per agent

// One call of a hook.
struct HookCall {
  std::string agent;
  SessionId session;
  std::string runtime;
  std::string_view json;
};

class Hooks {
 public:
  explicit Hooks(const Ground& ground) : ground_(ground) {}

  // What it says about the prompt, if it says something about it.
  std::optional<perceive::HookWord> hear(const Clock& now, const HookCall& call, Inputs& out);
  // A turn is about to end, and could go on instead. A program ends it in any case when that has happened too often.
  bool could_hold(const HookCall& call);
  void held(const std::string& agent) { ++held_[agent]; }
  // The last one of the running session that said something about the prompt; null when none has.
  const perceive::HookWord* last(const std::string& agent) const;
  void forget(const std::string& agent);

 private:
  struct Heard {
    const model::Agent* agent;
    const perceive::Profile* profile;
    perceive::HookWord word;
  };
  std::optional<Heard> read(const HookCall& call) const;
  void learn(const Clock& now, const model::Agent& agent, const perceive::HookWord& heard,
             Inputs& out);

  Ground ground_;
  std::map<std::string, std::pair<SessionId, perceive::HookWord>> last_;
  std::map<std::string, MonoTime> learned_at_;
  std::map<std::string, int> held_;  // how often in a row a turn was made to go on
};

}  // namespace pawl::core
