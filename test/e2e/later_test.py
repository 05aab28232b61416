#!/usr/bin/env python3
"""What is asked of a machine that is not reached: mode, pause, wake and inbox add wait for it, and are done when it is there again."""
import contextlib
import json
import os
import signal
import unittest

from fleet import until
from machines import MachinesCase


class Later(MachinesCase):
    def away(self):
        self.write("hosts/gpu", "echo 'ssh: connect to host gpu port 22: No route to host' >&2; exit 255\n")
        for pid in self.relays("gpu"):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.reached("gpu", False)

    def back(self):
        self.write("hosts/gpu", "\n")
        self.reached("gpu")

    def test_it_is_done_when_the_machine_is_there_again(self):
        far = self.far("gpu")
        self.add("gpu")
        self.pawl("run", "-d", "gpu/docs", "--", "sleep", "600")
        self.assertIn("gpu/docs is task-only", self.pawl("mode", "gpu/docs", "task-only").stdout)
        self.away()
        for words in (("mode", "gpu/docs", "active"), ("pause", "gpu/docs"), ("inbox", "add", "gpu/docs", "the links are dead")):
            self.assertRegex(self.pawl(*words).stdout, r"not reached.*it is done when gpu is reached again, until ", words)
        self.assertTrue(json.loads(self.pawl("wake", "gpu/nobody", "hello", "--json").stdout)["kept"])
        self.assertIn("cannot be reached", self.pawl("stop", "gpu/docs", code=1).stderr + self.pawl("screen", "gpu/docs", code=1).stderr)
        self.kill_daemon()
        self.pawl("ls")
        self.back()
        until("all is done", lambda: not os.path.exists(self.home + "/later/gpu") or not os.listdir(self.home + "/later/gpu"), 40)
        until("the last of it is told", lambda: "'wake nobody', which a person" in self.pawl("alerts", "--here").stdout, 40)
        agent = json.loads(self.pawl("show", "docs", "--json", env=far).stdout)["agent"]
        self.assertEqual((agent["mode"], agent["paused"], agent["inbox"]["waiting"]), ("active", True, 1))
        told = self.pawl("alerts", "--here").stdout
        self.assertIn("was refused: ", told)
        asked = [event for event in map(json.loads, self.pawl("events", "--json", env=far).stdout.splitlines()) if event["type"] == "request"]
        self.assertEqual({event["by"]["kind"] for event in asked}, {"machine"})
        self.assertEqual([event["verb"] for event in asked if not event["verb"].startswith("wake")], ["run", "mode", "mode", "pause", "inbox add"])


if __name__ == "__main__":
    unittest.main()
