// Tasks of a night: given, cancelled and gone on with as `pawl task` does it, and the programs that are their runs.

#include "perceive/profile/launch.h"
#include "sim/world/agents/task_program.h"
#include "sim/world/chance.h"
#include "sim/world/night/night.h"
#include "store/agent_files.h"
#include "store/task_files.h"

namespace pawl::sim {
namespace {

constexpr const char* kTaskPrompt = "Do what is to be done.\n";

// Its ordinary life, and nothing odd in it.
TaskWays ordinary(const TaskWays& from) {
  TaskWays out;
  out.works_from = from.works_from, out.works_to = from.works_to;
  out.says_every = from.says_every;
  return out;
}

}  // namespace

TaskWays Night::ways_of(const TaskActor& task) const {
  TaskWays out = calm_ && !task.stays ? ordinary(task.ways) : task.ways;
  if (outage_) out.overload = 1;
  return out;
}

// Every run has its own chance.
Cast Night::cast_of(const TaskActor& task) {
  Cast cast;
  cast.runtime = task.spec.runtime;
  cast.program = std::make_unique<TaskProgram>(
      task.program == "claude" ? Prints::records : Prints::lines, ways_of(task),
      Chance(task.seed + ++starts_[task.spec.name]).next());
  return cast;
}

// As `pawl task start` has it (api/task_handlers.cpp).
void Night::run_task(const TaskActor& task) {
  if (known_task(task.spec.name)) return;  // refused: there is one already
  core::TaskAsked ask;
  ask.request = engine_->next_request();
  ask.spec = task.spec;
  ask.order.name = task.name();
  ask.order.format = "plain";
  ask.order.start = task.spec.command;
  const auto* profile = task.program == "plain" ? nullptr : catalog_.find(task.spec.runtime);
  if (profile) {
    ask.order.start = perceive::task_line(*profile, profile->launch.task, {});
    ask.order.resume = perceive::task_line(*profile, profile->launch.task_resume, {});
    ask.order.format = profile->launch.task_format;
    ask.spec.command = ask.order.start;
  }
  const auto dir =
      store::make_task_dir(engine_->files().disk(), kHome, ask.order.name, {kTaskPrompt, {}});
  if (!dir) return;  // whoever asked hears why
  ask.order.dir = dir->path;
  if (task.leased) give_lease(ask);
  engine_->submit(std::move(ask));
}

// In the fleet, or filed: a copy, as it is now.
std::optional<model::Agent> Night::known_task(const std::string& name) {
  if (const auto* agent = engine_->fleet().find(name)) return *agent;
  const auto filed = journal_.tasks().find(name);
  return filed ? *filed : std::nullopt;
}

// Somebody has every second one's (api/task_stream.cpp).
void Night::read_result(const std::string& agent) {
  const auto known = tasks_.find(agent);
  if (known == tasks_.end() || known->second->seed % 2 == 0) return;
  auto filed = journal_.tasks().find(agent);
  if (!filed || !*filed || engine_->fleet().find(agent)) return;
  (*filed)->task->read = true;
  if (journal_.tasks().keep(**filed)) engine_->submit(core::ResultRead{agent});
}

void Night::task(const Doing& doing) {
  if (!engine_) return;  // nobody takes it
  const auto known = tasks_.find(doing.agent);
  if (known == tasks_.end()) return;
  if (doing.does == Does::runs_task) return run_task(*known->second);
  if (doing.does == Does::loses_lease) return lose_lease(doing.agent);
  const auto agent = known_task(doing.agent);
  if (!agent || !agent->task) return;
  if (doing.does == Does::loses_folder) {
    if (!model::final(agent->task->status)) (void)disk_.remove_tree(agent->task->order.dir);
    return;
  }
  const bool filed = !engine_->fleet().find(doing.agent);
  if (filed && (doing.does == Does::cancels_task || model::has_result(agent->task->status))) return;
  each_checker([&](Checker& one) { one.asked(now_.mono, doing.agent); });
  if (doing.does == Does::cancels_task)
    engine_->submit(core::CancelAsked{engine_->next_request(), doing.agent, "a person"});
  else if (!doing.text.empty() && !disk_.touch(agent->task->order.dir + "/" + store::kResumeName))
    return;
  else if (engine_->recall(doing.agent) && doing.text.empty())
    engine_->submit(core::GoOnAsked{engine_->next_request(), doing.agent, "a person"});
  else
    engine_->look_for_wakeup(doing.agent);
}

}  // namespace pawl::sim
