#include "host/looks.h"

namespace pawl::host {
namespace {

using os::Answer;

constexpr Duration kStepLimit = kLookLimit / 2;  // of a look in two steps

struct Survey {
  std::vector<os::ProcessId> children;
  std::vector<Result<Sketch>> sketches = {};
  void run() { sketches = survey(children); }
};

struct CloseUp {
  Sketch sketch;
  Result<model::Facts> facts = {};
  void run() { facts = close_up(std::move(sketch)); }
};

struct ReadFacts {
  os::ProcessId child;
  Result<model::Facts> facts = {};
  void run() { facts = read_facts(child); }
};

}  // namespace

Looks::Looks(os::Loop& loop, Seen seen)
    : worker_(loop), soon_(loop, [this] { start(); }), seen_(std::move(seen)) {}

void Looks::ask(SessionId session, os::ProcessId child) {
  if (!open_.insert(session).second) return;
  asked_.emplace_back(session, child);
  if (!surveying_) soon_.ask();
}

void Looks::start() {
  if (surveying_) return;
  std::vector<Asked> batch = std::exchange(asked_, {});
  std::erase_if(batch, [&](const Asked& one) { return !open_.contains(one.first); });
  if (batch.size() > kLooksAlone) return survey_all(batch);
  for (const auto& [session, child] : batch) read_one(session, ReadFacts{child}, kLookLimit);
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
  Survey task;
  std::vector<SessionId> sessions;
  for (const auto& [session, child] : batch) {
    sessions.push_back(session);
    task.children.push_back(child);
  }
  surveying_ = worker_.run<Survey>(std::move(task), kStepLimit,
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
      read_one(sessions[i], CloseUp{std::move(*sketches[i])}, kStepLimit);
    else
      open_.erase(sessions[i]);
  }
}

void Looks::drop(const std::vector<SessionId>& sessions) {
  for (const SessionId session : sessions) open_.erase(session);
}

}  // namespace pawl::host
