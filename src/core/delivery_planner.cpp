#include "core/delivery_planner.h"

#include "act/gate.h"
#include "act/press.h"
#include "core/intent.h"

namespace pawl::core {
namespace {

Verdict verdict_of(act::Verdict verdict) {
  if (verdict == act::Verdict::confirmed) return Verdict::confirmed;
  return verdict == act::Verdict::unverified ? Verdict::unverified : Verdict::failed;
}

std::string word_of(act::Verdict verdict) {
  constexpr const char* kWords[] = {"confirmed", "stuck", "unverified", "queued"};
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

}  // namespace

void DeliveryPlanner::tell(RequestId request, Receipt receipt) {
  if (request.value != 0) plan_.answers.push_back({request, {}, std::move(receipt)});
}

void DeliveryPlanner::operator()(const SendAsked& ask) {
  const auto forget = [&] { plan_.effects.push_back(ForgetText{ask.agent, ask.item.item}); };
  const Agent* agent = find(ask.agent);
  if (!agent) return refuse_unknown(ask.request, ask.agent);
  if (!agent->running()) {
    forget();
    return refuse(ask.request, quoted(ask.agent) + " is not running",
                  "start it with: pawl restart " + ask.agent);
  }
  if (!act::has_room(*agent, ask.item.bytes)) {
    forget();
    return refuse(
        ask.request,
        fmt::format("{} texts wait for {} already", agent->outbox.size(), quoted(ask.agent)),
        "see what holds them up with: pawl why " + ask.agent);
  }
  emit(ask.agent, ask.item);
  const auto held = act::held_back(*agent, ask.item, now_.wall);
  const size_t before = ahead_of(*agent, ask.item);
  if (ask.wait || (!held && before == 0 && !agent->intent)) {
    if (ask.request.value != 0)
      plan_.senders.emplace_back(ask.item.item, Sender{ask.request, ask.wait});
    return;
  }
  tell(ask.request, {"queued", held ? held->because : "others are before it", 0, before + 1,
                     held ? held->until : std::nullopt, held && held->person});
}

void DeliveryPlanner::operator()(const DropAsked& ask) {
  const Agent* agent = find(ask.agent);
  if (!agent) return refuse_unknown(ask.request, ask.agent);
  size_t count = 0;
  for (const auto& item : agent->outbox) {
    if (agent->intent && agent->intent->item == item.item) continue;  // it is being typed
    emit(ask.agent, model::Dropped{item.item, ask.because});
    plan_.effects.push_back(ForgetText{ask.agent, item.item});
    ++count;
    const auto sender = supervisor_.senders_.find(item.item);
    if (sender == supervisor_.senders_.end()) continue;
    refuse(sender->second.request, "it was dropped before it was typed", "send it again");
    plan_.told.push_back(item.item);
  }
  tell(ask.request,
       {"dropped", fmt::format("{} text{} will not be typed", count, count == 1 ? "" : "s")});
}

void DeliveryPlanner::operator()(const DeliveryDue& due) {
  const Agent* agent = find(due.agent);
  if (!agent || agent->intent || agent->outbox.empty()) return;
  const model::Queued& item = agent->outbox.front();
  if (act::held_back(*agent, item, now_.wall)) return plan_.put_off.push_back(due.agent);
  model::Decided fact{item.action, description(item), 1, item.item};
  fact.by = item.by;
  const Seq intent = emit(due.agent, std::move(fact));
  plan_.effects.push_back(
      DeliverText{due.agent, agent->session, intent, item, act::plain(*agent), false});
}

void DeliveryPlanner::operator()(const AnswerAsked& ask) {
  const Agent* agent = wanted(ask.request, ask.agent);
  if (!agent) return;
  if (!agent->running() || agent->state != State::waiting)
    return refuse(ask.request, quoted(ask.agent) + " does not ask anything",
                  "look at it with: pawl screen " + ask.agent);
  if (!ask.dialog.empty() && (!agent->dialog || agent->dialog->id != ask.dialog))
    return refuse(ask.request, model::asks_else(*agent), "look at it: pawl show " + ask.agent);
  model::Decided fact{Action::answer, "asked to choose " + ask.row, 1};
  fact.how = row_meant(*agent, ask.row);
  const Seq intent = emit(ask.agent, fact);
  if (ask.request.value != 0) plan_.waits.emplace_back(intent, ask.request);
  plan_.effects.push_back(PressRow{agent->session, intent, ask.row, "",
                                   agent->dialog ? agent->dialog->id : std::string()});
}

void DeliveryPlanner::operator()(const Delivered& seen) {
  const auto live = supervisor_.live_.find(seen.intent);
  const Agent* agent = live == supervisor_.live_.end() ? nullptr : find(live->second.agent);
  if (!agent || !agent->intent || agent->intent->seq != seen.intent) return;
  const model::Intent& intent = *agent->intent;
  const auto took =
      std::chrono::duration_cast<std::chrono::milliseconds>(now_.wall - intent.at).count();
  close(*agent,
        {intent.action,
         intent.seq,
         verdict_of(seen.outcome.verdict),
         seen.outcome.witness,
         std::max<int64_t>(0, took),
         {},
         seen.outcome.verdict == act::Verdict::withdrawn},
        seen.outcome);
  if (seen.outcome.draft_lost)
    emit(agent->spec.name,
         model::Alerted{"warning", "a person's draft could not be put back; it is kept in " +
                                       seen.draft_file});
}

void DeliveryPlanner::close(const Agent& agent, const model::Finished& fact,
                            const act::Outcome& outcome) {
  const std::string& name = agent.spec.name;
  const uint64_t item = agent.intent->item;
  emit(name, fact);
  Receipt receipt{word_of(outcome.verdict), outcome.witness, fact.took_ms, 1};
  receipt.plain = act::plain(agent);
  receipt.keepable = fact.action == Action::answer && agent.intent->rule.empty() &&
                     fact.verdict == Verdict::confirmed && keepable(agent);
  if (fact.action == Action::answer && fact.kept) receipt.verdict = "failed";
  if (const auto live = supervisor_.live_.find(fact.decision); live != supervisor_.live_.end())
    for (const RequestId request : live->second.waiting) tell(request, receipt);
  const auto sender = supervisor_.senders_.find(item);
  if (sender != supervisor_.senders_.end() && !(fact.kept && sender->second.patient)) {
    tell(sender->second.request, receipt);
    plan_.told.push_back(item);
  }
  if (agent.intent->rule == model::kWorkRule && fact.verdict == Verdict::failed)
    settle_work(agent, false, !fact.kept, outcome.witness);
  if (item == 0) return;
  if (fact.kept) return plan_.put_off.push_back(name);
  plan_.effects.push_back(ForgetText{name, item});
  if (outcome.verdict == act::Verdict::stuck ||
      (outcome.verdict == act::Verdict::unverified && !act::plain(agent)))
    emit(name,
         model::Alerted{"warning", fmt::format("{} may not have arrived: {}",
                                               fact.action == Action::wake ? "a wake-up" : "a text",
                                               outcome.witness)});
}

void DeliveryPlanner::cut_off(const Agent& agent, const std::string& why) {
  const model::Intent& intent = *agent.intent;
  close(agent, {intent.action, intent.seq, Verdict::unverified, why, 0, {}},
        {act::Verdict::unverified, why});
}

void DeliveryPlanner::dismiss(const Agent& agent, const std::string& why) {
  for (const auto& item : agent.outbox) {
    const auto sender = supervisor_.senders_.find(item.item);
    if (sender == supervisor_.senders_.end() ||
        std::find(plan_.told.begin(), plan_.told.end(), item.item) != plan_.told.end())
      continue;
    refuse(sender->second.request, quoted(agent.spec.name) + " " + why,
           "look at it with: pawl show " + agent.spec.name);
    plan_.told.push_back(item.item);
  }
}

void DeliveryPlanner::take_up(const Agent& agent) {
  for (const auto& item : agent.outbox)
    if (item.item == agent.intent->item)
      plan_.effects.push_back(DeliverText{agent.spec.name, agent.session, agent.intent->seq, item,
                                          act::plain(agent), true});
}

bool DeliveryPlanner::still_ours(const Agent& agent, const Perceived& seen) {
  const bool person = agent.human_last_seen && *agent.human_last_seen >= agent.since;
  return seen.state == State::typing && agent.state == State::typing && seen.kind.empty() &&
         agent.kind == act::kOwnText && !person;
}

void DeliveryPlanner::own_text_left(const Agent& agent, const Perceived& seen) {
  if (seen.kind != act::kOwnText || agent.kind == act::kOwnText) return;
  emit(agent.spec.name,
       model::Alerted{"warning", "a text of Pawl's that was not taken is in its box", "own text",
                      "clear its box: pawl attach " + agent.spec.name});
}

}  // namespace pawl::core
