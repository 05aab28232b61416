#include <fmt/core.h>

#include <cmath>

#include "policy/rules.h"

namespace pawl::policy {
namespace {

constexpr double kUnknownS = 1800, kUnknownCapS = 18000;  // a limit that does not say when it ends
constexpr double kUnheardS = 900, kUnheardCapS = 1800;    // it is over, and the agent did not hear
constexpr int kWakes = 5;
constexpr double kStaggerS = 10;  // between two agents of one account
constexpr double kFirstS = 300;   // so long the others wait for the first one

std::string limit_matter(const Agent& agent) {
  return agent.limited_until ? "limit " + rfc3339(*agent.limited_until) : "limit";
}

bool same_account(const Agent& a, const Agent& b) {
  return a.account() == b.account() && a.spec.name != b.spec.name;
}

bool waits_too(const Agent& agent) {
  return agent.state == State::limited && !agent.paused && !agent.parked &&
         agent.quarantined.empty() && agent.spec.mode != "paused";
}

// The smallest context first: it costs the least to find out.
bool before(const Agent& a, const Agent& b) {
  return a.tokens != b.tokens ? a.tokens < b.tokens : a.spec.name < b.spec.name;
}

// How many of its account go before it.
int rank(const Situation& s) {
  int out = 0;
  for (const auto& [name, other] : s.fleet.agents)
    if (same_account(other, s.agent) && waits_too(other) && before(other, s.agent)) ++out;
  return out;
}

// Since when it is known that the account works again.
std::optional<WallTime> proven(const Situation& s, WallTime reset) {
  std::optional<WallTime> out;
  for (const auto& [name, other] : s.fleet.agents) {
    if (!same_account(other, s.agent) || other.changed < reset) continue;
    if (other.state != State::busy && other.state != State::ready) continue;
    if (!out || other.changed < *out) out = other.changed;
  }
  return out;
}

// All their times may have come at once: the machine slept, or its clock was set.
WallTime after_the_last(const Situation& s, WallTime due) {
  for (const auto& [name, other] : s.fleet.agents) {
    const auto& woken = other.memory.woken;
    if (woken && *woken + seconds(kStaggerS) > due && same_account(other, s.agent))
      due = *woken + seconds(kStaggerS);
  }
  return due;
}

// One after the other, when the first one has shown that the limit is over.
WallTime turn_of(const Situation& s, WallTime due) {
  const auto known = proven(s, *s.agent.limited_until);
  const int before_it = rank(s);
  if (known) return std::max(due, *known + seconds(kStaggerS * (before_it + 1)));
  if (before_it == 0) return due;
  return due + seconds(kFirstS + kStaggerS * before_it);
}

WallTime due_at(const Situation& s, int tries) {
  const model::Matter& matter = s.agent.memory.matter;
  const auto& until = s.agent.limited_until;
  if (tries > 0) {
    const WallTime again =
        *matter.last + seconds(std::min(kUnheardS * std::pow(2, tries - 1), kUnheardCapS));
    return until ? after_the_last(s, std::max(again, *until)) : again;  // a clock that was set back
  }
  if (until) return after_the_last(s, turn_of(s, *until + seconds(s.agent.spec.limit.margin_s)));
  return s.agent.since + seconds(std::min(kUnknownS * std::pow(2, tries), kUnknownCapS));
}

// As other machines of the fleet say. None: they say nothing, or it is over.
std::optional<WallTime> elsewhere(const Situation& s) {
  const model::AccountLimit* limit = s.fleet.limit_of(s.agent);
  if (!limit) return std::nullopt;
  const WallTime due = limit->free() + seconds(s.agent.spec.limit.margin_s);
  return due > s.now ? std::optional(due) : std::nullopt;
}

std::string said_elsewhere(const Situation& s) {
  const model::AccountLimit& limit = *s.fleet.limit_of(s.agent);
  if (!limit.until)
    return "the machines that use account " + s.agent.account() + " go on one after the other";
  return fmt::format("account {} has reached its limit, as {} says, until {}", s.agent.account(),
                     limit.node, rfc3339(*limit.until));
}

std::string ends(const Agent& agent) {
  return agent.limited_until ? "its usage limit ends at " + rfc3339(*agent.limited_until)
                             : "its usage limit does not say when it ends";
}

}  // namespace

Claim limit(const Situation& s) {
  const Agent& agent = s.agent;
  if (agent.state != State::limited) return std::nullopt;
  const std::string matter = limit_matter(agent);
  const std::string todo = "look at it with: pawl show " + agent.spec.name;
  if (agent.spec.limit.policy == "ask") return tell(s, matter, ends(agent), todo);
  if (agent.memory.matter.id != matter) {
    Choice choice = act(Action::limit_wait, ends(agent));
    choice.matter = matter;
    choice.until = agent.limited_until;
    return choice;
  }
  const int tries = tries_at(s, matter);
  const WallTime due = due_at(s, tries);
  if (s.now < due) return wait(due, ends(agent));
  if (const auto later = elsewhere(s)) return wait(*later, said_elsewhere(s));
  if (tries >= kWakes)
    return tell(s, matter,
                fmt::format("its limit should be over, and {} tries did not help", tries), todo);
  Choice choice = act(Action::wake, agent.limited_until ? "its usage limit is over"
                                                        : "its usage limit may be over");
  choice.matter = matter;
  choice.attempt = tries + 1;
  choice.how = word(model::Topic::limit);
  return choice;
}

static Claim limited_as(const Situation& s, const Agent& other) {
  if (other.state != State::limited || !other.limited_until || !same_account(other, s.agent))
    return std::nullopt;
  const WallTime until = *other.limited_until + seconds(other.spec.limit.margin_s);
  if (until <= s.now) return std::nullopt;
  return wait(until, fmt::format("its account has reached its limit, as {} says, until {}",
                                 other.spec.name, rfc3339(*other.limited_until)));
}

Claim account(const Situation& s) {
  if (const auto later = elsewhere(s)) return wait(*later, said_elsewhere(s));
  if (s.limited) {
    for (const auto& name : *s.limited)
      if (auto claim = limited_as(s, *s.fleet.find(name))) return claim;
    return std::nullopt;
  }
  for (const auto& [name, other] : s.fleet.agents)
    if (auto claim = limited_as(s, other)) return claim;
  return std::nullopt;
}

}  // namespace pawl::policy
