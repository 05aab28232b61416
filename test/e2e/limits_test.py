#!/usr/bin/env python3
"""What a task may have, and that nothing of it is left: memory, CPU, and processes that went their own way."""
import json
import os
import re
import signal
import unittest

from fleet import FleetCase, alive, read_proc, until

BALLAST = "x=bytearray(300<<20); import time; time.sleep(600)"
# Two generations away from its parent, its terminal and its environment.
ORPHANS = ("for n in 701 702 703; do (env -i setsid sh -c \"sleep $n & sleep $n & exec sleep $n\" "
           "</dev/null >/dev/null 2>&1 &); done; echo begun; exec sleep 704")


class Limits(FleetCase):
    def give(self, name, *command, options=(), code=0):
        return self.pawl("task", "start", name, *options, "--", *command, input="do it\n", code=code)

    def over(self, name, code=5):
        self.pawl("task", "wait", name, "--timeout", "60", code=code)
        return json.loads(self.pawl("task", "status", name, "--json").stdout)

    def with_words(self, *words):
        line = "\0".join(words).encode() + b"\0"
        return [pid for pid in os.listdir("/proc") if pid.isdigit() and read_proc(pid, "cmdline") == line and alive(pid)]

    def test_too_much_memory_is_named_and_tried_again(self):
        self.give("big", "python3", "-c", BALLAST, options=("--memory", "100M", "--retries", "1"))
        task = self.over("big")
        self.assertEqual((task["status"], task["reason"]), ("abandoned", "max_retries_exceeded"))
        self.assertRegex(task["detail"], r"^gave up after 1 try: killed for memory \((peak )?\d+(\.\d)? MiB of 100 MiB[;)]")
        for words in (("task", "ls"), ("task", "wait", "big"), ("task", "status", "big")):
            self.assertIn(task["detail"], self.pawl(*words, code=None).stdout)
        with open(task["tmpdir"] + "/manifest", encoding="utf-8") as file:
            self.assertIn("detail=" + task["detail"] + "\n", file.read())
        crashed = [json.loads(line) for line in self.pawl("task", "events", "big", "--since", "1h", "--json").stdout.splitlines()]
        self.assertIn("killed for memory", [one for one in crashed if one["event"] == "crashed"][0]["detail"])
        until("nobody is left", lambda: not self.with_words("python3", "-c", BALLAST), 10)

    def test_a_small_one_is_left_alone(self):
        self.give("small", "python3", "-c", "x=bytearray(20<<20); import time; time.sleep(5)", options=("--memory", "200M"))
        self.assertEqual(self.over("small", code=0)["status"], "completed")

    def test_a_limit_holds_after_the_daemon_was_killed(self):
        self.give("big", "python3", "-c", "import time; time.sleep(3); " + BALLAST, options=("--memory", "100M", "--retries", "0"))
        self.kill_daemon()
        self.assertIn("killed for memory", self.over("big")["detail"])

    def test_an_agent_of_a_file_has_limits_too(self):
        with open(self.folder + "/pawl.toml", "w", encoding="utf-8") as file:
            file.write(f'[agent.one]\nmemory = "100M"\ncommand = ["python3", "-c", "{BALLAST}"]\n')
        self.pawl("up")
        self.ended("one")
        self.assertIn("killed for memory", self.pawl("show", "one").stdout)

    def test_all_that_left_it_ends_with_it(self):
        self.give("nest", "sh", "-c", ORPHANS)
        nests = [("sleep", n) for n in ("701", "702", "703")]
        until("nine orphans", lambda: sum(len(self.with_words(*one)) for one in nests) == 9)
        self.pawl("task", "cancel", "nest")
        until("nobody is left", lambda: not any(self.with_words(*one) for one in [*nests, ("sleep", "704")]), 10)

    def groups(self):
        """Where its cgroup is; nothing: it has none."""
        pid = int(json.loads(self.pawl("ls", "--json").stdout)["agents"][0]["pid"])
        found = re.search(r"^0::(\S*/pawl-[0-9a-f]+-t\d+)$", read_proc(pid, "cgroup").decode(), re.M)
        return found and [path + found[1] for path in ("/sys/fs/cgroup", "/sys/fs/cgroup/unified") if os.path.isdir(path + found[1])]

    def test_what_a_killed_daemon_and_its_holder_left_is_found_by_its_cgroup(self):
        self.give("nest", "sh", "-c", "trap '' HUP; (env -i setsid sleep 711 </dev/null &); exec sleep 712", options=("--retries", "0"))
        nest = ("sleep", "711")
        until("it has begun", lambda: self.with_words(*nest))
        if not self.groups():
            self.skipTest("no cgroups can be made here")
        folder = self.groups()[0]
        holders = self.holders()
        self.kill_daemon()
        for pid in holders:
            os.kill(pid, signal.SIGKILL)
        self.assertTrue(self.with_words(*nest))
        self.pawl("ls")
        until("nobody is left", lambda: not self.with_words(*nest) and not self.with_words("sleep", "712"), 10)
        until("its group is gone", lambda: not os.path.isdir(folder), 10)

    def test_what_is_no_size_is_refused_and_nothing_made(self):
        for word in ("4X", "4", "-1G", "lots"):
            said = self.give("x", "true", options=(f"--memory={word}",), code=2).stderr
            self.assertEqual(said, f"pawl: '{word}' is not a size: say it as 512M or 4G\n")
        self.assertIn("is too little memory", self.give("x", "true", options=("--memory", "1K"), code=2).stderr)
        self.assertIn("is not a share of CPU", self.give("x", "true", options=("--cpu", "2"), code=2).stderr)
        self.assertIn("not kept in tmux", self.give("x", "true", options=("--memory", "1G", "--backend", "tmux"), code=2).stderr)
        self.assertFalse(os.path.exists(self.home + "/tasks") and os.listdir(self.home + "/tasks"))

    def test_cpu_is_kept_or_refused(self):
        self.give("fine", "true")
        limits = json.loads(self.pawl("doctor", "--json").stdout)
        line = [one for one in limits["checks"] if one["name"] == "limits"][0]
        if "CPU limits are not possible" in line["found"]:
            said = self.give("x", "true", options=("--cpu", "200%"), code=1).stderr
            self.assertRegex(said, r"\Apawl: a CPU limit cannot be kept here: [^\n]+\n\Z")
            self.assertTrue(line["fix"])
            self.pawl("task", "status", "x", code=1)
        else:
            self.give("x", "true", options=("--cpu", "200%"))
            self.over("x", code=0)

    def test_doctor_says_who_keeps_limits(self):
        self.sh("one", "sleep 600")
        said = self.pawl("doctor").stdout
        self.assertTrue(re.search(r"limits +cgroups are delegated|limits +.*by looking every 2 s", said), said)


if __name__ == "__main__":
    unittest.main()
