#include "api/verb.h"

#include <algorithm>

#include "api/act_handlers.h"
#include "api/hook_handlers.h"
#include "api/look_handlers.h"
#include "api/pane_handlers.h"
#include "api/talk_handlers.h"
#include "api/task_handlers.h"
#include "api/trust_handlers.h"
#include "api/verb_parts.h"

namespace pawl::api {
namespace {

// What an agent is, for `run` and `register`; the command comes last.
std::vector<Arg> run_arguments(Arg name, std::vector<Arg> more) {
  std::vector<Arg> args{
      std::move(name),
      option("runtime", "R", "claude, codex, gemini …, or one of your own in pawl.toml"),
      option("dir", "D", "where it works (default: here)"),
      option("backend", "B",
             "pty (default), or tmux: in a server of its own that you can attach to"),
      option("env-file", "F", "NAME=value lines on top of the environment"),
      option("model", "M", "a short name of [models] in pawl.toml, or the program's own"),
      option(
          "permission", "MODE",
          "plan, acceptEdits, default, auto, dontAsk, bypassPermissions, in the program's words"),
      flag("yolo", "the same as --permission bypassPermissions: it never asks; use a sandbox"),
      option("prompt-file", "F", "prompt repeated whenever it is idle"),
      option("memory", "SIZE", "killed when all of it has more: 512M, 4G"),
      option("cpu", "SHARE", "at most so much CPU: 200% is two processors; needs cgroups"),
      option("restart", "P",
             "when it ends by itself: never (default), fresh, or resume its conversation"),
      option("mode", "M", "active, task-only (default with a prompt) or paused"),
      flag("dry-run", "log decisions without acting"),
      option("size", "COLSxROWS", "of the terminal (default 120x40, or yours when attached)")};
  args.insert(args.end(), more.begin(), more.end());
  args.push_back({Form::rest, "command", "COMMAND", "the program and its arguments, after --"});
  return args;
}

std::vector<Verb> starting() {
  return {
      {"run", "start an agent; attached on a terminal unless -d", acts<run>(),
       run_arguments(
           of_agent(positional("name", "NAME", "what to call it (default: the command's name)")),
           {flag("detach", "do not attach", 'd'), flag("json", "print JSON (with -d)")}),
       "pawl run -d tests -- make check", "start"},
      {"register", "declare an agent, to be started later with: pawl start NAME",
       acts<register_agent>(), run_arguments(name_of_agent(), {json()}),
       "pawl register docs --dir ~/docs --runtime claude --yolo", "start"},
      {"up",
       "start every agent in pawl.toml",
       acts<up>(),
       {positional("file", "FILE", "default ./pawl.toml"),
        flag("trust",
             "approve the file as it is now; without it an unapproved file is asked about"),
        json()},
       "pawl up fleet.toml",
       "start"},
      {"trust",
       "approve a folder's pawl.toml as it is now, for pawl up",
       acts<trust>(),
       {positional("place", "DIR", "the folder, or a file (default: this folder)"),
        flag("list", "show what is approved"),
        flag("forget", "pawl up asks again; agents that run are left alone"), json()},
       "pawl trust ~/src/project",
       "start"},
      {"down",
       "stop every agent; adopted panes are given back",
       acts<down>(),
       {json()},
       "pawl down",
       "start"},
      {"start",
       "start stopped agents",
       acts<start>(),
       {names_of_agents(),
        flag("fresh", "in a new conversation (default: its own goes on, where the program can)"),
        all(), json()},
       "pawl start docs",
       "start",
       Across::gathered},
  };
}

std::vector<Verb> adopting() {
  return {
      {"adopt",
       "watch over a tmux pane that already runs",
       acts<adopt>(),
       {positional("target", "PANE", "like %3 or work:1.0, as tmux names it"),
        flag("all", "every pane that runs an agent", 'a'),
        flag("yes", "with --all: do not ask", 'y'),
        option("name", "NAME", "what it is called here (default: its session's name)"),
        option("restart", "R", "never (default), fresh or resume: when it ends in its pane"),
        option("socket-name", "NAME", "of the tmux server (default: the one you are in)", 'L'),
        option("socket-path", "PATH", "of the tmux server", 'S'), json()},
       "pawl adopt --all",
       "start"},
      {"release",
       "stop supervising a pane; leave it untouched",
       acts<release>(),
       {names_of_agents()},
       "pawl release work",
       "start"},
  };
}

std::vector<Verb> talking() {
  return {
      {"attach",
       "attach to an agent's terminal; leave with Ctrl-\\",
       acts<attach>(),
       {name_of_agent(), flag("read-only", "look, do not touch", 'r')},
       "pawl attach tests",
       "talk"},
      {"send",
       "send an agent a text: typed when the agent is ready; delivery is confirmed",
       acts<send>(May::sender),
       {name_of_agent(), positional("text", "TEXT", "the text; '-' reads standard input"),
        option("file", "FILE", "the text is in this file", 'f'),
        flag("now", "do not wait for ready; a person's draft is put back after it"),
        option("wait", "STATE", "block until it was taken, and then until ready, busy or done"),
        option("timeout", "T", "with --wait: give up after this long (90, 5m, 2h): exit code 124"),
        flag("drop", "discard queued texts"),
        flag("no-enter", "type without Enter; do not confirm"), json()},
       "pawl send docs 'go on with chapter 3'",
       "talk"},
      {"wake",
       "send urgently: skips the queue and does not wait for a person at the keyboard",
       acts<wake>(May::everybody),
       {name_of_agent(), positional("text", "TEXT", "the text; '-' reads standard input"),
        option("from", "WHO", "who wakes it; the agent is told"),
        option("file", "FILE", "the text is in this file", 'f'), json()},
       "pawl wake docs --from ci 'the build is red'",
       "talk"},
      {"answer",
       "answer the agent's dialog",
       acts<answer>(),
       {name_of_agent(), positional("row", "ROW", "its number from 1, or how it begins"),
        option("dialog", "ID",
               "only this dialog (its id is in pawl show); without: the one you were last shown"),
        flag("keep",
             "answer the same question about the same like this from now on; without ROW: the last"
             " answer. Rows that permit something are never kept"),
        option("about", "PATTERN", "with --keep: also when it is about this; * is anything"),
        flag("forget", "no ROW: nothing that was kept is answered by rules any more"), json()},
       "pawl answer docs 1",
       "talk"},
      {"keys",
       "press keys: Enter, Escape, C-c, M-x, Up, F1 …",
       acts<keys>(),
       {name_of_agent(), many(required(positional("keys", "KEY", "key names as tmux has them")))},
       "pawl keys docs Escape C-c",
       "talk"},
  };
}

std::vector<Verb> controlling() {
  return {
      {"stop",
       "end agents: TERM, then KILL",
       acts<stop>(),
       {names_of_agents(), all(), json()},
       "pawl stop tests",
       "control",
       Across::gathered},
      {"restart",
       "end and start again, in the same place with the same command",
       acts<restart>(),
       {names_of_agents(),
        flag("fresh", "in a new conversation (default: its own goes on, where the program can)"),
        all(), json()},
       "pawl restart tests",
       "control",
       Across::gathered},
      {"pause",
       "rules leave an agent alone: no restart, no nudge, no answer",
       acts<pause>(),
       {names_of_agents(), all(), json()},
       "pawl pause docs",
       "control",
       Across::gathered},
      {"resume",
       "rules may act again, also on an agent they gave up on (parked)",
       acts<resume>(),
       {names_of_agents(), all(), json()},
       "pawl resume docs",
       "control",
       Across::gathered},
      {"mode",
       "what an idle agent is told: its inbox and prompt, its prompt only, or nothing",
       acts<mode>(),
       {name_of_agent(), required(positional("mode", "MODE", "active, task-only or paused")),
        json()},
       "pawl mode docs active",
       "control"},
      {"permission",
       "what an agent may do without asking, from its next start on",
       acts<permission>(),
       {name_of_agent(),
        required(positional("mode", "MODE",
                            "plan, acceptEdits, default, auto, dontAsk or bypassPermissions")),
        json()},
       "pawl permission docs acceptEdits",
       "control"},
      {"rm",
       "forget agents and their recordings",
       acts<rm>(),
       {names_of_agents(), flag("force", "stop them first", 'f'), all(), json()},
       "pawl rm tests",
       "control",
       Across::gathered},
  };
}

// What agents look like.
std::vector<Verb> perceiving() {
  return {
      {"classify",
       "what a recording or a still screen shows, without a daemon",
       Use::local(),
       {required(positional("file", "FILE", "an asciicast (v2, v3), or a screen with --screen")),
        option("runtime", "R", "whose profile (default auto: recognise it)"),
        option("facts", "FILE", "tty and process samples beside the recording, JSON lines"),
        option("at", "T", "stop there and print one object with the screen"),
        flag("screen", "FILE is one still screen, plain or with escapes"),
        option("cursor", "ROW,COL", "where the cursor of the still is"),
        option("rows", "N", "of the screen"), option("cols", "N", "of the screen"),
        option("channels", "C", "all (default), no-process, or screen: leave the others out")},
       "pawl classify --runtime claude night.cast",
       "other"},
      {"simulate",
       "what the rules would do in a story, or a fleet in a bad night, without agents, in virtual "
       "time",
       Use::local(),
       {positional("file", "FILE", "the story (doc/watchdog.md)"),
        flag("events", "print everything that is written down, not only the decisions"),
        option("fleet", "N", "a made-up night with so many agents (doc/simulation.md)"),
        option("fleet-bus", "N", "N made-up fleets on a bus that fails (doc/simulation.md)"),
        option("hours", "H", "… of so many hours (default 12)"),
        option("seed", "S", "… this one; the same number is the same night (default 1)"),
        option("faults", "F",
               "… with all (default) or none of what can go wrong, or some: kill,limit,…"),
        option("policy", "FILE", "… compared with the defaults of this pawl.toml"),
        option("shrink", "N", "… nights that may be played to shorten a story (default 400)"),
        json()},
       "pawl simulate --fleet 20 --hours 12 --seed 7",
       "other"},
      {"skill",
       "the page that teaches another agent to use tasks: print it, or put it where that one looks",
       Use::local(),
       {positional("what", "WHAT", "print (default) or install"),
        option("dir", "D", "where to (default ~/.claude/skills/pawl-tasks)")},
       "pawl skill install",
       "task"},
      {"calibrate",
       "teach Pawl how an unknown agent looks: idle, typing, busy, asking",
       Use::local(),
       {positional("name", "NAME", "a running agent"),
        option("out", "DIR", "profiles/ is made there (default: the configuration directory)"),
        option("sample", "KIND", "take one sample now: idle, typing, busy or dialog"),
        flag("write", "make the profile from the samples taken"),
        flag("force", "write over a profile, and although a sample is read wrongly"),
        option("check", "FILE", "read a profile's stored screens again")},
       "pawl calibrate myagent",
       "other"},
      {"config",
       "check a pawl.toml: report errors and the defaults used",
       Use::local(),
       {required(positional("what", "check", "what to do: check")),
        positional("file", "FILE", "default ./pawl.toml, else your own configuration"), json()},
       "pawl config check",
       "other"},
      {"reload",
       "read the profiles again; agents keep running",
       acts<reload>(),
       {json()},
       "pawl reload",
       "other"},
  };
}

std::vector<Verb> keeping() {
  return {
      {"daemon",
       "run the daemon in the foreground, or stop it",
       Use::local(),
       {flag("stop", "end the daemon: agents keep running, unfinished tasks are abandoned"),
        flag("keep-tasks", "with --stop: the next daemon goes on with them"),
        flag("dry-run", "rules decide and write down, and do nothing"),
        flag("init",
             "as the first process of a container: reap, forward signals, drain at the end"),
        option("grace", "T", "with --init: how long turns under way may go on (default 60 s)")},
       "pawl daemon --stop",
       "other"},
      {"install-service",
       "run the daemon as a service of your systemd: agents and tasks come back after a reboot",
       Use::local(),
       {flag("print", "only show the unit"), flag("remove", "end the service and forget it"),
        flag("force", "overwrite a unit that was changed by hand")},
       "pawl install-service",
       "other"},
      {"audit",
       "who asked for what, and whether anybody changed that",
       Use::local(),
       {since("all"), option("agent", "NAME", "about this one"),
        flag("refused", "only what was refused"),
        flag("verify", "follow the chain and say whether it is whole"),
        option("export", "FILE", "write all of it into a new file (- prints it)"),
        option("file", "FILE", "of this exported file"), json()},
       "pawl audit --verify",
       "other"},
      {"doctor",
       "check that everything is in order",
       Use::local(),
       {json()},
       "pawl doctor",
       "other"},
      {"completion",
       "print a completion script",
       Use::local(),
       {required(positional("shell", "SHELL", "bash, zsh or fish"))},
       "source <(pawl completion bash)",
       "other"},
      {"version", "print the version", Use::local(), {json()}, "pawl version", "other"},
      {"help",
       "help on a verb",
       Use::local(),
       {positional("verb", "VERB", "which one")},
       "pawl help run",
       "other"},
      // For programs' own use.
      {"hook",
       "tell what a program's hook says; for programs, which are never held up by it",
       acts<hook>(May::everybody),
       {required(positional("runtime", "RUNTIME", "whose hook: claude, codex, gemini …")),
        positional("json", "JSON", "what it says (default: on standard input)")},
       "pawl hook claude <hook.json",
       ""},
      {"preview",
       "what a pawl.toml would run, and whether it is approved",
       looks<preview>(),
       {},
       "",
       ""},
      {"status", "how the daemon is", looks<status>(), {json()}, "", ""},
      {"abandon", "give up every unfinished task", acts<abandon_tasks>(May::daemon), {}, "", ""},
      {"shutdown", "end the daemon", acts<shutdown>(May::daemon), {}, "", ""},
  };
}

}  // namespace

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> table = [] {
    std::vector<Verb> rows;
    for (auto group :
         {starting(), adopting(), look_verbs(), talking(), controlling(), task_verbs(),
          work_verbs(), perceiving(), serve_verbs(), machine_verbs(), fleet_verbs(), keeping()})
      rows.insert(rows.end(), group.begin(), group.end());
    return rows;
  }();
  return table;
}

const Verb* find_verb(const std::string& name) {
  const auto it = std::find_if(verbs().begin(), verbs().end(),
                               [&](const Verb& verb) { return verb.name == name; });
  return it == verbs().end() ? nullptr : &*it;
}

}  // namespace pawl::api
