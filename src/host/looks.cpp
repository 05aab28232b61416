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
  model::OwnFiles files;
  Result<model::Facts> facts = {};
  void run() { facts = close_up(std::move(sketch), proc, files); }
};

struct ReadFacts {
  os::Proc proc;
  os::ProcessId child;
  model::OwnFiles files;
  Result<model::Facts> facts = {};
  void run() { facts = read_facts(child, proc, files); }
};

}  // namespace

Looks::Looks(os::Loop& loop, Seen seen, os::Proc proc, Duration limit)
    : worker_(loop),
      soon_(loop, [this] { start(); }),
      seen_(std::move(seen)),
      proc_(std::move(proc)),
      limit_(limit) {}

void Looks::ask(SessionId session, os::ProcessId child, const model::OwnFiles& files) {
  if (!open_.insert(session).second) return;
  asked_.push_back({session, child, files});
  if (!surveying_) soon_.ask();
}

void Looks::start() {
  if (surveying_) return;
  std::vector<Asked> batch = std::exchange(asked_, {});
  std::erase_if(batch, [&](const Asked& one) { return !open_.contains(one.session); });
  if (better_scanned(batch.size(), proc_)) return survey_all(batch);
  for (const auto& one : batch)
    read_one(one.session, ReadFacts{proc_, one.child, one.files}, limit_);
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
  for (const auto& one : batch) task.children.push_back(one.child);
  surveying_ = worker_.run<Survey>(std::move(task), limit_ / 2,
                                   [this, batch](Answer answer, Survey* survey) {
                                     if (answer == Answer::in_time)
                                       surveyed(batch, std::move(survey->sketches));
                                     if (answer == Answer::back || answer == Answer::dropped)
                                       drop(batch);
                                     if (answer == Answer::back)
                                       return;  // it was given up: another may be under way
                                     surveying_ = false;
                                     if (!asked_.empty()) soon_.ask();
                                   });
  if (!surveying_) drop(batch);
}

void Looks::surveyed(const std::vector<Asked>& batch, std::vector<Result<Sketch>> sketches) {
  for (size_t i = 0; i < batch.size(); ++i) {
    const Asked& one = batch[i];
    if (!open_.contains(one.session)) continue;
    if (sketches[i])
      read_one(one.session, CloseUp{proc_, std::move(*sketches[i]), one.files}, limit_ / 2);
    else
      open_.erase(one.session);
  }
}

void Looks::drop(const std::vector<Asked>& batch) {
  for (const auto& one : batch) open_.erase(one.session);
}

}  // namespace pawl::host
