#!/usr/bin/env python3
"""Random faults over real processes: agents, the daemon and holders are killed, stopped, all put to sleep as a suspended machine does, and
disturbed at random moments while tasks run (clocks that are set are the made-up world's: src/sim/world). Every task ends in a truthful state, `done` never stands without a whole result, nothing runs after it, and no process is
left. FAULTS says how many (1000 once in a while), SEED which."""
import contextlib
import json
import os
import random
import signal
import time
import unittest

from fleet import alive, until
from task_test import TaskCase

FAULTS = int(os.environ.get("FAULTS", "40"))
SEED = int(os.environ.get("SEED", "0")) or random.randrange(1, 10**6)
TOGETHER = 8  # tasks at a time
OVER = ("completed", "completed-with-denials", "failed", "abandoned", "cancelled")


def script(dice):
    """Some runs that go wrong, and a last one that comes to an end."""
    ends = [{"die": signal.SIGKILL}, {"die": signal.SIGSEGV}, {"exit": 0}, {"exit": 137}, {"fail": "Overloaded", "status": 529},
            {"fail": "You've hit your limit", "status": 429, "reset": 1}]
    speak = lambda: [{"say": f"word {n}", "sleep": dice.uniform(0, 0.2)} for n in range(dice.randrange(6))]
    runs = [speak() + [dice.choice(ends)] for _ in range(dice.randrange(3))]
    return runs + [speak() + dice.choice([[], [], [], [{"deny": "Bash"}], [{"fail": "I cannot", "status": None}]])]


def truth(runs):
    """How a task with this script ends when nothing else kills it: by its last run."""
    last = runs[-1][-1] if runs[-1] else {}
    return "completed-with-denials" if "deny" in last else "failed" if "fail" in last else "completed"


class Faults(TaskCase):
    def setUp(self):
        super().setUp()
        self.dice = random.Random(SEED)
        self.environment.update(MONITOR_MAX_INTERVAL="1", MONITOR_MAX_RETRIES="1000", MONITOR_DEADLINE="120")
        self.tasks, self.faults = {}, 0

    def all_tasks(self):
        return {task["task_name"]: task for task in json.loads(self.pawl("task", "ls", "--json").stdout)["tasks"]}

    def disturb(self):
        """One fault."""
        self.faults += 1
        kind = self.dice.choice(["agent", "agent", "agent", "daemon", "holder", "stop", "suspend", "leftover", "nothing"])
        running = [task["pid"] for task in self.all_tasks().values() if task["pid"]]
        try:
            if kind in ("agent", "stop") and running:
                os.kill(self.dice.choice(running), signal.SIGKILL if kind == "agent" else signal.SIGSTOP)
            elif kind == "daemon":
                self.kill_daemon()
            elif kind == "holder" and self.holders():
                os.kill(self.dice.choice(self.holders()), signal.SIGKILL)
            elif kind == "suspend":
                self.suspend(self.dice.uniform(0.5, 3))
        except ProcessLookupError:
            pass

    def suspend(self, seconds):
        """Nothing of it runs for so long."""
        asleep = {self.daemon_pid(), *self.holders(), *self.of_this_fleet()}
        for word in (signal.SIGSTOP, signal.SIGCONT):
            for pid in asleep:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, word)
            if word == signal.SIGSTOP:
                time.sleep(seconds)

    def check(self, name):
        task, runs = self.all_tasks()[name], self.tasks[name]
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

    @staticmethod
    def end_of(runs):
        return f"■ {runs[-1][-1]['fail']}\n" if runs[-1] and "fail" in runs[-1][-1] else ""

    def test_whatever_dies(self):
        number = 0
        while self.faults < FAULTS:
            while sum(task["status"] not in OVER for task in self.all_tasks().values()) < TOGETHER:
                number += 1
                name = f"t{number}"
                self.tasks[name] = script(self.dice)
                self.give(*self.tasks[name], name=name)
            time.sleep(self.dice.uniform(0, 0.3))
            self.disturb()
        for pid in self.of_this_fleet():  # those that were stopped
            if alive(pid):
                os.kill(pid, signal.SIGCONT)
        until(lambda: f"seed {SEED}: all are over: {self.pawl('task', 'ls').stdout}",
              lambda: all(task["status"] in OVER for task in self.all_tasks().values()), 120)
        for name in self.tasks:
            self.check(name)
        until(lambda: f"seed {SEED}: nothing is left", lambda: not self.of_this_fleet(), 15)
        self.assert_every_decision_has_one_outcome()


if __name__ == "__main__":
    unittest.main()
