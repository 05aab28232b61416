#!/usr/bin/env python3
"""A daemon that does not answer is named, and nobody waits for it for ever; one that only takes long is waited for. What is removed
under a running daemon, its socket or its whole home, is made again, and no agent is lost."""
import json
import os
import shutil
import signal
import socket
import subprocess
import time
import unittest

from fleet import PAWL, FleetCase, alive, gone, until
from person import Person


class SilentCase(FleetCase):
    def stop_daemon(self):
        pid = self.daemon_pid()
        os.kill(pid, signal.SIGSTOP)
        self.addCleanup(self.go_on, pid)
        return pid

    def go_on(self, pid):
        if alive(pid):
            os.kill(pid, signal.SIGCONT)

    def begin(self, *words):
        process = subprocess.Popen([PAWL, *words], env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process


class Silent(SilentCase):
    def test_a_stopped_daemon_is_named_by_every_verb(self):
        self.start("one", "cat")
        with open(self.folder + "/long", "w", encoding="ascii") as file:
            file.write("y" * 1_000_000)  # more than a socket takes
        pid = self.stop_daemon()
        begun = time.monotonic()
        verbs = (["ls"], ["ls", "--json"], ["why", "one"], ["show", "one"], ["screen", "one"], ["logs", "one"], ["events"], ["alerts"],
                 ["send", "one", "x"], ["send", "one", "--file", self.folder + "/long"], ["keys", "one", "Enter"], ["pause", "one"], ["run", "-d", "two", "--", "cat"],
                 ["task", "ls"], ["task", "start", "later", "--prompt-file", self.folder + "/long", "--", "true"], ["down"], ["daemon", "--stop"], ["serve", "--url"])
        asked = {" ".join(words[:3]): self.begin(*words) for words in verbs}
        doctor = self.begin("doctor")
        for name, process in asked.items():
            with self.subTest(name):
                out, error = process.communicate(timeout=30)
                self.assertEqual((process.returncode, out), (1, ""))
                self.assertRegex(error, rf"\Apawl: the daemon \(pid {pid}\) does not answer: it is stopped: let it go on: kill -CONT {pid}[^\n]*\n\Z")
                self.assertEqual("may still be done" in error, name.split()[0] in ("send", "keys", "pause", "run", "down", "serve") or name.startswith("task start"))
        out, _ = doctor.communicate(timeout=30)
        self.assertEqual(doctor.returncode, 1)
        self.assertRegex(out, rf"bad +daemon +the daemon \(pid {pid}\) does not answer")
        self.assertLess(time.monotonic() - begun, 20)
        self.go_on(pid)
        self.assertEqual(self.agents()["one"]["state"], "unknown")

    def test_a_queue_that_is_full_is_no_reason_to_wait(self):
        self.start("one", "cat")
        pid = self.stop_daemon()
        for _ in range(200):
            client = socket.socket(socket.AF_UNIX)
            self.addCleanup(client.close)
            client.setblocking(False)
            try:
                client.connect(self.home + "/pawl.sock")
            except BlockingIOError:
                break
        else:
            self.fail("the queue has no end")
        begun = time.monotonic()
        self.assertIn(f"kill -CONT {pid}", self.refused("ls"))
        self.assertLess(time.monotonic() - begun, 15)

    def test_what_takes_long_is_waited_for(self):
        self.sh("one", "sleep 12")
        begun = time.monotonic()
        done = self.pawl("wait", "one", "--until", "exited")
        self.assertGreater(time.monotonic() - begun, 8)
        self.assertEqual(done.stderr, "")
        self.sh("two", "trap '' TERM HUP INT; while :; do sleep 1; done")
        self.pawl("stop", "two")

    def test_who_waits_by_a_clock_of_his_own_is_told(self):
        self.start("one", "cat")
        pid = self.daemon_pid()
        follows = self.begin("events", "-f", "--json", "--since", "0")
        self.assertTrue(follows.stdout.readline())
        self.stop_daemon()
        done = self.pawl("wait", "one", "--until", "exited", "--timeout", "8", code=124)
        self.assertIn(f"the daemon (pid {pid}) does not answer", done.stderr)
        self.assertIn("still waiting", follows.stderr.readline())
        self.go_on(pid)
        self.assertEqual(follows.stderr.readline(), "pawl: the daemon answers again\n")
        self.pawl("pause", "one")
        while json.loads(follows.stdout.readline()).get("type") != "decision":
            pass

    def test_a_person_who_is_attached_is_told_and_goes_on(self):
        self.sh("one", "echo hello; exec cat")
        self.on_screen("one", "hello")
        person = Person(self, "attach", "one")
        person.sees("hello")
        pid = self.stop_daemon()
        person.sees(rf"the daemon \(pid {pid}\) does not answer: it is stopped; the agent keeps running")
        self.go_on(pid)
        person.sees("hello")  # painted anew
        person.type("there\r")
        person.sees("there")
        person.type("\x1c")
        self.assertEqual(person.ended()[0], 0)

    def test_ls_w_says_it_and_can_be_left(self):
        self.start("one", "cat")
        person = Person(self, "ls", "-w")
        person.sees("one")
        pid = self.stop_daemon()
        person.sees(rf"the daemon \(pid {pid}\) does not answer")
        person.type("q")
        self.assertEqual(person.ended()[0], 0)


class Removed(SilentCase):
    def setUp(self):
        super().setUp()
        self.sh("one", "echo hello; exec cat")
        self.on_screen("one", "hello")
        self.before = self.agents()["one"]["pid"]
        self.daemon = self.daemon_pid()

    def assert_it_lives(self):
        agent = self.agents()["one"]
        self.assertEqual((agent["pid"], agent["state"]), (self.before, "unknown"))
        self.pawl("send", "--no-enter", "one", "typed")
        self.on_screen("one", "typed")

    def test_the_socket(self):
        os.remove(self.home + "/pawl.sock")
        doctor = self.pawl("doctor", code=1).stdout
        self.assertRegex(doctor, rf"bad +daemon +the socket of the daemon \(pid {self.daemon}\) was removed")
        begun = time.monotonic()
        done = self.pawl("ls", "--json")
        self.assertLess(time.monotonic() - begun, 10)
        self.assertRegex(done.stderr, rf"\Apawl: the socket of the daemon \(pid {self.daemon}\) was removed; [^\n]*waiting for it\n\Z")
        self.assertEqual(self.daemon_pid(), self.daemon)
        self.assert_it_lives()
        os.remove(self.home + "/pawl.sock")
        self.assertIn("has ended", self.pawl("daemon", "--stop").stdout)
        until("it has gone", lambda: gone(self.daemon))

    def test_the_socket_of_a_daemon_that_is_stopped(self):
        os.remove(self.home + "/pawl.sock")
        self.stop_daemon()
        done = self.pawl("ls", code=1)
        self.assertRegex(done.stderr.splitlines()[-1], rf"\(pid {self.daemon}\).*does not come back.*kill -CONT {self.daemon}")

    def test_the_lock(self):
        os.remove(self.home + "/daemon.lock")
        second = self.pawl("daemon", code=1).stderr
        self.assertIn(f"(pid {self.daemon})", second)
        until("the lock is there again", self.locked)
        self.assert_it_lives()

    def locked(self):
        with open(self.home + "/daemon.lock", encoding="ascii") as file:
            return file.read() == f"{self.daemon}\n"

    def remove_home(self):
        """Also what the daemon writes meanwhile."""
        until("it is gone", lambda: shutil.rmtree(self.home, ignore_errors=True) or not os.path.exists(self.home))

    def test_the_sockets_of_the_holders(self):
        for name in os.listdir(self.home + "/holders"):
            if name.endswith(".sock"):
                os.remove(f"{self.home}/holders/{name}")
        self.kill_daemon()
        self.assert_it_lives()
        self.kill_daemon()
        self.assert_it_lives()

    def test_the_whole_home(self):
        self.remove_home()
        begun = time.monotonic()
        done = self.pawl("ls", "--json")
        self.assertLess(time.monotonic() - begun, 12)
        self.assertIn(f"PAWL_HOME was removed while the daemon (pid {self.daemon}) runs", done.stderr)
        self.assertEqual(self.daemon_pid(), self.daemon)
        self.assertTrue(alive(self.before))
        self.assert_it_lives()
        self.assertIn("was removed while agents ran", self.pawl("alerts").stdout)
        self.kill_daemon()
        self.assert_it_lives()

    def test_the_journal_alone(self):
        for name in ("journal.db", "journal.db-wal", "journal.db-shm"):
            os.remove(f"{self.home}/{name}")
        until("it is there again", lambda: os.path.exists(self.home + "/journal.db"))
        self.assert_it_lives()
        self.kill_daemon()
        self.assert_it_lives()

    def test_a_home_without_agents_is_not_made_again(self):
        self.pawl("stop", "one")
        self.remove_home()
        until("it has gone", lambda: gone(self.daemon))
        self.assertFalse(os.path.exists(self.home))


if __name__ == "__main__":
    unittest.main()
