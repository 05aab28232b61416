// Where tasks meet the world: their command lines, their folders, and the file that has one gone on with.

#include "core/engine.h"
#include "core/intent.h"
#include "store/recording_reader.h"

namespace pawl::core {
namespace {

constexpr const char* kSessionId = "{session_id}";
// Its standard input is a file, and never a terminal.
constexpr const char* kWithInput = "exec \"$@\" <\"$0\"";

std::vector<std::string> filled(const std::vector<std::string>& argv, const std::string& id) {
  std::vector<std::string> out;
  for (const auto& item : argv)
    if (item != kSessionId)
      out.push_back(item);
    else if (!id.empty())
      out.push_back(id);
  return out;
}

bool chooses_id(const model::TaskOrder& order) {
  return std::find(order.start.begin(), order.start.end(), kSessionId) != order.start.end();
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
    return std::string(word(fact->status)) + ": " + fact->reason;
  if (const auto* fact = std::get_if<model::TaskTold>(&event.fact);
      fact && !fact->report.trouble.empty())
    return "it says: " + fact->report.trouble + ": " + fact->report.message;
  return {};
}

}  // namespace

// A conversation that is begun gets a name of ours, where its program allows that: whatever is killed later, it can be found.
host::Launch Engine::task_launch(const model::Agent& agent, SessionId session, bool resume,
                                 host::Launch launch) {
  const model::TaskOrder& order = agent.task->order;
  const bool goes_on = resume && !order.resume.empty() && !agent.session_id.empty();
  std::string id = agent.session_id;
  if (!goes_on && options_.new_id && chooses_id(order)) {
    id = options_.new_id();
    queue_.push_back(ConversationTold{session, id, ""});
  }
  const std::string input = order.dir + "/" + (goes_on ? store::kGoOnName : store::kPromptName);
  launch.argv = {"/bin/sh", "-c", kWithInput, input};
  for (auto& item : filled(goes_on ? order.resume : order.start, id))
    launch.argv.push_back(std::move(item));
  return launch;
}

// What is in its folder is written from the journal; what cannot be written now is written later, and `done` only after all
// the rest.
void Engine::keep_tasks(const Clock& now, const std::vector<model::Event>& written) {
  for (const auto& event : written) {
    const model::Agent* agent = fleet().find(event.agent);
    if (!agent || !agent->task) continue;
    if (const std::string note = note_of(event); !note.empty())
      store::note_in_monitor_log(files_.disk(), agent->task->order.dir, now.wall, note);
    tasks_to_save_.insert(event.agent);
  }
}

void Engine::save_tasks(const Clock& now) {
  if (tasks_to_save_.empty() || (save_at_ && now.mono < *save_at_)) return;
  save_at_.reset();
  for (const auto& name : std::exchange(tasks_to_save_, {})) {
    const model::Agent* agent = fleet().find(name);
    if (!agent || !agent->task) continue;
    Done saved;
    if (model::final(agent->task->status)) saved = task_runs_.flush(agent->session);
    if (saved) saved = store::save_task(files_.disk(), *agent, now.wall);
    if (saved) {
      if (model::final(agent->task->status)) task_runs_.forget(agent->session);
      if (over(*agent)) going_.try_emplace(name, now.mono + kLetGoAfter);
      continue;
    }
    recording_trouble_ = saved.error();
    tasks_to_save_.insert(name);
    save_at_ = now.mono + kRetryEvery;
  }
}

// What a task printed is in its recording and its folder: its terminal is not kept as well. One that is gone on with is as new.
void Engine::let_go_tasks(const Clock& now) {
  for (auto it = going_.begin(); it != going_.end();) {
    const std::string& name = it->first;
    const model::Agent* agent = fleet().find(name);
    const bool done = agent && over(*agent);
    const auto newest = current_.find(name);
    if (done && newest != current_.end() && closing(newest->second))
      it->second = now.mono + kRetryEvery;  // its last bytes are not on disk yet
    if (done && now.mono < it->second) {
      ++it;
      continue;
    }
    if (done) forget_task(name);
    it = going_.erase(it);
  }
}

void Engine::forget_task(const std::string& name) {
  if (const auto newest = current_.find(name); newest != current_.end()) {
    terminals_.erase(newest->second);
    current_.erase(newest);
  }
  human_at_.erase(name);
  learned_at_.erase(name);
  hooks_.erase(name);
  held_.erase(name);
  mode_trouble_.erase(name);
  finished_.push_back(name);
}

// What it printed and output.log does not have: it is in the recording, up to `end`.
void Engine::take_over_task(const Clock& now, const model::Agent& agent, Offset end) {
  std::vector<store::Part> parts;
  for (auto& part : store::parts_in(files_.disk(), files_.recordings(agent.spec.name)))
    if (part.session == agent.session) parts.push_back(std::move(part));
  const auto bytes = store::output_of(files_.disk(), parts);
  task_runs_.opened(now, agent, agent.session, bytes ? *bytes : std::string(), end);
}

// Runs whose terminal is gone (a reboot, a killed holder): what was recorded of them is heard to its end, which may be a result.
// Tasks whose folder may not be as the journal has it are written again.
void Engine::recover_tasks(const Clock& now) {
  for (const auto& [name, agent] : fleet().agents) {
    if (!agent.task || (over(agent) && store::task_saved(files_.disk(), agent))) continue;
    tasks_to_save_.insert(name);
    if (!agent.running() || terminals_.contains(agent.session)) continue;
    const auto parts = store::parts_in(files_.disk(), files_.recordings(name));
    const auto end = parts.empty() || parts.back().session != agent.session
                         ? Result<store::PartEnd>(fail("none"))
                         : store::read_end(files_.disk(), parts.back().path);
    if (!end) continue;
    take_over_task(now, agent, end->recovered.end);
    task_runs_.ended(now, agent.session);
  }
}

// The file `resume` in a task's folder: at once when nothing is under way, else when its program ends.
void Engine::look_for_resume(const std::string& name) {
  const model::Agent* agent = fleet().find(name);
  if (draining_ || !agent || !agent->task || agent->intent || agent->running()) return;
  const model::Task& task = *agent->task;
  if (model::has_result(task.status) || !store::take_resume_file(files_.disk(), task.order.dir))
    return;
  queue_.push_back(GoOnAsked{{}, name, "the file resume"});
}

}  // namespace pawl::core
