// How text gets from an agent's outbox into its terminal, and what a person does there.

#include <algorithm>

#include "act/gate.h"
#include "core/engine.h"

namespace pawl::core {

// The text is safe on disk before anybody is told that it waits.
Done Engine::send(const Clock& now, SendAsked ask, const std::string& text) {
  ask.item.item = next_item(now);
  ask.item.bytes = text.size();
  if (auto kept = files_.put_text(ask.agent, ask.item.item, text); !kept) return kept;
  look_for_person(now, ask.agent);
  askers_.submitted(ask.request);
  queue_.push_back(std::move(ask));
  return {};
}

Done Engine::type(const Clock& now, const std::string& agent, std::string_view keys,
                  const std::string& where) {
  const model::Agent* known = fleet().find(agent);
  if (!known || !known->running()) return fail("'" + agent + "' is not running");
  if (auto* running = deliveries_.find(known->session)) {
    if (running->keys.size() + keys.size() >
        kHeldKeys)  // later ones must not overtake earlier ones
      return fail("too many keys wait for a text to be delivered to '" + agent + "'");
    running->keys += keys;
    running->look_at = now.mono;
  } else {
    host_.write(known->session, keys);
    deliveries_.typed(now.mono, known->session);
    if (known->kind == act::kOwnText) perception_.tell_again(now.mono, known->session);
  }
  if (retry_at_) return {};  // the journal refuses: that a person typed is not worth a queue
  auto& last = human_at_[agent];
  if (last != MonoTime{} && now.mono - last < kHumanEvery) return {};
  last = now.mono;
  queue_.push_back(HumanTyped{agent, where});
  return {};
}

Done Engine::resize(const Clock& now, const std::string& agent, Size size) {
  const auto current = current_.find(agent);
  const model::Agent* known = fleet().find(agent);
  if (current == current_.end() || !known || !known->running())
    return fail("'" + agent + "' is not running");
  auto& live = terminals_.at(current->second);
  if (live.terminal().screen().size() == size) return {};
  host_.resize(current->second, size);
  live.resize(now.wall, size);
  if (!flush_at_) flush_at_ = now.mono + kFlushEvery;
  return {};
}

void Engine::begin_delivery(const Clock& now, const DeliverText& effect) {
  const auto text = files_.text(effect.agent, effect.item.item);
  if (!text) {
    queue_.push_back(Delivered{effect.intent, {act::Verdict::stuck, text.error().what}});
    return;
  }
  act::Order order{*text, effect.item.eager(), effect.plain};
  if (const model::Agent* agent = fleet().find(effect.agent))
    order.limit_over = act::limit_over(*agent, now.wall);
  if (const auto* its = perception_.tracker(effect.session))
    order.burst = its->profile().deliver.burst;
  if (!effect.resumed) {
    act::Inject inject(std::move(order), now.mono);
    return deliveries_.begin(effect.session,
                             {effect.agent, effect.intent, std::move(inject), now.mono});
  }
  const std::string draft = files_.kept_draft(effect.agent, effect.intent.value);
  Deliveries::Running running{effect.agent, effect.intent,
                              act::Inject::resumed(std::move(order), now.mono, draft), now.mono};
  if (!draft.empty()) running.draft_file = files_.draft_file(effect.agent, effect.intent.value);
  deliveries_.begin(effect.session, std::move(running));
}

void Engine::begin_press(const Clock& now, const PressRow& effect) {
  const model::Agent* agent = fleet().by_session(effect.session);
  if (!agent) return;
  deliveries_.begin(effect.session,
                    {agent->spec.name, effect.intent,
                     act::Press(effect.row, now.mono, effect.key, effect.dialog), now.mono});
}

// What may be typed now, by the journal, becomes an input. False: there is nothing.
bool Engine::begin_due(const Clock& now, int round) {
  gate_at_.reset();
  if (retry_at_ || draining_) return false;  // the journal refuses, or it would be a new turn
  const auto due = supervisor_.due(now, gate_at_);
  if (!due.empty() && round == kBeginRounds) {  // nobody may keep the turn from its end
    gate_at_ = now.mono + kTryAgain;
    return false;
  }
  for (const auto& agent : due) {
    if (!fleet().find(agent)->outbox.front().eager()) look_for_person(now, agent);
    queue_.push_back(DeliveryDue{agent});
  }
  return !due.empty();
}

void Engine::go_on(const Clock& now) {
  for (const SessionId session : deliveries_.sessions()) deliver_one(now, session);
}

void Engine::deliver_one(const Clock& now, SessionId session) {
  auto* running = deliveries_.find(session);
  const model::Agent* agent = fleet().find(running->agent);
  if (!agent || !agent->intent || agent->intent->seq != running->intent)
    return release(now, session);
  const auto live = terminals_.find(session);
  if (live == terminals_.end()) {  // nobody could see what becomes of it
    queue_.push_back(
        Delivered{running->intent, {act::Verdict::stuck, "its terminal is not there"}});
    return release(now, session);
  }
  const term::Screen& screen = live->second.terminal().screen();
  if (now.mono < running->look_at && screen.generation() == running->seen) return;
  if (perception_.behind(session)) {  // rows of this screen would be taken for those of the last
    perception_.hasten(now.mono, session);
    running->look_at = now.mono + kLookSoon;
    return;
  }
  running->seen = screen.generation();
  const act::View view = deliveries_.view(now, session, perception_.tracker(session), screen);
  running->refused.clear();
  act::Step step =
      std::visit([&](auto& procedure) { return procedure.look(view); }, running->procedure);
  if (step.keep && !keep_draft(*running, *step.keep)) {
    step.write.clear();
    step.outcome = act::Outcome{act::Verdict::withdrawn, "the draft in the box cannot be saved"};
  }
  running->look_at = step.again.value_or(now.mono + act::kTakenLong);
  if (!step.write.empty()) host_.write(session, step.write);
  if (!step.outcome) return;
  if (!running->draft_file.empty() && !step.outcome->draft_lost)
    files_.forget_draft(running->draft_file);
  queue_.push_back(Delivered{running->intent, *step.outcome, running->draft_file});
  if (const auto* inject = std::get_if<act::Inject>(&running->procedure);
      inject && step.outcome->verdict != act::Verdict::withdrawn)
    deliveries_.typed_text(now.mono, session, inject->text(), step.outcome->left);
  release(now, session);
}

// A text of ours that was not taken, or came back, is not taken for a person's.
void Engine::whose_text(const Clock& now, Perceived& seen) const {
  const auto live = terminals_.find(seen.session);
  if (live == terminals_.end()) return;
  const auto view = deliveries_.view(now, seen.session, perception_.tracker(seen.session),
                                     live->second.terminal().screen());
  if (!deliveries_.own_text(view, seen.session)) return;
  seen.kind = act::kOwnText;
  seen.because = "the box holds a text of Pawl's that was not taken";
}

bool Engine::keep_draft(Deliveries::Running& running, const std::string& draft) {
  const auto kept = files_.keep_draft(running.agent, running.intent.value, draft);
  if (!kept) return false;
  running.draft_file = *kept;
  return true;
}

// The person's keys that waited go on their way.
void Engine::release(const Clock& now, SessionId session) {
  const auto* running = deliveries_.find(session);
  if (!running) return;
  if (!running->keys.empty()) {
    host_.write(session, running->keys);
    deliveries_.typed(now.mono, session);
  }
  deliveries_.end(session);
  perception_.tell_again(now.mono, session);
}

}  // namespace pawl::core
