#!/usr/bin/env python3
"""[retention]: what is old or too much goes, nothing that is in use, and no unread result without a word."""
import glob
import json
import os
import shutil
import time
import unittest

import task_filed_test
from fleet import until
from task_test import TaskCase

SECOND = 1 / 86400  # in days


class Retention(TaskCase):
    filed = task_filed_test.Filed.filed
    over = task_filed_test.Filed.over

    def keep(self, **limits):
        """From the next daemon on."""
        self.configure("[retention]\n" + "".join(f"{key} = {value:.9f}\n" if isinstance(value, float) else f"{key} = {value}\n"
                                                 for key, value in limits.items()))

    def restart(self):
        self.kill_daemon()
        self.pawl("ls")

    def removed(self, what="tasks"):
        return [event for event in self.events() if event["type"] == "retention" and event["what"] == what and "upto" not in event]

    def words(self):
        return [event for event in self.events() if event["type"] == "alert" and event.get("matter") == "unread results"]

    def folders(self):
        return sorted(name.split(".")[0] for name in os.listdir(self.home + "/tasks") if not name.startswith("."))

    def bin(self):
        try:
            return os.listdir(self.home + "/.forgotten")
        except FileNotFoundError:
            return []

    def read(self, name):
        self.pawl("task", "output", name)
        until(f"{name} is read", lambda: self.task(name)["read"])

    def test_what_was_read_goes_and_the_rest_stays(self):
        self.over("old", "sh", "-c", "echo said")
        self.read("old")
        self.over("unread", "true")
        self.give("x", name="runs", command=("sleep", "300"))
        self.sh("docs", "sleep 300")
        self.keep(tasks_days=SECOND, total_mb=100)
        self.restart()
        until("the old one is forgotten", lambda: self.filed() == {"unread"})
        until("its folder is gone", lambda: self.folders() == ["runs", "unread"])
        until("it is off the disk", lambda: not self.bin())
        self.assertFalse(os.path.exists(self.home + "/agents/task-old"))
        self.assertTrue(os.path.exists(self.home + "/agents/task-unread"))
        self.assertEqual([(event["names"], event["because"]) for event in self.removed()], [(["task-old"], "age")])
        self.assertIn("(age): task-old", self.pawl("events").stdout)
        self.assertIn("no task named 'old'", self.pawl("task", "status", "old", code=1).stderr)
        self.assertEqual(self.task("runs")["status"], "running")
        self.assertEqual(self.words(), [])
        self.over("old", "true")  # its name is free again
        kept = until("doctor says what there is", lambda: [check["found"] for check in self.doctor() if check["name"] == "kept"])
        self.assertRegex(kept[0], r"^[\d.]+ \w+ in PAWL_HOME \(recordings .*, tasks .*, archive 0 bytes\); limit 105 MB$")
        self.pawl("task", "cancel", "runs")

    def doctor(self):
        return json.loads(self.pawl("doctor", "--json", code=None).stdout)["checks"]

    def test_an_unread_one_is_told_of_before_it_goes(self):
        self.over("t", "sh", "-c", "echo said")
        self.over("kept", "true")
        self.keep(tasks_days=SECOND, unread_days=8 * SECOND)
        self.restart()
        word = until("it is told", self.words)[0]
        told = time.monotonic()
        self.assertRegex(word["text"], r"^2 unread task results will be removed in [78]s \(nobody has read them\): t, kept$")
        self.assertIn("pawl task output NAME", word["todo"])
        self.assertEqual(self.folders(), ["kept", "t"])
        self.assertEqual(self.removed(), [])
        until("it is forgotten", lambda: self.filed() == set())
        self.assertGreater(time.monotonic() - told, 5)
        self.assertEqual(sum(event["count"] for event in self.removed()), 2)
        self.assertEqual(len(self.words()), 1)

    def test_kill_9_in_the_middle(self):
        for n in range(12):
            self.over(f"t{n}", "true")
            self.read(f"t{n}")
        self.keep(tasks_days=SECOND)
        until_gone = time.monotonic() + 60
        while self.filed() and time.monotonic() < until_gone:
            self.restart()
            time.sleep(0.9 + 0.02 * (time.monotonic_ns() % 10))
        until("all are forgotten", lambda: self.filed() == set())
        until("no folder is left", lambda: self.folders() == [])
        until("nothing is left in agents", lambda: not glob.glob(self.home + "/agents/task-*"))
        until("the bin is empty", lambda: not self.bin())
        names = [name for event in self.removed() for name in event["names"]]
        self.assertEqual(sorted(names), sorted(f"task-t{n}" for n in range(12)), "each once")

    def test_recordings_of_who_does_not_run(self):
        self.over("t", "sh", "-c", "echo said")
        self.sh("idle", "echo said")
        self.sh("runs", "echo said; sleep 300")
        until("it ran", lambda: glob.glob(self.home + "/agents/idle/rec/*.cast*"))
        self.pawl("wait", "idle", "--until", "exited", "--timeout", "20")
        old = time.time() - 40 * 86400
        for path in glob.glob(self.home + "/agents/*/rec/*"):
            os.utime(path, (old, old))
        self.keep(recordings_days=1, tasks_days=SECOND * 2)
        self.restart()
        until("they are gone", lambda: not glob.glob(self.home + "/agents/task-t/rec/*") and not glob.glob(self.home + "/agents/idle/rec/*"))
        self.assertTrue(glob.glob(self.home + "/agents/runs/rec/*"))
        self.assertEqual(sorted(name for event in self.removed("recordings") for name in event["names"]), ["idle", "task-t"])
        self.assertIn("idle", self.pawl("ls").stdout)
        self.assertEqual(self.task("t")["status"], "completed")

    def test_links_lead_nowhere(self):
        outside = self.folder + "/outside"
        os.makedirs(outside + "/deep")
        with open(outside + "/deep/file", "w", encoding="utf-8") as file:
            file.write("mine")
        self.over("t", "true")
        self.read("t")
        os.symlink(outside, self.task("t")["tmpdir"] + "/away")
        shutil.rmtree(self.home + "/agents/task-t/rec")
        os.symlink(outside, self.home + "/agents/task-t/rec")
        os.makedirs(self.home + "/archive", exist_ok=True)
        os.symlink(outside, self.home + "/archive/docs")
        self.keep(tasks_days=SECOND, archive_days=SECOND)
        self.restart()
        until("it is forgotten", lambda: self.folders() == [])
        until("the bin is empty", lambda: not self.bin())
        self.assertTrue(os.path.exists(outside + "/deep/file"))
        self.assertTrue(os.path.islink(self.home + "/archive/docs"))

    def test_what_is_wrong_is_said_and_nothing_is_lost(self):
        self.over("t", "true")
        self.read("t")
        self.keep(tasks_days=-1, tasks_max=-5, unread_days="nan", total_mb="'all'")
        self.restart()
        until("it is told", lambda: "'tasks_days' must be a number, 0 or more" in self.log())
        for key in ("tasks_max", "total_mb", "unread_days"):
            self.assertIn(f"'{key}' must be", self.log())
        self.assertEqual(self.filed(), {"t"})

    def log(self):
        with open(self.home + "/daemon.log", encoding="utf-8") as file:
            return file.read()


if __name__ == "__main__":
    unittest.main(verbosity=2)
