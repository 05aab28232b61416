#!/usr/bin/env python3
"""Random faults over real processes: agents, the daemon and holders are killed, stopped, all put to sleep as a suspended machine does,
and disturbed at random moments while tasks run; whoever the kernel would choose when memory is short is killed; tasks take more memory than
they may; and the clock is set, by seconds or hours, forward and back (set_clock.py; where it cannot be, that is said). Every task ends in a
truthful state, `done` never stands without a whole result, nothing runs after it, and no process is left. A limit ends when the clock
says so, however it was set, as in the made-up world (src/sim/world). FAULTS says how many (1000 once in a while), SEED which."""
import collections
import contextlib
import datetime
import json
import os
import random
import signal
import sys
import time
import unittest

import set_clock
from fleet import alive, read_proc, until
from task_test import TaskCase

FAULTS = int(os.environ.get("FAULTS", "40"))
SEED = int(os.environ.get("SEED", "0")) or random.randrange(1, 10**6)
TOGETHER = 8  # tasks at a time
MEMORY, TOO_MUCH = "64M", 100  # MiB
OVER = ("completed", "completed-with-denials", "failed", "abandoned", "cancelled")
KINDS = ("agent", "agent", "agent", "daemon", "holder", "stop", "suspend", "memory", "clock", "clock", "nothing")


def script(dice):
    """Some runs that go wrong, and a last one that comes to an end."""
    ends = [{"die": signal.SIGKILL}, {"die": signal.SIGSEGV}, {"exit": 0}, {"exit": 137}, {"fail": "Overloaded", "status": 529},
            {"fail": "You've hit your limit", "status": 429, "reset": 1}, {"grow": TOO_MUCH}, {"grow": TOO_MUCH}]
    speak = lambda: [{"say": f"word {n}", "sleep": dice.uniform(0, 0.2)} for n in range(dice.randrange(6))]
    runs = [speak() + [dice.choice(ends)] for _ in range(dice.randrange(3))]
    return runs + [speak() + dice.choice([[], [], [], [{"deny": "Bash"}], [{"fail": "I cannot", "status": None}]])]


def truth(runs):
    """How a task with this script ends when nothing else kills it: by its last run."""
    last = runs[-1][-1] if runs[-1] else {}
    return "completed-with-denials" if "deny" in last else "failed" if "fail" in last else "completed"


def grows(runs):
    return any("grow" in step for run in runs for step in run)


class Faults(TaskCase):
    def setUp(self):
        super().setUp()
        self.dice = random.Random(SEED)
        self.environment.update(MONITOR_MAX_INTERVAL="1", MONITOR_MAX_RETRIES="1000", MONITOR_DEADLINE="120")
        self.tasks, self.faults = {}, collections.Counter()
        without = set_clock.missing()
        self.clock = None if without else set_clock.SetClock(self.folder)
        self.environment.update(self.clock.environment if self.clock else {})
        if without:
            print(f"the clock is not set: {without}", file=sys.stderr)

    def all_tasks(self, *options):
        return {task["task_name"]: task for task in json.loads(self.pawl("task", "ls", "--json", *options).stdout)["tasks"]}

    def disturb(self):
        """One fault."""
        kind = self.dice.choice(KINDS)
        self.faults[kind] += 1
        tasks = self.all_tasks().values()
        running = [task["pid"] for task in tasks if task["pid"]]
        with contextlib.suppress(ProcessLookupError):
            if kind in ("agent", "stop") and running:
                os.kill(self.dice.choice(running), signal.SIGKILL if kind == "agent" else signal.SIGSTOP)
            elif kind == "daemon":
                self.kill_daemon()
                self.set_clock_perhaps()
            elif kind == "holder" and self.holders():
                os.kill(self.dice.choice(self.holders()), signal.SIGKILL)
            elif kind == "suspend":
                self.suspend(self.dice.uniform(0.5, 3))
            elif kind == "memory":
                self.run_out_of_memory()
            elif kind == "clock":
                self.set_clock(tasks)

    def suspend(self, seconds):
        """Nothing of it runs for so long."""
        asleep = {self.daemon_pid(), *self.holders(), *self.of_this_fleet()}
        for word in (signal.SIGSTOP, signal.SIGCONT):
            for pid in asleep:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, word)
            if word == signal.SIGSTOP:
                time.sleep(seconds)
                self.set_clock_perhaps()

    def run_out_of_memory(self):
        """The kernel would kill the one with the highest score."""
        score = lambda pid: int(read_proc(pid, "oom_score") or 0)
        agents, pawl = self.of_this_fleet(), {self.daemon_pid(), *self.holders()}
        chosen = max([*agents, *pawl], key=score)
        if chosen in pawl:
            self.assertFalse([pid for pid in agents if alive(pid)], f"seed {SEED}: Pawl goes before its agents")
        os.kill(chosen, signal.SIGKILL)

    def set_clock(self, tasks):
        """By a second or by hours; when most wait for a limit that was far away suddenly, until it is over."""
        if not self.clock:
            return
        by = 10 ** self.dice.uniform(0, 4) * self.dice.choice((1, -1))
        if sum(task["status"] == "limited" for task in tasks) > TOGETHER / 2:
            by = self.to_the_last_limit(tasks)
        self.clock.set(by)

    def set_clock_perhaps(self):
        if self.dice.random() < 0.3:
            self.set_clock(())

    def to_the_last_limit(self, tasks):
        ends = [datetime.datetime.fromisoformat(task["limited_until"]).timestamp() for task in tasks if task["limited_until"]]
        return max([0, *(end - self.clock.now() for end in ends)]) + 5

    def check(self, name, task):
        runs = self.tasks[name]
        told = f"seed {SEED}: {name}: {json.dumps(runs)}\n{self.story(name)}"
        self.assertIn(task["status"], OVER, told)
        self.assertEqual(task["status"], truth(runs), told)
        self.assertTrue(self.has("done", name), told)
        self.assertEqual(self.manifest(name)["status"], task["status"], told)
        with open(f"{self.folder}/store/{task['session_id']}.json", encoding="utf-8") as file:
            story = json.load(file)
        self.assertGreaterEqual(story["run"], len(runs), told)
        done = os.stat(task["tmpdir"] + "/done").st_mtime
        self.assertLess(os.stat(f"{self.folder}/store/{task['session_id']}.json").st_mtime, done + 0.05, "it ran after `done`\n" + told)
        words = [step["say"] for step in runs[-1] if "say" in step]
        self.assertTrue(self.file("output.log", name).endswith("".join(word + "\n" for word in words) + self.end_of(runs)), told)
        if name == "last" or not grows(runs):
            self.assertEqual("killed for memory" in self.file("monitor.log", name), name == "last", told)

    @staticmethod
    def end_of(runs):
        return f"■ {runs[-1][-1]['fail']}\n" if runs[-1] and "fail" in runs[-1][-1] else ""

    def give_next(self, name, runs):
        self.tasks[name] = runs
        self.give(*runs, name=name, options=("--memory", MEMORY) if grows(runs) else ())

    def calm_down(self):
        """Who was stopped goes on, and the clock comes to the end of every limit. A last one that grows is ended by nobody but Pawl."""
        for pid in self.of_this_fleet():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
        if self.clock:
            self.clock.set(self.to_the_last_limit(self.all_tasks().values()))
        self.give_next("last", [[{"grow": TOO_MUCH}], [{"say": "less"}]])
        until(lambda: f"seed {SEED}: all are over: {self.pawl('task', 'ls').stdout}",
              lambda: all(task["status"] in OVER for task in self.all_tasks().values()), 120)

    def test_whatever_dies(self):
        while self.faults.total() < FAULTS:
            while sum(task["status"] not in OVER for task in self.all_tasks().values()) < TOGETHER:
                self.give_next(f"t{len(self.tasks) + 1}", script(self.dice))
            time.sleep(self.dice.uniform(0, 0.3))
            self.disturb()
        self.calm_down()
        tasks = self.all_tasks("--all")
        self.assertEqual(sorted(tasks), sorted(self.tasks), f"seed {SEED}: none is lost")
        for name, task in tasks.items():
            self.check(name, task)
        until(lambda: f"seed {SEED}: nothing is left", lambda: not self.of_this_fleet(), 15)
        self.assert_every_decision_has_one_outcome()
        if self.clock:
            self.assertTrue(any("the clock was set" in event.get("because", "") for event in self.events()), f"seed {SEED}: it is told")


if __name__ == "__main__":
    unittest.main()
