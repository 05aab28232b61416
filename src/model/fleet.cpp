#include "model/fleet.h"

#include <algorithm>

namespace pawl::model {
namespace {

// A terminal is being opened for such an intent, once its agent is said to be starting.
bool opens(Action action) {
  return action == Action::start || action == Action::restart || action == Action::adopt;
}

bool ends(Action action) {
  return action == Action::stop || action == Action::remove || action == Action::restart;
}

void unpark(Agent& agent) {
  agent.parked = false;
  agent.parked_because.clear();
}

// A person takes it in hand: what went wrong before is forgotten.
void start_over(Agent& agent) {
  unpark(agent);
  agent.quarantined.clear();
  agent.nudges = 0;
  auto& restarts = agent.memory.restarts;
  if (restarts.size() > 1)
    restarts.erase(restarts.begin(), restarts.end() - 1);  // it still cools down
  agent.memory.matter = {};
  agent.memory.nudged.reset();
  agent.memory.sessions.left = 0;
  agent.memory.nameless = false;
}

bool locked_out(const Agent& agent) {
  if (agent.state == State::waiting && agent.kind == "login") return true;
  return std::any_of(agent.notices.begin(), agent.notices.end(),
                     [](const Notice& one) { return one.kind == "auth"; });
}

// A turn that ends in the very trouble it was to end is no work, however often its program tried; one that lasted had done some.
constexpr Duration kProven = std::chrono::minutes{10};
bool in_vain(const Agent& agent, WallTime at) {
  const Memory& memory = agent.memory;
  if (!memory.working || at - *memory.working >= kProven) return false;
  if (memory.matter.id == "auth") return locked_out(agent);
  return memory.matter.id == "context" &&
         std::any_of(agent.notices.begin(), agent.notices.end(),
                     [](const Notice& one) { return one.kind == "context"; });
}

// A task that its account's limit had stopped goes on: that time does not count against its deadline.
bool waited_for_limit(const Agent& agent, const StateChanged& fact) {
  if (!agent.task) return false;
  return fact.from == State::limited ||
         (agent.task->report.trouble == "limit" && ended(fact.from) && fact.to == State::starting);
}

// Only what runs behind its prompt is other than before: it rests, or works, as long as it did.
bool same_stretch(const Agent& agent, const StateChanged& fact) {
  return fact.background != agent.background && fact.to == agent.state && fact.kind == agent.kind &&
         fact.input == agent.input && fact.notices == agent.notices && fact.dialog == agent.dialog;
}

void fold(Agent& agent, const Event& event, const StateChanged& fact) {
  if (same_stretch(agent, fact)) {
    agent.background = fact.background;
    agent.because = fact.because;
    return;
  }
  const bool no_login = locked_out(agent);
  agent.state = fact.to;
  agent.kind = fact.kind;
  agent.tier = fact.tier;
  agent.because = fact.because;
  agent.confidence = fact.confidence;
  agent.notices = fact.notices;
  // A view that somebody opens hides when it ends, and does not end it.
  if (fact.from != State::limited || fact.to != State::limited) agent.limited_until.reset();
  for (const auto& notice : fact.notices)
    if (notice.kind == "limit" && notice.until) agent.limited_until = notice.until;
  if (waited_for_limit(agent, fact)) agent.memory.task_unseen += event.at - agent.since;
  agent.since = agent.changed = event.at;
  if (fact.to == State::starting && agent.intent && opens(agent.intent->action)) {
    agent.session = SessionId{agent.intent->seq.value};
    agent.starts += 1;
    if (agent.intent->action == Action::restart) agent.restarts += 1;
    agent.memory.dismissed = false;
    session_began(agent.memory.sessions, call(agent.memory.desk), event.at);
    if (agent.task) begin_run(*agent.task);
    agent.process.reset();
    agent.ending.reset();
  }
  bool ended_by_itself = false;
  const bool was_alive = !ended(fact.from) && fact.from != State::shell;
  if (was_alive || (!ended(fact.to) && fact.to != State::shell)) agent.last_alive = event.at;
  if (ended(fact.to)) {
    agent.ending = fact.ending;
    if (fact.ending) ended_before_seen(agent.memory, *fact.ending);
    agent.memory.dismissed = agent.intent && ends(agent.intent->action);
    ended_by_itself = !agent.memory.dismissed;
  }
  agent.dialog = fact.dialog;
  agent.input = fact.input;
  agent.background = fact.background;
  if (fact.tokens != 0) agent.tokens = fact.tokens;
  if (agent.parked && agent.memory.matter.id.starts_with("dialog") && fact.to != State::waiting)
    unpark(agent);
  const std::optional<Matter> goes_on =
      in_vain(agent, event.at) ? std::optional(agent.memory.matter) : std::nullopt;
  remember(agent.memory, agent.spec, fact.from, fact.to, event.at);
  if (goes_on) agent.memory.matter = *goes_on;
  if (ended_by_itself)  // after its last turn was
    session_ended(agent.memory.sessions, agent.spec, fact.ending.value_or(Ending{-1, 0, false}),
                  no_login, event.at);
  if (!agent.memory.nudged) agent.nudges = 0;
}

void task_decided(Task& task, const Decided& fact) {
  if (fact.action == Action::refresh_auth) task.renewals += 1;
  if (fact.action != Action::restart) return;
  if (fact.matter == "fresh") task.fresh += 1;
  if (fact.matter != "crashed" && fact.matter != "hung") return;  // the others cost no try
  task.retries += 1;
  task.failures += 1;
}

void decided_by_rule(Agent& agent, WallTime at, const Decided& fact) {
  Memory& memory = agent.memory;
  if (fact.rule == kBudgetRule) {
    if (const auto mark = budget_mark_from(fact.how)) told_of_budget(memory.spending, *mark);
    return;
  }
  if (agent.task) task_decided(*agent.task, fact);
  if (fact.action == Action::nudge) {
    agent.nudges = fact.attempt;
    memory.nudged = memory.rested = at;
  }
  if (fact.action == Action::wake && topic_from(fact.how) == Topic::limit) memory.woken = at;
  if (fact.action == Action::leave && agent.kind == kOwnText) memory.swept = at;
  if (fact.action == Action::restart && fact.matter != kNextWork) {
    memory.restarts.push_back(at);
    if (memory.restarts.size() > kRestartsKept) memory.restarts.erase(memory.restarts.begin());
  }
  if (fact.action == Action::archive) memory.sessions.archived = true;  // tried, at least
  if (fact.action == Action::park) {
    agent.parked = true;
    agent.parked_because = fact.because;
  }
  if (fact.action == Action::wake && fact.rule == kWorkRule) {
    give(memory.desk, fact.how, at);
    memory.sessions.given += 1;
  }
  if (fact.action == Action::wake || fact.action == Action::nudge) memory.told = true;
  if (fact.matter.empty()) return;
  if (memory.matter.id != fact.matter) memory.matter = {fact.matter, 0, {}, false};
  memory.matter.last = at;
  if (fact.action == Action::park || fact.action == Action::escalate)
    memory.matter.told = true;
  else if (fact.action != Action::limit_wait)
    memory.matter.tries = fact.attempt;
}

void drop(Agent& agent, uint64_t item) {
  std::erase_if(agent.outbox, [&](const Queued& one) { return one.item == item; });
}

std::optional<Answer> chosen(const Agent& agent, const std::string& text) {
  if (agent.dialog)
    for (const auto& row : agent.dialog->rows)
      if (row.text == text) return answer_to(agent.kind, *agent.dialog, row);
  return std::nullopt;
}

void fold(Agent& agent, const Event& event, const Decided& fact) {
  agent.intent = Intent{event.seq, fact.action, event.at, fact.item, fact.rule, fact.how};
  agent.decision =
      LastDecision{event.seq, event.at, fact.action, fact.because, fact.rule, "", "", fact.by};
  if (opens(fact.action))
    agent.memory.resumed = agent.intent->launches(Launch::resume) && !agent.session_id.empty();
  if (opens(fact.action) && fact.rule.empty()) start_over(agent);
  if (fact.action == Action::stop && fact.rule.empty()) agent.memory.dismissed = true;
  if (fact.action == Action::answer && fact.rule.empty())
    agent.memory.answered = chosen(agent, fact.how);
  if (!fact.rule.empty()) decided_by_rule(agent, event.at, fact);
}

void fold(Agent& agent, const Event& event, const Finished& fact) {
  if (agent.decision && agent.decision->seq == fact.decision) {
    agent.decision->result = word(fact.verdict);
    agent.decision->witness = fact.witness;
  }
  if (fact.action == Action::refresh_auth && fact.verdict == Verdict::failed)
    agent.memory.matter.tries += 1;  // nothing to go on with: the next try renews again
  if (agent.intent && agent.intent->seq == fact.decision) {
    if (agent.intent->rule == kWorkRule && fact.verdict == Verdict::confirmed &&
        agent.memory.desk.given)
      agent.memory.desk.given->taken = true;
    if (fact.action == Action::answer && agent.intent->rule.empty() &&
        fact.verdict != Verdict::confirmed)
      agent.memory.answered.reset();  // it was not taken
    if (fact.action == Action::restart && agent.intent->launches(Launch::typed) &&
        fact.verdict == Verdict::confirmed)
      agent.restarts += 1;
    if (!fact.kept) drop(agent, agent.intent->item);
    agent.intent.reset();
  }
  if (!fact.process) return;
  agent.process = fact.process;
  agent.last_alive = event.at;
}

// What rules count with is moved by all of the gap: nothing was alive, idle, at work or late in it, and nobody was at a keyboard.
// What people are told as a time of the world (when one typed, when a state began) is moved only when the clock was set. The end of a limit stays what its service said.
void skip(Agent& agent, const Gap& gap) {
  forget_gap(agent.memory, gap.length);
  move_clock(agent.memory, gap.clock);
  agent.memory.sessions.unseen += gap.length - gap.clock;
  agent.since += gap.length;
  agent.changed += gap.clock;
  if (agent.last_alive) *agent.last_alive += gap.length;
  if (agent.human_last_seen) *agent.human_last_seen += gap.clock;
  if (agent.intent) agent.intent->at += gap.length;
  if (agent.decision) agent.decision->at += gap.clock;
  if (!agent.task) return;
  Task& task = *agent.task;
  task.started += gap.clock;
  if (task.finished) *task.finished += gap.clock;
  if (!final(task.status)) agent.memory.task_unseen += gap.length - gap.clock;
}

void fold(Agent& agent, const Event& event, const HumanSeen& fact) {
  agent.human_last_seen = agent.memory.human = fact.seen.value_or(event.at);
}

void fold(Agent& agent, const Event& event, const Registered& fact) {
  if (agent.never_started()) agent.since = agent.changed = event.at;
  agent.spec = fact.spec;
}

void fold(Agent& agent, const Event&, const Learned& fact) {
  agent.session_id = fact.session_id;
  agent.transcript = fact.transcript;
  session_kept_in(agent.memory.sessions, fact.transcript);
  if (fact.named) agent.memory.named = true;
}

// What cannot wait goes before what can, in the order it came.
void fold(Agent& agent, const Event&, const Queued& fact) {
  auto at = agent.outbox.end();
  if (fact.eager())
    at = std::find_if(agent.outbox.begin(), agent.outbox.end(),
                      [](const Queued& one) { return !one.eager(); });
  agent.outbox.insert(at, fact);
}

void fold(Agent& agent, const Event&, const Dropped& fact) {
  drop(agent, fact.item);
}

void fold(Agent& agent, const Event&, const Recognised& fact) {
  agent.recognised = fact.runtime;
  agent.seen_command = fact.argv;
}

void fold(Agent& agent, const Event&, const Paused& fact) {
  agent.paused = fact.paused;
  agent.paused_by = fact.paused ? fact.by : std::string();
  if (!fact.paused) start_over(agent);
}

void fold(Agent& agent, const Event&, const Quarantined& fact) {
  agent.quarantined = fact.because;
}

void fold(Agent& agent, const Event&, const WorkSeen& fact) {
  take_in(agent.memory.desk, {fact.name, fact.from, fact.priority}, fact.fingerprint);
}

void fold(Agent& agent, const Event&, const WorkSettled& fact) {
  if (fact.done && agent.memory.desk.given) work_done(agent.memory.sessions);
  if (fact.done && agent.memory.matter.id == work_matter(fact.name)) agent.memory.matter = {};
  settle(agent.memory.desk, fact.done, fact.again);
}

void fold(Agent& agent, const Event&, const Prepared& fact) {
  agent.memory.resumed = fact.resume;
  agent.memory.named = false;  // what names it comes later
}

void fold(Agent& agent, const Event&, const WorkGone& fact) {
  forget(agent.memory.desk, fact.name);
}

void fold(Agent& agent, const Event&, const AnswerKept& fact) {
  auto& answers = agent.memory.answers;
  if (!fact.kept) return answers.clear();
  std::erase_if(answers, [&](const Answer& one) {
    return one.question == fact.answer.question && one.rows == fact.answer.rows &&
           one.subject == fact.answer.subject && one.about == fact.answer.about;
  });
  if (answers.size() < kMaxAnswers) answers.push_back(fact.answer);
}

void fold(Agent& agent, const Event& event, const TaskGiven& fact) {
  agent.task = Task{};
  agent.task->order = fact.order;
  agent.task->started = event.at;
  agent.memory.task_unseen = Duration{0};
}

// A run counts from its start; its last record may correct what it said before.
Spent since_told(const TaskReport& before, const TaskReport& now, WallTime at) {
  Spent out{day_of(at), std::max<int64_t>(now.tokens, 0) - std::max<int64_t>(before.tokens, 0)};
  if (now.cost_usd != before.cost_usd) out.cost_usd = now.cost_usd - before.cost_usd;
  return out;
}

void fold(Agent& agent, const Event& event, const TaskTold& fact) {
  if (!agent.task) return;
  if (const Spent spent = since_told(agent.task->report, fact.report, event.at);
      spent.tokens != 0 || spent.cost_usd)
    spend(agent.memory.spending, spent, event.at);
  if (fact.report.answered) agent.task->failures = 0;
  agent.task->report = fact.report;
}

void fold(Agent& agent, const Event& event, const TaskEnded& fact) {
  if (!agent.task) return;
  agent.task->status = fact.status;
  agent.task->reason = fact.reason;
  agent.task->detail = fact.detail;
  agent.task->exit_code = fact.exit_code;
  agent.task->finished = event.at;
}

void fold(Agent& agent, const Event& event, const Spent& fact) {
  spend(agent.memory.spending, fact, event.at);
}

void fold(Agent& agent, const Event&, const TaskRead&) {
  if (agent.task) agent.task->read = true;
}

// About nobody, or about more than its agent.
void fold(Agent&, const Event&, const Alerted&) {}
void fold(Agent&, const Event&, const Requested&) {}
void fold(Agent&, const Event&, const Gap&) {}
void fold(Agent&, const Event&, const Removed&) {}
void fold(Agent&, const Event&, const TaskFiled&) {}
void fold(Agent&, const Event&, const TaskRecalled&) {}
void fold(Agent&, const Event&, const Forgotten&) {}
void fold(Agent&, const Event&, const AccountSeen&) {}

// What was over long ago is nothing any more.
void see(Fleet& fleet, WallTime now, const AccountSeen& seen) {
  std::erase_if(fleet.accounts, [&](const auto& one) {
    return one.first == seen.account || one.second.free() + kAccountKept < now;
  });
  if (seen.until || seen.turn) fleet.accounts[seen.account] = {seen.node, seen.until, seen.turn};
}

// An agent comes into the fleet, or leaves it. True: that was all.
bool comes_or_goes(Fleet& fleet, const Event& event) {
  if (std::holds_alternative<Registered>(event.fact)) fleet.agents.try_emplace(event.agent);
  if (const auto* recalled = std::get_if<TaskRecalled>(&event.fact)) {
    const auto record = Json::parse(recalled->record);
    auto agent = record ? agent_from(*record) : Result<Agent>(fail("damaged"));
    if (agent) fleet.agents.insert_or_assign(event.agent, std::move(*agent));
    return true;
  }
  if (!std::holds_alternative<Removed>(event.fact) &&
      !std::holds_alternative<TaskFiled>(event.fact))
    return false;
  fleet.agents.erase(event.agent);
  return true;
}

}  // namespace

void apply(Fleet& fleet, const Event& event) {
  fleet.last = event.seq;
  if (const auto* gap = std::get_if<Gap>(&event.fact)) {
    for (auto& [name, agent] : fleet.agents) skip(agent, *gap);
    if (fleet.last_word) fleet.last_word->told += gap->length;  // nobody could read meanwhile
  }
  if (const auto* gone = std::get_if<Forgotten>(&event.fact); gone && gone->upto)
    fleet.last_word = LastWord{event.at, *gone->upto};
  if (const auto* seen = std::get_if<AccountSeen>(&event.fact)) see(fleet, event.at, *seen);
  if (event.agent.empty() || comes_or_goes(fleet, event)) return;
  const auto it = fleet.agents.find(event.agent);
  if (it == fleet.agents.end()) return;  // an event after the removal says nothing about the fleet
  std::visit([&](const auto& fact) { fold(it->second, event, fact); }, event.fact);
}

}  // namespace pawl::model
