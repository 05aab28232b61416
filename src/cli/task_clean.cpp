// `pawl task clean`: asks before something is lost.

#include <fmt/core.h>
#include <unistd.h>

#include <iostream>

#include "base/text.h"
#include "cli/style.h"
#include "cli/task.h"
#include "cli/worktree.h"

namespace pawl::cli {
namespace {

constexpr size_t kAtOnce = 50;  // tasks in one request: others come in between

bool yes(const std::string& question) {
  if (::isatty(STDIN_FILENO) != 1) return false;
  print(question + " [y/N] ");
  std::string line;
  std::getline(std::cin, line);
  return line == "y" || line == "Y" || line == "yes";
}

// As whoever asks named it: of another machine with that one's name.
std::string asked_name(const Json& task) {
  return task["asked"].as_string(task["task_name"].as_string());
}

// One of the fleet has its folder where it ran.
bool kept_elsewhere(const Json& task, int& code) {
  if (!task["unit"].as_bool()) return false;
  const std::string name = safe(task["task_name"].as_string());
  if (task["machine"].is_string())
    code = complain({"'" + name + "' is kept on " + safe(task["machine"].as_string()),
                     "pawl task clean " + safe(task["machine"].as_string()) + "/" + name, 1});
  else
    code = complain({"nothing is kept of '" + name + "': it has not begun",
                     "pawl task cancel " + name + " takes it back", 1});
  return true;
}

// Is this one to be removed? What is not over, or was never read, is asked about.
bool may_go(const Json& task, bool force, bool by_name, int& code) {
  if (kept_elsewhere(task, code)) return false;
  const bool over = task["final"].as_bool(), read = task["read"].as_bool();
  if (force || (over && read)) return true;
  if (!by_name) return false;
  const std::string name = "'" + safe(asked_name(task)) + "'";
  const std::string loss =
      over ? "the result of " + name + " was never read" : name + " is not over";
  if (yes(loss + ": remove it?")) return true;
  code = complain({loss, "use --force to remove it", 1});
  return false;
}

// The tasks that are named, or all.
Asked tasks_to_clean(const Command& command, const std::vector<std::string>& names) {
  if (names.empty()) return list_tasks(command, Json::object({{"all", true}, {"brief", true}}));
  Json tasks = Json::array();
  for (const auto& name : names) {
    const auto task = ask(command, "task status", Json::object({{"name", name}}));
    if (!task.result) return task;
    tasks.push(Json(*task.result).set("asked", name));
  }
  return {Json::object({{"tasks", std::move(tasks)}})};
}

int remove_tasks(const Command& command, const std::vector<Json>& tasks) {
  std::vector<std::string> names;
  for (const auto& task : tasks) names.push_back(asked_name(task));
  const auto done = ask(command, "task clean", Json::object({{"names", names}}));
  if (!done.result) return done.code;
  int code = 0;
  for (const auto& one : (*done.result)["results"].items())
    if (!one["ok"].as_bool()) code = complain({one["error"].as_string(), "", 1});
  if (code != 0) return code;
  for (const auto& task : tasks) {
    const bool here = command.machine.empty() && asked_name(task).find('/') == std::string::npos;
    if (here && task["worktree"].is_string())
      if (const auto gone = remove_worktree(task["worktree"].as_string()); !gone)
        std::fprintf(stderr, "pawl: %s\n", text_of(gone.error()).c_str());
    print(safe(asked_name(task)) + " removed\n");
  }
  return 0;
}

}  // namespace

int task_clean(const Command& command) {
  const auto names = command.args()["names"].as_strings();
  const bool force = command.args()["force"].as_bool();
  const auto listed = tasks_to_clean(command, names);
  if (!listed.result) return listed.code;
  int code = 0;
  std::vector<Json> going;
  for (const auto& task : (*listed.result)["tasks"].items())
    if (may_go(task, force, !names.empty(), code)) going.push_back(task);
  if (going.empty() && code == 0) print("nothing to clean\n");
  for (size_t at = 0; at < going.size(); at += kAtOnce) {
    const auto end = going.begin() + static_cast<ptrdiff_t>(std::min(at + kAtOnce, going.size()));
    const int failed = remove_tasks(command, {going.begin() + static_cast<ptrdiff_t>(at), end});
    if (failed != 0) code = failed;
  }
  return code;
}

}  // namespace pawl::cli
