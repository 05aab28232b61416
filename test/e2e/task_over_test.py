#!/usr/bin/env python3
"""What becomes of a task that is over: nothing of it stays in the daemon, and nothing that it started stays on the machine. And what
a plain program may do on the way there: be silent, and print what no terminal would show."""
import json
import os
import re
import time
import unittest

from fleet import alive, cookie, read_proc, until
from task_test import TaskCase

TASKS = 12
# Says who it is, when it has a session of its own: before that it would die with the terminal.
DETACHED = "while [ $(cut -d' ' -f6 /proc/$!/stat) != $! ]; do :; done; echo left $!; "


def watches(pid):
    """Of all its inotify descriptors."""
    count = 0
    for name in os.listdir(f"/proc/{pid}/fdinfo"):
        try:
            with open(f"/proc/{pid}/fdinfo/{name}", encoding="ascii") as file:
                count += sum(line.startswith("inotify") for line in file)
        except FileNotFoundError:
            pass
    return count


class Over(TaskCase):
    def kept(self):
        """Descriptors and watches of the daemon."""
        pid = self.daemon_pid()
        return len(os.listdir(f"/proc/{pid}/fd")), watches(pid)

    def settles(self, wanted, what):
        until(lambda: f"{what}: {self.kept()}, not {wanted}",
              lambda: all(now <= then for now, then in zip(self.kept(), wanted)), 15)

    def test_finished_tasks_cost_nothing(self):
        self.give("x", name="first", command=("true",))
        self.wait("first")
        self.settles((10**6, 0), "no folder of a task that is over is watched")
        before = self.kept()
        for number in range(TASKS):
            self.give("x", name=f"t{number}", command=("sh", "-c", f"echo said {number}; [ {number} != 3 ] || sleep 300"))
        self.pawl("task", "cancel", "t3")
        for number in range(TASKS):
            self.wait(f"t{number}", code=5 if number == 3 else 0)
        self.settles(before, "after them it is as before")
        self.as_ever()
        self.kill_daemon()
        self.as_ever()
        self.settles(before, "the next daemon opens none of them again")
        with open(self.task("t3")["tmpdir"] + "/resume", "w", encoding="utf-8"):
            pass
        until("one that was given up is gone on with", lambda: self.task("t3")["status"] == "running", 15)
        self.pawl("task", "cancel", "t3")
        self.settles(before, "and let go again")

    def as_ever(self):
        self.assertEqual(self.pawl("task", "output", "t5").stdout, "said 5\n")
        self.assertIn("said 5\n", self.pawl("logs", self.task("t5")["session_name"]).stdout)
        self.assertIn("said 5\n", self.screen(self.task("t5")["session_name"]))
        self.assertEqual(self.task("t5")["status"], "completed")
        self.assertIn("completed", self.pawl("task", "status", "t5").stdout)
        self.assertEqual(self.task("t3")["status"], "cancelled")

    def test_what_it_leaves_behind_is_ended(self):
        leave = "env -i setsid sleep 300 </dev/null >/dev/null 2>&1 & " + DETACHED
        self.give("x", name="ends", command=("sh", "-c", leave))
        self.give("x", name="goes-on", command=("sh", "-c", leave + "while sleep 0.1; do :; done"))
        self.give("x", name="stubborn", command=("sh", "-c", "env -i setsid sh -c 'trap \"\" TERM; while sleep 1; do :; done' & " + DETACHED + "sleep 300"))
        left = {}
        for name in ("ends", "goes-on", "stubborn"):
            until("it says who", lambda: "left" in self.pawl("task", "output", name).stdout)
            left[name] = int(re.search(r"left (\d+)", self.pawl("task", "output", name).stdout)[1])
        self.wait("ends")
        until("what a task left is ended with it", lambda: not alive(left["ends"]), 10)
        self.assertTrue(alive(left["goes-on"]) and alive(left["stubborn"]), "and nobody else's")
        self.pawl("task", "cancel", "stubborn")
        until("one that does not hear TERM as well", lambda: not alive(left["stubborn"]), 10)
        self.assertTrue(alive(left["goes-on"]))
        self.kill_daemon()
        self.pawl("task", "cancel", "goes-on")
        until("by the next daemon, too", lambda: not alive(left["goes-on"]), 10)

    def test_what_a_stopped_agent_leaves_behind_is_ended(self):
        self.sh("a", "env -i setsid sleep 300 </dev/null >/dev/null 2>&1 & " + DETACHED + "exec cat")
        pid = int(self.on_screen("a", r"left (\d+)")[1])
        self.assertTrue(alive(pid))
        self.pawl("stop", "a")
        until("it is ended", lambda: not alive(pid), 10)

    def test_a_daemon_begun_inside_an_agent_outlives_it(self):
        self.sh("other", "exec cat")
        mark = self.folder + "/begun"
        self.sh("inner", f"until [ -e {mark}.go ]; do sleep 0.05; done; kill -9 $(cat {self.home}/daemon.lock); until pawl ls >/dev/null; do :; done; : >{mark}; exec cat")
        with open(mark + ".go", "w", encoding="utf-8"):
            pass
        until("the agent has begun one", lambda: os.path.exists(mark))
        pid = self.daemon_pid()
        self.assertIn(cookie(self.home), read_proc(pid, "environ"), "it carries that agent's mark")
        self.pawl("stop", "inner")
        self.pawl("wait", "inner", "--until", "exited,crashed", "--timeout", "20")
        time.sleep(2.5)  # TERM, and what would be the KILL
        self.assertTrue(alive(pid))
        self.assertEqual(self.daemon_pid(), pid)
        self.assertEqual(self.agents()["other"]["state"] in ("exited", "crashed"), False)
        self.pawl("down")
        self.pawl("daemon", "--stop")
        until("it has ended: by its mark it would be taken for a process of the fleet", lambda: not alive(pid))

    def test_a_silent_program_is_left_alone(self):
        self.give("x", command=("sh", "-c", "sleep 6; echo finally"))
        self.give("x", name="late", options=("--deadline", "3s"), command=("sleep", "300"))
        task = self.wait()
        self.assertEqual((task["status"], task["retry_count"]), ("completed", 0))
        self.assertEqual(self.file("output.log"), "finally\n")
        self.assertEqual(self.wait("late", code=5)["abandon_reason"], "deadline")

    def test_a_string_that_nobody_ends_hides_one_line(self):
        for number, begin in enumerate(("]0;title", "P", "X", "^", "_")):
            self.give("x", name=f"t{number}", command=("printf", f"one\\n\\033{begin}two\\nEND\\n"))
            self.wait(f"t{number}")
            self.assertEqual(self.pawl("task", "output", f"t{number}").stdout, "one\n\nEND\n", begin)

    def test_waiting_for_one_that_is_limited(self):
        self.give([{"fail": "You've hit your limit", "status": 429, "reset": 3600}], [{"say": "on it"}])
        began = time.monotonic()
        done = self.pawl("task", "wait", "t", "--timeout", "40", code=4)
        self.assertLess(time.monotonic() - began, 30)
        self.assertRegex(done.stdout, r"\At: limited until \d{4}-\d\d-\d\dT\S+; it goes on by itself then")
        told = json.loads(self.pawl("task", "wait", "t", "--json", code=4).stdout)
        self.assertEqual((told["code"], told["tasks"][0]["status"]), (4, "limited"))
        self.give("x", name="short", command=("true",))
        self.pawl("task", "wait", "t", "short", "--timeout", "40", code=4)
        self.pawl("task", "wait", "t", "short", "--any", "--timeout", "40")
        self.give("x", name="long", command=("sleep", "300"))
        self.pawl("task", "wait", "t", "long", "--timeout", "2", code=124)
        self.pawl("task", "wait", "t", "long", "--any", "--timeout", "2", code=124)
        self.pawl("task", "resume", "t")
        self.assertEqual(self.wait()["status"], "completed")


if __name__ == "__main__":
    unittest.main()
