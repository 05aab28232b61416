#!/usr/bin/env python3
"""The processes that hold the terminals: one that is killed or stopped is named, what it means for its agents is said, and nobody
waits for it for ever. Programs that the journal does not know are listed, can be ended, and no second copy is started beside them."""
import json
import os
import signal
import time
import unittest

from fleet import FleetCase, alive, gone, until


class HolderCase(FleetCase):
    def alerts(self):
        return [event for event in self.events() if event["type"] == "alert"]

    def alert(self, words):
        """Waits for the one alert with these words."""
        found = until(lambda: f"an alert with {words!r}: {self.alerts()}",
                      lambda: [one for one in self.alerts() if words in one["text"]])
        self.assertEqual(len(found), 1, found)
        return found[0]

    def holder(self):
        found = self.holders()
        self.assertEqual(len(found), 1)
        return found[0]

    def doctor(self, name, code=None):
        """The rows of this name: grade, what was found, and what to do."""
        rows = self.pawl("doctor", "--json", code=code).stdout
        return [(row["grade"], row["found"], row["fix"]) for row in json.loads(rows)["checks"] if row["name"] == name]


class Killed(HolderCase):
    def test_a_killed_holder_is_named_and_its_agents_say_so(self):
        for name in ("one", "two"):
            self.start(name, "cat")
        self.start("back", "cat", options=("--restart", "fresh"))
        before = self.agents()["back"]["pid"]
        pid = self.holder()
        os.kill(pid, signal.SIGKILL)
        alert = self.alert(f"the holder (pid {pid}) was killed")
        self.assertIsNone(alert["agent"])
        self.assertEqual(alert["severity"], "error")
        self.assertIn("it held 3 agents (one, two, back)", alert["text"])
        self.assertIn("pawl restart", alert["todo"])
        agents = self.agents()
        for name in ("one", "two"):
            self.assertEqual((agents[name]["state"], agents[name]["because"]), ("crashed", f"its holder (pid {pid}) was killed"))
        until("it is restarted", lambda: self.agents()["back"]["pid"] not in (None, before))
        why = [event for event in self.events() if event["type"] == "decision" and event["action"] == "restart"]
        self.assertEqual([one["because"] for one in why], [f"it ended: its holder (pid {pid}) was killed"])

    def test_one_that_held_nothing_is_nobody_s_matter(self):
        self.start("one", "true")
        self.ended("one")
        os.kill(self.holder(), signal.SIGKILL)
        self.start("two", "cat")
        self.assertEqual(self.alerts(), [])


if __name__ == "__main__":
    unittest.main()
