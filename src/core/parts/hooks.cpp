#include "core/parts/hooks.h"

#include "core/parts/conversations.h"

namespace pawl::core {

std::optional<Hooks::Heard> Hooks::read(const HookCall& call) const {
  const model::Agent* agent = ground_.fleet.find(call.agent);
  if (!agent || !agent->running() || agent->session != call.session) return std::nullopt;
  const auto* catalog = ground_.options.catalog;
  const perceive::Profile* profile = catalog ? catalog->find(call.runtime) : nullptr;
  auto word = profile ? perceive::read_hook(*profile, call.json) : std::nullopt;
  if (!word) return std::nullopt;
  return Heard{agent, profile, std::move(*word)};
}

std::optional<perceive::HookWord> Hooks::hear(const Clock& now, const HookCall& call, Inputs& out) {
  auto heard = read(call);
  if (!heard) return std::nullopt;
  perceive::HookWord& word = heard->word;
  const model::Agent& agent = *heard->agent;
  const bool known_file = word.session_id == agent.session_id && !agent.transcript.empty();
  if (word.transcript.empty() && !word.session_id.empty() && !known_file)
    word.transcript =
        conversation_file(ground_.files, agent.spec, *heard->profile, word.session_id);
  learn(now, agent, word, out);
  if (!word.word) return std::nullopt;
  auto& last = last_[call.agent];
  last = {call.session, word};
  last.second.prompt_text.clear();
  return std::move(word);
}

bool Hooks::could_hold(const HookCall& call) {
  const auto heard = read(call);
  if (!heard || heard->word.event != heard->profile->hooks.stop_event || !heard->word.word ||
      heard->word.word->told != perceive::Told::idle)
    return false;
  int& held = held_[call.agent];
  if (!heard->word.kept) held = 0;
  return held < heard->profile->hooks.stop_cap;
}

// Not worth a queue: when it was just another one, the next hook says it again.
void Hooks::learn(const Clock& now, const model::Agent& agent, const perceive::HookWord& heard,
                  Inputs& out) {
  const bool same = heard.session_id == agent.session_id &&
                    (heard.transcript.empty() || heard.transcript == agent.transcript);
  if (heard.session_id.empty() || same) return;
  auto& last = learned_at_[agent.spec.name];
  if (last != MonoTime{} && now.mono - last < kLearnEvery) return;
  last = now.mono;
  out.push_back(ConversationTold{agent.session, heard.session_id, heard.transcript});
}

const perceive::HookWord* Hooks::last(const std::string& agent) const {
  const auto it = last_.find(agent);
  const model::Agent* known = ground_.fleet.find(agent);
  if (it == last_.end() || !known || known->session != it->second.first) return nullptr;
  return &it->second.second;
}

void Hooks::forget(const std::string& agent) {
  last_.erase(agent);
  learned_at_.erase(agent);
  held_.erase(agent);
}

}  // namespace pawl::core
