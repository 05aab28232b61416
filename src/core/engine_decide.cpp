// Decide: one input at a time, journalled before anything is done.

#include "core/inside.h"
#include "store/task_files.h"

namespace pawl::core {
namespace {

constexpr Duration kClockInDoubt = std::chrono::hours{1};  // what seems old may not be

bool from_operator(const Input& input) {
  return request_of(input).value != 0;
}

// Whom it is about; empty: nobody, or everybody.
std::string agent_of(const model::Fleet& fleet, const Input& input) {
  return std::visit(
      [&](const auto& it) -> std::string {
        if constexpr (requires { it.agent.size(); }) return it.agent;
        if constexpr (requires { it.session; }) {
          const model::Agent* agent = fleet.by_session(it.session);
          return agent ? agent->spec.name : std::string();
        }
        return {};
      },
      input);
}

}  // namespace

// Too much of one agent in one turn: it is quarantined, and what else comes of it is left out. What people ask for is not.
bool Inside::left_out(const Input& input) {
  if (from_operator(input) || std::holds_alternative<TurnWithoutEnd>(input)) return false;
  const std::string agent = agent_of(fleet(), input);
  const auto word = guard_.count(agent);
  if (word == TurnGuard::Word::stop)
    queue_.push_front(TurnWithoutEnd{agent, "what happens to it did not come to an end"});
  return word != TurnGuard::Word::fine && !std::holds_alternative<ProgramEnded>(input) &&
         !std::holds_alternative<LeaseSeen>(input);
}

// A task that was refused: what was made for it is nobody's.
void Inside::drop_unused_folder(const Input& input) {
  const auto* ask = std::get_if<TaskAsked>(&input);
  if (!ask) return;
  const model::Agent* agent = fleet().find(ask->spec.name);
  if (agent && agent->task && agent->task->order.dir == ask->order.dir) return;
  (void)store::remove_task_dir(files_.disk(), options_.home, ask->order.dir);
}

// The journal refuses. Nobody waits in silence: operators hear why, the rest keeps its place. A deadline comes again, and rules are
// asked again, when all that happened meanwhile is written.
void Inside::refuse_all() {
  std::erase_if(queue_, [&](const Input& input) {
    if (std::holds_alternative<Tick>(input) || std::holds_alternative<RulesDue>(input) ||
        std::holds_alternative<RequestSeen>(input))
      return true;  // … and what was asked for is not done
    if (!from_operator(input)) return false;
    drop_unused_folder(input);
    answers_.push_back({request_of(input), tl::unexpected(*trouble_)});
    return true;
  });
}

void Inside::decide(const Clock& now) {
  if (retry_at_ && now.mono < *retry_at_) return refuse_all();
  while (!queue_.empty()) {
    const Input input = std::move(queue_.front());
    queue_.pop_front();
    if (left_out(input)) continue;
    if (const auto* ended = std::get_if<CommandEnded>(&input);
        ended && (starts_.heard(now, *ended, queue_) || sources_.heard(now, *ended, queue_))) {
      open_prepared(now);
      continue;
    }
    const bool decided = decide_one(now, input);
    drop_unused_folder(input);
    if (decided) continue;
    if (!from_operator(input)) queue_.push_front(input);
    // First of all it will be said: the journal then tells of the gap, and health is good again without anybody asking.
    if (!std::holds_alternative<JournalRefused>(input))
      queue_.push_front(JournalRefused{trouble_->what});
    retry_at_ = now.mono + kRetryEvery;
    return refuse_all();
  }
  retry_at_.reset();
}

bool Inside::decide_one(const Clock& now, const Input& input) {
  supervisor_.know_unsent(deliveries_.unsent());
  Plan plan = supervisor_.plan(now, input);
  askers_.stamp(request_of(input), plan.events);
  for (const size_t at : plan.shown)
    std::get<model::Alerted>(plan.events[at].fact).screen = tail(plan.events[at].agent);
  if (auto appended = journal_.append(plan.events); !appended) {
    trouble_ = appended.error();
    if (from_operator(input)) answers_.push_back({request_of(input), tl::unexpected(*trouble_)});
    return false;
  }
  if (!plan.events.empty()) trouble_.reset();
  supervisor_.commit(now, plan);
  written(now, plan.events);
  for (const auto& effect : plan.effects) perform(now, effect);
  for (auto& answer : plan.answers) answers_.push_back(std::move(answer));
  return true;
}

// What is in the journal now is told to the parts that keep something beside it.
void Inside::written(const Clock& now, const std::vector<model::Event>& events) {
  for (const auto& event : events) {
    if (const auto* ended = std::get_if<model::Finished>(&event.fact)) {
      if (const model::Agent* agent = fleet().find(event.agent))  // it may be what is under way
        deliveries_.stir(agent->session);
      if (ended->action == model::Action::answer)
        showings_.answered(event.agent, ended->verdict == model::Verdict::confirmed);
    }
    if (std::holds_alternative<model::TaskEnded>(event.fact))
      if (const model::Agent* agent = fleet().find(event.agent)) note_lease_end(*agent);
    if (std::holds_alternative<model::TaskRecalled>(event.fact))
      (void)journal_.tasks().forget({event.agent});  // a row that stays says nothing
    if (const auto* gap = std::get_if<model::Gap>(&event.fact);
        gap && std::chrono::abs(gap->clock) >= kClockInDoubt)
      forgetting_.clock_was_set(now.mono);
    const auto* alert = std::get_if<model::Alerted>(&event.fact);
    if (!alert) continue;
    alerts_.push_back(event);
    const model::Agent* agent = fleet().find(event.agent);
    if (agent && agent->dialog && !agent->spec.notify.empty() &&
        alert->matter == agent->dialog->matter())
      showings_.shown(model::world_of({model::kPerson, ""}), event.agent, agent->dialog->id);
  }
  attention_.written(now, fleet(), events);
  tasks_.written(now, events);
  inboxes_.written(events);
  usage_.written(now, events);
}

}  // namespace pawl::core
