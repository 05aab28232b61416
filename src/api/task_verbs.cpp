// The rows of `pawl task …`.

#include "api/task_handlers.h"
#include "api/verb_parts.h"

namespace pawl::api {
namespace {

Arg task() {
  return of_agent(required(positional("name", "TASK", "the task")));
}

std::vector<Verb> giving() {
  return {
      {"task start",
       "give a prompt to an agent of its own; returns at once",
       acts<task_start>(May::everybody),
       {of_agent(required(positional("name", "TASK", "lowercase letters, digits and '-'"))),
        option("prompt-file", "F", "the prompt; '-' (default) reads standard input"),
        option("dir", "D", "where it works (default: here)"),
        option("backend", "B", "pty (default), or tmux: in a server of its own"),
        option("runtime", "R", "claude (default), codex, gemini, pi …, or one of your pawl.toml"),
        option("model", "M", "a full name, or a short one: of your [models], or opus, sonnet …"),
        option("permission", "MODE", "what it may do without asking; what it may not is refused"),
        flag("yolo", "the same as --permission bypassPermissions: it never asks; use a sandbox"),
        option("deadline", "T", "given up after this long (default 5h)"),
        option("stale", "T", "hung after this long without output or CPU, a plain command too"),
        option("retries", "N", "maximum resume attempts (default 10)"),
        option("memory", "SIZE", "killed, and tried again, when all of it has more: 512M, 4G"),
        option("cpu", "SHARE", "at most so much CPU: 200% is two processors; needs cgroups"),
        option("env-file", "F", "NAME=value lines on top of the environment"),
        option("on", "NODE", "a node of the fleet, or any: whichever has room (doc/fleet.md)"),
        option("needs", "KEY=VALUE,…",
               "… and has this: runtime=claude, label=gpu, account=work, queue=nightly"),
        flag("worktree", "in a git worktree of its own"),
        flag("interactive", "an agent with an interface: pawl attach"),
        option("max-cost", "USD", "abandon above this cost, if the program reports it"),
        option("max-tokens", "N", "given up when it has used more, where its program tells"),
        json(),
        {Form::rest, "command", "COMMAND", "a program of your own, prompt on its standard input"}},
       "pawl task start fix-login --dir ~/src/app --yolo --prompt-file prompt.md",
       "task"}};
}

std::vector<Verb> looking() {
  return {
      {"task ls",
       "list the tasks that run, and those that are over, the newest first",
       looks<task_ls>(),
       {flag("all", "all that are over, not only those of the last day"),
        option("limit", "N", "at most so many that are over (default 50)"),
        option("status", "S", "only these: running, completed, failed, abandoned, …; with commas"),
        option("since", "TIME", "only what was over after it: 2h, or 2026-11-18T09:00:00Z"),
        option("after", "PLACE", "the page after this one: \"next\" of the page before"),
        flag("brief", "only their names, and whether they are over and read"), here(), json()},
       "pawl task ls --status failed,abandoned --since 12h",
       "task",
       Across::gathered},
      {"task status",
       "task status and file locations",
       looks<task_status>(),
       {task(), json()},
       "pawl task status fix-login --json",
       "task"},
      {"task wait",
       "block until tasks are over, or wait for their limit; the exit code says how",
       looks<task_wait>(),
       {of_agent(many(required(positional("names", "TASK", "the tasks")))),
        flag("any", "until one of them is"),
        option("timeout", "T", "give up after this long (90, 5m, 2h): exit code 124"), json()},
       "pawl task wait fix-login --timeout 2h",
       "task",
       Across::awaited},
      {"task output",
       "what a task said",
       looks<task_output>(),
       {task(), flag("follow", "go on as it grows, until it is over", 'f'),
        flag("result", "the agent's last message alone; with -f when it is over"),
        option("lines", "N", "the last N lines only", 'n')},
       "pawl task output fix-login -f",
       "task"},
      {"task events",
       "what happens to tasks, one line each, for programs that wait for them",
       looks<task_events>(),
       {of_agent(many(positional("names", "TASK", "only these tasks"))),
        flag("follow", "go on as it happens", 'f'),
        option("since", "TIME", "from then on: 2h, 2026-11-18T09:00:00Z, or after a seq"), json()},
       "pawl task events --json -f",
       "task"}};
}

std::vector<Verb> ending() {
  return {
      {"task cancel",
       "end a task, and everything it started",
       acts<task_cancel>(May::own_task),
       {task(), json()},
       "pawl task cancel fix-login",
       "task"},
      {"task resume",
       "go on now with a task that waits or was given up",
       acts<task_resume>(May::own_task),
       {task(), json()},
       "pawl task resume fix-login",
       "task"},
      {"task clean",
       "forget tasks and their folders; asks before it loses something",
       acts<task_clean>(May::own_task),
       {of_agent(
            many(positional("names", "TASK", "the tasks (default: all that are over and read)"))),
        flag("all", "all that are over and read: the same as no name"),
        flag("force", "do not ask; without a name: all, also what runs or was never read", 'f')},
       "pawl task clean",
       "task"},
  };
}

}  // namespace

std::vector<Verb> task_verbs() {
  std::vector<Verb> all;
  for (auto& group : {giving(), looking(), ending()})
    for (const auto& row : group) all.push_back(row);
  return all;
}

}  // namespace pawl::api
