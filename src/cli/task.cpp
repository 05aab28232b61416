#include "cli/task.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "base/text.h"
#include "cli/ask.h"
#include "cli/fleet.h"
#include "cli/git_commit.h"
#include "cli/machine.h"
#include "cli/style.h"
#include "cli/table.h"
#include "cli/worktree.h"
#include "model/task.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/random.h"

namespace pawl::cli {
namespace {

std::string field(const Json& task, const char* key) {
  return safe(task[key].is_string() ? task[key].as_string() : task[key].dump());
}

std::string where_it_is(const Json& task) {
  if (task["unit"].as_bool()) return unit_line(task);
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
  if (task["detail"].is_string()) return field(task, "detail");
  if (task["reason"].is_string()) return field(task, "reason");
  if (task["limited_until"].is_string()) return "until " + field(task, "limited_until");
  return {};
}

// One line of `task wait`.
std::string how_it_is(const Json& task) {
  const std::string name = name_in(task, "task_name"), status = field(task, "status");
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
  int widest = 4;
  for (const auto& task : tasks.items())
    widest = std::max(widest, std::min(32, columns_of(name_in(task, "task_name"))));
  std::string out = paint(look, "1",
                          fmt::format("{}  {}  {}  {}  WHY", fit("TASK", widest), fit("STATUS", 22),
                                      fit("FOR", 7), fit("RETRIES", 7))) +
                    "\n";
  for (const auto& task : tasks.items()) {
    const std::string status = field(task, "status");
    out += fmt::format("{}  {}  {}  {}  {}\n", fit(name_in(task, "task_name"), widest),
                       paint(look, colour_of(status), fit(status, 22)), fit(age_of(task), 7),
                       fit(field(task, "retry_count"), 7), why_of(task));
  }
  return out;
}

// At most so many bytes and one more.
std::string read_input(size_t limit) {
  std::string text;
  char buffer[65536];
  while (text.size() <= limit) {
    std::cin.read(buffer, sizeof buffer);
    if (std::cin.gcount() == 0) break;
    text.append(buffer, static_cast<size_t>(std::cin.gcount()));
  }
  return text;
}

// The prompt, from a file or standard input; never from the command line, where everybody on the machine could read it.
Result<std::string> read_prompt(const Json& args) {
  const std::string file = args["prompt-file"].as_string("-");
  if (file == "-" && ::isatty(STDIN_FILENO) == 1)
    return fail("task start: no prompt", "give --prompt-file F, or pipe it in", 2);
  if (file != "-" && os::is_dir(file))
    return fail(file + " is a folder", "name a file, or - for standard input", 2);
  if (file != "-" && os::file_size(file) > model::kPromptBytes)
    return fail(file + " is larger than 64 MiB", "put it into several files and name them", 2);
  auto text = file == "-" ? Result<std::string>(read_input(model::kPromptBytes))
                          : os::read_stream(file, model::kPromptBytes + 1);
  if (!text) return text;
  if (text->empty())
    return fail("the prompt is empty", "give --prompt-file F, or - for standard input", 2);
  if (text->size() > model::kPromptBytes)
    return fail("the prompt is larger than 64 MiB", "put it into files and name them", 2);
  return text;
}

// A prompt is left as a file, so that every byte of it arrives; from a sandbox that cannot write there it goes with the request,
// if that can carry it.
class LeftPrompt {
 public:
  explicit LeftPrompt(const std::string& home) : home_(home) {}
  ~LeftPrompt() {
    if (!wanted_) os::remove_file(path_);  // when nobody took it
  }
  LeftPrompt(const LeftPrompt&) = delete;
  LeftPrompt& operator=(const LeftPrompt&) = delete;

  // The daemon may still come for it.
  void keep() { wanted_ = true; }
  Done leave(const std::string& text, Json& args, bool elsewhere) {
    Done left = elsewhere ? fail("the prompt is too large for another machine",
                                 "put it into a file there and name it in the prompt", 2)
                          : os::make_private_dir(home_ + "/tasks");
    if (left) left = os::write_atomically(path_, text);
    if (left) args.set("prompt-left", path_);
    if (left) return {};
    const auto back = Json::parse(Json(text).dump());
    const bool plain = back && back->as_string() == text;
    if (text.size() > (plain ? kCarried : kCarried / 4 * 3)) return left;
    if (plain)
      args.set("prompt", text);
    else
      args.set("prompt-base64", base64(text));
    return {};
  }

 private:
  static constexpr size_t kCarried = 3u << 20;  // a request has a limit of its own

  std::string home_;
  std::string path_ = model::prompt_place(home_, os::random_uuid());
  bool wanted_ = false;
};

int show(const Command& command, const Asked& asked) {
  if (!asked.result) return asked.code;
  if (command.json())
    print_json(*asked.result);
  else
    print(where_it_is(*asked.result));
  return 0;
}

// The pages after this one.
int more_pages(const Command& command, Json args, std::string next, Json& tasks) {
  while (!next.empty()) {
    const Asked page = ask(command, "task ls", args.set("after", next));
    if (!page.result) return page.code;
    for (Json task : (*page.result)["tasks"].items()) {
      if (!command.machine.empty()) task.set("machine", command.machine);
      tasks.push(std::move(task));
    }
    next = (*page.result)["next"].as_string();
  }
  return 0;
}

}  // namespace

// With --all page by page, each machine's at its own door.
Asked list_tasks(const Command& command, const Json& args) {
  Asked listed = ask(command, "task ls", args);
  if (!listed.result || !args["all"].as_bool()) return listed;
  Json tasks = (*listed.result)["tasks"];
  if (const int code = more_pages(command, args, (*listed.result)["next"].as_string(), tasks))
    return {std::nullopt, code};
  for (const auto& machine : (*listed.result)["machines"].items()) {
    const std::string next = machine["next"].as_string(), name = machine["name"].as_string();
    if (next.empty()) continue;
    const auto door = door_of(command.home, name);
    const int code = door ? more_pages({*door, command.parsed, name}, args, next, tasks)
                          : complain(door.error());
    if (code != 0) return {std::nullopt, code};
  }
  listed.result->set("tasks", std::move(tasks));
  listed.result->set("more", 0).set("next", Json());
  return listed;
}

int task_start(const Command& command) {
  Json args = command.args();
  const auto prompt = read_prompt(args);
  if (!prompt) return complain(prompt.error());
  if (args["git"].is_string()) {
    const auto git = with_whole_commit(args["git"].as_string());
    if (!git) return complain(git.error());
    args.set("git", *git);
  }
  LeftPrompt left(command.home);
  if (auto fine = left.leave(*prompt, args, !command.machine.empty()); !fine)
    return complain(fine.error());
  std::string root;
  if (args["worktree"].as_bool() && !command.machine.empty())
    return complain(
        {"--worktree is made on this machine only", "make one there and name it: --dir", 2});
  if (args["worktree"].as_bool()) {
    const std::string dir = os::absolute(args["dir"].as_string("."), os::current_dir());
    const auto made = make_worktree(command.home, dir, args["name"].as_string());
    if (!made) return complain(made.error());
    root = made->root;
    args.set("dir", made->dir);
    args.set("worktree", root);
  }
  auto result = answer_of(command, "task start", args, Client::Environment::given);
  if (result) return show(command, {std::move(*result), 0});
  if (may_still_be_done(result.error()))
    left.keep();
  else if (!root.empty())
    (void)remove_worktree(root);
  return complain(result.error());
}

int task_ls(const Command& command) {
  Json args = command.args();
  const bool here = args["here"].as_bool();
  const auto listed = list_tasks(command, args.set("machines", !here).set("units", !here));
  if (!listed.result) return listed.code;
  const Json& list = *listed.result;
  if (command.json()) {
    print_json(list);
    return 0;
  }
  const int64_t more = list["more"].as_int();
  if (!list["tasks"].items().empty())
    print(table(list["tasks"], look_of(STDOUT_FILENO)));
  else if (more == 0)
    print("no tasks: give one with  pawl task start NAME --dir DIR\n");
  else
    print("no such tasks\n");
  if (more > 0)
    print(fmt::format("{} more {} over: pawl task ls --all\n", more, more == 1 ? "is" : "are"));
  print(unreached(list));
  return 0;
}

int task_status(const Command& command) {
  const auto asked = ask(command, "task status", command.args());
  if (!asked.result || command.json()) return show(command, asked);
  print(where_it_is(*asked.result));
  for (const char* key : {"runtime", "model", "session_name", "session_id", "pid", "started_at",
                          "retry_count", "exit_code", "finished_at", "abandoned_at", "reason",
                          "detail", "limited_until", "denials", "tokens", "cost_usd"})
    if (!(*asked.result)[key].is_null() &&
        (std::string(key) == "exit_code" || (*asked.result)[key].dump() != "0"))
      print(fmt::format("  {:<14} {}\n", key, field(*asked.result, key)));
  if ((*asked.result)["left_on"].is_string())
    print(fmt::format("  {:<14} {}: what it did there and did not push stayed there\n", "left_on",
                      field(*asked.result, "left_on")));
  return 0;
}

int task_wait(const Command& command) {
  const Client::Sinks sinks{tell_machine, {}};
  const auto asked = ask_patiently(command, "task wait", command.args(), sinks);
  if (!asked.result) return asked.code;
  if (command.json())
    print_json(*asked.result);
  else
    for (const auto& task : (*asked.result)["tasks"].items()) print(how_it_is(task));
  return static_cast<int>((*asked.result)["code"].as_int(1));
}

// What was printed is not printed again when the daemon was another one meanwhile.
int task_output(const Command& command) {
  Json args = command.args();
  int64_t at = 0;
  const Client::Sinks sinks{[&](const Json& event) { at = event["from"].as_int(at); },
                            [&](std::string_view bytes) {
                              at += static_cast<int64_t>(bytes.size());
                              print(bytes);
                            }};
  if (!args["follow"].as_bool()) return ask(command, "task output", args, {}, sinks).code;
  args.set("places", true);
  const auto again = [&](Json& next) {
    next.set("lines", Json());
    next.set("from", at);
  };
  return ask_patiently(command, "task output", args, sinks, again).code;
}

// A daemon that goes is waited for: what happened meanwhile is in the journal.
int task_events(const Command& command) {
  Json args = command.args();
  int64_t last = -1;
  const auto event = [&](const Json& told) {
    last = told["seq"].as_int(last);
    if (command.json()) return print(told.dump() + "\n");
    const std::string why = told["detail"].is_string()   ? field(told, "detail")
                            : told["reason"].is_string() ? field(told, "reason")
                                                         : "";
    print(fmt::format("{}  {}  {}{}\n", field(told, "at"), fit(field(told, "task"), 24),
                      field(told, "event"), why.empty() ? "" : "  " + why));
  };
  const Client::Sinks sinks{event, {}};
  if (!args["follow"].as_bool()) return ask(command, "task events", args, {}, sinks).code;
  if (!args["since"].is_string()) {  // from now on, whichever daemon is there
    const auto status = ask(command, "status", Json::object());
    if (!status.result) return status.code;
    args.set("since", std::to_string((*status.result)["last_event"].as_int()));
  }
  const auto again = [&](Json& next) {
    if (last >= 0) next.set("since", std::to_string(last));
  };
  return ask_patiently(command, "task events", args, sinks, again).code;
}

int task_cancel(const Command& command) {
  return show(command, ask(command, "task cancel", command.args()));
}

int task_resume(const Command& command) {
  return show(command, ask(command, "task resume", command.args()));
}

}  // namespace pawl::cli
