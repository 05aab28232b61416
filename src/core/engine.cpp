#include "act/gate.h"
#include "core/inside.h"
#include "core/intent.h"
#include "store/task_files.h"

namespace pawl::core {
namespace {

constexpr Duration kHolderAgain = std::chrono::seconds{5};  // for texts that wait for their holder

// What an operator cannot have any more when the daemon is about to end.
bool begins_something(const Input& input) {
  return std::holds_alternative<RunAsked>(input) || std::holds_alternative<StartAsked>(input) ||
         std::holds_alternative<RestartAsked>(input) || std::holds_alternative<TaskAsked>(input) ||
         std::holds_alternative<GoOnAsked>(input) || std::holds_alternative<AdoptAsked>(input);
}

// The agent it wants running; empty: none.
std::string begun_by(const Input& input) {
  if (!begins_something(input)) return {};
  return std::visit(
      [](const auto& ask) -> std::string {
        if constexpr (requires { ask.spec.name.size(); }) return ask.spec.name;
        if constexpr (requires { ask.agent.size(); }) return ask.agent;
        return {};
      },
      input);
}

// The agent whose program this is to reach; empty: none.
std::string reached_by(const Input& input) {
  if (const auto* ask = std::get_if<WriteAsked>(&input)) return ask->agent;
  if (const auto* ask = std::get_if<StopAsked>(&input)) return ask->agent;
  if (const auto* ask = std::get_if<RestartAsked>(&input)) return ask->agent;
  if (const auto* ask = std::get_if<RemoveAsked>(&input)) return ask->agent;
  return {};
}

}  // namespace

Inside::Inside(host::Host& host, store::Journal& journal, EngineOptions options, model::Fleet fleet)
    : host_(host),
      journal_(journal),
      options_(std::move(options)),
      own_disk_(options_.disk ? nullptr : store::machine_disk(options_.home)),
      files_(options_.disk ? *options_.disk : *own_disk_, options_.home),
      supervisor_(std::move(fleet)),
      perception_(options_.catalog, options_.zone_of),
      terminals_({host_, supervisor_.fleet(), files_, options_},
                 [this](SessionId session) { return tasks_.runs().flush(session); }),
      starts_({host_, supervisor_.fleet(), files_, options_}),
      inboxes_({host_, supervisor_.fleet(), files_, options_}),
      hooks_({host_, supervisor_.fleet(), files_, options_}),
      deliveries_({host_, supervisor_.fleet(), files_, options_}),
      tasks_({host_, supervisor_.fleet(), files_, options_}),
      usage_({host_, supervisor_.fleet(), files_, options_}),
      sources_({host_, supervisor_.fleet(), files_, options_}),
      forgetting_({host_, supervisor_.fleet(), files_, options_}) {
  tasks_.runs().read_from([this](SessionId session) { return terminals_.screen(session); });
  showings_.read(files_.shown());
}

Inside::~Inside() = default;

RequestId Inside::submit(Input input) {
  const RequestId request = request_of(input);
  askers_.submitted(request);
  if (auto why = out_of_question(input)) {
    drop_unused_folder(input);
    answers_.push_back({request, tl::unexpected(std::move(*why))});
  } else if (!stops_stranger(input))
    queue_.push_back(std::move(input));
  return request;
}

// What cannot be done as things are, whatever the journal says: whoever asks hears it at once.
std::optional<Error> Inside::out_of_question(const Input& input) {
  if (draining_ && begins_something(input))
    return Error{"the daemon is about to end and begins nothing new",
                 "ask again when the next one runs"};
  if (const Stranger* other = strangers_.find(begun_by(input))) return beside(*other);
  const model::Agent* agent = fleet().find(reached_by(input));
  auto unheard = agent && agent->running() ? host_.unheard(agent->session) : std::nullopt;
  if (unheard) unheard->what = "nothing was done: " + unheard->what;
  return unheard;
}

// True: nobody else is meant. It is written down first, and done in this turn (Strangers::turn).
bool Inside::stops_stranger(const Input& input) {
  const auto* ask = std::get_if<StopAsked>(&input);
  const Stranger* one = ask ? strangers_.find(ask->agent) : nullptr;
  if (!one) return false;
  queue_.push_back(Noted{"",
                         {model::Severity::info,
                          one->name + " is not in this journal; it is ended: " + ask->because,
                          "",
                          "",
                          {}}});
  const bool alone = !fleet().find(ask->agent);
  strangers_.stop(ask->agent, alone ? ask->request : RequestId{});
  return alone;
}

void Inside::turn(const Clock& now) {
  const bool waits = !queue_.empty();
  const bool came = take_host(now);
  guard_.turn(now.mono, !waits && !came);
  if (catches_up(now)) return decide(now);
  perceive(now);
  go_on(now);
  if (const auto due = decide_at(); due && *due <= now.mono) queue_.push_back(Tick{});
  decide(now);
  look_into_folders(now);
  if (options_.asks && !draining_) run(sources_.turn(now));
  for (int round = 0; begin_due(now, round); ++round) {
    decide(now);
    go_on(now);
    decide(now);
  }
  if (!retry_at_) usage_.turn(now, queue_);  // before rules look: they keep budgets
  if (!queue_.empty()) decide(now);
  for (int round = 0; consult(now, round); ++round) {
    decide(now);
    if (!inboxes_.waits()) look_into_folders(now);  // work was settled: there may be room for more
  }
  if (!retry_at_) attention_.turn(now, fleet(), queue_);
  mend_folders(now);
  tasks_.save(now);
  let_go_tasks(now);
  forget(now);
  inboxes_.keep_ledgers();
  terminals_.turn(now, queue_);
  if (!retry_at_) strangers_.turn(now.mono, host_);
  if (!queue_.empty()) decide(now);  // what this has to tell
  end_turn(now);
}

// Somebody who wants to be woken again and again, and then does nothing, is held back and told of.
void Inside::end_turn(const Clock& now) {
  if (!retry_at_ && showings_.changed() && files_.keep_shown(showings_.text())) showings_.kept();
  const Wake next = next_wake();
  if (!guard_.over(next.at)) return;
  queue_.push_back(Noted{"",
                         {model::Severity::error,
                          std::string("the daemon is woken again and again for nothing by its ") +
                              next.who + "; it is held back to once a second",
                          "woken for nothing",
                          "please report it",
                          {}}});
  decide(now);
}

std::optional<MonoTime> Inside::wake_at() const {
  return guard_.held(next_wake().at);
}

Inside::Wake Inside::next_wake() const {
  if (caught_up_at_) return {"reading", caught_up_at_};
  // Who has no turn while the journal refuses would only wake us for nothing.
  const auto writable = [this](std::optional<MonoTime> at) {
    return retry_at_ ? std::nullopt : at;
  };
  const Wake all[] = {{"deadlines", decide_at()},
                      {"rules", consult_at_},
                      {"queued texts", gate_at_},
                      {"perception", perception_.wake_at()},
                      {"terminals", terminals_.wake_at()},
                      {"strangers", writable(strangers_.wake_at())},
                      {"inboxes", inboxes_.wake_at()},
                      {"deliveries", deliveries_.wake_at()},
                      {"tasks", tasks_.wake_at()},
                      {"usage", writable(usage_.wake_at())},
                      {"work commands", sources_.wake_at()},
                      {"retention", draining_ ? std::nullopt : writable(forgetting_.wake_at())},
                      {"attention", writable(attention_.wake_at())}};
  Wake next = all[0];
  for (const Wake& one : all)
    if (one.at && (!next.at || *one.at < *next.at)) next = one;
  return next;
}

// A deadline of the supervisor's, or the next try of a journal that refused; until then deadlines wait as well.
std::optional<MonoTime> Inside::decide_at() const {
  return retry_at_ ? retry_at_ : supervisor_.wake_at();
}

const std::optional<Error>& Inside::trouble() const {
  if (trouble_) return trouble_;
  return terminals_.trouble() ? terminals_.trouble() : tasks_.trouble();
}

void Inside::slept(const Clock& now, const Slept& gap) {
  for (Input& input : queue_)  // whoever typed while the journal could not be written
    if (auto* typed = std::get_if<HumanTyped>(&input); typed && typed->seen)
      *typed->seen += gap.length;
  queue_.push_front(gap);
  tasks_.runs().skip(gap.length);
  deliveries_.slept(now.wall, gap.length);
  if (gap.clock < Duration{0}) perception_.clock_set_back(now, gap.clock);
  if (gap.length > gap.clock) caught_up_at_ = now.mono + kCatchUp;
}

bool Inside::catches_up(const Clock& now) {
  if (!caught_up_at_) return false;
  if (now.mono < *caught_up_at_) return true;
  caught_up_at_.reset();
  return false;
}

Sight Inside::sight(SessionId session) const {
  return {terminals_.screen(session), perception_.tracker(session), perception_.behind(session)};
}

void Inside::perceive(const Clock& now) {
  for (const SessionId session : tasks_.runs().to_look_at(now.mono))
    host_.look(session, {.status = {}, .transcript = {}, .effort = true});
  for (const SessionId session : perception_.ask_facts(now.mono))
    host_.look(session, perception_.own_files(session));
  auto seen =
      perception_.look(now, [this](SessionId session) { return terminals_.screen(session); });
  for (auto& one : seen) {
    // A text of ours that was not taken, or came back, is not taken for a person's.
    if (one.state == model::State::typing &&
        deliveries_.own_text(now, one.session, sight(one.session))) {
      one.kind = model::kOwnText;
      one.because = "the box holds a text of Pawl's that was not taken";
      one.removable = deliveries_.knows_text(one.session);
    }
    if (one.state == model::State::ready) deliveries_.emptied(one.session);
    queue_.push_back(std::move(one));
  }
}

void Inside::go_on(const Clock& now) {
  for (const SessionId session : deliveries_.due(now.mono)) {
    const auto step = deliveries_.step(now, session, sight(session), queue_);
    if (step == Deliveries::Step::too_early) perception_.hasten(now.mono, session);
    if (step == Deliveries::Step::over) perception_.tell_again(now.mono, session);
  }
}

// What may be typed now, by the journal, becomes an input. False: there is nothing.
bool Inside::begin_due(const Clock& now, int round) {
  gate_at_.reset();
  if (retry_at_ || draining_) return false;  // the journal refuses, or it would be a new turn
  const auto due = supervisor_.due(now, gate_at_);
  if (!due.empty() && round == kBeginRounds) {  // nobody may keep the turn from its end
    gate_at_ = now.mono + kTryAgain;
    return false;
  }
  bool begun = false;
  for (const auto& agent : due) {
    const model::Agent& known = *fleet().find(agent);
    if (host_.unheard(known.session)) {  // not a byte would arrive: it waits for its holder
      gate_at_ = earlier(gate_at_, now.mono + kHolderAgain);
      continue;
    }
    if (!known.outbox.front().eager()) inboxes_.look_for_person(now, agent, queue_);
    queue_.push_back(DeliveryDue{agent});
    begun = true;
  }
  return begun;
}

// Called when nothing waits to be decided.
void Inside::look_into_folders(const Clock& now) {
  if (retry_at_) return;
  const std::set<std::string> names = inboxes_.take_looks();
  if (names.empty()) return;
  for (const auto& name : names) {
    if (!draining_) tasks_.look_for_resume(name, queue_);
    if (const model::Agent* task = fleet().find(name); task && over(*task)) continue;
    starts_.look_for_permission(name, queue_);
    inboxes_.look(now, name, queue_);
    inboxes_.take_wakeups(now, name, queue_);
  }
  decide(now);
  for (const auto& name : names) inboxes_.taken(now, name);
}

// Told once: it is tried again every few seconds.
Noted Inside::not_mended(const std::string& name, const Error& why) {
  return {name,
          {model::Severity::warning,
           "the folder of its task was removed and cannot be made again: " + why.what +
               "; what it prints is in its recording",
           "lost task folder",
           why.fix.empty() ? "pawl task cancel ends a task" : why.fix,
           {}}};
}

// What it printed is in its recording. Not before all of that is on disk: it is tried again with the next save.
void Inside::mend_folders(const Clock& now) {
  tasks_.look(now.mono);
  for (const auto& name : tasks_.lost(now)) {
    const model::Agent& agent = *fleet().find(name);
    terminals_.flush_agent(now, name, queue_);
    const LiveTerminal* terminal = terminals_.of(name);
    if (terminal && terminal->dirty()) continue;
    if (const auto made = store::make_task_dir_again(files_.disk(), agent.task->order.dir); !made) {
      if (tasks_.stays_lost(name)) queue_.push_back(not_mended(name, made.error()));
      continue;
    }
    tasks_.found_again(name);
    if (terminal) tasks_.take_over(now, agent, terminal->durable());
    if (!agent.running()) tasks_.runs().ended(now, agent.session);
    (void)tasks_.runs().flush(agent.session);  // of a silent one nobody else will soon
    model::Alerted alert{
        model::Severity::warning,
        "the folder of its task was removed: it is there again, with what it printed "
        "in this run, and without its prompt",
        "task folder",
        "pawl task cancel ends a task",
        {}};
    queue_.push_back(Noted{name, std::move(alert)});
  }
}

void Inside::let_go_tasks(const Clock& now) {
  const auto closing = [this](const std::string& name) {
    const auto session = terminals_.newest(name);
    return (session && terminals_.closing(*session)) || usage_.waits(name);
  };
  for (const auto& name : tasks_.let_go(now, closing)) {
    terminals_.let_go(name);
    deliveries_.forget(name);
    hooks_.forget(name);
    starts_.forget(name);
    inboxes_.forget(name);
    showings_.forget(name);
    if (auto kept = journal_.tasks().keep(*fleet().find(name)); kept)
      queue_.push_back(FileTask{name});
    else
      tasks_.let_go_later(now.mono, name);
  }
}

bool Inside::recall(const std::string& agent) {
  if (fleet().find(agent)) return true;
  const auto filed = journal_.tasks().find(agent);
  if (!filed || !*filed) return false;
  for (Input& input : queue_)  // what waits for the journal, and would take it away
    if (auto* ask = std::get_if<ForgetAsked>(&input))
      std::erase_if(ask->going,
                    [&](const auto& one) { return one.held.agent == (*filed)->spec.name; });
  queue_.push_back(TaskWanted{(*filed)->spec.name, to_json(**filed).dump()});
  return true;
}

void Inside::run(std::vector<RunCommand> commands) {
  for (auto& command : commands) commands_.push_back(std::move(command));
}

}  // namespace pawl::core
