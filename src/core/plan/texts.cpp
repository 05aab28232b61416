// Text and keys on their way to an agent: outbox, gate, deliveries and their outcomes.

#include "act/gate.h"
#include "act/press.h"
#include "core/intent.h"
#include "core/plan/inputs.h"
#include "core/plan/steps.h"

namespace pawl::core::plan {
namespace {

Verdict verdict_of(act::Verdict verdict) {
  switch (verdict) {
    case act::Verdict::confirmed:
      return Verdict::confirmed;
    case act::Verdict::unverified:
      return Verdict::unverified;
    case act::Verdict::refused:
      return Verdict::refused;
    case act::Verdict::stuck:
    case act::Verdict::withdrawn:
      break;
  }
  return Verdict::failed;
}

std::string word_of(act::Verdict verdict) {
  constexpr const char* kWords[] = {"confirmed", "stuck", "unverified", "refused", "queued"};
  return kWords[static_cast<size_t>(verdict)];
}

// For the journal, which never has the text itself.
std::string description(const model::Queued& item) {
  std::string out = fmt::format("a text of {} bytes", item.bytes);
  if (!item.from.empty()) out += " from " + item.from;
  return out;
}

// The row a person means, as it stands there; empty: it is not seen yet.
std::string row_meant(const Agent& agent, const std::string& wish) {
  if (!agent.dialog) return {};
  std::vector<std::string> texts;
  for (const auto& row : agent.dialog->rows) texts.push_back(row.text);
  const int row = act::row_of(texts, wish);
  return row < 0 ? std::string() : texts[static_cast<size_t>(row)];
}

bool keepable(const Agent& agent) {
  const auto& last = agent.memory.answered;
  return last && model::unfit_for_a_rule(*last).empty() &&
         std::find(agent.memory.answers.begin(), agent.memory.answers.end(), *last) ==
             agent.memory.answers.end();
}

// How many are typed before it: what is being typed, and what it cannot overtake.
size_t ahead_of(const Agent& agent, const model::Queued& item) {
  return static_cast<size_t>(
      std::count_if(agent.outbox.begin(), agent.outbox.end(), [&](const model::Queued& other) {
        return other.eager() || !item.eager() || (agent.intent && agent.intent->item == other.item);
      }));
}

void tell(PlanBuilder& to, RequestId request, Receipt receipt) {
  if (request.value != 0) to.plan.answers.push_back({request, {}, std::move(receipt)});
}

// Its end was seen, or its program went away under it.
enum class Ends { seen, cut_off };

void close(PlanBuilder& to, const Agent& agent, const model::Finished& fact,
           const act::Outcome& outcome, Ends how = Ends::seen) {
  const std::string& name = agent.spec.name;
  const uint64_t item = agent.intent->item;
  to.emit(name, fact);
  Receipt receipt{word_of(outcome.verdict), outcome.witness, fact.took_ms, 1};
  receipt.plain = act::plain(agent);
  receipt.keepable = fact.action == Action::answer && agent.intent->rule.empty() &&
                     fact.verdict == Verdict::confirmed && keepable(agent);
  if (fact.action == Action::answer && fact.kept) receipt.verdict = "failed";
  if (const auto live = to.pending.live.find(fact.decision); live != to.pending.live.end())
    for (const RequestId request : live->second.waiting) tell(to, request, receipt);
  const auto sender = to.pending.senders.find(item);
  if (sender != to.pending.senders.end() && !(fact.kept && sender->second.patient)) {
    tell(to, sender->second.request, receipt);
    to.plan.told.push_back(item);
  }
  if (agent.intent->rule == model::kWorkRule && model::in_vain(fact.verdict))
    to.settle_work(agent, {.again = !fact.kept}, outcome.witness);
  if (item == 0) return;
  if (fact.kept) return to.plan.put_off.push_back(name);
  to.effect(ForgetText{name, item});
  // Of a program nobody knows only what is certain is told.
  const bool known = how == Ends::cut_off || !act::plain(agent);
  const bool refused = outcome.verdict == act::Verdict::refused;
  if (refused || outcome.verdict == act::Verdict::stuck ||
      (outcome.verdict == act::Verdict::unverified && known))
    to.emit(name,
            model::Alerted{
                model::Severity::warning,
                fmt::format("{} {}: {}", fact.action == Action::wake ? "a wake-up" : "a text",
                            refused ? "was refused" : "may not have arrived", outcome.witness)});
}

}  // namespace

std::string key_of(const Agent& agent, const std::string& row) {
  if (agent.dialog)
    for (const auto& one : agent.dialog->rows)
      if (one.text == row) return one.key;
  return {};
}

void follow(PlanBuilder& to, const SendAsked& ask) {
  const auto forget = [&] { to.effect(ForgetText{ask.agent, ask.item.item}); };
  const Agent* agent = to.find(ask.agent);
  if (!agent) return to.refuse_unknown(ask.request, ask.agent);
  if (agent->away()) {
    forget();
    return to.refuse(ask.request, away_text(*agent), away_todo(*agent));
  }
  if (!agent->running()) {
    forget();
    return to.refuse(ask.request, quoted(ask.agent) + " is not running",
                     "start it with: pawl restart " + ask.agent);
  }
  if (!act::has_room(*agent, ask.item.bytes)) {
    forget();
    return to.refuse(
        ask.request,
        fmt::format("{} texts wait for {} already", agent->outbox.size(), quoted(ask.agent)),
        "see what holds them up with: pawl why " + ask.agent);
  }
  to.emit(ask.agent, ask.item);
  const auto held = act::held_back(*agent, ask.item, to.now.wall);
  const size_t before = ahead_of(*agent, ask.item);
  if (ask.wait || (!held && before == 0 && !agent->intent)) {
    if (ask.request.value != 0)
      to.plan.senders.emplace_back(ask.item.item, Sender{ask.request, ask.wait});
    return;
  }
  tell(to, ask.request,
       {"queued", held ? held->because : "others are before it", 0, before + 1,
        held ? held->until : std::nullopt, held && held->person});
}

void follow(PlanBuilder& to, const DropAsked& ask) {
  const Agent* agent = to.find(ask.agent);
  if (!agent) return to.refuse_unknown(ask.request, ask.agent);
  size_t count = 0;
  for (const auto& item : agent->outbox) {
    if (agent->intent && agent->intent->item == item.item) continue;  // it is being typed
    to.emit(ask.agent, model::Dropped{item.item, ask.because});
    to.effect(ForgetText{ask.agent, item.item});
    ++count;
    const auto sender = to.pending.senders.find(item.item);
    if (sender == to.pending.senders.end()) continue;
    to.refuse(sender->second.request, "it was dropped before it was typed", "send it again");
    to.plan.told.push_back(item.item);
  }
  tell(to, ask.request,
       {"dropped", fmt::format("{} text{} will not be typed", count, count == 1 ? "" : "s")});
}

void follow(PlanBuilder& to, const DeliveryDue& due) {
  const Agent* agent = to.find(due.agent);
  if (!agent || agent->intent || agent->outbox.empty()) return;
  const model::Queued& item = agent->outbox.front();
  if (act::held_back(*agent, item, to.now.wall)) return to.plan.put_off.push_back(due.agent);
  model::Decided fact{item.action, description(item), 1, item.item};
  fact.by = item.by;
  const Seq intent = to.emit(due.agent, std::move(fact));
  to.effect(DeliverText{.agent = due.agent,
                        .session = agent->session,
                        .intent = intent,
                        .item = item,
                        .plain = act::plain(*agent)});
}

void follow(PlanBuilder& to, const AnswerAsked& ask) {
  const Agent* agent = to.wanted(ask.request, ask.agent);
  if (!agent) return;
  if (!agent->running() || agent->state != State::waiting)
    return to.refuse(ask.request, quoted(ask.agent) + " has no open dialog",
                     "look at it with: pawl screen " + ask.agent);
  if (!ask.dialog.empty() && (!agent->dialog || agent->dialog->id != ask.dialog))
    return to.refuse(ask.request, model::asks_else(*agent), "look at it: pawl show " + ask.agent);
  model::Decided fact{Action::answer, "asked to choose " + ask.row, 1};
  fact.how = row_meant(*agent, ask.row);
  const Seq intent = to.emit(ask.agent, fact);
  if (ask.request.value != 0) to.plan.waits.emplace_back(intent, ask.request);
  to.effect(PressRow{.session = agent->session,
                     .intent = intent,
                     .row = ask.row,
                     .key = key_of(*agent, fact.how),
                     .dialog = agent->dialog ? agent->dialog->id : std::string()});
}

void follow(PlanBuilder& to, const KeepAnswer& ask) {
  const Agent* agent = to.find(ask.agent);
  if (!agent) return to.refuse_unknown(ask.request, ask.agent);
  if (!ask.keep) {
    to.emit(ask.agent, model::AnswerKept{false, {}});
    return to.answer(ask.request, {});
  }
  const auto& last = agent->memory.answered;
  if (!last)
    return to.refuse(ask.request, "nobody has answered a dialog of " + quoted(ask.agent) + " yet",
                     "answer one and keep it: pawl answer " + ask.agent + " ROW --keep");
  if (const std::string why = model::unfit_for_a_rule(*last); !why.empty())
    return to.refuse(ask.request, fmt::format("'{}' cannot be kept as a rule", last->choose), why);
  if (!ask.about.empty() && !model::fits_pattern(ask.about, last->subject))
    return to.refuse(ask.request,
                     fmt::format("'{}' does not fit what it was about: {}", ask.about,
                                 last->subject.empty() ? "nothing was shown" : last->subject),
                     "* stands for anything");
  if (agent->memory.answers.size() >= model::kMaxAnswers)
    return to.refuse(ask.request, fmt::format("{} answers are kept already", model::kMaxAnswers),
                     "forget them with: pawl answer " + ask.agent + " --forget");
  model::Answer kept = *last;
  kept.about = ask.about;
  to.emit(ask.agent, model::AnswerKept{true, std::move(kept)});
  to.answer(ask.request, {});
}

void tell_own_text(PlanBuilder& to, const Agent& agent) {
  to.emit(agent.spec.name, model::Alerted{model::Severity::warning, model::kOwnTextLeft, "own text",
                                          "clear its box: pawl attach " + agent.spec.name});
}

void follow(PlanBuilder& to, const Delivered& seen) {
  const Agent* agent = to.pending.agent_of(to.fleet, seen.intent);
  if (!agent) return;
  const model::Intent& intent = *agent->intent;
  const auto took =
      std::chrono::duration_cast<std::chrono::milliseconds>(to.now.wall - intent.at).count();
  close(to, *agent,
        {intent.action,
         intent.seq,
         verdict_of(seen.outcome.verdict),
         seen.outcome.witness,
         std::max<int64_t>(0, took),
         {},
         seen.outcome.verdict == act::Verdict::withdrawn},
        seen.outcome);
  if (intent.action == Action::leave && agent->kind == model::kOwnText &&
      seen.outcome.verdict != act::Verdict::confirmed &&
      seen.outcome.verdict != act::Verdict::withdrawn)
    tell_own_text(to, *agent);
  if (seen.outcome.draft_lost)
    to.emit(
        agent->spec.name,
        model::Alerted{model::Severity::warning,
                       "a person's draft could not be put back; it is kept in " + seen.draft_file});
}

void cut_off(PlanBuilder& to, const Agent& agent, const std::string& why) {
  cut_off(to, agent, why, to.pending.unsent.contains(agent.intent->seq));
}

void cut_off(PlanBuilder& to, const Agent& agent, const std::string& why, bool unsent) {
  const model::Intent& intent = *agent.intent;
  // Nobody can have taken it: it stays in the outbox, for the next life of its program.
  const bool kept = intent.item != 0 && unsent;
  const auto verdict = kept ? act::Verdict::withdrawn : act::Verdict::unverified;
  close(to, agent, {intent.action, intent.seq, verdict_of(verdict), why, 0, {}, kept},
        {verdict, why}, Ends::cut_off);
}

void dismiss(PlanBuilder& to, const Agent& agent, const std::string& why) {
  for (const auto& item : agent.outbox) {
    const auto sender = to.pending.senders.find(item.item);
    if (sender == to.pending.senders.end() ||
        std::find(to.plan.told.begin(), to.plan.told.end(), item.item) != to.plan.told.end())
      continue;
    to.refuse(sender->second.request, quoted(agent.spec.name) + " " + why,
              "look at it with: pawl show " + agent.spec.name);
    to.plan.told.push_back(item.item);
  }
}

void take_up(PlanBuilder& to, const Agent& agent) {
  for (const auto& item : agent.outbox)
    if (item.item == agent.intent->item)
      to.effect(DeliverText{.agent = agent.spec.name,
                            .session = agent.session,
                            .intent = agent.intent->seq,
                            .item = item,
                            .plain = act::plain(agent),
                            .resumed = true});
}

}  // namespace pawl::core::plan
