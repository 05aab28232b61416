#include "cli/task.h"

#include <fmt/core.h>
#include <unistd.h>

#include <iostream>
#include <iterator>

#include "base/text.h"
#include "cli/ask.h"
#include "cli/style.h"
#include "cli/worktree.h"
#include "os/clock.h"
#include "os/file.h"

namespace pawl::cli {
namespace {

std::string field(const Json& task, const char* key) {
  return safe(task[key].is_string() ? task[key].as_string() : task[key].dump());
}

std::string where_it_is(const Json& task) {
  const std::string name = field(task, "task_name"), dir = field(task, "tmpdir");
  std::string out =
      fmt::format("{}: {} in {}\n", name, field(task, "status"), field(task, "project_dir"));
  out += fmt::format("  folder   {}\n", dir);
  out += fmt::format("  output   {}/output.log   (pawl task output {} -f)\n", dir, name);
  out += fmt::format("  over     {}/done         (pawl task wait {})\n", dir, name);
  if (task["worktree"].is_string()) out += fmt::format("  worktree {}\n", field(task, "worktree"));
  return out;
}

std::string age_of(const Json& task) {
  WallTime started;
  if (!parse_rfc3339(task["started_at"].as_string(), started)) return "-";
  return short_duration(os::read_clock().wall - started);
}

std::string why_of(const Json& task) {
  if (task["reason"].is_string()) return field(task, "reason");
  if (task["limited_until"].is_string()) return "until " + field(task, "limited_until");
  return {};
}

// One line of `task wait`.
std::string how_it_is(const Json& task) {
  const std::string name = field(task, "task_name"), status = field(task, "status");
  const std::string why = why_of(task);
  if (status == "limited")
    return fmt::format("{}: limited{}; it goes on by itself then, and can be waited for again\n",
                       name, why.empty() ? " until its account allows more" : " " + why);
  return fmt::format("{}: {}{}\n", name, status, why.empty() ? "" : ": " + why);
}

std::string_view colour_of(const std::string& status) {
  if (status == "completed") return state_colour("ready");
  if (status == "running") return state_colour("busy");
  return state_colour(status == "limited" ? "limited" : "crashed");
}

std::string table(const Json& tasks, const Look& look) {
  if (tasks.items().empty()) return "no tasks: give one with  pawl task start NAME --dir DIR\n";
  int widest = 4;
  for (const auto& task : tasks.items())
    widest = std::max(widest, std::min(32, columns_of(field(task, "task_name"))));
  std::string out = paint(look, "1",
                          fmt::format("{}  {}  {}  {}  WHY", fit("TASK", widest), fit("STATUS", 22),
                                      fit("FOR", 7), fit("RETRIES", 7))) +
                    "\n";
  for (const auto& task : tasks.items()) {
    const std::string status = field(task, "status");
    out += fmt::format("{}  {}  {}  {}  {}\n", fit(field(task, "task_name"), widest),
                       paint(look, colour_of(status), fit(status, 22)), fit(age_of(task), 7),
                       fit(field(task, "retry_count"), 7), why_of(task));
  }
  return out;
}

// The prompt, from a file or standard input; never from the command line, where everybody on the machine could read it.
bool prompt_into(Json& args, int& code) {
  const std::string file = args["prompt-file"].as_string("-");
  if (file == "-" && ::isatty(STDIN_FILENO) == 1) {
    code = complain({"task start: no prompt", "give --prompt-file F, or pipe it in", 2});
    return false;
  }
  if (file == "-") {
    args.set("prompt", std::string(std::istreambuf_iterator<char>(std::cin), {}));
    return true;
  }
  const auto text = os::read_stream(file);
  if (!text) code = complain(text.error());
  if (text) args.set("prompt", *text);
  return text.has_value();
}

int show(const Command& command, const Asked& asked) {
  if (!asked.result) return asked.code;
  if (command.json())
    print_json(*asked.result);
  else
    print(where_it_is(*asked.result));
  return 0;
}

bool yes(const std::string& question) {
  if (::isatty(STDIN_FILENO) != 1) return false;
  print(question + " [y/N] ");
  std::string line;
  std::getline(std::cin, line);
  return line == "y" || line == "Y" || line == "yes";
}

}  // namespace

int task_start(const Command& command) {
  Json args = command.args();
  int code = 0;
  if (!prompt_into(args, code)) return code;
  std::string root;
  if (args["worktree"].as_bool()) {
    const std::string dir = os::absolute(args["dir"].as_string("."), os::current_dir());
    const auto made = make_worktree(command.home, dir, args["name"].as_string());
    if (!made) return complain(made.error());
    root = made->root;
    args.set("dir", made->dir);
    args.set("worktree", root);
  }
  const auto asked = ask(command, "task start", args, Client::Environment::given);
  if (!asked.result && !root.empty()) (void)remove_worktree(root);
  return show(command, asked);
}

int task_ls(const Command& command) {
  const auto asked = ask(command, "task ls", command.args());
  if (!asked.result) return asked.code;
  if (command.json())
    print_json(*asked.result);
  else
    print(table((*asked.result)["tasks"], look_of(STDOUT_FILENO)));
  return 0;
}

int task_status(const Command& command) {
  const auto asked = ask(command, "task status", command.args());
  if (!asked.result || command.json()) return show(command, asked);
  print(where_it_is(*asked.result));
  for (const char* key : {"runtime", "model", "session_name", "session_id", "pid", "started_at",
                          "retry_count", "exit_code", "finished_at", "abandoned_at", "reason",
                          "limited_until", "denials", "tokens", "cost_usd"})
    if (!(*asked.result)[key].is_null() &&
        (std::string(key) == "exit_code" || (*asked.result)[key].dump() != "0"))
      print(fmt::format("  {:<14} {}\n", key, field(*asked.result, key)));
  return 0;
}

int task_wait(const Command& command) {
  const auto asked = ask(command, "task wait", command.args());
  if (!asked.result) return asked.code;
  if (command.json())
    print_json(*asked.result);
  else
    for (const auto& task : (*asked.result)["tasks"].items()) print(how_it_is(task));
  return static_cast<int>((*asked.result)["code"].as_int(1));
}

int task_output(const Command& command) {
  return ask(command, "task output", command.args(), Client::Environment::left_out,
             {{}, [](std::string_view bytes) { print(bytes); }})
      .code;
}

int task_cancel(const Command& command) {
  return show(command, ask(command, "task cancel", command.args()));
}

int task_resume(const Command& command) {
  return show(command, ask(command, "task resume", command.args()));
}

// What is not over, or was never read, is asked about.
int task_clean(const Command& command) {
  const auto asked = ask(command, "task ls", Json::object());
  if (!asked.result) return asked.code;
  const auto names = command.args()["names"].as_strings();
  const bool force = command.args()["force"].as_bool();
  int code = 0;
  size_t found = 0, removed = 0;
  for (const auto& task : (*asked.result)["tasks"].items()) {
    const std::string name = task["task_name"].as_string();
    const bool named = std::find(names.begin(), names.end(), name) != names.end();
    if (!names.empty() && !named) continue;
    ++found;
    const bool over = task["final"].as_bool(), read = task["read"].as_bool();
    if (names.empty() && !(over && read) && !force) continue;
    const std::string loss = !over ? " is not over" : !read ? "'s result was never read" : "";
    if (!loss.empty() && !force && !yes("'" + name + "'" + loss + ": remove it?")) {
      code = complain({"'" + name + "'" + loss, "use --force to remove it", 1});
      continue;
    }
    const auto done = ask(command, "task clean", Json::object({{"name", name}}));
    if (!done.result) {
      code = done.code;
      continue;
    }
    if (task["worktree"].is_string())
      if (const auto gone = remove_worktree(task["worktree"].as_string()); !gone)
        std::fprintf(stderr, "pawl: %s\n", text_of(gone.error()).c_str());
    ++removed;
    print(name + " removed\n");
  }
  if (found < names.size())
    return complain({"no task of that name", "pawl task ls shows them all", 1});
  if (removed == 0 && code == 0) print("nothing to clean\n");
  return code;
}

}  // namespace pawl::cli
