#pragma once
// For tests of checkers: a night told by hand, of one agent or task `a`, to one checker.

#include <memory>
#include <string>

#include "sim/world/invariants/checker.h"

namespace pawl::sim {

class Told {
 public:
  explicit Told(std::unique_ptr<Checker> checker) : checker_(std::move(checker)) {
    spec.name = "a";
    spec.mode = "active";
    spec.restart = model::Restart::resume;
  }
  model::AgentSpec spec;

  void begins() {
    write(model::Registered{spec});
    const Seq start = write(model::Decided{model::Action::start, "it begins"});
    state(model::State::starting);
    write(
        model::Finished{model::Action::start, start, model::Verdict::confirmed, "it runs", 0, {}});
    state(model::State::ready);
  }
  void state(model::State to) {
    model::StateChanged fact;
    fact.from = fleet_.find("a")->state;
    fact.to = to;
    write(fact);
  }
  Seq write(model::Fact fact, const std::string& agent = "a") {
    model::Event event{Seq{fleet_.last.value + 1}, now.wall, agent, std::move(fact)};
    checker_->event(now, event, fleet_);
    apply(fleet_, event);
    return event.seq;
  }
  void decide(model::Action action, const std::string& rule = {}) {
    model::Decided fact{action, "because"};
    fact.rule = rule;
    const Seq seq = write(fact);
    write(model::Finished{action, seq, model::Verdict::confirmed, "done", 0, {}});
  }
  void pass(Duration time) { now = {now.mono + time, now.wall + time}; }
  std::string box;  // of its program
  void turn() {
    checker_->turned(
        {now, fleet_, fleet_, false, nullptr, nullptr, [this](const std::string&) { return box; }});
  }
  void turn(const model::Fleet& live) { checker_->turned({now, live, fleet_}); }
  void end() { checker_->ended({now, fleet_, fleet_}); }
  void took(const std::string& text, Reached reached = Reached::model) {
    checker_->took("a", Entry{.at = now.mono, .text = text, .reached = reached});
  }
  void answered(model::Cost cost, size_t dialog = 0) {
    checker_->took("a", Entry{.at = now.mono,
                              .what = Entry::What::answered,
                              .dialog = dialog,
                              .choice = "1",
                              .cost = cost});
  }
  void queue(uint64_t item, const std::string& text) {
    checker_->sent(now.mono, "a", text);
    model::Queued fact;
    fact.item = item;
    write(fact);
  }
  // A task of a plain command, or of an agent; its run prints once.
  void task(const char* format, int retries = 1) {
    spec.restart = model::Restart::never;
    spec.task_health.retries = retries;
    write(model::Registered{spec});
    model::TaskOrder order;
    order.name = "t";
    order.format = format;
    write(model::TaskGiven{order});
    runs();
  }
  void runs() {
    happens(Entry::What::began);
    happens(Entry::What::spoke);
  }
  void happens(Entry::What what, const std::string& text = {},
               std::optional<model::Ending> ending = {}) {
    checker_->took("a", Entry{.at = now.mono, .ending = ending, .what = what, .text = text});
  }
  void ends(int code, int signal = 0) {
    happens(Entry::What::ended, "", model::Ending{code, signal, true});
    pass(std::chrono::seconds{2});
  }
  void result(model::TaskStatus status, const char* reason = "because") {
    write(model::Decided{.action = model::Action::finish, .because = reason, .rule = "task"});
    write(model::Alerted{model::Severity::info, "its task is over", "task over"});
    write(model::TaskEnded{status, reason, {}});
    pass(std::chrono::seconds{1});
    turn();
  }
  void again(const char* matter) {
    write(model::Decided{
        .action = model::Action::restart, .because = "again", .rule = "task", .matter = matter});
    pass(std::chrono::milliseconds{1});
    turn();
  }
  Checker& checker() { return *checker_; }
  model::Fleet& fleet() { return fleet_; }
  std::string found() {
    const auto all = checker_->take();
    return all.empty() ? "" : all.front().what;
  }

  std::string all_found() {
    std::string out;
    for (const auto& one : checker_->take()) out += one.what + "\n";
    return out;
  }

  Clock now{MonoTime{std::chrono::hours{1}}, WallTime{std::chrono::hours{1000}}};

 private:
  std::unique_ptr<Checker> checker_;
  model::Fleet fleet_;
};

}  // namespace pawl::sim
