#pragma once
// For tests: a supervisor with a journal of its own, agents brought into every condition, and plans told in one short line.

#include <gtest/gtest.h>

#include <csignal>

#include "core/supervisor.h"

namespace pawl::core {

inline constexpr Duration kGrace = std::chrono::seconds{10};  // the default of stop_grace_s

inline Clock clock_at(double seconds) {
  const Duration since{static_cast<int64_t>(seconds * 1e6)};
  return {MonoTime{since}, WallTime{std::chrono::hours{24 * 365 * 50} + since}};
}

// "D:stop | TERM CONT | wait": events, effects, answers. "-" for nothing at all.
class Told {
 public:
  static std::string of(const Plan& plan) {
    Told told;
    for (const auto& event : plan.events) std::visit(told, event.fact);
    std::string out = told.out_ + " |";
    told.out_.clear();
    for (const auto& effect : plan.effects) std::visit(told, effect);
    out += told.out_ + " |";
    for (const auto& answer : plan.answers)
      out += answer.done ? " ok" : " no: " + answer.done.error().what;
    if (!plan.waits.empty()) out += " wait";
    if (!plan.escalated.empty()) out += " escalated";
    return out == " | |" ? "-" : out.substr(1);
  }

  void operator()(const model::StateChanged& fact) { add("S:" + std::string(word(fact.to))); }
  void operator()(const model::Decided& fact) { add("D:" + std::string(word(fact.action))); }
  void operator()(const model::Finished& fact) {
    add("F:" + std::string(word(fact.action)) + ":" + std::string(word(fact.verdict)));
  }
  void operator()(const model::Alerted&) { add("alert"); }
  void operator()(const model::HumanSeen&) { add("human"); }
  void operator()(const model::Requested&) { add("request"); }
  void operator()(const model::Registered&) { add("registered"); }
  void operator()(const model::Removed&) { add("removed"); }
  void operator()(const model::Learned&) { add("learned"); }
  void operator()(const model::Recognised&) { add("recognised"); }
  void operator()(const model::Queued&) { add("queued"); }
  void operator()(const model::Dropped&) { add("dropped"); }
  void operator()(const model::Gap&) { add("gap"); }
  void operator()(const model::Paused& fact) { add(fact.paused ? "paused" : "resumed"); }
  void operator()(const model::Quarantined&) { add("quarantined"); }
  void operator()(const model::WorkSeen&) { add("work"); }
  void operator()(const model::WorkSettled&) { add("settled"); }
  void operator()(const model::WorkGone&) { add("gone"); }
  void operator()(const model::Prepared&) {}  // before every start
  void operator()(const model::TaskGiven&) { add("task"); }
  void operator()(const model::TaskTold&) { add("told"); }
  void operator()(const model::TaskEnded& it) { add("over:" + std::string(word(it.status))); }
  void operator()(const model::TaskRead&) { add("read"); }
  void operator()(const model::TaskFiled&) { add("filed"); }
  void operator()(const model::TaskRecalled&) { add("recalled"); }
  void operator()(const model::Forgotten&) { add("forgotten"); }
  void operator()(const model::AccountSeen&) { add("account"); }
  void operator()(const model::Moved& it) { add("move:" + std::string(word(it.step))); }
  void operator()(const model::Spent&) { add("spent"); }
  void operator()(const model::AnswerKept& it) { add(it.kept ? "kept" : "forgotten"); }
  void operator()(const SaveEnvironment&) { add("env"); }
  void operator()(const OpenTerminal& effect) { add(effect.resume ? "open-resume" : "open"); }
  void operator()(const WriteTerminal&) { add("write"); }
  void operator()(const SignalProgram& effect) {
    add(effect.signal == SIGTERM ? "TERM" : effect.signal == SIGKILL ? "KILL" : "CONT");
  }
  void operator()(const ExtendProgram&) { add("extend"); }
  void operator()(const KillProgram&) { add("kill"); }
  void operator()(const EndLeftovers&) { add("sweep"); }
  void operator()(const RemoveForgotten&) { add("remove"); }
  void operator()(const ReleaseTerminal&) { add("release"); }
  void operator()(const CloseTerminal& effect) {
    add(effect.end_leftovers ? "close+sweep" : "close");
  }
  void operator()(const RemoveFiles&) { add("rm"); }
  void operator()(const DeliverText& effect) { add(effect.resumed ? "deliver-again" : "deliver"); }
  void operator()(const DeliverPrompt&) { add("prompt"); }
  void operator()(const TypeCommand&) { add("type"); }
  void operator()(const PressKey& effect) { add(effect.key); }
  void operator()(const RunCommand&) { add("run"); }
  void operator()(const ArchiveFiles&) { add("archive"); }
  void operator()(const SettleWork&) { add("settle"); }
  void operator()(const PressRow&) { add("press"); }
  void operator()(const LeaveMode&) { add("leave"); }
  void operator()(const ForgetText&) { add("forget"); }

 private:
  void add(const std::string& text) { out_ += " " + text; }
  std::string out_;
};

enum class Condition {
  none,
  never,
  starting,
  running,
  stopping,
  restarting,
  reopening,
  removing,
  exited,
  crashed
};
inline constexpr Condition kConditions[] = {
    Condition::none,     Condition::never,      Condition::starting,  Condition::running,
    Condition::stopping, Condition::restarting, Condition::reopening, Condition::removing,
    Condition::exited,   Condition::crashed};

class World {
 public:
  explicit World(model::Fleet fleet = {}) : supervisor(std::move(fleet)) {}

  Supervisor supervisor;
  std::vector<model::Event> journal;
  std::vector<Effect> effects;
  std::vector<Answer> answers;
  Clock now = clock_at(1000);

  Plan feed(const Input& input) {
    Plan plan = supervisor.plan(now, input);
    journal.insert(journal.end(), plan.events.begin(), plan.events.end());
    supervisor.commit(now, plan);
    effects.insert(effects.end(), plan.effects.begin(), plan.effects.end());
    answers.insert(answers.end(), plan.answers.begin(), plan.answers.end());
    return plan;
  }
  void pass(Duration time) { now = {now.mono + time, now.wall + time, now.boot + time}; }

  const model::Agent* agent() const { return supervisor.fleet().find("a"); }
  // Where its terminal is; a session nobody has when there is none.
  SessionId session() const {
    return agent() && agent()->session.value ? agent()->session : SessionId{999};
  }
  model::Fleet folded() const {
    model::Fleet fleet;
    for (const auto& event : journal) model::apply(fleet, event);
    return fleet;
  }

  static RunAsked run(uint64_t request = 0) {
    model::AgentSpec spec;
    spec.name = "a";
    spec.command = {"prog"};
    return {RequestId{request}, spec, {"A=1"}, "asked"};
  }
  TerminalOpened opened() const { return {session(), {42, 4242}}; }
  ProgramEnded ended(int code, int signal = 0) const { return {session(), {code, signal, true}}; }

  // Requests on the way have the number 1.
  void bring(Condition condition) {
    if (condition == Condition::none) return;
    if (condition == Condition::never) {
      Plan plan;
      plan.events.push_back({Seq{1}, now.wall, "a", model::Registered{run().spec}});
      journal = plan.events;
      return supervisor.commit(now, plan);
    }
    feed(run(1));
    if (condition == Condition::starting) return;
    feed(opened());
    if (condition == Condition::stopping) feed(StopAsked{RequestId{1}, "a", "asked"});
    if (condition == Condition::removing) feed(RemoveAsked{RequestId{1}, "a", true});
    if (condition == Condition::restarting || condition == Condition::reopening)
      feed(RestartAsked{RequestId{1}, "a", "asked"});
    if (condition == Condition::reopening || condition == Condition::exited) feed(ended(0));
    if (condition == Condition::crashed) feed(ended(3));
    answers.clear();
    effects.clear();
  }
};

}  // namespace pawl::core
