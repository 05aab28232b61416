#include "host/looks.h"

namespace pawl::host {
namespace {

using os::Answer;

struct Survey {
  os::Proc proc;
  std::vector<os::ProcessId> children;
  std::vector<Result<Sketch>> sketches = {};
  void run() { sketches = survey(children, Way::scan, proc); }
};

struct CloseUp {
  os::Proc proc;
  Sketch sketch;
  Result<model::Facts> facts = {};
  void run() { facts = close_up(std::move(sketch), proc); }
};

struct ReadFacts {
  os::Proc proc;
  os::ProcessId child;
  Result<model::Facts> facts = {};
  void run() { facts = read_facts(child, proc); }
};

}  // namespace

Looks::Looks(os::Loop& loop, Seen seen, os::Proc proc, Duration limit)
    : worker_(loop),
      soon_(loop, [this] { start(); }),
      seen_(std::move(seen)),
      proc_(std::move(proc)),
      limit_(limit) {}

void Looks::ask(SessionId session, os::ProcessId child) {
  if (!open_.insert(session).second) return;
  asked_.emplace_back(session, child);
  if (!surveying_) soon_.ask();
}

void Looks::start() {
  if (surveying_) return;
  std::vector<Asked> batch = std::exchange(asked_, {});
  std::erase_if(batch, [&](const Asked& one) { return !open_.contains(one.first); });
  if (better_scanned(batch.size(), proc_)) return survey_all(batch);
  for (const auto& [session, child] : batch) read_one(session, ReadFacts{proc_, child}, limit_);
}

template <class Task>
void Looks::read_one(SessionId session, Task task, Duration limit) {
  const bool taken =
      worker_.run<Task>(std::move(task), limit, [this, session](Answer answer, Task* read) {
        if (answer == Answer::late) return;  // hangs: stays in open_
        if (open_.erase(session) > 0 && read && read->facts)
          seen_(session, std::move(*read->facts));
      });
  if (!taken) open_.erase(session);
}

void Looks::survey_all(const std::vector<Asked>& batch) {
  Survey task{proc_, {}};
  std::vector<SessionId> sessions;
  for (const auto& [session, child] : batch) {
    sessions.push_back(session);
    task.children.push_back(child);
  }
  surveying_ = worker_.run<Survey>(std::move(task), limit_ / 2,
                                   [this, sessions](Answer answer, Survey* survey) {
                                     if (answer == Answer::in_time)
                                       surveyed(sessions, std::move(survey->sketches));
                                     if (answer == Answer::back || answer == Answer::dropped)
                                       drop(sessions);
                                     if (answer == Answer::back)
                                       return;  // it was given up: another may be under way
                                     surveying_ = false;
                                     if (!asked_.empty()) soon_.ask();
                                   });
  if (!surveying_) drop(sessions);
}

void Looks::surveyed(const std::vector<SessionId>& sessions, std::vector<Result<Sketch>> sketches) {
  for (size_t i = 0; i < sessions.size(); ++i) {
    if (!open_.contains(sessions[i])) continue;
    if (sketches[i])
      read_one(sessions[i], CloseUp{proc_, std::move(*sketches[i])}, limit_ / 2);
    else
      open_.erase(sessions[i]);
  }
}

void Looks::drop(const std::vector<SessionId>& sessions) {
  for (const SessionId session : sessions) open_.erase(session);
}

}  // namespace pawl::host
