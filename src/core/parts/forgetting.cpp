#include "core/parts/forgetting.h"

#include <algorithm>

namespace pawl::core {
namespace {

std::string folder_of(const model::Task& task) {
  return task.order.dir.substr(task.order.dir.rfind('/') + 1);
}

// It is the one that was decided about; somebody may have read it meanwhile.
bool same(model::TaskRow row, const model::TaskRow& decided) {
  row.read = decided.read;
  return row == decided;
}

ForgetTold told(const policy::ToTell& word, WallTime now) {
  model::Forgotten fact;
  fact.why = word.why;
  fact.names = word.agents;
  fact.count = word.count;
  fact.bytes = word.bytes;
  fact.upto = word.upto;
  model::Alerted alert{model::Severity::warning, text_of(word, now), "unread results"};
  alert.todo = "read one: pawl task output NAME; keep them longer: unread_days in [retention]";
  return {std::move(fact), std::move(alert)};
}

}  // namespace

void Forgetting::begin(MonoTime now) {
  if (!ground_.options.keep) return;
  at_ = now + std::min(kFirstLook, policy::look_every(*ground_.options.keep));
}

void Forgetting::clock_was_set(MonoTime now) {
  if (!ground_.options.keep) return;
  going_.clear();
  rest(now);
  at_ = now + kDoubt;
}

void Forgetting::turn(const Clock& now, store::FiledTasks& tasks,
                      const std::set<std::string>& in_use, Inputs& out) {
  if (!due(now.mono)) return;
  switch (step_) {
    case Step::idle:
      return look();
    case Step::looking:
      return at_.reset();
    case Step::listing:
      return list(now, tasks, in_use, out);
    case Step::removing:
      return remove(now.mono, tasks, in_use, out);
  }
}

void Forgetting::look() {
  step_ = Step::looking;
  wants_survey_ = true;
  at_.reset();
}

void Forgetting::surveyed(MonoTime now, std::optional<model::Holdings> held) {
  if (step_ != Step::looking) return;
  if (held) bytes_ = bytes_of(*held);
  if (!held || again_) return rest(now);
  held_ = std::move(*held);
  rows_.clear();
  step_ = Step::listing;
  at_ = now;
}

void Forgetting::rest(MonoTime now) {
  held_ = {};
  rows_ = {};
  step_ = Step::idle;
  again_ = false;
  at_ = now + policy::look_every(*ground_.options.keep);
}

void Forgetting::list(const Clock& now, store::FiledTasks& tasks,
                      const std::set<std::string>& in_use, Inputs& out) {
  std::optional<store::TaskPlace> after;
  if (!rows_.empty()) after = {rows_.back().over, rows_.back().agent};
  auto page = tasks.oldest(after, kRowsAtOnce);
  if (!page) return rest(now.mono);
  const bool whole = page->size() < kRowsAtOnce;
  for (auto& row : *page) rows_.push_back(std::move(row));
  at_ = now.mono + kForgetPace;
  if (whole) decide(now, in_use, out);
}

void Forgetting::decide(const Clock& now, const std::set<std::string>& in_use, Inputs& out) {
  std::set<std::string> of_fleet;
  for (const auto& [name, agent] : ground_.fleet.agents)
    if (agent.task) of_fleet.insert(folder_of(*agent.task));
  std::erase_if(rows_, [&](const auto& row) { return ground_.fleet.find(row.agent) != nullptr; });
  auto decision = policy::to_forget(
      {*ground_.options.keep, held_, rows_, in_use, of_fleet, ground_.fleet.last_word, now.wall});
  if (decision.tell) out.push_back(told(*decision.tell, now.wall));
  for (auto& one : decision.going)
    if (!failed_.contains(one.held.agent + "/" + one.held.name)) going_.push_back(std::move(one));
  held_ = {};
  rows_ = {};
  if (going_.empty()) return rest(now.mono);
  step_ = Step::removing;
}

void Forgetting::remove(MonoTime now, store::FiledTasks& tasks, const std::set<std::string>& in_use,
                        Inputs& out) {
  ForgetAsked ask;
  while (!going_.empty() && ask.going.size() < kGoingAtOnce) {
    model::Going& one = going_.front();
    if (!ask.going.empty() && (one.what != ask.going[0].what || one.why != ask.going[0].why)) break;
    const bool task = one.what == model::Forget::tasks;
    const auto row = task ? tasks.row(one.held.agent) : Result<std::optional<model::TaskRow>>();
    const bool changed = task && (!row || !*row || !same(**row, one.task));
    const bool used = one.what != model::Forget::archive && in_use.contains(one.held.agent);
    if (!changed && !used) ask.going.push_back(std::move(one));
    going_.pop_front();
  }
  if (!ask.going.empty()) out.push_back(std::move(ask));
  at_ = now + kForgetPace;
  if (!going_.empty()) return;
  step_ = Step::idle;  // what is in the bin goes with the next look, at once
  again_ = true;
}

}  // namespace pawl::core
