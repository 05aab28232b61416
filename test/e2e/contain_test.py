#!/usr/bin/env python3
"""What a program gets when it starts, and what is left of it when it is ended: nothing."""
import os
import re
import signal
import unittest

from fleet import FleetCase, alive, cookie, processes, read_proc, status_of, until


class Contain(FleetCase):
    def up(self, command):
        """One agent with a short grace, as only a pawl.toml can say it."""
        words = ", ".join(f"'''{word}'''" for word in command)
        with open(self.folder + "/pawl.toml", "w", encoding="utf-8") as file:
            file.write(f"[agent.one]\nstop_grace_s = 1\ncommand = [{words}]\n")
        self.pawl("up")

    def number(self, name, word):
        return int(self.on_screen(name, rf"{word} (\d+)")[1])

    def zombies_of(self, parent):
        return [pid for pid in processes() if (status_of(pid) or "??")[:2] == ("Z", parent)]

    def test_term_is_heard(self):
        self.sh("one", "trap 'echo bye; exit 4' TERM; echo ready; while :; do sleep 0.05; done")
        self.on_screen("one", "ready")
        self.pawl("stop", "one")
        self.assertIn("bye", self.screen("one"))
        agent = self.agents()["one"]
        self.assertEqual((agent["state"], agent["exit_code"]), ("exited", 4))

    def test_who_ignores_term_is_killed(self):
        self.up(["sh", "-c", "trap '' TERM; sh -c 'echo child $$; while :; do sleep 1; done' & "
                             "echo self $$; while :; do sleep 1; done"])
        pids = [self.number("one", "self"), self.number("one", "child")]
        self.pawl("stop", "one")
        self.assertFalse(any(map(alive, pids)))
        self.assertEqual((self.agents()["one"]["state"], self.agents()["one"]["signal"]), ("exited", signal.SIGKILL))
        stop = [event for event in self.events() if event["type"] == "outcome"][-1]
        self.assertEqual((stop["action"], stop["result"]), ("stop", "confirmed"))
        self.assertGreaterEqual(stop["took_ms"], 1000, "the grace of one second")

    def test_a_stopped_program_can_be_ended(self):
        self.sh("one", "echo self $$; kill -STOP $$")
        pid = self.number("one", "self")
        until("it has stopped itself", lambda: status_of(pid)[0] == "T")
        self.pawl("stop", "one")
        self.assertFalse(alive(pid))

    def test_a_program_that_closes_its_terminal_still_runs(self):
        self.sh("one", "echo bye; exec <&- >&- 2>&-; exec sleep 1000")
        self.on_screen("one", "bye")
        pid = self.agents()["one"]["pid"]
        until("it is sleep now", lambda: read_proc(pid, "cmdline").startswith(b"sleep"))
        self.assertEqual(self.agents()["one"]["state"], "unknown")
        self.pawl("stop", "one")
        self.assertFalse(alive(pid))

    def test_what_went_its_own_way_dies_too(self):
        self.up(["sh", "-c", "setsid sh -c 'echo daemon $$; exec sleep 1000' </dev/null & "
                             "(setsid sh -c 'trap \"\" TERM HUP; echo deaf $$; while :; do sleep 1; done' &) ; "
                             "sleep 1000 & echo group $!; wait"])
        pids = [self.number("one", word) for word in ("daemon", "deaf", "group")]
        self.assertTrue(all(map(alive, pids)))
        self.pawl("stop", "one")
        until(lambda: f"all are dead: {[p for p in pids if alive(p)]}", lambda: not any(map(alive, pids)), 10)
        # The deaf one may have begun another "sleep 1" as it was killed.
        until(lambda: f"nobody is left: {self.of_this_fleet()}", lambda: not self.of_this_fleet(), 10)
        until("all are reaped", lambda: not self.zombies_of(self.holders()[0]))

    # Product gap: what a program that ended by itself left behind cannot be ended by any verb.
    def test_stop_ends_what_an_ended_program_left_behind(self):
        self.sh("one", "setsid sh -c 'echo left $$; exec sleep 1000' & sleep 0.2; exit 0")
        self.ended("one")
        pid = self.number("one", "left")
        try:
            self.assertTrue(alive(pid))
            self.pawl("stop", "one")
            until("it is dead", lambda: not alive(pid), 4)
        finally:
            if alive(pid):
                os.kill(pid, signal.SIGKILL)

    def test_orphans_are_reaped(self):
        self.sh("one", "for i in 1 2 3 4 5; do (setsid sh -c 'exit 0' &); done; echo done; exec cat")
        self.on_screen("one", "done")
        holder, = self.holders()
        until("no zombie is left under the holder", lambda: not self.zombies_of(holder), 10)
        self.assertEqual(self.of_this_fleet(), [self.agents()["one"]["pid"]])

    def test_a_violent_program_hurts_only_itself(self):
        self.start("bystander", "cat")
        bystander, holder = self.agents()["bystander"]["pid"], self.holders()
        daemon = self.daemon_pid()
        for name, script in (("group", "kill -9 0"),
                             ("children", "sleep 1000 & pkill -9 -P $$; kill -9 0"),
                             ("session", "sleep 1000 & pkill -9 -s 0; kill -9 $$"),
                             ("parent", "kill -HUP $PPID; kill -INT $PPID; kill -QUIT $PPID; kill -TERM $PPID; kill -9 $$")):
            self.sh(name, script)
            self.ended(name)
            self.assertEqual((self.agents()[name]["state"], self.agents()[name]["signal"]), ("crashed", signal.SIGKILL), name)
        self.assertTrue(alive(bystander))
        self.assertEqual((self.holders(), self.daemon_pid()), (holder, daemon))
        self.pawl("send", "bystander", "still here")
        self.on_screen("bystander", "still here\nstill here")

    def test_a_killed_holder_takes_only_its_terminals(self):
        self.start("one", "cat")
        pid, (holder,) = self.agents()["one"]["pid"], self.holders()
        os.kill(holder, signal.SIGKILL)
        self.pawl("wait", "one", "--until", "crashed", "--timeout", "20")
        until("the terminal is gone and cat with it", lambda: not alive(pid))
        self.assertEqual((self.agents()["one"]["exit_code"], self.agents()["one"]["signal"]), (None, None), "nobody knows")
        self.pawl("restart", "one")
        self.pawl("send", "one", "hello")
        self.on_screen("one", "hello\nhello")
        self.assert_every_decision_has_one_outcome()

    def test_a_death_is_told(self):
        for name, script, code, number in (("fine", "exit 0", 0, None), ("bad", "exit 42", 42, None),
                                           ("killed", "kill -9 $$", None, 9)):
            self.sh(name, script)
            self.ended(name)
            agent = self.agents()[name]
            self.assertEqual((agent["exit_code"], agent["signal"]), (code, number))
            self.assertEqual(agent["state"], "exited" if code == 0 else "crashed")

    def test_the_environment_is_that_of_the_command(self):
        self.pawl("ls")  # the daemon has the environment of this one
        with open(self.folder + "/some.env", "w", encoding="utf-8") as file:
            file.write("# a comment\nexport FROM_FILE=\"a b\"\nMARK=from the file\n")
        mine = {**self.environment, "MARK": "mine", "OTHER": "too", "TERM": "dumb", "COLUMNS": "7", "TMUX": "/nowhere,1,0"}
        self.pawl("run", "-d", "one", "--", "sleep", "1000", env=mine)
        self.pawl("run", "-d", "two", "--env-file", "some.env", "--", "sleep", "1000", env=mine)
        self.kill_daemon()
        self.pawl("restart", "one")  # also when a daemon that never saw it starts it again
        found = {}
        for name, agent in self.agents().items():
            text = read_proc(agent["pid"], "environ").decode().rstrip("\0")
            found[name] = dict(entry.split("=", 1) for entry in text.split("\0"))
        for environment in found.values():
            self.assertEqual((environment["OTHER"], environment["TERM"]), ("too", "xterm-256color"))
            self.assertTrue(environment["TZ"])
            self.assertFalse({"COLUMNS", "TMUX"} & set(environment))
            self.assertTrue(f"PAWL_SESSION={environment['PAWL_SESSION']}".encode().startswith(cookie(self.home)))
        self.assertEqual(found["one"]["MARK"], "mine")
        self.assertEqual((found["two"]["MARK"], found["two"]["FROM_FILE"]), ("from the file", "a b"))

    def test_a_terminal_of_its_own_and_nothing_else(self):
        self.start("first", "cat")  # so that the holder has descriptors to leak
        inherited = os.open(self.folder, os.O_RDONLY)
        self.addCleanup(os.close, inherited)
        self.pawl("run", "-d", "one", "--size", "91x33", "--", "sh", "-c", "stty size; tty; umask; exec sleep 1000",
                  pass_fds=[inherited])
        self.on_screen("one", r"^33 91\n/dev/pts/\d+\n0\d{3}$")
        pid = self.agents()["one"]["pid"]
        terminal = re.search(r"/dev/pts/\d+", self.screen("one"))[0]
        links = {fd: os.readlink(f"/proc/{pid}/fd/{fd}") for fd in os.listdir(f"/proc/{pid}/fd")}
        self.assertEqual(links, {"0": terminal, "1": terminal, "2": terminal})
        self.assertEqual(status_of(pid)[2:], (pid, pid), "leads its own group and session")
        masks = dict(re.findall(rb"(?m)^(Sig(?:Blk|Ign)):\s+(\w+)", read_proc(pid, "status")))
        self.assertEqual({int(mask, 16) & 0x7fffffff for mask in masks.values()}, {0}, "no signal is blocked or ignored")

    def test_the_daemon_may_leave(self):
        self.start("one", "cat")
        pid, daemon = self.agents()["one"]["pid"], self.daemon_pid()
        said = self.pawl("daemon", "--stop").stdout
        self.assertRegex(said, rf"\(pid {daemon}\).*1 agent keeps running")
        until("the daemon has gone", lambda: not alive(daemon), 5)
        self.assertTrue(alive(pid))
        self.refused("daemon", "--stop")
        self.assertEqual(self.agents()["one"]["pid"], pid)
        self.assertNotEqual(self.daemon_pid(), daemon)
        self.pawl("send", "one", "hello again")
        self.on_screen("one", "hello again\nhello again")
        for _ in range(10):  # at once, too: whoever comes while the old daemon is leaving gets a new one
            self.pawl("daemon", "--stop")
            self.assertEqual(self.agents()["one"]["pid"], pid)

    def test_a_daemon_in_the_foreground_ends_on_term(self):
        self.start("one", "cat")
        daemon = self.daemon_pid()
        os.kill(daemon, signal.SIGTERM)
        until("the daemon has gone", lambda: not alive(daemon), 5)
        self.assertEqual(self.agents()["one"]["state"], "unknown")


if __name__ == "__main__":
    unittest.main()
