#!/usr/bin/env python3
"""A recording that cannot be opened again: its agent says so, its terminal is used all the same, and recorded when that is possible."""
import os
import unittest

from fleet import AGENT, FleetCase, read_proc, recorded, until


class Unrecorded(FleetCase):
    def setUp(self):
        super().setUp()
        self.sh("one", "echo before; while read line; do echo got $line; done")
        self.on_screen("one", "before")
        until("it is recorded", lambda: b"before" in recorded(self.home, "one"))
        self.rec = self.home + "/agents/one/rec"
        self.kill_daemon()
        os.rename(self.rec, self.folder + "/away")
        with open(self.rec, "w", encoding="utf-8") as file:
            file.write("in the way")

    def alerts(self):
        return [event["text"] for event in self.events() if event["type"] == "alert" and event["agent"] == "one"]

    def turns(self):
        """How often the daemon gave the processor away."""
        text = read_proc(self.daemon_pid(), "status").decode()
        return int(text.partition("voluntary_ctxt_switches:")[2].split()[0])

    def test_its_terminal_is_used_all_the_same(self):
        self.assertEqual(len(self.agents()), 1)
        self.assertRegex(self.alerts()[0], "^its terminal is not recorded: ")
        self.pawl("send", "one", "hello", timeout=30)
        self.on_screen("one", "got hello")
        before = self.turns()
        self.pawl("wait", "one", "--until", "exited", "--timeout", "3", code=None)
        self.assertLess(self.turns() - before, 300, "it does not spin")
        os.remove(self.rec)
        os.rename(self.folder + "/away", self.rec)
        until("it is recorded again", lambda: b"got hello" in recorded(self.home, "one"))
        self.assertIn(b"before", recorded(self.home, "one"))
        self.assertEqual(self.alerts()[1:], ["its terminal is recorded again"])
        self.assertNotIn(self.agents()["one"]["state"], ("exited", "crashed"))

    def test_it_can_be_stopped(self):
        self.pawl("stop", "one", timeout=30)
        self.assertIn(self.agents()["one"]["state"], ("exited", "crashed"))
        self.pawl("down", timeout=30)


class Painted(FleetCase):
    def test_an_interface_is_painted_again(self):
        self.start("one", AGENT)
        until("it is ready", lambda: self.agents()["one"]["state"] == "ready")
        shown = self.screen("one")
        rec = self.home + "/agents/one/rec"
        self.kill_daemon()
        os.rename(rec, self.folder + "/away")
        with open(rec, "w", encoding="utf-8") as file:
            file.write("in the way")
        until(lambda: f"{shown}\n----\n{self.screen('one')}", lambda: self.agents()["one"]["state"] == "ready" and
              shown.split()[-1] in self.screen("one"))
        self.pawl("send", "one", "do something", timeout=30)


if __name__ == "__main__":
    unittest.main()
