#pragma once
// The turn: take inputs → decide → append to the journal → perform → publish → say when to be woken.
// The daemon and the tests call the same turn(); nothing here waits, and no clock is read.
//
// When the journal cannot be written nothing is done: requests are refused with the reason, what the host saw stays in the
// queue, and everything goes on when writing works again.

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/askers.h"
#include "core/deliveries.h"
#include "core/live_terminal.h"
#include "core/perception.h"
#include "core/supervisor.h"
#include "core/task_runs.h"
#include "core/usage_looks.h"
#include "host/host.h"
#include "perceive/profile/catalog.h"
#include "perceive/records/hook.h"
#include "policy/decide.h"
#include "store/agent_files.h"
#include "store/journal.h"
#include "store/real_disk.h"
#include "store/unreadable.h"

namespace pawl::core {

inline constexpr Duration kFlushEvery =
    std::chrono::seconds{1};                       // recordings to disk, and acknowledged
inline constexpr size_t kFlushAbove = 256u << 10;  // … or when this much waits for one of them
inline constexpr int kBeginRounds = 32;  // of deliveries in one turn; the others wait kTryAgain
inline constexpr Duration kRetryEvery = std::chrono::seconds{1};  // a journal or disk that refused
inline constexpr Duration kCatchUp =
    std::chrono::seconds{1};  // to read what was printed while nobody was there
inline constexpr Duration kHumanEvery =
    std::chrono::seconds{1};  // at most one human event per agent
inline constexpr Duration kLearnEvery =
    std::chrono::seconds{1};  // at most one learned event per agent
inline constexpr Duration kAskLimit =
    std::chrono::seconds{10};  // for a program to say whether its login works
inline constexpr Duration kLeftoverGrace =
    std::chrono::seconds{2};  // between TERM and KILL for what a program left

inline constexpr Duration kLetGoAfter =
    std::chrono::seconds{1};  // a task is over: who looks on has seen its last screen

struct EngineOptions {
  std::string home;
  store::RecordingLimits recordings;
  const perceive::Catalog* catalog = nullptr;  // null: nothing is perceived
  Perception::ZoneOf zone_of = {};
  std::string pawl = {};  // our executable, for programs that are to call us
  std::function<std::string()> new_id =
      {};                // for conversations; without it programs choose their own
  bool dry_run = false;  // decide and write down, do nothing by rule
  bool asks =
      false;  // programs are asked about their login before they are started: somebody runs commands
  store::Disk* disk = nullptr;  // where all files are; null: the machine's own
};

inline std::optional<MonoTime> earlier(std::optional<MonoTime> a, std::optional<MonoTime> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

class Engine {
 public:
  Engine(host::Host& host, store::Journal& journal, EngineOptions options, model::Fleet fleet);

  // Once, first: the terminals the host found are taken over, the journal's open intents looked at.
  // `away`: how long no daemon was there, which counts as nothing (X10).
  void recover(const Clock& now, Duration away = {});

  // Nobody was there for a while, or the clock was set (core/heart.h): told before the next turn. What waits to be read is read
  // before anything is concluded from the silence.
  void slept(const Clock& now, const Slept& gap);

  // A text for an agent: on disk when this returns, then a SendAsked. Its number and size are filled in.
  Done send(const Clock& now, SendAsked ask, const std::string& text);
  // From now on nothing is begun: the daemon is about to end. What is under way goes on.
  void drain() { draining_ = true; }
  // Somebody may have left a file that wakes this agent, or put or taken away one that pauses it (doc/delivery.md): looked at
  // in the next turn.
  void look_for_wakeup(const std::string& agent) { wakeups_.insert(agent); }
  // Agents whose folder is new since the last call.
  std::vector<std::string> take_folders() { return std::exchange(folders_, {}); }
  // Tasks that are over since the last call: nothing of them is kept in memory, and nothing is waited for in their folders.
  std::vector<std::string> take_finished() { return std::exchange(finished_, {}); }
  RequestId submit(Input input);  // gives the request its id; answered later
  // Whose requests the following ones are, for the journal; not known: nobody's.
  void asked_by(model::Asker asker) { askers_.set(std::move(asker)); }
  RequestId next_request() { return RequestId{++last_request_}; }
  void turn(const Clock& now);
  std::optional<MonoTime> wake_at() const;
  // What rules want run, for somebody who can; its end is submitted as CommandEnded.
  std::vector<RunCommand> take_commands() { return std::exchange(commands_, {}); }
  // What people are to be told, journalled since the last call.
  std::vector<model::Event> take_alerts() { return std::exchange(alerts_, {}); }
  std::vector<Answer> take_answers() { return std::exchange(answers_, {}); }

  const model::Fleet& fleet() const { return supervisor_.fleet(); }
  // Why nothing is done, or nothing recorded, at the moment; nothing when all is well.
  const std::optional<Error>& trouble() const { return trouble_ ? trouble_ : recording_trouble_; }

  // A person at the terminal: not Pawl's doing, so no decision, but seen.
  Done type(const Clock& now, const std::string& agent, std::string_view keys,
            const std::string& where);
  Done resize(const Clock& now, const std::string& agent, Size size);

  // A lifecycle hook of the agent's program spoke (`pawl hook RUNTIME`). Whatever runs in the terminal can say anything here:
  // nonsense, another session than the agent's newest, a runtime without profile are ignored.
  void hook(const Clock& now, const std::string& agent, SessionId session,
            const std::string& runtime, std::string_view json);
  // … and waits for an answer: what the turn that is about to end goes on with. Empty: it may end.
  std::string stop_hook(const Clock& now, const std::string& agent, SessionId session,
                        const std::string& runtime, std::string_view json);
  // The last one of the running session that said something about the prompt; null when none has.
  const perceive::HookWord* hook_of(const std::string& agent) const;

  // A person was shown this agent as it is now: an answer that names no dialog is meant for the one that was shown.
  void shown(const std::string& agent);
  // The id of the dialog that was shown last; empty: none was.
  std::string last_shown(const std::string& agent) const;

  const perceive::Catalog* catalog() const { return options_.catalog; }  // may be null
  // Other profiles from now on, for what runs already as well.
  void use_profiles(const Clock& now, perceive::Catalog profiles);

  // Open, or ended in this life; else null, and when it is a task's that is over.
  const LiveTerminal* terminal(const std::string& agent) const;
  // What is known about it and why; null when it is not running.
  const perceive::Tracker* tracker(const std::string& agent) const;
  const std::string& home() const { return options_.home; }
  const store::AgentFiles& files() const { return files_; }
  store::Journal& journal() { return journal_; }

  // What the rules would say of it now: nothing is done.
  policy::Decision opinion(const Clock& now, const std::string& agent) const;

  // All recordings to disk now: before the daemon leaves.
  void flush(const Clock& now);
  // One agent's, for somebody who reads along.
  void flush_agent(const Clock& now, const std::string& agent);

 private:
  // A start that waits for what its program says about its login.
  struct Asked {
    OpenTerminal order;
    std::string said = {};  // that it does not work: it is being renewed
  };
  // A command that lists work.
  struct Source {
    std::optional<MonoTime> at;  // when it is run next; none: it runs
    Seq run;
    std::string trouble = {};  // told already
  };
  struct Sweep {
    std::vector<SessionId> sessions;
    MonoTime kill_at;
  };

  void take_over(const Clock& now, const host::Found& found);
  std::optional<MonoTime> decide_at() const;
  bool catches_up(const Clock& now);
  void take_host(const Clock& now);
  void receive(const Clock& now, const host::HostEvent& event);
  void receive_from_pane(const Clock& now, const host::HostEvent& event);
  void program_ended(const Clock& now, const host::Ended& seen);
  void forget(SessionId session);
  std::string keep_going(const Clock& now, const std::string& agent, SessionId session,
                         const std::string& runtime, std::string_view json);
  void learn(const Clock& now, const model::Agent& agent, const perceive::HookWord& heard);
  void decide(const Clock& now);
  bool decide_one(const Clock& now, const Input& input);
  void perform(const Clock& now, const Effect& effect);
  void open_terminal(const Clock& now, const OpenTerminal& effect);
  bool ask_first(const model::Agent& agent, const OpenTerminal& effect);
  bool was_asked(const Clock& now, const CommandEnded& seen);
  bool never_began(SessionId session);
  std::string permission_now(const model::Agent& agent, model::Check& check);
  void look_for_permission(const std::string& name);
  void start_program(const Clock& now, const OpenTerminal& effect,
                     std::optional<model::Check> login);
  void launch_program(const Clock& now, const OpenTerminal& effect, const model::Agent& agent);
  std::string put_away(const Clock& now, const model::Agent& agent, bool all, bool* fine = nullptr);
  void close_terminal(const Clock& now, const CloseTerminal& effect);
  void release_terminal(const Clock& now, const ReleaseTerminal& effect);
  void finish_closing(const Clock& now);
  bool closing(SessionId session) const;
  void perceive(const Clock& now);
  void whose_text(const Clock& now, Perceived& seen) const;
  bool begin_due(const Clock& now, int round);
  void go_on(const Clock& now);
  void deliver_one(const Clock& now, SessionId session);
  void begin_delivery(const Clock& now, const DeliverText& effect);
  void begin_press(const Clock& now, const PressRow& effect);
  bool consult(const Clock& now, int round);
  void keep_alerts(const std::vector<model::Event>& written);
  void look_for_work(const std::string& name);
  void recover_work(const model::Agent& agent);
  void mark_ledgers(const std::vector<model::Event>& written);
  void keep_ledgers(const Clock& now);
  std::set<std::string> heed_ledger(const model::Agent& agent);
  void ask_sources(const Clock& now);
  bool source_spoke(const Clock& now, const CommandEnded& seen);
  std::optional<std::string> work_text(const std::string& agent) const;
  void settle(const SettleWork& effect);
  std::string where_it_stands(const Clock& now, const std::string& agent, bool with_prompt) const;
  std::optional<model::Surroundings> before(const model::Agent& agent) const;
  void archive(const Clock& now, const ArchiveFiles& effect);
  void diagnose(const Clock& now, const model::Agent& agent, const model::Ending& ending);
  RulesDue rules_due(const std::string& agent) const;
  void begin_prompt(const Clock& now, const DeliverPrompt& effect);
  void begin_command(const Clock& now, const TypeCommand& effect);
  std::string prompt_text(const DeliverPrompt& effect) const;
  void recover_files();
  uint64_t next_item(const Clock& now);
  Done queue_wakeup(const std::string& agent, uint64_t item);
  bool take_wakeup(const Clock& now, const std::string& name);
  void take_wakeups(const Clock& now);
  void look_for_pause(const std::string& name);
  void look_for_person(const Clock& now, const std::string& name);
  void look_for_unreadable(const std::string& name);
  void tell_unreadable(const std::string& name, const char* where,
                       const std::vector<store::Unreadable>& found);
  bool keep_draft(Deliveries::Running& running, const std::string& draft);
  void release(const Clock& now, SessionId session);
  void sweep_leftovers(const Clock& now);
  void flush_one(const Clock& now, LiveTerminal& live);
  // A terminal that cannot be recorded at the moment.
  struct Unrecorded {
    MonoTime at;  // when it is tried again
    Duration pause;
    std::optional<Size> size;  // it has again then: its program is made to paint
  };
  LiveTerminal open_live(const Clock& now, const std::string& agent, SessionId session, Size size,
                         Offset first);
  void tell_of_recording(const std::string& agent, const char* severity, std::string text,
                         std::string todo);
  void redraw(const Clock& now, SessionId session);
  void record_again(const Clock& now);
  bool try_to_record(const Clock& now, LiveTerminal& live, Unrecorded& one);
  void tell_of_parts(LiveTerminal& live);
  Result<host::Launch> launch_of(const model::Agent& agent, SessionId session, bool resume);
  host::Launch task_launch(const model::Agent& agent, SessionId session, bool resume,
                           host::Launch launch);
  void keep_tasks(const Clock& now, const std::vector<model::Event>& written);
  void save_tasks(const Clock& now);
  void let_go_tasks(const Clock& now);
  void forget_task(const std::string& name);
  void take_over_task(const Clock& now, const model::Agent& agent, Offset end);
  void recover_tasks(const Clock& now);
  void look_for_resume(const std::string& name);
  void keep_usage(const Clock& now, const std::vector<model::Event>& written);
  void count_usage(const Clock& now);
  std::string transcript_of(const model::Agent& agent, const perceive::Profile* profile) const;
  std::string kept_in(const model::AgentSpec& spec, const perceive::Profile& profile,
                      const std::string& id) const;
  bool count_usage_of(const Clock& now, const model::Agent& agent);

  host::Host& host_;
  store::Journal& journal_;
  EngineOptions options_;
  std::unique_ptr<const perceive::Catalog> profiles_;  // read again; before that the caller's own
  store::RealDisk own_disk_;                           // unless there is one in the options
  store::AgentFiles files_;
  Supervisor supervisor_;
  std::deque<Input> queue_;
  std::vector<Answer> answers_;
  uint64_t last_request_ = 0;
  Askers askers_;
  Perception perception_;
  Deliveries deliveries_;
  TaskRuns task_runs_;
  UsageLooks usage_looks_;
  std::set<std::string> tasks_to_save_;    // agents whose folder is not as the journal has it
  std::optional<MonoTime> save_at_;        // … and could not be written
  std::map<std::string, MonoTime> going_;  // tasks that are over, and when they are let go
  std::vector<std::string> finished_;
  uint64_t last_item_ = 0;
  std::vector<RunCommand> commands_;
  std::vector<model::Event> alerts_;
  std::optional<MonoTime> consult_at_;  // a time that rules asked for
  std::optional<MonoTime> gate_at_;     // a person's quiet time, or a limit, ends
  std::set<std::string> wakeups_;       // agents that somebody may have left a file for
  std::optional<MonoTime> wakeups_at_;
  std::vector<std::string> folders_;
  std::unordered_map<SessionId, LiveTerminal> terminals_;
  std::map<std::string, SessionId> current_;  // the newest terminal of each agent
  std::map<SessionId, Unrecorded> unrecorded_;
  std::set<SessionId> part_told_;   // whose recording cannot begin another part: a person knows
  std::vector<SessionId> closing_;  // ended, not yet safely recorded
  std::vector<SessionId> to_sweep_;
  std::vector<Sweep> sweeps_;
  std::map<std::string, MonoTime> human_at_;
  std::map<std::string, MonoTime> learned_at_;
  std::map<std::string, std::pair<SessionId, perceive::HookWord>> hooks_;
  std::map<std::string, std::string> shown_;  // the dialog people were shown last
  std::map<std::string, int> held_;           // how often in a row a turn was made to go on
  std::set<std::string> ledgers_;  // agents whose ledger is not on disk as the journal has it
  std::map<std::string, Source> sources_;
  uint64_t last_source_ = 0;
  std::map<SessionId, Asked> asked_;
  std::map<std::string, std::string> mode_trouble_;  // of a permission file, told already
  std::map<std::pair<std::string, std::string>, std::set<std::string>> unreadable_;  // … of others
  bool draining_ = false;
  std::optional<Error> trouble_;            // the journal's, until it is written again
  std::optional<Error> recording_trouble_;  // until one is written again
  std::optional<MonoTime> retry_at_;
  std::optional<MonoTime> caught_up_at_;  // nobody was there: until then only what came is read
  std::optional<MonoTime> flush_at_;
};

}  // namespace pawl::core
