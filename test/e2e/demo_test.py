#!/usr/bin/env python3
"""`make run` without a terminal: the table, what to type next, exit 0, and a fleet that goes on until `make stop`."""
import json
import os
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
PAWL = shutil.which("pawl") or "pawl"
# What each of them comes to by itself, and why.
FLEET = {"builder": ("busy", None), "reviewer": ("ready", None), "asker": ("waiting", "permission"), "limited": ("limited", None),
         "crasher": ("crashed", None), "leaver": ("shell", None)}


class Demo(unittest.TestCase):
    def setUp(self):
        home = tempfile.TemporaryDirectory(prefix="pawl")
        self.addCleanup(home.cleanup)
        self.environment = {**os.environ, "PAWL_HOME": home.name + "/home", "PAWL_BIN": os.path.dirname(PAWL)}

    def run_it(self, *command):
        # Reads to the end of the output: a daemon that kept our pipe open would be noticed here.
        return subprocess.run(command, env=self.environment, cwd=ROOT, stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)

    def test_run_and_stop(self):
        self.addCleanup(self.run_it, "demo/stop")
        first = self.run_it("demo/run")
        self.assertEqual(first.returncode, 0, first.stdout)
        for word in [*FLEET, "pawl attach builder", "make stop", self.environment["PAWL_HOME"]]:
            self.assertIn(word, first.stdout)
        listed = json.loads(self.run_it("pawl", "ls", "--json").stdout)
        self.assertEqual({agent["name"] for agent in listed["agents"]}, set(FLEET))
        for name, (state, kind) in FLEET.items():
            seen = json.loads(self.run_it("pawl", "wait", name, "--until", state, "--timeout", "60", "--json").stdout)
            self.assertEqual((seen.get("state"), seen.get("kind")), (state, kind), name)
            self.assertEqual(seen["runtime"], "demo", name)
            if state == "limited":
                self.assertRegex(seen["limited_until"] or "", "T03:00:00")
        table = self.run_it("pawl", "ls").stdout
        for word in ("ready", "waiting", "limited", "crashed", "shell"):
            self.assertIn(word, table)

    def test_a_prompt_is_worked_on(self):
        self.addCleanup(self.run_it, "demo/stop")
        self.run_it("pawl", "run", "-d", "one", "--", "pawl-demo-agent", "--speed", "2")
        self.assertEqual(self.run_it("pawl", "wait", "one", "--until", "ready", "--timeout", "30").stdout, "ready\n")
        self.run_it("pawl", "send", "one", "explain the queue", "--no-enter")
        self.assertEqual(self.run_it("pawl", "wait", "one", "--until", "typing", "--timeout", "30").stdout, "typing\n")
        self.run_it("pawl", "keys", "one", "Enter")
        for state in ("busy", "ready"):
            self.assertEqual(self.run_it("pawl", "wait", "one", "--until", state, "--timeout", "30").stdout, state + "\n")

    def test_again_and_stop(self):
        self.addCleanup(self.run_it, "demo/stop")
        self.run_it("demo/run")
        again = self.run_it("demo/run")
        self.assertEqual(again.returncode, 0, again.stdout)
        stopped = self.run_it("demo/stop")
        self.assertEqual(stopped.returncode, 0, stopped.stdout)


if __name__ == "__main__":
    unittest.main()
