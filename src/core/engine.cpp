#include "core/engine.h"

#include <algorithm>

#include "core/intent.h"
#include "term/keys.h"

namespace pawl::core {
namespace {

model::Process process_of(const os::ProcessId& id) {
  return {id.pid, id.start_ticks};
}

bool from_operator(const Input& input) {
  return request_of(input).value != 0;
}

// What an operator cannot have any more when the daemon is about to end.
bool begins_something(const Input& input) {
  return std::holds_alternative<RunAsked>(input) || std::holds_alternative<StartAsked>(input) ||
         std::holds_alternative<RestartAsked>(input) || std::holds_alternative<TaskAsked>(input) ||
         std::holds_alternative<GoOnAsked>(input) || std::holds_alternative<AdoptAsked>(input);
}

}  // namespace

Engine::Engine(host::Host& host, store::Journal& journal, EngineOptions options, model::Fleet fleet)
    : host_(host),
      journal_(journal),
      options_(std::move(options)),
      files_(options_.disk ? *options_.disk : own_disk_, options_.home),
      supervisor_(std::move(fleet)),
      perception_(options_.catalog, options_.zone_of),
      task_runs_(files_.disk(), options_.zone_of) {}

void Engine::recover(const Clock& now, Duration away) {
  Recovered recovered;
  std::vector<host::HostEvent> later;
  for (auto& event : host_.take()) {
    const auto* found = std::get_if<host::Found>(&event);
    if (!found) {
      later.push_back(std::move(event));
      continue;
    }
    recovered.terminals.push_back({found->session, process_of(found->process)});
    take_over(now, *found);
  }
  recover_tasks(now);
  for (const auto& [name, agent] : fleet().agents) usage_looks_.soon(now.mono, agent);
  queue_.push_front(recovered);
  for (auto& said : task_runs_.take(now)) queue_.push_front(std::move(said));
  // Less than nothing: the clock was set back meanwhile.
  if (away != Duration{0})
    queue_.push_front(Slept{away,
                            away > Duration{0} ? "no daemon was running" : "the clock was set",
                            std::min(away, Duration{0})});
  recover_files();
  for (const auto& event : later) receive(now, event);
}

RequestId Engine::submit(Input input) {
  const RequestId request = request_of(input);
  askers_.submitted(request);
  if (draining_ && begins_something(input))
    answers_.push_back({request, fail("the daemon is about to end and begins nothing new",
                                      "ask again when the next one runs")});
  else
    queue_.push_back(std::move(input));
  return request;
}

void Engine::turn(const Clock& now) {
  take_host(now);
  if (catches_up(now)) return decide(now);
  perceive(now);
  go_on(now);
  if (const auto due = decide_at(); due && *due <= now.mono) queue_.push_back(Tick{});
  decide(now);
  take_wakeups(now);
  ask_sources(now);
  for (int round = 0; begin_due(now, round); ++round) {
    decide(now);
    go_on(now);
    decide(now);
  }
  count_usage(now);  // before rules look: they keep budgets
  for (int round = 0; consult(now, round); ++round) {
    decide(now);
    if (!wakeups_at_) take_wakeups(now);  // work was settled: there may be room for more
  }
  save_tasks(now);
  let_go_tasks(now);
  keep_ledgers(now);
  sweep_leftovers(now);
  if (flush_at_ && *flush_at_ <= now.mono) flush(now);
  record_again(now);
  if (!queue_.empty()) decide(now);  // what these two have to tell
}

std::optional<MonoTime> Engine::wake_at() const {
  if (caught_up_at_) return caught_up_at_;
  std::optional<MonoTime> earliest = earlier(decide_at(), flush_at_);
  earliest = earlier(earliest, perception_.wake_at());
  earliest = earlier(earliest, earlier(deliveries_.wake_at(), gate_at_));
  earliest = earlier(earliest, earlier(wakeups_at_, consult_at_));
  earliest = earlier(earliest, earlier(save_at_, task_runs_.wake_at()));
  for (const auto& [name, source] : sources_) earliest = earlier(earliest, source.at);
  earliest = earlier(earliest, usage_looks_.wake_at());
  for (const auto& sweep : sweeps_) earliest = earlier(earliest, sweep.kill_at);
  for (const auto& [name, at] : going_) earliest = earlier(earliest, at);
  for (const auto& [session, one] : unrecorded_) earliest = earlier(earliest, one.at);
  return earliest;
}

// A deadline of the supervisor's, or the next try of a journal that refused; until then deadlines wait as well.
std::optional<MonoTime> Engine::decide_at() const {
  const auto due = supervisor_.wake_at();
  return retry_at_ ? retry_at_ : due;
}

void Engine::take_host(const Clock& now) {
  for (const auto& event : host_.take()) receive(now, event);
  for (auto& said : task_runs_.take(now)) queue_.push_back(std::move(said));
}

void Engine::receive(const Clock& now, const host::HostEvent& event) {
  if (const auto* output = std::get_if<host::Output>(&event)) {
    const auto it = terminals_.find(output->session);
    if (it == terminals_.end()) return;
    const std::string answers = it->second.output(now.wall, output->offset, output->bytes);
    if (!answers.empty() && !output->answered) host_.write(output->session, answers);
    perception_.wrote(now.mono, output->session);
    task_runs_.output(now, output->session, output->offset, output->bytes);
    if (deliveries_.find(output->session)) perception_.hasten(now.mono, output->session);
    if (it->second.waiting() > kFlushAbove) flush_one(now, it->second);
    if (!flush_at_) flush_at_ = now.mono + kFlushEvery;
  } else if (const auto* opened = std::get_if<host::Opened>(&event)) {
    const model::Agent* agent = fleet().by_session(opened->session);
    queue_.push_back(TerminalOpened{opened->session, process_of(opened->process),
                                    agent && perception_.knows(agent->spec)});
    if (agent && has_interface(*agent))
      perception_.opened(now.mono, opened->session, agent->spec, false);
    if (agent) look_for_wakeup(agent->spec.name);
  } else if (const auto* failed = std::get_if<host::OpenFailed>(&event)) {
    forget(failed->session);
    queue_.push_back(TerminalFailed{failed->session, failed->error});
  } else if (const auto* ended = std::get_if<host::Ended>(&event)) {
    program_ended(now, *ended);
  } else if (const auto* refused = std::get_if<host::WriteRefused>(&event)) {
    if (!refused->later || !deliveries_.refused(now.mono, refused->session, refused->why))
      queue_.push_back(WriteLost{refused->session, refused->why});
  } else if (const auto* read = std::get_if<host::FactsRead>(&event)) {
    perception_.facts(now.mono, read->session, read->facts);
    task_runs_.facts(now, read->session, read->facts);
  } else {
    receive_from_pane(now, event);
  }
}

// What only a terminal says that others use as well.
void Engine::receive_from_pane(const Clock& now, const host::HostEvent& event) {
  if (const auto* resized = std::get_if<host::Resized>(&event)) {
    const auto it = terminals_.find(resized->session);
    if (it != terminals_.end()) it->second.resize(now.wall, resized->size);
  } else if (const auto* person = std::get_if<host::PersonSeen>(&event)) {
    if (const model::Agent* agent = fleet().by_session(person->session))
      queue_.push_back(HumanTyped{agent->spec.name, "tmux", person->when});
    deliveries_.person(person->session);
  } else if (const auto* noted = std::get_if<host::Noted>(&event)) {
    const auto it = terminals_.find(noted->session);
    if (it != terminals_.end()) it->second.note(noted->text);
    if (!noted->text.empty()) queue_.push_back(TerminalNoted{noted->session, noted->text});
  }
}

void Engine::perceive(const Clock& now) {
  for (const SessionId session : task_runs_.to_look_at(now.mono)) host_.look(session, {});
  for (const SessionId session : perception_.ask_facts(now.mono))
    host_.look(session, perception_.own_files(session));
  auto seen = perception_.look(now, [this](SessionId session) -> const term::Screen* {
    const auto it = terminals_.find(session);
    return it == terminals_.end() ? nullptr : &it->second.terminal().screen();
  });
  for (auto& one : seen) {
    if (one.state == model::State::typing) whose_text(now, one);
    if (one.state == model::State::ready) deliveries_.emptied(one.session);
    queue_.push_back(std::move(one));
  }
}

const perceive::Tracker* Engine::tracker(const std::string& agent) const {
  const auto current = current_.find(agent);
  return current == current_.end() ? nullptr : perception_.tracker(current->second);
}

void Engine::use_profiles(const Clock& now, perceive::Catalog profiles) {
  auto fresh = std::make_unique<const perceive::Catalog>(std::move(profiles));
  options_.catalog = fresh.get();
  perception_.use(now.mono, fresh.get(), [this](SessionId session) -> const model::AgentSpec* {
    const model::Agent* agent = fleet().by_session(session);
    return agent ? &agent->spec : nullptr;
  });
  profiles_ = std::move(fresh);  // nobody looks at the ones before any more
}

void Engine::program_ended(const Clock& now, const host::Ended& seen) {
  perception_.closed(seen.session);
  deliveries_.closed(seen.session);
  const model::Ending ending{seen.exit_code, seen.signal, seen.known};
  task_runs_.ended(now, seen.session);
  for (auto& said : task_runs_.take(now)) queue_.push_back(std::move(said));  // before its end
  const model::Agent* agent = fleet().by_session(seen.session);
  if (agent && agent->running()) {
    if (!ending.clean() && !core::ending(*agent)) diagnose(now, *agent, ending);
    return queue_.push_back(ProgramEnded{seen.session, ending, seen.why});
  }
  // The journal knows already, from an earlier life: only the terminal remains to be let go, and what a task left.
  const bool of_task = agent && agent->task;
  close_terminal(now, {"", seen.session, of_task, shell_code(ending)});
}

// A terminal that never was: nothing to close, and nobody else's to hang up.
void Engine::forget(SessionId session) {
  const auto it = terminals_.find(session);
  if (it == terminals_.end()) return;
  perception_.closed(session);
  current_.erase(it->second.agent());
  terminals_.erase(it);
}

void Engine::decide(const Clock& now) {
  if (retry_at_ && now.mono < *retry_at_) {
    // The journal refuses. Nobody waits in silence: operators hear why, the rest keeps its place. A deadline comes again.
    std::erase_if(queue_, [&](const Input& input) {
      if (std::holds_alternative<Tick>(input) || std::holds_alternative<RequestSeen>(input))
        return true;  // … and what was asked for is not done
      if (!from_operator(input)) return false;
      answers_.push_back({request_of(input), tl::unexpected(*trouble_)});
      return true;
    });
    return;
  }
  while (!queue_.empty()) {
    const Input input = std::move(queue_.front());
    queue_.pop_front();
    if (const auto* ended = std::get_if<CommandEnded>(&input);
        ended && (was_asked(now, *ended) || source_spoke(now, *ended)))
      continue;
    if (decide_one(now, input)) continue;
    if (!from_operator(input)) queue_.push_front(input);
    // First of all it will be said: the journal then tells of the gap, and health is good again without anybody asking.
    if (!std::holds_alternative<JournalRefused>(input))
      queue_.push_front(JournalRefused{trouble_->what});
    retry_at_ = now.mono + kRetryEvery;
    return decide(now);
  }
  retry_at_.reset();
}

bool Engine::decide_one(const Clock& now, const Input& input) {
  Plan plan = supervisor_.plan(now, input);
  askers_.stamp(request_of(input), plan.events);
  if (auto written = journal_.append(plan.events); !written) {
    trouble_ = written.error();
    if (from_operator(input)) answers_.push_back({request_of(input), tl::unexpected(*trouble_)});
    return false;
  }
  if (!plan.events.empty()) trouble_.reset();
  supervisor_.commit(now, plan);
  keep_alerts(plan.events);
  keep_tasks(now, plan.events);
  mark_ledgers(plan.events);
  keep_usage(now, plan.events);
  for (const auto& effect : plan.effects) perform(now, effect);
  for (auto& answer : plan.answers) answers_.push_back(std::move(answer));
  return true;
}

void Engine::perform(const Clock& now, const Effect& effect) {
  if (const auto* save = std::get_if<SaveEnvironment>(&effect)) {
    // Without it the program gets the daemon's own environment: worse, but not a reason to refuse.
    if (auto saved = files_.save_environment(save->agent, save->environment); !saved)
      trouble_ = saved.error();
    folders_.push_back(save->agent);
  } else if (const auto* open = std::get_if<OpenTerminal>(&effect)) {
    open_terminal(now, *open);
  } else if (const auto* write = std::get_if<WriteTerminal>(&effect)) {
    host_.write(write->session, write->bytes);
  } else if (const auto* kill = std::get_if<SignalProgram>(&effect)) {
    if (!never_began(kill->session)) host_.signal(kill->session, kill->signal);
  } else if (const auto* released = std::get_if<ReleaseTerminal>(&effect)) {
    release_terminal(now, *released);
  } else if (const auto* close = std::get_if<CloseTerminal>(&effect)) {
    close_terminal(now, *close);
  } else if (const auto* left = std::get_if<EndLeftovers>(&effect)) {
    to_sweep_.push_back(left->session);
  } else if (const auto* text = std::get_if<DeliverText>(&effect)) {
    begin_delivery(now, *text);
  } else if (const auto* prompt = std::get_if<DeliverPrompt>(&effect)) {
    begin_prompt(now, *prompt);
  } else if (const auto* type = std::get_if<TypeCommand>(&effect)) {
    begin_command(now, *type);
  } else if (const auto* key = std::get_if<PressKey>(&effect)) {
    const auto live = terminals_.find(key->session);
    if (live == terminals_.end()) return;
    const auto bytes = term::key_bytes(key->key, live->second.terminal().screen().modes());
    if (bytes) host_.write(key->session, *bytes);
  } else if (const auto* settled = std::get_if<SettleWork>(&effect)) {
    settle(*settled);
  } else if (const auto* put = std::get_if<ArchiveFiles>(&effect)) {
    archive(now, *put);
  } else if (const auto* run = std::get_if<RunCommand>(&effect)) {
    commands_.push_back(*run);
  } else if (const auto* row = std::get_if<PressRow>(&effect)) {
    begin_press(now, *row);
  } else if (const auto* done = std::get_if<ForgetText>(&effect)) {
    files_.forget_text(done->agent, done->item);
  } else if (const auto* remove = std::get_if<RemoveFiles>(&effect)) {
    if (const auto it = current_.find(remove->agent); it != current_.end()) {
      std::erase(closing_, it->second);
      perception_.closed(it->second);
      terminals_.erase(it->second);
      host_.close(it->second);
      current_.erase(it);
    }
    hooks_.erase(remove->agent);
    shown_.erase(remove->agent);
    for (const char* where : {"files", "work"}) unreadable_.erase({remove->agent, where});
    if (auto removed = files_.remove(remove->agent); !removed) trouble_ = removed.error();
    if (remove->task_dir.empty()) return;
    if (auto removed = store::remove_task_dir(files_.disk(), options_.home, remove->task_dir);
        !removed)
      trouble_ = removed.error();
  }
}

const LiveTerminal* Engine::terminal(const std::string& agent) const {
  const auto current = current_.find(agent);
  if (current == current_.end()) return nullptr;
  const auto it = terminals_.find(current->second);
  return it == terminals_.end() ? nullptr : &it->second;
}

}  // namespace pawl::core
