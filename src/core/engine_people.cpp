// What people and programs do through the daemon: texts, keys, hooks, profiles.

#include "act/gate.h"
#include "core/inside.h"
#include "policy/rules.h"

namespace pawl::core {

// The text is safe on disk before anybody is told that it waits.
Done Inside::send(const Clock& now, SendAsked ask, const std::string& text) {
  const model::Agent* agent = fleet().find(ask.agent);
  if (auto unheard = agent && agent->running() ? host_.unheard(agent->session) : std::nullopt)
    return fail("nothing was done: " + unheard->what, unheard->fix);
  ask.item.item = inboxes_.next_item(now);
  ask.item.bytes = text.size();
  if (auto kept = files_.put_text(ask.agent, ask.item.item, text); !kept) return kept;
  inboxes_.look_for_person(now, ask.agent, queue_);
  askers_.submitted(ask.request);
  queue_.push_back(std::move(ask));
  return {};
}

// The journal refuses. When it can be written again nobody may type over who typed meanwhile: one input an agent waits, with its
// time. A daemon that is killed before finds a file.
void Inside::remember_person(const Clock& now, const std::string& agent, const std::string& where) {
  std::erase_if(queue_, [&](const Input& input) {
    const auto* typed = std::get_if<HumanTyped>(&input);
    return typed && typed->agent == agent;
  });
  queue_.push_back(HumanTyped{agent, where, now.wall});
  files_.mark_key(agent);
}

Done Inside::type(const Clock& now, const std::string& agent, std::string_view keys,
                  const std::string& where) {
  const model::Agent* known = fleet().find(agent);
  if (!known || !known->running()) return fail("'" + agent + "' is not running");
  if (auto unheard = host_.unheard(known->session)) return tl::unexpected(std::move(*unheard));
  const bool held = deliveries_.has(known->session);
  if (auto typed = deliveries_.type(now, *known, keys); !typed) return typed;
  if (!held && known->kind == model::kOwnText) perception_.tell_again(now.mono, known->session);
  if (retry_at_) {
    remember_person(now, agent, where);
    return {};
  }
  if (deliveries_.tell_person(now.mono, agent)) queue_.push_back(HumanTyped{agent, where});
  return {};
}

bool Inside::takes_keys(const std::string& agent) const {
  const model::Agent* known = fleet().find(agent);
  if (!known || !known->running()) return true;  // they are refused, with the reason
  return host_.has_room(known->session) && deliveries_.has_room(known->session);
}

void Inside::hook(const Clock& now, const std::string& agent, SessionId session,
                  const std::string& runtime, std::string_view json) {
  Inputs learnt;
  auto heard = hooks_.hear(now, {agent, session, runtime, json}, learnt);
  if (!retry_at_)
    for (auto& one : learnt) queue_.push_back(std::move(one));
  if (!heard) return;
  perception_.told(now.mono, session, true, *heard->word);
  if (heard->prompt) deliveries_.prompted(now.mono, session, std::move(heard->prompt_text));
}

std::string Inside::stop_hook(const Clock& now, const std::string& agent, SessionId session,
                              const std::string& runtime, std::string_view json) {
  const bool possible = !options_.dry_run && !draining_ && !retry_at_ && queue_.empty();
  const model::Agent* known = fleet().find(agent);
  if (hooks_.could_hold({agent, session, runtime, json}) && possible &&
      policy::next_at_stop(*known)) {
    hooks_.held(agent);
    queue_.push_back(StopHeld{agent});
    decide(now);
    if (auto text = inboxes_.work_text(agent); text && !text->empty()) return *text;
  }
  hook(now, agent, session, runtime, json);
  return {};
}

const perceive::Tracker* Inside::tracker(const std::string& agent) const {
  const auto session = terminals_.newest(agent);
  return session ? perception_.tracker(*session) : nullptr;
}

void Inside::use_profiles(const Clock& now, perceive::Catalog profiles) {
  auto fresh = std::make_unique<const perceive::Catalog>(std::move(profiles));
  options_.catalog = fresh.get();
  perception_.use(now.mono, fresh.get(), [this](SessionId session) -> const model::AgentSpec* {
    const model::Agent* agent = fleet().by_session(session);
    return agent ? &agent->spec : nullptr;
  });
  profiles_ = std::move(fresh);  // nobody looks at the ones before any more
}

Done Inside::resize(const Clock& now, const std::string& agent, Size size) {
  if (const auto session = terminals_.newest(agent)) deliveries_.stir(*session);
  return terminals_.resize(now, agent, size);
}

}  // namespace pawl::core
