#!/usr/bin/env python3
"""`pawl daemon --init` as the first process of a pid namespace of its own, as in a container: it reaps, passes signals on, lets turns
come to their end, and ends everything else. `unshare` makes the namespace, without rights; where that is forbidden the tests are
skipped."""
import json
import os
import re
import signal
import subprocess
import time
import unittest

from fleet import AGENT, PAWL, FleetCase, alive, gone, processes, read_proc, status_of, until
from sender import SendCase

NAMESPACE = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "--kill-child"]
SLOW = ("--speed", "0.2")  # a turn takes half a minute
ALLOWED = subprocess.run([*NAMESPACE, "true"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0


def children(pid):
    return [one for one in processes() if (status_of(one) or (0, 0))[1] == pid]


def named(pid):
    return read_proc(pid, "comm").strip().decode()


@unittest.skipUnless(ALLOWED, "this machine allows no pid namespaces")
class InitCase(SendCase):
    def setUp(self):
        super().setUp()
        os.mkdir(self.home, 0o700)
        self.space = None

    def begin(self, *words):
        """Starts it; self.init is its pid as seen from here."""
        self.said = open(self.folder + "/said", "w+", encoding="utf-8")
        self.addCleanup(self.said.close)
        self.space = subprocess.Popen([*NAMESPACE, PAWL, "daemon", "--init", *words], env=self.environment,
                                      stdin=subprocess.DEVNULL, stdout=self.said, stderr=self.said)
        self.addCleanup(self.end_space)
        self.init = until("the namespace has a first process", lambda: next(iter(children(self.space.pid)), None))
        self.daemon = until("it has a child", lambda: next(iter(children(self.init)), None))
        until(self.heard, lambda: os.path.exists(self.home + "/daemon.lock") and self.pawl("ls", code=None).returncode == 0)
        self.assertEqual(self.pid_inside(self.init), 1)

    @staticmethod
    def pid_inside(pid):
        return int(re.search(rb"NSpid:.*\s(\d+)\n", read_proc(pid, "status"))[1])

    def heard(self):
        with open(self.folder + "/said", encoding="utf-8") as file:
            return file.read()

    def end_space(self):
        """The pid in the lock means nothing outside, unless a daemon took it over since."""
        if self.space.poll() is not None:
            return
        self.space.kill()
        self.space.wait()
        until("the namespace is gone", lambda: gone(self.init))
        if os.path.exists(self.home + "/daemon.lock"):
            os.remove(self.home + "/daemon.lock")

    def term(self, number=signal.SIGTERM):
        os.kill(self.init, number)

    def code(self, seconds=30):
        code = self.space.wait(timeout=seconds)
        self.assertEqual(self.of_this_fleet(), [], "nothing is left")
        os.remove(self.home + "/daemon.lock")
        return code

    def busy(self, *flags, name="one"):
        self.agent(*flags, name=name)
        self.pawl("send", name, "work")
        self.state(name, "busy")


class Init(InitCase):
    def test_orphans_are_reaped(self):
        self.begin()
        self.sh("one", f"setsid sh -c 'echo $$ >{self.folder}/orphan; sleep 2' & exec sleep 1000")
        until("it runs", lambda: os.path.exists(self.folder + "/orphan"))
        (holder,) = self.holders()
        orphan = next(pid for pid in self.of_this_fleet() if read_proc(pid, "cmdline").startswith(b"sh\0-c\0echo"))
        keeper = status_of(status_of(orphan)[1])[1]
        self.assertEqual(status_of(keeper)[1], holder, "between it and its program")
        os.kill(holder, signal.SIGKILL)
        until("the keeper is the first one's child", lambda: (status_of(keeper) or (0, 0))[1] == self.init)
        until("the orphan is its keeper's", lambda: (status_of(orphan) or (0, 0))[1] == keeper)
        until("the holder is reaped", lambda: status_of(holder) is None)
        until("the orphan is reaped", lambda: status_of(orphan) is None)
        until("no zombies", lambda: children(self.init) == [self.daemon])
        self.term()
        self.assertEqual(self.code(), 0)

    def test_without_a_turn_under_way_it_ends_at_once(self):
        self.begin()
        self.agent()
        began = time.monotonic()
        self.term(signal.SIGINT)
        self.assertEqual(self.code(), 0)
        self.assertLess(time.monotonic() - began, 4, "holders are not waited for")

    def test_a_turn_comes_to_its_end(self):
        self.begin()
        self.busy("--speed", "1.5")
        self.term()
        until(self.heard, lambda: "turns under way: one" in self.heard())
        self.assertIn("about to end", self.pawl("run", "-d", "late", "--", "sleep", "9", code=1).stderr)
        self.assertIn("about to end", self.pawl("restart", "one", code=1).stderr)
        self.assertEqual(self.code(), 0)
        states = [event["to"] for event in self.events() if event["type"] == "state" and event["agent"] == "one"]
        self.assertIn("busy", states)
        self.assertEqual(states[states.index("busy") + 1], "ready", "its turn was over before its program was ended")
        self.assertEqual(self.agents()["one"]["state"], "crashed", "its end was seen by nobody")

    def test_past_the_grace_turns_are_cut_off(self):
        self.begin("--grace", "1")
        self.busy(*SLOW)
        self.term()
        self.assertEqual(self.code(), 124)
        self.assertIn("turns are cut off: one", self.heard())

    def test_a_second_word_is_the_last(self):
        self.begin("--grace", "10m")
        self.busy(*SLOW)
        self.term()
        until(self.heard, lambda: "turns under way: one" in self.heard())
        self.term()
        self.assertEqual(self.code(15), 124)

    def began(self):
        with open(self.folder + "/began", encoding="utf-8") as file:
            return file.read().splitlines()

    def test_nothing_is_begun_any_more(self):
        self.begin("--grace", "10m")
        self.busy(*SLOW, name="one")
        with open(self.folder + "/pawl.toml", "w", encoding="utf-8") as file:
            file.write('[agent.worker]\nstrategy = "task-driven"\nfloor_s = 1\nsettle_s = 0.5\n'
                       f'command = ["sh", "-c", "echo began >>{self.folder}/began"]\n')
        self.pawl("up")
        self.ended("worker")
        self.term()
        until(self.heard, lambda: "turns under way: one" in self.heard())
        self.pawl("inbox", "add", "worker", "something to do")
        self.pawl("send", "one", "and then this")
        until("the work is known", lambda: any(event["type"] == "work" for event in self.events()), 10)
        time.sleep(3)
        self.assertEqual([event for event in self.events() if event.get("action") in ("start", "restart") and event.get("rule")], [])
        self.assertEqual(self.began(), ["began"])
        self.term()
        self.assertEqual(self.code(15), 124)
        # The next one does what this one did not.
        self.pawl("ls")
        until(lambda: self.pawl("why", "worker").stdout, lambda: len(self.began()) > 1)

    def test_the_next_container_brings_them_back(self):
        with open(self.folder + "/pawl.toml", "w", encoding="utf-8") as file:
            file.write('[agent.back]\nrestart = "fresh"\nsettle_s = 0.5\ncommand = ["sleep", "1000"]\n'
                       '[agent.away]\nrestart = "never"\ncommand = ["sleep", "1000"]\n')
        self.begin()
        self.pawl("up")
        self.term()
        self.assertEqual(self.code(), 0)
        self.begin()
        until(lambda: self.pawl("why", "back").stdout, lambda: self.agents()["back"]["pid"])
        self.assertIsNone(self.agents()["away"]["pid"])
        self.assertEqual(self.agents()["back"]["restarts"], 1)
        self.term()
        self.assertEqual(self.code(), 0)

    def test_what_agents_leave_behind_is_told_to_end(self):
        self.begin()
        self.sh("one", f"setsid sh -c 'trap \"echo told >{self.folder}/told; exit\" TERM; while :; do sleep 0.1; done' & sleep 0.5; "
                       "exec sleep 1000")
        self.sh("two", "trap '' TERM; while :; do sleep 0.1; done")
        until("both run", lambda: len(self.of_this_fleet()) >= 4)
        self.term()
        self.assertEqual(self.code(), 0)
        self.assertTrue(os.path.exists(self.folder + "/told"))

    def test_a_task_that_ends_is_over(self):
        self.begin()
        self.pawl("task", "start", "t", "--", "sh", "-c", "sleep 2; echo done", input="x")
        until("it runs", lambda: json.loads(self.pawl("task", "status", "t", "--json").stdout)["pid"])
        self.term()
        until(self.heard, lambda: "turns under way:" in self.heard())
        self.assertEqual(self.code(), 0)
        self.assertIn('"completed"', self.pawl("task", "status", "t", "--json").stdout)


class Signals(InitCase):
    def test_hup_and_the_user_signals_end_nothing(self):
        self.begin()
        for number in (signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2):
            self.term(number)
        self.pawl("ls")
        self.assertTrue(alive(self.daemon))
        self.term()
        self.assertEqual(self.code(), 0)

    def test_other_signals_reach_the_daemon(self):
        self.begin()
        self.term(signal.SIGQUIT)
        self.assertEqual(self.code(), 128 + signal.SIGQUIT)

    def test_a_killed_daemon(self):
        self.begin()
        self.sh("one", "exec sleep 1000")
        os.kill(self.daemon, signal.SIGKILL)
        self.assertEqual(self.code(), 128 + signal.SIGKILL)

    def test_asked_to_stop_it_stops(self):
        self.begin()
        self.sh("one", "exec sleep 1000")
        self.pawl("daemon", "--stop")
        self.assertEqual(self.code(), 0)


class Refused(FleetCase):
    def test_bad_words(self):
        self.assertIn("'soon' is not a duration", self.refused("daemon", "--init", "--grace", "soon", code=2))
        self.assertIn("--grace is for --init", self.refused("daemon", "--grace", "5", code=2))

    def test_a_second_daemon(self):
        self.pawl("ls")
        self.assertIn("running already", self.refused("daemon", "--init", code=1))


if __name__ == "__main__":
    unittest.main()
