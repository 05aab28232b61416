#!/usr/bin/env python3
"""A full disk: nothing is done to any agent, the reason is told, and everything goes on when there is space again."""
import json
import os
import subprocess
import unittest

from fleet import AGENT, FleetCase, alive, recorded, until

BYTES = 1_500_000


@unittest.skipUnless(os.geteuid() == 0, "needs root: a small file system is mounted for the test")
class Disk(FleetCase):
    def setUp(self):
        super().setUp()
        self.disk = self.folder + "/disk"
        os.mkdir(self.disk)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m,mode=700", "tmpfs", self.disk],
                                 stderr=subprocess.PIPE, text=True)
        if mounted.returncode != 0:
            self.skipTest(f"cannot mount a tmpfs here: {mounted.stderr.strip()}")
        self.addCleanup(self.unmount)
        self.use_home(self.disk + "/home")

    def unmount(self):
        until("the disk is not used any more",
              lambda: subprocess.run(["umount", self.disk], stderr=subprocess.DEVNULL).returncode == 0, 15)

    def fill(self):
        with open(self.disk + "/filler", "ab", buffering=0) as file:
            for size in (1 << 16, 1 << 12):
                try:
                    while True:
                        file.write(b"x" * size)
                except OSError:
                    pass

        self.addCleanup(self.free)  # a test that fails leaves room for the end of its fleet

    def free(self):
        if os.path.exists(self.disk + "/filler"):
            os.remove(self.disk + "/filler")

    def status(self):
        return json.loads(self.pawl("status").stdout)

    def doctor(self):
        done = self.pawl("doctor", "--json", code=None)
        return done.returncode, {check["name"]: check for check in json.loads(done.stdout)["checks"]}

    def write_until_refused(self):
        """The journal may still have a few pages to itself; then a request is refused."""
        def refused():
            done = self.pawl("keys", "one", "x", code=None)
            return done.stderr if done.returncode else None
        return until("the journal is full", refused)

    # The daemon cannot even write its reason into daemon.log: "did not answer within 10 s" is all that is said.
    def test_the_very_first_start(self):
        self.fill()
        self.assertRegex(self.refused("ls", timeout=20), r"(?i)space|full")
        self.free()
        self.assertEqual(self.agents(), {})

    def test_nothing_is_started_and_everything_goes_on(self):
        self.start("one", "cat")
        one = self.agents()["one"]["pid"]
        self.assertTrue(self.status()["healthy"])
        self.fill()
        self.write_until_refused()
        before = self.events()
        message = self.refused("run", "-d", "two", "--", "sleep", "1000")
        self.assertRegex(message, r"(?i)journal|disk")
        self.assertRegex(message, r"(?i)free|space")
        self.refused("stop", "one", code=1)
        self.assertTrue(alive(one), "a running agent is left alone")
        self.assertEqual(self.agents()["one"]["pid"], one)
        self.assertEqual(len(self.of_this_fleet()), 1)
        status = self.status()
        self.assertFalse(status["healthy"])
        self.assertRegex(status["trouble"], r"(?i)journal|disk|space")
        code, checks = self.doctor()
        self.assertEqual((code, checks["daemon"]["grade"]), (1, "bad"))
        self.assertRegex(checks["daemon"]["found"], r"(?i)journal|disk|space")
        self.assertEqual(self.events(), before)
        self.free()
        until("it is healthy again", lambda: self.pawl("run", "-d", "two", "--", "sleep", "1000", code=None).returncode == 0)
        self.assertTrue(self.status()["healthy"])
        self.assertEqual(self.doctor()[0], 0)
        self.pawl("stop", "one")
        self.assertFalse(alive(one))
        self.assert_every_decision_has_one_outcome()
        later = [e["action"] for e in self.events("--since", str(before[-1]["seq"])) if e["type"] == "decision"]
        self.assertEqual(later, ["start", "stop"], "nothing that was refused is done later")

    # The daemon stays "unhealthy" until somebody asks for something that is written to the journal.
    def test_health_comes_back_by_itself(self):
        self.start("one", "cat")
        self.fill()
        self.write_until_refused()
        self.assertFalse(self.status()["healthy"])
        self.free()
        until(lambda: f"healthy without being asked to do anything: {self.status()}", lambda: self.status()["healthy"], 5)

    def test_what_is_printed_meanwhile_is_not_lost(self):
        gate = self.folder + "/gate"
        os.mkfifo(gate)
        hold = os.open(gate, os.O_RDWR)
        self.addCleanup(os.close, hold)
        script = f"read go <{gate}; {AGENT} --print {BYTES} --seed 5; read go <{gate}; exit 6"
        self.sh("printer", script)
        self.sh("ender", f"read go <{gate}; echo last words; exit 7")
        self.fill()
        for _ in range(2):
            os.write(hold, b"go\n")
        until("the ender has ended", lambda: len(self.of_this_fleet()) < 3)
        until("the health is bad", lambda: not self.status()["healthy"])
        printed = subprocess.run([AGENT, "--print", str(BYTES), "--seed", "5"], stdout=subprocess.PIPE, check=True).stdout
        self.assertLess(len(recorded(self.home, "printer")), BYTES)
        self.free()
        os.write(hold, b"go\n")
        self.ended("printer", "ender")
        until("everything is recorded", lambda: len(recorded(self.home, "printer")) >= BYTES)
        self.assertTrue(recorded(self.home, "printer") == printed, "nothing lost, nothing doubled")
        self.assertEqual(recorded(self.home, "ender"), b"last words\r\n")
        agents = self.agents()
        self.assertEqual((agents["printer"]["exit_code"], agents["ender"]["exit_code"]), (6, 7))
        self.assert_every_decision_has_one_outcome()
        until("it is healthy again", lambda: self.status()["healthy"])

    def test_a_kill_while_the_disk_is_full(self):
        self.start("one", AGENT, "--print", str(BYTES), "--seed", "6", "--rate", str(BYTES))
        self.fill()
        until("the health is bad", lambda: not self.status()["healthy"])
        pid = self.agents()["one"]["pid"]
        self.kill_daemon()
        self.assertIn("one", self.agents(), "a daemon that starts on a full disk finds its agents")
        self.assertTrue(not pid or alive(pid) or self.holders(), "the program or what it printed is still there")
        self.free()
        self.ended("one")
        printed = subprocess.run([AGENT, "--print", str(BYTES), "--seed", "6"], stdout=subprocess.PIPE, check=True).stdout
        until("everything is recorded", lambda: len(recorded(self.home, "one")) >= BYTES)
        self.assertTrue(recorded(self.home, "one") == printed)
        self.assertEqual(self.agents()["one"]["exit_code"], 0)

    def test_a_task_waits_for_room_and_is_true_then(self):
        gate = self.folder + "/gate"
        os.mkfifo(gate)
        hold = os.open(gate, os.O_RDWR)
        self.addCleanup(os.close, hold)
        words = ("task", "start", "t", "--dir", self.folder, "--json", "--", "sh", "-c",
                 f"cat; read go <{gate}; {AGENT} --print {BYTES} --seed 7; echo; echo its last line")
        folder = json.loads(self.pawl(*words, input="its first line\n").stdout)["tmpdir"]
        until("it speaks", lambda: "its first line" in self.pawl("task", "output", "t").stdout)
        self.fill()
        os.write(hold, b"go\n")
        until("the health is bad", lambda: not self.status()["healthy"])
        self.refused("task", "start", "u", "--dir", self.folder, "--", "true", input="x")
        self.assertFalse(os.path.exists(folder + "/done"), "no result before all of it can be read")
        self.free()
        task = json.loads(self.pawl("task", "wait", "t", "--timeout", "40", "--json").stdout)["tasks"][0]
        self.assertEqual((task["status"], task["exit_code"], task["retry_count"]), ("completed", 0, 0))
        self.assertTrue(os.path.exists(folder + "/done"))
        with open(folder + "/output.log", encoding="utf-8", errors="replace") as file:
            text = file.read()
        self.assertTrue(text.startswith("its first line\n"))
        self.assertTrue(text.endswith("\nits last line\n"))
        self.assert_every_decision_has_one_outcome()


if __name__ == "__main__":
    unittest.main()
