// What a program's hooks tell the engine.

#include <utility>

#include "core/engine.h"

namespace pawl::core {

void Engine::hook(const Clock& now, const std::string& agent, SessionId session,
                  const std::string& runtime, std::string_view json) {
  const model::Agent* known = fleet().find(agent);
  if (!known || !known->running() || known->session != session || !options_.catalog) return;
  const perceive::Profile* profile = options_.catalog->find(runtime);
  auto heard = profile ? perceive::read_hook(*profile, json) : std::nullopt;
  if (!heard) return;
  learn(now, *known, *heard);
  if (!heard->word) return;
  perception_.told(now.mono, session, true, *heard->word);
  if (heard->prompt) deliveries_.prompted(now.mono, session, std::exchange(heard->prompt_text, {}));
  hooks_[agent] = {session, std::move(*heard)};
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

}  // namespace pawl::core
