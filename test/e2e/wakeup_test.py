#!/usr/bin/env python3
"""Files that drive deliveries: wakeup_pending wakes, last_human_interaction keeps texts waiting."""
import collections
import datetime
import glob
import os
import random
import re
import subprocess
import time
import unittest

from fleet import PAWL, until
from sender import KILLS, SEED, SendCase


class Files(SendCase):
    def pending(self, name="one"):
        return f"{self.home}/agents/{name}/wakeup_pending"

    def leave(self, text, name="one"):
        with open(self.pending(name), "w", encoding="utf-8") as file:
            file.write(text)

    def woken(self, *texts):
        self.prompted(*texts)
        self.assertFalse(os.path.exists(self.pending()))
        until("the outbox is empty", lambda: not glob.glob(self.home + "/agents/one/outbox/*"))

    def test_wakeup_pending(self):
        self.agent(quiet=600)
        person = self.person()
        person.type("mine\r")
        self.prompted("mine")
        self.rested(1)
        subprocess.run(["touch", self.pending()], check=True)
        begin = time.monotonic()
        until("it is taken", lambda: not os.path.exists(self.pending()))
        self.assertLess(time.monotonic() - begin, 1)
        first = "Wake-up from wakeup_pending: look at your work and go on."
        self.woken("mine", first)
        self.rested(2)
        self.leave("the build is red\n")
        self.woken("mine", first, "Wake-up from wakeup_pending: the build is red")
        self.rested(3)
        with open(self.folder + "/elsewhere", "w", encoding="utf-8") as file:
            file.write("from: ci\nline one\nline two\n")
        os.rename(self.folder + "/elsewhere", self.pending())
        self.woken("mine", first, "Wake-up from wakeup_pending: the build is red", "Wake-up from ci: line one line two")
        self.assertEqual({event["from"] for event in self.events() if event.get("what") == "queued"}, {"wakeup_pending", "ci"})

    def test_a_file_that_is_still_being_written(self):
        self.agent()
        subprocess.run(f"(echo one; sleep 0.5; echo two) > '{self.pending()}'", shell=True, check=True)
        self.woken("Wake-up from wakeup_pending: one two")

    def test_left_while_no_daemon_ran(self):
        self.agent()
        self.pawl("daemon", "--stop")
        self.leave("good morning")
        self.pawl("ls")
        self.woken("Wake-up from wakeup_pending: good morning")

    def test_left_for_an_agent_that_does_not_run(self):
        self.agent()
        self.pawl("stop", "one")
        self.leave("good morning")
        self.pawl("ls")
        self.assertTrue(os.path.exists(self.pending()))
        self.pawl("restart", "one")
        self.woken("Wake-up from wakeup_pending: good morning")

    def test_an_agent_of_the_same_name(self):
        self.agent()
        self.pawl("rm", "-f", "one")
        self.agent()
        self.leave("you are new")
        self.woken("Wake-up from wakeup_pending: you are new")

    def test_what_is_no_file_is_left_alone(self):
        self.agent()
        os.mkfifo(self.pending())
        self.send("hello", "--wait", "done", said="confirmed")
        os.remove(self.pending())
        os.mkdir(self.pending())
        self.send("again", "--wait", "done", said="confirmed")
        self.prompted("hello", "again")

    def test_one_that_is_too_long_to_be_typed(self):
        self.agent("--scene", "busy", "--speed", "0.5", until="busy")
        self.leave("x" * ((256 << 10) + 1))
        aside = until("it is set aside", lambda: glob.glob(self.home + "/agents/one/wakeup-*.txt"))
        self.assertEqual(os.path.getsize(aside[0]), (256 << 10) + 1)
        outbox = until("it is queued", lambda: glob.glob(self.home + "/agents/one/outbox/*"))
        with open(outbox[0], encoding="utf-8") as file:
            self.assertIn(aside[0], file.read())

    def test_each_file_wakes_once_whenever_the_daemon_is_killed(self):
        self.agent()
        dice = random.Random(SEED)
        for i in range(KILLS // 2):
            self.leave(f"file {i} of {SEED}")
            time.sleep(dice.random() * dice.choice((0.01, 0.05, 0.3)))
            self.kill_daemon()
            self.pawl("ls")
            until("it is taken", lambda: not os.path.exists(self.pending()))
            until(lambda: f"SEED={SEED}: {self.outcomes()}", lambda i=i: len(self.outcomes()) == i + 1)
            self.assertEqual(len(self.queued()), i + 1, f"SEED={SEED}: queued twice")
        self.assertLessEqual(max(collections.Counter(self.prompts()).values()), 1, f"SEED={SEED}")

    def test_no_watches_to_be_had(self):
        limits = "/proc/sys/user/max_inotify_watches"
        script = f"echo 0 > {limits} && exec {PAWL} daemon"
        daemon = subprocess.Popen(["unshare", "-Ur", "sh", "-c", script], env=self.environment, cwd=self.folder,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8")
        self.addCleanup(daemon.stderr.close)
        self.addCleanup(daemon.wait, 30)
        self.addCleanup(daemon.terminate)
        until("a daemon", lambda: daemon.poll() is not None or os.path.exists(self.home + "/pawl.sock"))
        if daemon.poll() is not None:
            self.skipTest("no user namespaces here: " + daemon.stderr.read())
        self.agent()
        self.leave("slowly")
        self.woken("Wake-up from wakeup_pending: slowly")
        self.assertIn("cannot be watched", self.pawl("doctor", code=None).stdout)
        self.pawl("down")
        self.pawl("daemon", "--stop")
        self.assertIn("every 5 s instead", daemon.stderr.read())

    def test_last_human_interaction(self):
        self.agent(quiet=60)
        path = self.home + "/agents/one/last_human_interaction"
        now = time.time()

        def refused_for(seconds):
            done = self.send("waits", said="queued: a person typed into one a moment ago, until ")
            end = datetime.datetime.fromisoformat(re.search(r"until (\S+)Z", done.stdout)[1] + "+00:00")
            self.assertAlmostEqual(end.timestamp() - now, seconds, delta=2)

        for content in (str(now - 1000), str(int(now) - 1000), "1970-01-01T00:00:00Z"):
            with open(path, "w", encoding="utf-8") as file:
                file.write(content)
            self.send(content, "--wait", "done", said="confirmed")
        with open(path, "w", encoding="utf-8"):
            os.utime(path, (now - 50, now - 50))
        refused_for(10)
        with open(path, "w", encoding="utf-8") as file:
            file.write(datetime.datetime.fromtimestamp(now - 40, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ\n"))
        refused_for(20)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"{int((now - 30) * 1000)}\n")
        refused_for(30)
        self.assertIsNotNone(self.agents()["one"]["human_last_seen"])
        self.assertIn("confirmed", self.pawl("wake", "one").stdout)
        self.assertEqual(self.prompts()[-1], "Wake-up from an operator: look at your work and go on.")

    def test_a_file_that_comes_while_a_text_waits(self):
        """It is looked at before each delivery, not only when the text is given."""
        self.agent("--scene", "busy", "--speed", "8", until="busy", quiet=5)
        self.send("waits", said="queued: one is busy")
        with open(self.home + "/agents/one/last_human_interaction", "w", encoding="utf-8"):
            pass
        self.state("one", "ready")
        until("the gate is closed", lambda: [event for event in self.events() if event["type"] == "human"])
        self.prompted("waits")


if __name__ == "__main__":
    unittest.main()
