#!/usr/bin/env python3
"""A recording is an asciicast: asciinema plays it, with all of our own events in it."""
import fcntl
import glob
import json
import os
import pty
import shutil
import subprocess
import termios
import unittest

from fleet import AGENT, FleetCase, recorded, until


class Asciinema(FleetCase):
    def parts(self, name):
        return sorted(glob.glob(f"{self.home}/agents/{name}/rec/*.cast"))

    def whole(self, name):
        """Its parts, when the end is written; a keyframe may follow it."""
        def ends():
            with open(self.parts(name)[-1], "rb") as file:
                return [line for line in file.read().splitlines()[-2:] if b', "x", "' in line[:30]]
        until("the end is recorded", lambda: self.parts(name) and ends())
        return self.parts(name)

    def played(self, path):
        """What asciinema shows, without the pauses. It insists on a terminal, if only to listen to its keys."""
        master, slave = pty.openpty()
        for fd in (master, slave):
            self.addCleanup(os.close, fd)
        done = subprocess.run(["asciinema", "cat", path], stdin=slave, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env={**self.environment, "ASCIINEMA_CONFIG_HOME": self.folder}, start_new_session=True,
                              preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout

    def test_the_lines_are_those_of_asciicast_v2(self):
        self.start("one", AGENT, "--print", "700000", "--seed", "3", "--exit", "5")
        self.ended("one")
        path, = self.whole("one")
        with open(path, encoding="utf-8") as file:
            header, *events = map(json.loads, file)
        self.assertEqual((header["version"], header["width"], header["height"]), (2, 120, 40))
        self.assertEqual({len(event) for event in events}, {3})
        self.assertTrue(all(isinstance(data, str) for _, _, data in events))
        times = [time for time, _, _ in events]
        self.assertEqual(times, sorted(times))
        self.assertEqual([event for event in events if event[1] != "k"][-1][1:], ["x", "5"])
        self.assertLessEqual({"o", "k", "x"}, {code for _, code, _ in events})

    @unittest.skipUnless(shutil.which("asciinema"), "asciinema is not installed")
    def test_asciinema_plays_it(self):
        self.sh("one", r"printf '\033[1mhello\033[0m naïve 端末 👍\n'; read line; "
                       r"printf 'half \303'; printf '\251 whole, bad \377\n'; exit 3")
        self.on_screen("one", "hello")
        self.pawl("send", "one", "go on")
        self.ended("one")
        path, = self.whole("one")
        wanted = recorded(self.home, "one")
        self.assertIn("naïve 端末 👍\r\ngo on\r\nhalf é whole".encode(), wanted)
        self.assertEqual(self.played(path), wanted.decode(errors="replace").encode())

    @unittest.skipUnless(shutil.which("asciinema"), "asciinema is not installed")
    def test_every_part_plays_alone(self):
        size = 9_000_000  # a part has 8 MiB
        self.start("one", AGENT, "--print", str(size), "--seed", "4")
        self.ended("one")
        parts = self.whole("one")
        self.assertGreaterEqual(len(recorded(self.home, "one")), size)
        self.assertGreater(len(parts), 1)
        for path in parts:
            self.assertGreater(len(self.played(path)), 0)
        raw = self.pawl("logs", "one", "--raw", text=False).stdout
        self.assertTrue(raw == recorded(self.home, "one"), "logs leave out what a part repeats for its player")


if __name__ == "__main__":
    unittest.main()
