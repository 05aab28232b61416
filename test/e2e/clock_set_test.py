#!/usr/bin/env python3
"""The clock is set while tasks run: nothing was late, early or older for it."""
import datetime
import time
import unittest

import set_clock
from fleet import until
from task_test import TaskCase

HOUR = 3600


@unittest.skipIf(set_clock.missing(), set_clock.missing())
class ClockIsSet(TaskCase):
    def setUp(self):
        super().setUp()
        self.clock = set_clock.SetClock(self.folder)
        self.environment.update(self.clock.environment, MONITOR_BASE_INTERVAL="100", MONITOR_DEADLINE="600")

    def steps(self):
        """What the journal has of times that did not pass, in seconds."""
        return [event["ms"] / 1000 for event in self.events() if event.get("what") == "gap"]

    def age(self):
        started = datetime.datetime.fromisoformat(self.task()["started_at"]).timestamp()
        return self.clock.now() - started

    def check_once(self, by):
        self.give([{"sleep": 300}])
        before = time.monotonic()
        self.clock.set(by)
        until("it is told", self.steps, 15)
        self.kill_daemon()
        self.assertEqual(self.task()["status"], "running")
        self.assertAlmostEqual(sum(self.steps()), by, delta=15)
        self.assertAlmostEqual(self.age(), time.monotonic() - before, delta=15)
        self.pawl("task", "cancel", "t")

    def test_forward_and_the_daemon_dies_a_moment_later(self):
        self.check_once(HOUR)

    def test_back_and_the_daemon_dies_a_moment_later(self):
        self.check_once(-HOUR)

    def test_set_back_while_no_daemon_runs(self):
        self.give([{"sleep": 300}])
        self.kill_daemon()
        self.clock.set(-HOUR)
        self.assertLess(abs(self.age()), 15)
        self.pawl("task", "cancel", "t")

    def test_a_limit_ends_when_the_clock_says_so(self):
        self.give([{"fail": "You've hit your limit", "status": 429, "reset": 2 * HOUR}], [{"say": "on it"}])
        until("it waits", lambda: self.task()["status"] == "limited")
        ends = self.task()["limited_until"]
        self.clock.set(-HOUR)
        until("it is told", self.steps, 15)
        self.assertEqual((self.task()["status"], self.task()["limited_until"]), ("limited", ends))
        self.clock.set(3 * HOUR - 60)
        until("it is told", lambda: len(self.steps()) == 2, 15)
        self.assertEqual(self.task()["status"], "limited")
        self.clock.set(90)
        self.assertEqual(self.wait()["status"], "completed")


if __name__ == "__main__":
    unittest.main()
