#include "core/parts/task_folders.h"

#include "core/intent.h"
#include "store/recording_reader.h"
#include "store/task_files.h"

namespace pawl::core {
namespace {

// What was not as it should be.
std::string doubts(const model::Prepared& fact) {
  std::string out;
  for (const auto& check : fact.checks)
    if (!check.fine)
      out += (out.empty() ? "before it starts: " : "; ") + check.what + ": " + check.text;
  return out;
}

std::string note_of(const model::Event& event) {
  if (const auto* fact = std::get_if<model::Decided>(&event.fact))
    return std::string(word(fact->action)) + (fact->how.empty() ? "" : " (" + fact->how + ")") +
           ": " + fact->because;
  if (const auto* fact = std::get_if<model::Finished>(&event.fact))
    return std::string(word(fact->action)) + " " + std::string(word(fact->verdict)) + ": " +
           fact->witness;
  if (const auto* fact = std::get_if<model::StateChanged>(&event.fact))
    return std::string(word(fact->to)) + ": " + fact->because;
  if (const auto* fact = std::get_if<model::TaskEnded>(&event.fact))
    return std::string(word(fact->status)) + ": " + fact->reason +
           (fact->detail.empty() ? "" : ": " + fact->detail);
  if (const auto* fact = std::get_if<model::TaskTold>(&event.fact);
      fact && !fact->report.trouble.empty())
    return "it says: " + fact->report.trouble + ": " + fact->report.message;
  if (const auto* fact = std::get_if<model::Prepared>(&event.fact)) return doubts(*fact);
  return {};
}

}  // namespace

void TaskFolders::take_over(const Clock& now, const model::Agent& agent, Offset end) {
  std::vector<store::Part> parts;
  for (auto& part :
       store::parts_in(ground_.files.disk(), ground_.files.recordings(agent.spec.name)))
    if (part.session == agent.session) parts.push_back(std::move(part));
  const auto bytes = store::output_of(ground_.files.disk(), parts);
  runs_.opened(now, agent, agent.session, bytes ? *bytes : std::string(), end);
}

void TaskFolders::recover(const Clock& now, const std::function<bool(SessionId)>& open) {
  for (const auto& [name, agent] : ground_.fleet.agents) {
    if (!agent.task) continue;
    to_save_.insert(name);
    if (!agent.running() || open(agent.session)) continue;
    const auto parts = store::parts_in(ground_.files.disk(), ground_.files.recordings(name));
    const auto end = parts.empty() || parts.back().session != agent.session
                         ? Result<store::PartEnd>(fail("none"))
                         : store::read_end(ground_.files.disk(), parts.back().path);
    if (!end) continue;
    take_over(now, agent, end->recovered.end);
    runs_.ended(now, agent.session);
  }
}

void TaskFolders::written(const Clock& now, const std::vector<model::Event>& events) {
  for (const auto& event : events) {
    const model::Agent* agent = ground_.fleet.find(event.agent);
    if (!agent || !agent->task) continue;
    if (const std::string note = note_of(event); !note.empty())
      store::note_in_monitor_log(ground_.files.disk(), agent->task->order.dir, now.wall, note);
    to_save_.insert(event.agent);
  }
}

bool TaskFolders::lost(const model::Agent& agent) const {
  if (model::final(agent.task->status) && !runs_.has(agent.session)) return false;
  return store::removed_task_dir(ground_.files.disk(), agent.task->order.dir);
}

std::vector<std::string> TaskFolders::lost(const Clock& now) const {
  std::vector<std::string> out;
  if (save_at_ && now.mono < *save_at_) return out;
  for (const auto& name : to_save_) {
    const model::Agent* agent = ground_.fleet.find(name);
    if (agent && agent->task && lost(*agent)) out.push_back(name);
  }
  return out;
}

void TaskFolders::look(MonoTime now) {
  if (now < looks_at_) return;
  looks_at_ = now + kFoldersLooked;
  for (const auto& [name, agent] : ground_.fleet.agents)
    if (agent.task && !model::final(agent.task->status) && lost(agent)) to_save_.insert(name);
}

void TaskFolders::save(const Clock& now) {
  if (to_save_.empty() || (save_at_ && now.mono < *save_at_)) return;
  save_at_.reset();
  trouble_.reset();
  for (const auto& name : std::exchange(to_save_, {})) {
    const model::Agent* agent = ground_.fleet.find(name);
    if (!agent || !agent->task) continue;
    const bool final = model::final(agent->task->status);
    Done saved;
    if (lost(*agent)) saved = fail("the folder of a task was removed: " + agent->task->order.dir);
    if (saved && final) saved = runs_.flush(agent->session);
    if (saved) saved = store::save_task(ground_.files.disk(), *agent, now.wall);
    if (saved) {
      if (final) runs_.forget(agent->session);
      if (over(*agent)) going_.try_emplace(name, now.mono + kLetGoAfter);
      continue;
    }
    trouble_ = saved.error();
    to_save_.insert(name);
    save_at_ = now.mono + kRetryEvery;
  }
}

// What a task printed is in its recording and its folder: its terminal is not kept as well. One that is gone on with is as new.
std::vector<std::string> TaskFolders::let_go(
    const Clock& now, const std::function<bool(const std::string&)>& closing) {
  std::vector<std::string> out;
  for (auto it = going_.begin(); it != going_.end();) {
    const std::string& name = it->first;
    const model::Agent* agent = ground_.fleet.find(name);
    const bool done = agent && over(*agent);
    if (done && closing(name)) it->second = now.mono + kRetryEvery;
    if (done && now.mono < it->second) {
      ++it;
      continue;
    }
    if (done) out.push_back(name);
    it = going_.erase(it);
  }
  for (const auto& name : out) {
    told_lost_.erase(name);
    finished(*ground_.fleet.find(name));
  }
  return out;
}

void TaskFolders::finished(const model::Agent& agent) {
  finished_.push_back({agent.spec.name, agent.task->order.dir, agent.spec.work.folders,
                       !model::has_result(agent.task->status)});
}

void TaskFolders::look_for_resume(const std::string& name, Inputs& out) const {
  const model::Agent* agent = ground_.fleet.find(name);
  if (!agent || !agent->task || agent->intent || agent->running()) return;
  const model::Task& task = *agent->task;
  if (model::has_result(task.status) ||
      !store::take_resume_file(ground_.files.disk(), task.order.dir))
    return;
  out.push_back(GoOnAsked{{}, name, "the file resume"});
}

std::optional<MonoTime> TaskFolders::wake_at() const {
  std::optional<MonoTime> earliest = earlier(save_at_, runs_.wake_at());
  for (const auto& [name, at] : going_) earliest = earlier(earliest, at);
  return earliest;
}

}  // namespace pawl::core
