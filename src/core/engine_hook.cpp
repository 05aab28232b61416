// What a program's hooks tell the engine.

#include <utility>

#include "core/engine.h"
#include "policy/rules.h"

namespace pawl::core {

void Engine::hook(const Clock& now, const std::string& agent, SessionId session,
                  const std::string& runtime, std::string_view json) {
  const model::Agent* known = fleet().find(agent);
  if (!known || !known->running() || known->session != session || !options_.catalog) return;
  const perceive::Profile* profile = options_.catalog->find(runtime);
  auto heard = profile ? perceive::read_hook(*profile, json) : std::nullopt;
  if (!heard) return;
  const bool known_file = heard->session_id == known->session_id && !known->transcript.empty();
  if (heard->transcript.empty() && !heard->session_id.empty() && !known_file)
    heard->transcript = kept_in(known->spec, *profile, heard->session_id);
  learn(now, *known, *heard);
  if (!heard->word) return;
  perception_.told(now.mono, session, true, *heard->word);
  if (heard->prompt) deliveries_.prompted(now.mono, session, std::exchange(heard->prompt_text, {}));
  hooks_[agent] = {session, std::move(*heard)};
}

std::string Engine::stop_hook(const Clock& now, const std::string& agent, SessionId session,
                              const std::string& runtime, std::string_view json) {
  const std::string next = keep_going(now, agent, session, runtime, json);
  if (next.empty()) hook(now, agent, session, runtime, json);
  return next;
}

// Its program ends the turn in any case when that has happened too often; then the rules give it the rest.
std::string Engine::keep_going(const Clock& now, const std::string& agent, SessionId session,
                               const std::string& runtime, std::string_view json) {
  const model::Agent* known = fleet().find(agent);
  if (!known || !known->running() || known->session != session || !options_.catalog) return {};
  const perceive::Profile* profile = options_.catalog->find(runtime);
  const auto heard = profile ? perceive::read_hook(*profile, json) : std::nullopt;
  if (!heard || heard->event != profile->hooks.stop_event || !heard->word ||
      heard->word->told != perceive::Told::idle)
    return {};
  int& held = held_[agent];
  if (!heard->kept) held = 0;
  const bool possible = !options_.dry_run && !draining_ && !retry_at_ && queue_.empty();
  if (!possible || held >= profile->hooks.stop_cap || !policy::next_at_stop(*known)) return {};
  ++held;
  queue_.push_back(StopHeld{agent});
  decide(now);
  const auto text = work_text(agent);
  return text.value_or(std::string());
}

// Not worth a queue: while the journal refuses, or when it was just another one, the next hook says it again.
void Engine::learn(const Clock& now, const model::Agent& agent, const perceive::HookWord& heard) {
  const bool same = heard.session_id == agent.session_id &&
                    (heard.transcript.empty() || heard.transcript == agent.transcript);
  if (heard.session_id.empty() || same || retry_at_) return;
  auto& last = learned_at_[agent.spec.name];
  if (last != MonoTime{} && now.mono - last < kLearnEvery) return;
  last = now.mono;
  queue_.push_back(ConversationTold{agent.session, heard.session_id, heard.transcript});
}

const perceive::HookWord* Engine::hook_of(const std::string& agent) const {
  const auto it = hooks_.find(agent);
  const model::Agent* known = fleet().find(agent);
  if (it == hooks_.end() || !known || known->session != it->second.first) return nullptr;
  return &it->second.second;
}

void Engine::shown(const std::string& agent) {
  const model::Agent* known = fleet().find(agent);
  if (known && known->dialog)
    shown_[agent] = known->dialog->id;
  else
    shown_.erase(agent);
}

std::string Engine::last_shown(const std::string& agent) const {
  const auto it = shown_.find(agent);
  return it == shown_.end() ? std::string() : it->second;
}

}  // namespace pawl::core
