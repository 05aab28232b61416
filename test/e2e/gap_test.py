#!/usr/bin/env python3
"""The daemon is stopped for longer than anything is patient: nothing is killed for a silence that nobody listened to."""
import os
import signal
import time
import unittest

from fleet import until
from task_test import TaskCase

STOP = 15  # seconds: three times what a silent task has here, and more than the beat of the daemon


class Gap(TaskCase):
    def stop_the_daemon(self):
        pid = self.daemon_pid()
        os.kill(pid, signal.SIGSTOP)
        self.addCleanup(self.go_on, pid)
        end = time.monotonic() + STOP  # the thing itself is a time
        until("the stop is over", lambda: time.monotonic() > end, STOP + 5)
        os.kill(pid, signal.SIGCONT)

    def go_on(self, pid):
        try:
            os.kill(pid, signal.SIGCONT)
        except ProcessLookupError:
            pass

    def gaps(self):
        return [event for event in self.events() if event["type"] == "config" and event["what"] == "gap"]

    def test_a_task_that_speaks_all_the_time(self):
        self.give([{"say": f"word {n}", "sleep": 0.5} for n in range(2 * STOP + 20)])
        until("it speaks", lambda: "word 3" in self.file("output.log"))
        self.stop_the_daemon()
        task = self.wait()
        self.assertEqual((task["status"], task["retry_count"]), ("completed", 0), self.story())
        self.assertIn(f"word {2 * STOP + 19}", self.file("output.log"))
        gap = self.gaps()[-1]
        self.assertEqual(gap["because"], "the daemon did not run")
        self.assertNotIn("clock_ms", gap)
        self.assertGreater(gap["ms"], (STOP - 3) * 1000)
        self.assertLess(gap["ms"], (STOP + 3) * 1000)

    def test_a_deadline_does_not_pass_meanwhile(self):
        self.environment["MONITOR_DEADLINE"] = str(STOP - 3)
        self.give([{"say": "one"}, {"hang": 1}], options=())
        until("it speaks", lambda: "one" in self.file("output.log"))
        self.stop_the_daemon()
        self.assertEqual(self.task()["status"], "running", self.story())


if __name__ == "__main__":
    unittest.main()
