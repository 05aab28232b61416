#!/usr/bin/env python3
"""pawl calibrate: a person shows an agent nobody described; afterwards Pawl knows when it is ready, works and asks."""
import glob
import json
import os
import sys
import unittest

import toy_agent
from fleet import FleetCase, until
from person import Person

TOY = os.path.abspath(toy_agent.__file__)
KEYS = {"idle": "i", "typing": "t", "busy": "b", "dialog": "d"}


class Calibrate(FleetCase):
    def setUp(self):
        super().setUp()
        self.start("toy", sys.executable, TOY)
        self.on_screen("toy", "Say something nice")

    def show_everything(self, take):
        """Brings the toy into every state and has a sample of each taken."""
        take("idle")
        self.pawl("send", "toy", "--no-enter", "hello there")
        self.on_screen("toy", "▸ hello there")
        take("typing")
        self.pawl("keys", "toy", "Enter")
        self.on_screen("toy", "Pondering")
        take("busy")
        self.on_screen("toy", r"\([1-9]")
        take("busy")
        self.pawl("keys", "toy", "C-g")
        self.on_screen("toy", "pleasure")
        take("idle")
        self.pawl("send", "toy", "ask me")
        self.on_screen("toy", "May the toy")
        take("dialog")
        self.pawl("keys", "toy", "y")
        self.on_screen("toy", "Touched")

    def wait(self, state):
        self.pawl("wait", "toy", "--until", state, "--timeout", "30")

    def test_samples_become_a_profile_that_the_daemon_uses(self):
        self.show_everything(lambda kind: self.pawl("calibrate", "toy", "--sample", kind))
        written = self.pawl("calibrate", "toy", "--write").stdout
        path = self.folder + "/profiles/toy.toml"
        self.assertIn("wrote " + path, written)
        self.assertIn("6 of them are read rightly", written)
        self.assertEqual([os.path.basename(f) for f in sorted(glob.glob(self.folder + "/profiles/tests/toy/*"))],
                         ["01-idle.screen", "02-typing.screen", "03-busy.screen", "04-busy.screen", "05-idle.screen",
                          "06-dialog.screen"])
        self.assertEqual(glob.glob(self.home + "/calibrate/toy/*"), [])
        self.assertIn("6 of 6 are read rightly", self.pawl("calibrate", "--check", path).stdout)

        self.assertIn("in use from now on", written)
        self.wait("ready")
        self.assertEqual(self.agents()["toy"]["runtime"], "toy")
        why = json.loads(self.pawl("why", "toy", "--json").stdout)
        self.assertEqual((why["profile"], why["drift"]), ("toy", []))
        self.pawl("send", "toy", "something else entirely")
        self.wait("busy")
        self.pawl("keys", "toy", "C-g")
        self.wait("ready")
        self.assertIn("a dialog came up", self.pawl("send", "toy", "ask again", code=1).stdout)
        self.wait("waiting")
        self.pawl("keys", "toy", "y")
        self.wait("ready")
        self.pawl("daemon", "--stop")
        self.pawl("send", "toy", "and once more")
        self.wait("busy")

    def test_a_broken_profile_fails_its_check(self):
        self.show_everything(lambda kind: self.pawl("calibrate", "toy", "--sample", kind))
        self.pawl("calibrate", "toy", "--write", "--out", "here")
        path = self.folder + "/here/profiles/toy.toml"
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace("[[busy]]\nwhere = 'above'", "[[busy]]\nwhere = 'below'"))
        self.assertNotIn("toy", json.loads(self.pawl("reload", "--json").stdout)["profiles"], "written elsewhere")
        table = self.pawl("calibrate", "--check", path, code=1).stdout
        self.assertRegex(table, r"03-busy\.screen +busy +ready .*WRONG")
        self.assertIn("4 of 6 are read rightly", table)
        self.pawl("calibrate", "toy", "--sample", "idle")
        self.assertIn("is there already", self.refused("calibrate", "toy", "--write", "--out", "here", code=2))

    def test_what_is_missing_is_said(self):
        self.assertIn("no agent named 'tay'", self.refused("calibrate", "tay", "--sample", "idle"))
        self.assertIn("use idle, typing, busy or dialog", self.refused("calibrate", "toy", "--sample", "asleep", code=2))
        self.pawl("calibrate", "toy", "--sample", "idle")
        self.assertIn("no busy sample", self.refused("calibrate", "toy", "--write"))
        self.pawl("calibrate", "toy", "--sample", "busy")  # a lie: the same screen
        self.assertIn("02-busy.screen is read as ready", self.refused("calibrate", "toy", "--write"))
        self.assertFalse(os.path.exists(self.folder + "/profiles"))
        self.assertIn("needs a terminal", self.refused("calibrate", "toy", code=2))

    def test_a_person_presses_keys(self):
        person = Person(self, "calibrate", "toy", size=(30, 100))
        person.sees("samples: 0 idle, 0 typing, 0 busy, 0 dialog")
        count = {kind: 0 for kind in KEYS}

        def take(kind):
            count[kind] += 1
            person.type(KEYS[kind])
            person.sees("samples: " + ", ".join(f"{n} {k}" for k, n in count.items()))

        take("idle")
        person.type("w")
        person.sees("there is no busy sample")
        person.type("u")
        person.sees("samples: 0 idle")
        count["idle"] = 0
        self.show_everything(take)
        person.type("w")
        code, shown = person.ended()
        self.assertEqual(code, 0)
        self.assertIn(b"wrote ", shown)
        until("the profile", lambda: os.path.exists(self.folder + "/profiles/toy.toml"))


if __name__ == "__main__":
    unittest.main()
