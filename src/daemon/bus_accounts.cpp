#include "daemon/bus_accounts.h"

namespace pawl::daemon {

void BusAccounts::publish(const fleet::Now& now, fleet::Member& member) {
  if (!compared_) compare(member);
  const Seq last = engine_.fleet().last;
  if (last.value == seen_.value) return;
  seen_ = last;
  tell(now, member);
}

void BusAccounts::tell(const fleet::Now& now, fleet::Member& member) {
  std::map<std::string, Told> limited;
  for (const auto& [name, agent] : engine_.fleet().agents) {
    const auto& until = agent.limited_until;
    if (agent.spec.account.empty() || agent.state != model::State::limited || !until) continue;
    const auto it = limited.try_emplace(agent.spec.account, Told{name, *until}).first;
    if (*until > it->second.until) it->second = {name, *until};
  }
  for (const auto& [account, one] : limited) {
    const auto [it, is_new] = told_.try_emplace(account, one);
    if (!is_new && it->second.until == one.until) continue;
    it->second = one;
    member.account_limited(now, account, one.until);
  }
  // One that is at its prompt again before that time, and shows no limit, is proof; one that was stopped is none.
  std::erase_if(told_, [&](const auto& one) {
    if (limited.contains(one.first)) return false;
    if (one.second.until <= now.clock.wall) return true;
    const model::Agent* agent = engine_.fleet().find(one.second.agent);
    if (!agent || agent->state != model::State::ready || agent->spec.account != one.first)
      return false;
    member.account_limited(now, one.first, now.clock.wall);
    return true;
  });
}

void BusAccounts::hear(const fleet::Now& now, const fleet::AccountLimited& order,
                       const fleet::Member& member) {
  model::AccountSeen seen{order.account, order.node, order.until, {}};
  for (const auto& [name, agent] : engine_.fleet().agents) {
    if (agent.spec.account != order.account) continue;
    const auto turn = member.wake_of(name);
    if (turn && *turn > now.clock.wall && (!seen.turn || *turn < *seen.turn)) seen.turn = turn;
  }
  engine_.submit(core::AccountHeard{std::move(seen)});
}

// What an earlier life of ours heard, and is said no longer.
void BusAccounts::compare(const fleet::Member& member) {
  const auto limited = member.limited();
  if (!limited) return;
  compared_ = true;
  for (const auto& [account, limit] : engine_.fleet().accounts)
    if (limit.until && !limited->contains(account))
      engine_.submit(core::AccountHeard{{account, {}, {}, {}}});
}

void forget_accounts(core::Engine& engine) {
  for (const auto& [account, limit] : engine.fleet().accounts)
    engine.submit(core::AccountHeard{{account, {}, {}, {}}});
}

}  // namespace pawl::daemon
