#!/usr/bin/env python3
"""A reboot: the daemon, the holders and every agent are gone at once, nobody said goodbye, and only PAWL_HOME is left. `pawl daemon`
(as the service starts it) has every agent and task where its policy says within thirty seconds, each in its own conversation.
Nothing of Pawl asks for the machine's boot id: what makes a reboot is that no holder answers any more."""
import json
import os
import signal
import subprocess
import time
import unittest

from fleet import PAWL, gone, until
from task_test import SCRIPTED, TaskCase

OFF_S = 12  # without a machine, longer than ALIVE_S
ALIVE_S = 10
IN_TIME_S = 30

# As Claude Code, as far as this matters: it writes down how it was called, keeps a transcript, and tells its conversation to its
# hooks. With -p it is the scripted one.
CLAUDE = r"""#!/usr/bin/env python3
import json, os, subprocess, sys, time, uuid
if "-p" in sys.argv:
    os.execv(os.environ["SCRIPTED"], sys.argv)
if sys.argv[1:3] == ["auth", "status"]:
    sys.exit(0)
name = os.environ["PAWL_AGENT"]
resumed = sys.argv[sys.argv.index("--resume") + 1] if "--resume" in sys.argv else None
session = resumed or str(uuid.uuid4())
transcript = os.environ["SCRIPTED_STORE"] + "/" + session + ".jsonl"
with open(transcript, "a") as file:
    file.write("{}\n")
with open(os.environ["CALLS"], "a") as file:
    file.write(json.dumps({"agent": name, "session": session, "resumed": resumed}) + "\n")
settings = json.loads(sys.argv[sys.argv.index("--settings") + 1])
for row in settings["hooks"]["SessionStart"] * 3:  # on a busy machine one may not get through
    for hook in row["hooks"]:
        subprocess.run(hook["command"], shell=True, input=json.dumps(
            {"session_id": session, "transcript_path": transcript, "cwd": os.getcwd(), "hook_event_name": "SessionStart"}).encode())
print("I am " + name, flush=True)
subprocess.Popen(["sleep", "1000"], start_new_session=True)
time.sleep(1000)
"""

FLEET = {
    "looper": 'strategy = "continuous"\nfloor_s = 1\n',
    "resumer": f'restart = "resume"\nalive_window_s = {ALIVE_S}\n',
    "fresher": 'restart = "fresh"\n',
    "never": 'restart = "never"\n',
    "stopped": 'restart = "resume"\n',
    "halted": 'restart = "resume"\n',
}


class Reboot(TaskCase):
    def setUp(self):
        super().setUp()
        self.calls_file = self.folder + "/calls"
        self.environment.update(CALLS=self.calls_file, SCRIPTED=SCRIPTED)
        os.remove(self.folder + "/bin/claude")
        with open(self.folder + "/bin/claude", "w", encoding="utf-8") as file:
            file.write(CLAUDE)
        os.chmod(self.folder + "/bin/claude", 0o755)

    def calls(self, name):
        if not os.path.exists(self.calls_file):
            return []
        with open(self.calls_file, encoding="utf-8") as file:
            return [call for call in map(json.loads, file) if call["agent"] == name]

    def conversations(self):
        return {name: agent["session_id"] for name, agent in self.agents().items() if name in FLEET}

    @staticmethod
    def signal(pid, number):
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass

    def everything_is_gone(self):
        """All at once: stopped first, so that nobody sees another one end."""
        doomed, found = set(), {self.daemon_pid(), *self.holders(), *self.of_this_fleet()}
        while found - doomed:  # one of them may just have started another
            for pid in found - doomed:
                self.signal(pid, signal.SIGSTOP)
            doomed |= found
            found = {*self.holders(), *self.of_this_fleet()}
        for pid in doomed:
            self.signal(pid, signal.SIGKILL)
        until("all are dead", lambda: all(map(gone, doomed)))
        self.assertEqual((self.holders(), self.of_this_fleet()), ([], []))
        self.assertTrue(os.listdir(self.home + "/holders"), "their sockets are left behind")

    def lock(self):
        with open(self.home + "/daemon.lock", encoding="ascii") as file:
            return file.read().strip()

    def boot(self):
        daemon = subprocess.Popen([PAWL, "daemon"], env=self.environment, stdin=subprocess.DEVNULL)
        self.addCleanup(daemon.wait)
        self.addCleanup(daemon.kill)
        until("it has the lock, before a command of ours starts another", lambda: self.lock() == str(daemon.pid))
        self.pawl("ls")

    def begin(self):
        with open(self.folder + "/pawl.toml", "w", encoding="utf-8") as file:
            file.writelines(f'[agent.{name}]\nruntime = "claude"\n{keys}' for name, keys in FLEET.items())
        self.pawl("up")
        self.give([{"say": "one"}, {"sleep": 1000}], [{"say": "two"}], name="long")
        self.give([{"say": "all"}], name="short")
        self.assertEqual(self.wait("short")["status"], "completed")
        until(lambda: f"every conversation is known: {self.conversations()}", lambda: all(self.conversations().values()))
        until("the task works", lambda: "one" in self.file("output.log", "long"))
        self.pawl("stop", "stopped")
        self.pawl("pause", "halted")

    def test_everyone_is_where_policy_says(self):
        self.begin()
        before, task = self.conversations(), self.task("long")
        self.everything_is_gone()
        time.sleep(OFF_S)
        began = time.monotonic()
        self.boot()
        for name in ("looper", "resumer", "fresher"):
            until(lambda: f"{name} is back:\n{self.pawl('why', name).stdout}", lambda: len(self.calls(name)) == 2, IN_TIME_S)
        self.assertEqual(self.wait("long", timeout=str(IN_TIME_S))["status"], "completed")
        self.assertLess(time.monotonic() - began, IN_TIME_S)

        for name in ("looper", "resumer"):
            self.assertEqual([call["resumed"] for call in self.calls(name)], [None, before[name]], name)
        self.assertEqual([call["resumed"] for call in self.calls("fresher")], [None, None])
        for name in ("never", "stopped", "halted"):
            self.assertEqual(len(self.calls(name)), 1, name)
            self.assertIsNone(self.agents()[name]["pid"], name)
        self.assertEqual(self.agents()["never"]["state"], "crashed")
        self.assertEqual(self.agents()["stopped"]["state"], "exited")
        self.assertIn("stopped on request", self.pawl("why", "stopped").stdout)
        self.assertEqual(self.task("long")["session_id"], task["session_id"])
        self.assertEqual(self.conversation("long")["run"], 2)
        self.assertIn("Go on with your task", self.conversation("long")["prompts"][1])
        self.assertEqual(self.file("output.log", "long"), "one\ntwo\n")
        self.assertEqual(self.conversation("short")["run"], 1, "what was done is not done again")
        self.assert_every_decision_has_one_outcome()
        self.pawl("resume", "halted")
        until(lambda: self.pawl("why", "halted").stdout, lambda: len(self.calls("halted")) == 2)
        self.assertEqual(self.calls("halted")[1]["resumed"], before["halted"])

    def test_a_crash_count_does_not_come_from_reboots(self):
        """Four in a row: nobody is parked for it, and nobody loses its conversation."""
        with open(self.folder + "/pawl.toml", "w", encoding="utf-8") as file:
            file.write('[agent.looper]\nruntime = "claude"\nstrategy = "continuous"\nfloor_s = 1\nsettle_s = 0.5\ncooldown_s = 0\n')
        self.pawl("up")
        until("its conversation is known", lambda: self.conversations()["looper"])
        before = self.conversations()["looper"]
        for number in range(2, 6):
            self.everything_is_gone()
            self.boot()
            until(lambda: self.pawl("why", "looper").stdout, lambda: len(self.calls("looper")) == number, IN_TIME_S)
            until("it runs", lambda: self.agents()["looper"]["pid"])
        self.assertEqual({call["session"] for call in self.calls("looper")}, {before})
        self.assertFalse(self.agents()["looper"]["parked"])


if __name__ == "__main__":
    unittest.main()
