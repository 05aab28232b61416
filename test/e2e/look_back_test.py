#!/usr/bin/env python3
"""The verbs that look back: timeline, alerts, report, and screens as they were."""
import json
import unittest

from fleet import FleetCase


class LookBack(FleetCase):
    def json(self, *words):
        return json.loads(self.pawl(*words, "--json").stdout)

    def changes(self, name):
        return [event for event in self.events() if event["agent"] == name and event["type"] == "state"]

    def test_timeline(self):
        self.start("one", "sh", "-c", "exit 3")
        self.ended("one")
        line = self.json("timeline")["agents"]["one"]
        self.assertEqual((line[0][1], line[-1][1]), (None, "crashed"))
        self.assertEqual(line, sorted(line, key=lambda change: change[0]))
        strip = self.pawl("timeline", "--since", "1m").stdout
        self.assertRegex(strip, r"(?m)^one\b")
        history = self.json("timeline", "one")
        mine = [{key: value for key, value in event.items() if key != "machine"} for event in self.events() if event["agent"] == "one"]
        self.assertEqual(history["events"], mine)
        self.assertIn("nor an age", self.refused("timeline", "--since", "yesterday", code=2))
        self.assertIn("no agent named 'two'", self.refused("timeline", "two"))

    def test_report(self):
        self.start("one", "sh", "-c", "exit 3")
        self.ended("one")
        report = self.json("report", "--since", "1h")
        (one,) = report["agents"]
        self.assertEqual((one["name"], one["state"], one["lost"]["crashed"]), ("one", "crashed", 0))
        self.assertEqual((report["questions"], report["totals"]["interventions"]["failed"]), ([], 0))
        page = self.pawl("report").stdout
        self.assertLess(page.index("From 2"), page.index("NAME"))
        self.assertIn("Nobody waits for you", page)
        self.assertEqual(self.json("alerts")["alerts"], [])

    def test_a_screen_as_it_was(self):
        self.sh("one", r"echo first; read line; printf '\033[2J\033[H\033[31msecond'; read line")
        self.on_screen("one", "first")
        self.pawl("logs", "one")
        then = self.json("screen", "one", "--at", "0s")
        self.assertIn("first", then["screen"])
        self.pawl("keys", "one", "Enter")
        self.on_screen("one", "second")
        again = self.json("screen", "one", "--at", then["at"])
        self.assertEqual((again["screen"], again["session"]), (then["screen"], then["session"]))
        self.assertIn("\x1b[", self.pawl("screen", "one", "--at", "0s", "--ansi").stdout)
        self.assertIn("its recordings begin at 2", self.refused("screen", "one", "--at", "1d"))
        self.assertIn("has not been yet", self.refused("screen", "one", "--at", "2999-01-01T00:00:00Z", code=2))

    # Twenty megabytes: every number on the screen at some time is one that was printed, and others do not wait.
    def test_a_long_recording(self):
        self.sh("one", "seq 1 2500000; echo the end; read line")
        self.on_screen("one", "the end")
        start, end = self.changes("one")[0]["at"], self.json("screen", "one", "--at", "0s")["at"]
        self.assertLess(start, end)
        numbers = [int(row) for row in self.pawl("screen", "one", "--at", "0s").stdout.split() if row.isdigit()]
        self.assertEqual(numbers[-1], 2500000)
        self.assertEqual(numbers, list(range(numbers[0], numbers[-1] + 1)))


if __name__ == "__main__":
    unittest.main()
