#pragma once
// The engine as everybody outside of core sees it: the daemon, api, tests. What is behind it (inside.h and its parts) is compiled
// in core alone, so that a client of the engine does not have to read all of them. Each function is that of Inside.
//
// The daemon and the tests call the same turn(); nothing here waits, and no clock is read.

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/units.h"
#include "core/input.h"
#include "core/leased_task.h"
#include "core/plan/plan.h"
#include "core/strangers.h"
#include "model/fleet.h"

namespace pawl::host {
class Host;
}
namespace pawl::perceive {
class Catalog;
class Tracker;
struct HookWord;
}  // namespace pawl::perceive
namespace pawl::policy {
struct Decision;
}
namespace pawl::store {
class AgentFiles;
class Journal;
}  // namespace pawl::store

namespace pawl::core {

class Inside;
class LiveTerminal;
class Showings;
struct EngineOptions;

inline constexpr int kBeginRounds = 32;  // of deliveries in one turn; the others wait kTryAgain
inline constexpr Duration kCatchUp =
    std::chrono::seconds{1};  // to read what was printed while nobody was there

class Engine {
 public:
  Engine(host::Host& host, store::Journal& journal, EngineOptions options, model::Fleet fleet);
  ~Engine();

  // Once, first: the terminals the host found are taken over, the journal's open intents looked at.
  // `away`: how long no daemon was there, which counts as nothing (X10).
  void recover(const Clock& now, Duration away = {});

  // Nobody was there for a while, or the clock was set (core/heart.h): told before the next turn. What waits to be read is read
  // before anything is concluded from the silence.
  void slept(const Clock& now, const Slept& gap);

  // A text for an agent: on disk when this returns, then a SendAsked. Its number and size are filled in.
  Done send(const Clock& now, SendAsked ask, const std::string& text);
  // From now on nothing is begun: the daemon is about to end. What is under way goes on.
  void drain();
  // Somebody may have left a file that wakes this agent, or put or taken away one that pauses it (doc/delivery.md): looked at
  // in the next turn.
  void look_for_wakeup(const std::string& agent);
  // Agents whose folder is new since the last call.
  std::vector<std::string> take_folders();
  // Tasks that are over since the last call: nothing of them is kept in memory, and nothing is waited for in their folders, but the
  // file that has one gone on with that was given up.
  std::vector<OverTask> take_finished();
  // Tasks of the fleet that are not over (core/leased_task.h).
  std::vector<LeasedTask> leased() const;
  // … and those that are, since the last call, once nothing of them lives any more. After a start those that were over lately are told
  // once more: the one before may not have said so.
  std::vector<LeasedTask> take_lease_ends();
  // Agents of whose recordings a part was finished since the last call.
  std::set<std::string> take_recorded();
  // Sessions of the agent whose last part may still grow.
  std::set<SessionId> writing(const std::string& agent) const;
  // A task that the fleet let go is wanted again: before the next request it is back. False: there is none.
  bool recall(const std::string& agent);
  // Somebody is to look at what the home holds (store/survey.h), off the loop, and to say so; nothing: it could not be seen.
  bool take_survey();
  void surveyed(const Clock& now, std::optional<model::Holdings> held);
  // As of the last look; and how much of it is kept, nothing: all of it.
  const std::optional<model::HeldBytes>& held() const;
  const std::optional<model::Retention>& keep() const;
  RequestId submit(Input input);  // gives the request its id; answered later
  // Whose requests the following ones are, for the journal; not known: nobody's.
  void asked_by(model::Asker asker);
  RequestId next_request();
  void turn(const Clock& now);
  std::optional<MonoTime> wake_at() const;
  // What rules want run, for somebody who can; its end is submitted as CommandEnded.
  std::vector<RunCommand> take_commands();
  // What people are to be told, journalled since the last call.
  std::vector<model::Event> take_alerts();
  std::vector<Answer> take_answers();

  const model::Fleet& fleet() const;
  // Programs that run and are nobody's: the journal does not know them.
  std::vector<Stranger> strangers() const;
  // Why nothing is done, or nothing recorded, at the moment; nothing when all is well.
  const std::optional<Error>& trouble() const;

  // A person at the terminal: not Pawl's doing, so no decision, but seen.
  Done type(const Clock& now, const std::string& agent, std::string_view keys,
            const std::string& where);
  // False: its program does not read what was typed; what comes next waits where it is.
  bool takes_keys(const std::string& agent) const;
  Done resize(const Clock& now, const std::string& agent, Size size);

  // A lifecycle hook of the agent's program spoke (`pawl hook RUNTIME`).
  void hook(const Clock& now, const std::string& agent, SessionId session,
            const std::string& runtime, std::string_view json);
  // … and waits for an answer: what the turn that is about to end goes on with. Empty: it may end.
  std::string stop_hook(const Clock& now, const std::string& agent, SessionId session,
                        const std::string& runtime, std::string_view json);
  // The last one of the running session that said something about the prompt; null when none has.
  const perceive::HookWord* hook_of(const std::string& agent) const;

  // Who was shown which dialog: an answer that names none is meant for that one.
  Showings& showings();

  const perceive::Catalog* catalog() const;  // may be null
  // Other profiles from now on, for what runs already as well.
  void use_profiles(const Clock& now, perceive::Catalog profiles);

  // Open, or ended in this life; else null, and when it is a task's that is over.
  const LiveTerminal* terminal(const std::string& agent) const;
  // What is known about it and why; null when it is not running.
  const perceive::Tracker* tracker(const std::string& agent) const;
  const std::string& home() const;
  const store::AgentFiles& files() const;
  store::Journal& journal();

  // What the rules would say of it now: nothing is done.
  policy::Decision opinion(const Clock& now, const std::string& agent) const;

  // All recordings to disk now: before the daemon leaves.
  void flush(const Clock& now);
  // One agent's, for somebody who reads along.
  void flush_agent(const Clock& now, const std::string& agent);

 private:
  std::unique_ptr<Inside> inside_;
};

}  // namespace pawl::core
