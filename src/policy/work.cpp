#include <fmt/core.h>

#include "policy/rules.h"

namespace pawl::policy {
namespace {

constexpr int kHandouts = 3;
constexpr double kUnheardS = 30;  // at rest with something that no turn was seen to begin with

// What came back because it could not be typed is tried again after a pause, a longer one when a person knows.
constexpr double kBackS = 30, kToldBackS = 300;

bool takes_text(State state) {
  return state == State::ready || state == State::typing || state == State::busy;
}

// A draft in its box hides that it is at its limit.
Claim limited_behind_draft(const Situation& s) {
  if (s.agent.state != State::typing) return std::nullopt;
  for (const auto& notice : s.agent.notices)
    if (notice.kind == "limit" && notice.until && *notice.until > s.now)
      return wait(*notice.until + seconds(s.agent.spec.limit.margin_s),
                  "its usage limit ends at " + rfc3339(*notice.until));
  return std::nullopt;
}

// Nobody knows whether it got what it was given.
Claim unheard(const Situation& s, const model::Given& given) {
  const bool rests = s.agent.state == State::ready || s.agent.state == State::typing;
  if (given.taken && rests)
    return wait(given.at + turn_unseen(s.agent.memory.desk), "it was given " + given.work.name);
  if (given.taken || s.agent.state != State::ready) return std::nullopt;
  const WallTime due = given.at + seconds(kUnheardS);
  if (s.now < due) return wait(due, "it was given " + given.work.name);
  if (tries_at(s, model::work_matter(given.work.name)) >= kHandouts)
    return tell(s, model::work_matter(given.work.name),
                fmt::format("it does not take up {}", given.work.name),
                "look at it with: pawl attach " + s.agent.spec.name);
  Choice choice = act(Action::wake, "it is not known whether it got " + given.work.name);
  choice.how = given.work.name;
  choice.matter = model::work_matter(given.work.name);
  choice.attempt = tries_at(s, choice.matter) + 1;
  return choice;
}

// It was to be given this before, and it came back.
Claim came_back(const Situation& s, const model::Work& first) {
  const std::string matter = model::work_matter(first.name);
  const model::Matter& known = s.agent.memory.matter;
  const int tries = tries_at(s, matter);
  if (tries == 0 || !known.last) return std::nullopt;
  if (tries >= kHandouts && !known.told)
    return tell(s, matter,
                fmt::format("{} came back {} times when it was given it", first.name, tries),
                "look at it with: pawl attach " + s.agent.spec.name);
  const WallTime due = *known.last + seconds(known.told ? kToldBackS : kBackS);
  if (s.now >= due) return std::nullopt;
  return wait(due, first.name + " could not be given to it a moment ago");
}

// W14: the next piece of work has a conversation of its own. What it is doing comes to its end first.
Claim make_room(const Situation& s) {
  if (s.agent.state != State::ready || s.agent.spec.adopted()) return std::nullopt;
  Choice choice = act(Action::restart, "each piece of work has a conversation of its own");
  choice.matter = model::kNextWork;
  choice.how = word(Launch::fresh);
  return choice;
}

}  // namespace

std::string assigned(const model::Work& work) {
  return (work.from.empty() ? "somebody" : work.from) + " assigned " + work.name + " to it";
}

const model::Work* next_at_stop(const Agent& agent) {
  const model::AgentSpec& spec = agent.spec;
  const bool halted = agent.halted() || spec.mode == "paused" || spec.dry_run;
  if (!spec.loop.stop_hook || spec.loop.one_task || halted) return nullptr;
  if (agent.intent || !agent.outbox.empty() || agent.memory.desk.waiting.empty()) return nullptr;
  return &agent.memory.desk.waiting.front();
}

// Assigned work never waits for a person who looked in (W9).
Claim work(const Situation& s) {
  const model::Desk& desk = s.agent.memory.desk;
  if (desk.given) return unheard(s, *desk.given);
  if (desk.waiting.empty() || !takes_text(s.agent.state)) return std::nullopt;
  if (auto later = limited_behind_draft(s)) return later;
  const model::Work& first = desk.waiting.front();
  if (s.agent.spec.loop.one_task && s.agent.memory.sessions.given > 0) return make_room(s);
  if (auto not_yet = came_back(s, first)) return not_yet;
  Choice choice = act(Action::wake, assigned(first));
  choice.how = first.name;
  choice.matter = model::work_matter(first.name);
  choice.attempt = tries_at(s, choice.matter) + 1;
  return choice;
}

}  // namespace pawl::policy
