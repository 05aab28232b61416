// What the host saw becomes inputs, and is told to the parts that watch it.

#include <csignal>

#include "core/inside.h"
#include "core/intent.h"
#include "core/parts/prompts.h"
#include "perceive/screen/plain.h"
#include "store/crash_log.h"
#include "store/task_files.h"

namespace pawl::core {
namespace {

constexpr size_t kGivenUp = 256;  // tasks in whose folders the file `resume` is looked for
constexpr Duration kSetUnseen = std::chrono::minutes{1};  // the file of the last daemon is that old

model::Process process_of(const os::ProcessId& id) {
  return {id.pid, id.start_ticks};
}

// The last thing that is known to have happened.
WallTime latest(const model::Fleet& fleet) {
  WallTime out{};
  for (const auto& [name, agent] : fleet.agents)
    out = std::max({out, agent.since, agent.last_alive.value_or(out)});
  return out;
}

// Less than nothing: the clock was set back meanwhile. What happened after the last daemon's end happened by another clock: that it was
// set could not be written down.
Slept missed(const Clock& now, Duration away, WallTime known) {
  if (away < Duration{0}) return {away, "the clock was set", away};
  const Duration since = now.wall - known;
  if (since + kSetUnseen < away) return {since, "the clock was set", since - away};
  return {away, "no daemon was running", {}};
}

// A program without records at work, or with a question.
Perceived plain_run(SessionId session, const std::string& question,
                    std::vector<model::Notice> notices) {
  Perceived out;
  out.session = session;
  out.state = question.empty() ? model::State::busy : model::State::waiting;
  out.kind = question.empty() ? "" : "question";
  out.tier = question.empty() ? model::Tier::process : model::Tier::screen;
  out.because =
      question.empty() ? "its program runs" : "it asks on its terminal: '" + question + "'";
  out.confidence = 0.9;
  out.notices = std::move(notices);
  return out;
}

}  // namespace

void Inside::recover(const Clock& now, Duration away) {
  Recovered recovered;
  std::vector<host::HostEvent> later;
  if (away > Duration{0}) perception_.unwatched(now.wall - away);
  for (auto& event : host_.take()) {
    const auto* found = std::get_if<host::Found>(&event);
    if (!found) {
      later.push_back(std::move(event));
      continue;
    }
    recovered.terminals.push_back({found->session, process_of(found->process), found->until});
    supervisor_.count_from(found->session);
    take_over(now, *found);
  }
  tasks_.recover(now, [this](SessionId session) { return terminals_.find(session) != nullptr; });
  for (const auto& [name, agent] : fleet().agents) usage_.soon(now.mono, agent);
  queue_.push_front(recovered);
  for (auto& said : tasks_.runs().take(now)) queue_.push_front(std::move(said));
  if (const Slept gap = missed(now, away, latest(fleet())); gap.length != Duration{0})
    queue_.push_front(gap);
  for (const auto& [name, agent] : fleet().agents) {
    if (!over(agent)) {
      inboxes_.recover(agent);
      continue;
    }
    tasks_.finished(agent);
    if (!model::has_result(agent.task->status)) inboxes_.look_at(name);
  }
  recover_filed();
  recover_lease_ends(now);
  finish_forgetting();
  forgetting_.begin(now.mono);
  files_.drop_unused_environments();
  store::drop_left_prompts(files_.disk(), options_.home, now.wall);
  for (const auto& event : later) receive(now, event);
  if (auto alert = strangers_.alert()) queue_.push_back(Noted{"", std::move(*alert)});
}

// Rows of tasks that are in the fleet were left by a kill. Somebody may want those gone on with that were given up lately.
void Inside::recover_filed() {
  std::vector<std::string> stale;
  for (const auto& [name, agent] : fleet().agents)
    if (agent.task) stale.push_back(name);
  if (!stale.empty()) (void)journal_.tasks().forget(stale);
  const auto given_up = journal_.tasks().list(
      {.statuses = {model::TaskStatus::abandoned, model::TaskStatus::cancelled},
       .limit = kGivenUp});
  if (!given_up) return;
  for (const auto& agent : *given_up) tasks_.finished(agent);
}

// It runs, and the journal has no agent for it. What it prints is kept with the agent it was.
void Inside::strange(const Clock& now, const host::Found& found) {
  const std::string name =
      files_.owner_of(found.session).value_or("terminal-" + std::to_string(found.session.value));
  strangers_.found({name, found.session, process_of(found.process)});
  (void)terminals_.take_over(now, found, name, {}, queue_);
}

void Inside::take_over(const Clock& now, const host::Found& found) {
  const model::Agent* agent = fleet().by_session(found.session);
  if (!agent && !found.ended) return strange(now, found);
  // No agent's newest, but recorded: its end was written to the journal, and then the daemon was killed. Its last bytes are
  // still owed to the recording, and its holder waits to be told that they are safe.
  const std::string owner = agent ? agent->spec.name : files_.owner_of(found.session).value_or("");
  if (owner.empty()) return;  // not ours to touch
  const bool redraws = agent && !agent->spec.adopted() && agent->spec.backend != "tmux";
  const Offset end = terminals_.take_over(now, found, owner,
                                          {.newest = agent != nullptr, .redraw = redraws}, queue_);
  if (!agent) return;
  if (agent->task) tasks_.take_over(now, *agent, end);
  if (!has_interface(*agent)) return;
  perception_.opened(now.mono, found.session, agent->spec,
                     {.running = agent->state != model::State::starting,
                      .rested = agent->memory.rested.has_value()},
                     agent->notices);
  if (end > Offset{}) perception_.drawn(found.session);
}

// True: something came.
bool Inside::take_host(const Clock& now) {
  const auto events = host_.take();
  for (const auto& event : events) receive(now, event);
  for (auto& said : tasks_.runs().take(now)) queue_.push_back(std::move(said));
  return !events.empty() || !queue_.empty();
}

void Inside::receive(const Clock& now, const host::HostEvent& event) {
  std::visit([&](const auto& seen) { saw(now, seen); }, event);
}

void Inside::saw(const Clock& now, const host::Output& seen) {
  if (const perceive::Tracker* tracker = perception_.tracker(seen.session))
    terminals_.count(seen.session, tracker->profile().counts);
  if (!terminals_.output(now, seen, queue_)) return;
  perception_.wrote(now.mono, seen.session);
  tasks_.runs().output(now, seen.session, seen.offset, seen.bytes);
  if (tasks_.runs().goes_on(seen.session)) queue_.push_back(plain_run(seen.session, "", {}));
  if (deliveries_.has(seen.session)) perception_.hasten(now.mono, seen.session);
  deliveries_.stir(seen.session);
}

void Inside::saw(const Clock& now, const host::Opened& seen) {
  const model::Agent* agent = fleet().by_session(seen.session);
  queue_.push_back(TerminalOpened{seen.session, process_of(seen.process),
                                  agent && perception_.knows(agent->spec)});
  if (!agent) return;
  if (has_interface(*agent)) perception_.opened(now.mono, seen.session, agent->spec, {});
  inboxes_.look_at(agent->spec.name);
}

void Inside::saw(const Clock&, const host::OpenFailed& seen) {
  perception_.closed(seen.session);
  terminals_.forget(seen.session);
  queue_.push_back(TerminalFailed{seen.session, seen.error});
}

// After start-up (recover) only of a holder that took long; what the journal knows was expected of it.
void Inside::saw(const Clock& now, const host::Found& seen) {
  if (fleet().by_session(seen.session) || terminals_.find(seen.session) || seen.ended) return;
  supervisor_.count_from(seen.session);
  strange(now, seen);
  queue_.push_back(Noted{"", *strangers_.alert()});
}

void Inside::saw(const Clock& now, const host::Ended& seen) {
  const bool unsent = deliveries_.unsent(seen.session);
  perception_.closed(seen.session);
  deliveries_.closed(seen.session);
  const model::Ending ending{seen.exit_code, seen.signal, seen.known};
  tasks_.runs().ended(now, seen.session);
  for (auto& said : tasks_.runs().take(now)) queue_.push_back(std::move(said));  // before its end
  const model::Agent* agent = fleet().by_session(seen.session);
  if (!agent || !agent->running()) {
    // The journal knows already, from an earlier life: only the terminal remains to be let go, and what a task left.
    bool sweep = agent && agent->task;
    for (const RequestId request : strangers_.ended(seen.session, sweep))
      answers_.push_back({request, {}});
    return terminals_.close(now, {"", seen.session, sweep, shell_code(ending)}, queue_);
  }
  if (!ending.clean() && !core::ending(*agent)) {
    const std::string& name = agent->spec.name;
    const auto kept = store::append_crash(
        files_.disk(), files_.crash_log(name),
        diagnosis(files_.disk(), now.wall, *agent, ending, seen.cause, tail(name)));
    if (!kept) trouble_ = kept.error();
  }
  const bool killed = ending.known && ending.signal == SIGKILL && agent->process;
  const bool for_memory =
      killed && seen.cause.empty() && files_.disk().memory_story(agent->process->pid).for_memory;
  queue_.push_back(ProgramEnded{seen.session, ending, seen.why, unsent, for_memory, seen.cause});
}

void Inside::saw(const Clock& now, const host::WriteRefused& seen) {
  if (!seen.later || !deliveries_.refused(now.mono, seen.session, seen.why))
    queue_.push_back(WriteLost{seen.session, seen.why});
}

void Inside::saw(const Clock& now, const host::FactsRead& seen) {
  perception_.facts(now.mono, seen.session, seen.facts);
  tasks_.runs().facts(now, seen.session, seen.facts);
  look_at_plain(now, seen);
}

// A program without records that is silent may ask on its terminal: nobody else would see that.
void Inside::look_at_plain(const Clock& now, const host::FactsRead& seen) {
  const model::Agent* agent = fleet().by_session(seen.session);
  const term::Screen* screen = terminals_.screen(seen.session);
  if (!agent || !agent->process || !screen || !seen.facts.effort || !options_.catalog ||
      !tasks_.runs().silent(seen.session))
    return;
  auto sight = perceive::plain_sight(options_.catalog->generic(), *screen);
  const bool asks = seen.facts.effort->reads_terminal && !sight.question.empty();
  const bool asked = agent->state == model::State::waiting;
  if (!asks && !asked && sight.notices == agent->notices) return;
  tasks_.runs().shows(now, seen.session, asks);
  if (asks == asked && sight.notices == agent->notices) return;
  queue_.push_back(plain_run(seen.session, asks ? sight.question : "", std::move(sight.notices)));
}

void Inside::saw(const Clock& now, const host::Resized& seen) {
  terminals_.resized(now, seen.session, seen.size);
  deliveries_.stir(seen.session);
}

void Inside::saw(const Clock&, const host::PersonSeen& seen) {
  if (const model::Agent* agent = fleet().by_session(seen.session))
    queue_.push_back(HumanTyped{agent->spec.name, "tmux", seen.when});
  deliveries_.person(seen.session);
}

void Inside::saw(const Clock&, const host::Noted& seen) {
  terminals_.note(seen.session, seen.text);
  if (!seen.text.empty()) queue_.push_back(TerminalNoted{seen.session, seen.text});
}

void Inside::saw(const Clock&, const host::HolderSeen& seen) {
  const bool over = seen.what == host::HolderSeen::What::answers;
  for (const SessionId session : seen.sessions)
    terminals_.note(session, over ? "" : "its " + host::text_of(seen));
  queue_.push_back(Noted{"", alert_of(fleet(), seen)});
}

}  // namespace pawl::core
