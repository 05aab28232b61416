#pragma once
// The one list of a behaviour's keys: stories are written and read by it.

#include "sim/world/agents/behaviour.h"

namespace pawl::sim {

template <class Visit>
void each_rate(Behaviour& b, Visit&& visit) {
  visit("tool", b.tool);
  visit("asks", b.asks);
  visit("questions", b.questions);
  visit("limits", b.limits);
  visit("limit_menu", b.limit_menu);
  visit("continues", b.continues);
  visit("auth", b.auth);
  visit("overload", b.overload);
  visit("context_full", b.context_full);
  visit("jobs", b.jobs);
  visit("own_turns", b.own_turns);
  visit("surveys", b.surveys);
  visit("slow_turn", b.slow_turn);
  visit("crashes", b.crashes);
  visit("hangs", b.hangs);
  visit("never_opens", b.never_opens);
  visit("deaf_dialogs", b.deaf_dialogs);
  visit("eats_paste", b.eats_paste);
  visit("eats_part", b.eats_part);
  visit("doubles", b.doubles);
  visit("slow_echo", b.slow_echo);
  visit("mute", b.mute);
  visit("lost_enter", b.lost_enter);
  visit("early_enter", b.early_enter);
  visit("early_newline", b.early_newline);
  visit("refuses", b.refuses);
  visit("forgets", b.forgets);
  visit("dialog_at_enter", b.dialog_at_enter);
  visit("dies_at_enter", b.dies_at_enter);
  visit("halves", b.halves);
  visit("clears", b.clears);
  visit("garbage", b.garbage);
  visit("hook_lost", b.hook_lost);
  visit("hook_doubled", b.hook_doubled);
  visit("hook_late", b.hook_late);
  visit("status_absent", b.status_absent);
  visit("status_late", b.status_late);
  visit("status_wrong", b.status_wrong);
}

template <class Visit>
void each_span(Behaviour& b, Visit&& visit) {
  visit("turn_from_s", b.turn_from);
  visit("turn_to_s", b.turn_to);
  visit("pace_s", b.pace);
  visit("job_from_s", b.job_from);
  visit("job_to_s", b.job_to);
  visit("limit_from_s", b.limit_from);
  visit("limit_to_s", b.limit_to);
  visit("deaf_s", b.deaf);
}

}  // namespace pawl::sim
