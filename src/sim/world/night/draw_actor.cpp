#include "sim/world/night/draw_actor.h"

#include <fmt/core.h>

#include <map>

namespace pawl::sim {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

// A rate of something odd: mostly none, sometimes rare, seldom frequent.
double rate(Chance& chance, double most) {
  constexpr std::array kParts{0.0, 0.0, 0.0, 0.0, 0.1, 0.3, 1.0};
  return most * kParts[chance.below(kParts.size())];
}

Behaviour behaviour(Chance& chance, bool hooks) {
  Behaviour b;
  b.turn_from = chance.between(seconds{3}, seconds{60});
  b.turn_to = b.turn_from + chance.between(seconds{10}, minutes{10});
  b.pace = chance.between(seconds{12}, seconds{28});
  for (double* each : {&b.tool, &b.jobs}) *each = rate(chance, 0.3);
  for (double* each :
       {&b.asks, &b.questions, &b.limits, &b.auth, &b.overload, &b.surveys, &b.own_turns})
    *each = rate(chance, 0.05);
  for (double* each : {&b.context_full, &b.crashes, &b.hangs}) *each = rate(chance, 0.03);
  for (double* each : {&b.slow_turn, &b.slow_echo, &b.mute, &b.halves, &b.clears})
    *each = rate(chance, 0.2);
  for (double* each :
       {&b.eats_paste, &b.eats_part, &b.doubles, &b.lost_enter, &b.early_enter, &b.early_newline,
        &b.refuses, &b.forgets, &b.dialog_at_enter, &b.dies_at_enter})
    *each = rate(chance, 0.1);
  b.limit_menu = chance.happens(0.5) ? 1 : 0;
  b.continues = rate(chance, 0.5);
  b.garbage = rate(chance, 0.01);
  b.limit_from = chance.between(minutes{1}, minutes{30});
  b.limit_to = b.limit_from + chance.between(minutes{1}, hours{4});
  if (!hooks) return b;
  for (double* each :
       {&b.hook_lost, &b.hook_doubled, &b.hook_late, &b.status_absent, &b.status_late})
    *each = rate(chance, 0.3);
  return b;
}

// Keys of pawl.toml with other values than usual, strange ones among them.
void odd_policy(Chance& chance, model::AgentSpec& spec) {
  if (chance.happens(0.2)) spec.limit.margin_s = 0;
  if (chance.happens(0.1)) spec.cooldown_s = static_cast<double>(chance.below(2) * 600);
  if (chance.happens(0.1)) spec.nudge.cap_s = spec.nudge.base_s / 2;
  if (chance.happens(0.1)) spec.nudge.attempts = static_cast<int>(chance.below(3));
  if (chance.happens(0.1)) spec.human_quiet_s = static_cast<double>(chance.below(2) * 900);
  if (chance.happens(0.2)) spec.answer_permissions = chance.happens(0.5) ? "deny" : "allow";
  if (chance.happens(0.1)) spec.dialogs = "off";
  if (chance.happens(0.2)) spec.background = "wait";
  if (chance.happens(0.2))
    spec.restart = chance.happens(0.5) ? model::Restart::fresh : model::Restart::never;
  if (chance.happens(0.2)) spec.recovery.auth_refresh = {"true"};
}

// Nobody said which program it is: its command tells, or only its process and its screen do.
void undeclared(Chance chance, model::AgentSpec& spec) {
  if (!chance.happens(0.2)) return;
  spec.runtime = "generic";
  if (chance.happens(0.5)) spec.command = {"./start.sh"};
}

}  // namespace

Actor draw_actor(Chance& chance, const NightOrder& order, size_t number) {
  Actor one;
  one.model = kWho[chance.below(kWho.size())];
  one.seed = chance.next() >> 1;  // as TOML can say it
  one.spec = order.policy;
  one.spec.name = fmt::format("{}-{}", one.model, number);
  one.spec.runtime = one.model == "plain" ? "generic" : one.model;
  one.spec.command = {one.model};
  undeclared(Chance(one.seed + 1), one.spec);
  one.spec.dir = "/home/dev/" + one.spec.name;
  if (order.odd_policies) odd_policy(chance, one.spec);
  one.behaviour = behaviour(chance, order.faults.contains(Fault::hook));
  one.spec.hooks = order.policy.hooks && Chance(one.seed).happens(0.7);  // a stream of its own
  if (order.faults.contains(Fault::mount) && chance.happens(0.3))
    one.spec.work.folders = {one.spec.dir + "/work"};
  // Nobody described it: its silence is all that tells that it waits.
  if (one.model == "plain") one.behaviour.pace = seconds{1};
  one.behaviour.never_opens = rate(chance, 0.1);
  one.behaviour.deaf_dialogs = rate(chance, 0.1);
  if (chance.happens(0.05)) one.behaviour.auth = 1;  // nobody logs in again
  return one;
}

void share_folders(std::vector<Actor>& actors) {
  std::map<std::string, std::string> last;  // folder, by program
  for (auto& one : actors) {
    if (!one.spec.work.folders.empty()) continue;
    const auto [it, first] = last.try_emplace(one.model, one.spec.dir);
    if (!first && Chance(one.seed + 2).happens(0.3)) one.spec.dir = it->second;
    it->second = one.spec.dir;
  }
}

}  // namespace pawl::sim
