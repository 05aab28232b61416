#pragma once
// The turn: take inputs → decide → append to the journal → perform → publish → say when to be woken. What is behind the engine's
// face (face.h): only sources of core include this.
//
// When the journal cannot be written nothing is done: requests are refused with the reason, what the host saw stays in the
// queue, and everything goes on when writing works again.
//
// What is owned over time is owned by a part (parts/); the engine alone knows them all.

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/askers.h"
#include "core/face.h"
#include "core/parts/attention.h"
#include "core/parts/deliveries.h"
#include "core/parts/forgetting.h"
#include "core/parts/holders.h"
#include "core/parts/hooks.h"
#include "core/parts/inboxes.h"
#include "core/parts/lease_ends.h"
#include "core/parts/perception.h"
#include "core/parts/showings.h"
#include "core/parts/sources.h"
#include "core/parts/starts.h"
#include "core/parts/task_folders.h"
#include "core/parts/terminals.h"
#include "core/parts/turn_guard.h"
#include "core/parts/usage.h"
#include "core/supervisor.h"
#include "policy/decide.h"
#include "store/journal.h"
#include "store/patient_disk.h"

namespace pawl::core {

class Inside {
 public:
  // What each of these does is said in face.h.
  Inside(host::Host& host, store::Journal& journal, EngineOptions options, model::Fleet fleet);
  ~Inside();  // in engine.cpp: it is that of every part
  void recover(const Clock& now, Duration away = {});
  void slept(const Clock& now, const Slept& gap);
  Done send(const Clock& now, SendAsked ask, const std::string& text);
  void drain() { draining_ = true; }
  void look_for_wakeup(const std::string& agent) { inboxes_.look_at(agent); }
  std::vector<std::string> take_folders() { return inboxes_.take_folders(); }
  std::vector<OverTask> take_finished() { return tasks_.take_finished(); }
  std::vector<LeasedTask> leased() const;
  std::vector<LeasedTask> take_lease_ends() { return lease_ends_.take(); }
  std::set<std::string> take_recorded() { return terminals_.take_recorded(); }
  std::set<SessionId> writing(const std::string& agent) const { return terminals_.writing(agent); }
  bool recall(const std::string& agent);
  bool take_survey() { return forgetting_.take_survey(); }
  void surveyed(const Clock& now, std::optional<model::Holdings> held) {
    forgetting_.surveyed(now.mono, std::move(held));
  }
  const std::optional<model::HeldBytes>& held() const { return forgetting_.bytes(); }
  const std::optional<model::Retention>& keep() const { return options_.keep; }
  RequestId submit(Input input);
  void asked_by(model::Asker asker) { askers_.set(std::move(asker)); }
  RequestId next_request() { return RequestId{++last_request_}; }
  void turn(const Clock& now);
  std::optional<MonoTime> wake_at() const;
  std::vector<RunCommand> take_commands() { return std::exchange(commands_, {}); }
  std::vector<model::Event> take_alerts() { return std::exchange(alerts_, {}); }
  std::vector<Answer> take_answers() { return std::exchange(answers_, {}); }
  const model::Fleet& fleet() const { return supervisor_.fleet(); }
  std::vector<Stranger> strangers() const { return strangers_.all(); }
  const std::optional<Error>& trouble() const;
  Done type(const Clock& now, const std::string& agent, std::string_view keys,
            const std::string& where);
  bool takes_keys(const std::string& agent) const;
  Done resize(const Clock& now, const std::string& agent, Size size);
  void hook(const Clock& now, const std::string& agent, SessionId session,
            const std::string& runtime, std::string_view json);
  std::string stop_hook(const Clock& now, const std::string& agent, SessionId session,
                        const std::string& runtime, std::string_view json);
  const perceive::HookWord* hook_of(const std::string& agent) const { return hooks_.last(agent); }
  Showings& showings() { return showings_; }
  const perceive::Catalog* catalog() const { return options_.catalog; }
  void use_profiles(const Clock& now, perceive::Catalog profiles);
  const LiveTerminal* terminal(const std::string& agent) const { return terminals_.of(agent); }
  const perceive::Tracker* tracker(const std::string& agent) const;
  const std::string& home() const { return options_.home; }
  const store::AgentFiles& files() const { return files_; }
  store::Journal& journal() { return journal_; }
  policy::Decision opinion(const Clock& now, const std::string& agent) const;
  void flush(const Clock& now) { terminals_.flush(now, queue_); }
  void flush_agent(const Clock& now, const std::string& agent) {
    terminals_.flush_agent(now, agent, queue_);
  }

 private:
  // engine.cpp: the turn.
  std::optional<Error> out_of_question(const Input& input);
  bool stops_stranger(const Input& input);
  std::optional<MonoTime> decide_at() const;
  struct Wake {
    const char* who;
    std::optional<MonoTime> at;
  };
  Wake next_wake() const;
  void end_turn(const Clock& now);
  bool catches_up(const Clock& now);
  void perceive(const Clock& now);
  void go_on(const Clock& now);
  bool begin_due(const Clock& now, int round);
  void look_into_folders(const Clock& now);
  void mend_folders(const Clock& now);
  static Noted not_mended(const std::string& name, const Error& why);
  void let_go_tasks(const Clock& now);
  // engine_decide.cpp
  void decide(const Clock& now);
  bool decide_one(const Clock& now, const Input& input);
  void refuse_all();
  bool left_out(const Input& input);
  void drop_unused_folder(const Input& input);
  void written(const Clock& now, const std::vector<model::Event>& events);
  // engine_host.cpp: what the host saw.
  bool take_host(const Clock& now);
  void take_over(const Clock& now, const host::Found& found);
  void recover_filed();
  void receive(const Clock& now, const host::HostEvent& event);
  void saw(const Clock& now, const host::Opened& seen);
  void saw(const Clock& now, const host::OpenFailed& seen);
  void saw(const Clock& now, const host::Found& seen);
  void saw(const Clock& now, const host::Output& seen);
  void saw(const Clock& now, const host::Ended& seen);
  void saw(const Clock& now, const host::WriteRefused& seen);
  void saw(const Clock& now, const host::FactsRead& seen);
  void look_at_plain(const Clock& now, const host::FactsRead& seen);
  void saw(const Clock& now, const host::Resized& seen);
  void saw(const Clock& now, const host::PersonSeen& seen);
  void saw(const Clock& now, const host::Noted& seen);
  void saw(const Clock& now, const host::HolderSeen& seen);
  // engine_effects.cpp: what the plan wants done. One function a kind: a forgotten one does not compile.
  void perform(const Clock& now, const Effect& effect);
  void doing(const Clock& now, const SaveEnvironment& effect);
  void doing(const Clock& now, const OpenTerminal& effect);
  void doing(const Clock& now, const WriteTerminal& effect);
  void doing(const Clock& now, const SignalProgram& effect);
  void doing(const Clock& now, const ExtendProgram& effect);
  void doing(const Clock& now, const KillProgram& effect);
  void doing(const Clock& now, const CloseTerminal& effect);
  void doing(const Clock& now, const ReleaseTerminal& effect);
  void doing(const Clock& now, const EndLeftovers& effect);
  void doing(const Clock& now, const RemoveFiles& effect);
  void doing(const Clock& now, const TypeCommand& effect);
  void doing(const Clock& now, const DeliverText& effect);
  void doing(const Clock& now, const DeliverPrompt& effect);
  void doing(const Clock& now, const PressKey& effect);
  void doing(const Clock& now, const SettleWork& effect);
  void doing(const Clock& now, const ArchiveFiles& effect);
  void doing(const Clock& now, const RunCommand& effect);
  void doing(const Clock& now, const PressRow& effect);
  void doing(const Clock& now, const LeaveMode& effect);
  void doing(const Clock& now, const ForgetText& effect);
  void doing(const Clock& now, const RemoveForgotten& effect);
  void open_prepared(const Clock& now);
  // engine_leases.cpp
  LeasedTask leased_task(const model::Agent& agent) const;
  void note_lease_end(const model::Agent& agent);
  void recover_lease_ends(const Clock& now);
  // engine_forget.cpp
  std::set<std::string> in_use() const;
  void forget(const Clock& now);
  void finish_forgetting();
  // engine_people.cpp
  void remember_person(const Clock& now, const std::string& agent, const std::string& where);
  // engine_rules.cpp: what rules need to know of the world.
  RulesDue rules_due(const std::string& agent) const;
  std::string tail(const std::string& agent) const;  // of its screen, for a person who is told
  bool consult(const Clock& now, int round);

  Sight sight(SessionId session) const;
  void strange(const Clock& now, const host::Found& found);
  void run(std::vector<RunCommand> commands);

  host::Host& host_;
  store::Journal& journal_;
  EngineOptions options_;
  std::unique_ptr<const perceive::Catalog> profiles_;  // read again; before that the caller's own
  std::unique_ptr<store::Disk> own_disk_;              // unless there is one in the options
  store::AgentFiles files_;
  Supervisor supervisor_;
  Inputs queue_;

  Perception perception_;
  Terminals terminals_;
  Starts starts_;
  Inboxes inboxes_;
  Hooks hooks_;
  Deliveries deliveries_;
  TaskFolders tasks_;
  Usage usage_;
  Sources sources_;
  Showings showings_;
  Strangers strangers_;
  Forgetting forgetting_;
  TurnGuard guard_;
  Attention attention_;
  LeaseEnds lease_ends_;

  Askers askers_;
  uint64_t last_request_ = 0;
  std::vector<Answer> answers_;
  std::vector<RunCommand> commands_;
  std::vector<model::Event> alerts_;
  bool draining_ = false;
  std::optional<Error> trouble_;          // the journal's, until it is written again
  std::optional<MonoTime> retry_at_;      // … and when that is tried
  std::optional<MonoTime> consult_at_;    // a time that rules asked for
  std::set<std::string> looked_at_;       // whose files, in this turn
  std::optional<MonoTime> gate_at_;       // a person's quiet time, or a limit, ends
  std::optional<MonoTime> caught_up_at_;  // nobody was there: until then only what came is read
};

}  // namespace pawl::core
