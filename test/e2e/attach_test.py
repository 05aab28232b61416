#!/usr/bin/env python3
"""A person at a terminal: attach, run without -d, ls -w. Whatever ends it, the person's terminal is as before."""
import hashlib
import os
import re
import signal
import termios
import threading
import unittest

from fleet import PATIENCE, FleetCase, alive, until
from person import Person


class Attach(FleetCase):
    def sit_down(self, name, *flags):
        person = Person(self, "attach", *flags, name)
        person.sees(r"\x1b\[\?1049h")
        return person

    def assert_restored(self, person, shown):
        self.assertEqual(termios.tcgetattr(person.slave), person.before)
        for mode in (1000, 1002, 1003, 1006, 1004, 2004, 2026, 1049):
            self.assertIn(f"\x1b[?{mode}l".encode(), shown)
        last = dict(re.findall(rb"\x1b\[\?(\d+)([hl])", shown))
        self.assertEqual({mode for mode, value in last.items() if value == b"h"}, {b"25"}, "only the cursor is on")
        self.assertRegex(shown, rb"(?s)\x1b\[0m(?!.*\x1b\[[0-9;]*m)")

    def test_look_type_and_detach(self):
        self.sh("one", r"printf '\033[?1000h\033[?1006h\033[?2004h\033[?25l\033[31m'; echo hello; exec cat")
        self.on_screen("one", "hello")
        person = self.sit_down("one")
        person.sees("hello")
        until("the terminal is raw", person.raw)
        person.type("typed text\r")
        person.sees("typed text")
        self.on_screen("one", "typed text\ntyped text")
        person.type("\x1c")
        code, shown = person.ended()
        self.assertEqual(code, 0)
        self.assertIn(b"[detached from one; it keeps running]", shown)
        self.assert_restored(person, shown)
        agent = self.agents()["one"]
        self.assertEqual(agent["state"], "unknown")
        self.assertIsNotNone(agent["human_last_seen"])
        humans = [event for event in self.events("--agent", "one") if event["type"] == "human"]
        self.assertEqual([event["where"] for event in humans], ["attach"])
        self.assertNotIn("typed text", self.pawl("events", "--json").stdout)

    def test_resize(self):
        self.sh("one", "trap 'echo size $(stty size)' WINCH; echo ready $(stty size); while :; do sleep 0.05; done")
        self.on_screen("one", "ready 40 120")
        person = self.sit_down("one")
        self.on_screen("one", "size 30 100")
        person.resize(25, 77)
        person.sees("size 25 77")
        self.assertRegex(self.pawl("show", "one").stdout, r"(?m)^size +77x25$")

    def test_two_sizes(self):
        self.sh("one", "trap 'echo size $(stty size)' WINCH; echo ready $(stty size); while :; do sleep 0.05; done")
        self.on_screen("one", "ready 40 120")
        first = Person(self, "attach", "one", size=(20, 70))
        first.sees("size 20 70")
        second = Person(self, "attach", "one", size=(30, 100))
        second.sees("size 30 100")
        first.type("x")
        first.sees("size 20 70")
        second.type("\x1c")
        second.ended()
        first.type("\x1c")
        first.ended()
        self.on_screen("one", "size 40 120")
        self.assertRegex(self.pawl("show", "one").stdout, r"(?m)^size +120x40$")

    def test_a_paste_is_text(self):
        self.sh("one", r"printf '\033[?2004hready'; stty raw -echo; head -c 19 | od -An -c -w40")
        person = self.sit_down("one")
        person.sees("ready")
        person.type("\x1b[200~a\x1cb\x1b[201~")
        person.type("1234")
        self.on_screen("one", r"a 034 b 033 \[ 2 0 1 ~ 1 2 3 4".replace(" ", " +"))

    def test_a_large_paste_arrives_whole(self):
        text = "".join(f"{n:07}\n" for n in range(400000))  # three times what a holder keeps for a program
        gate = self.folder + "/gate"
        self.sh("one", f"stty raw -echo; echo ready; while [ ! -e {gate} ]; do sleep 0.05; done; head -c {len(text)} | sha256sum")
        person = self.sit_down("one")
        person.sees("ready")
        typing = threading.Thread(target=self.type_all, args=(person, text.encode()))
        typing.start()
        person.read(0.5)
        with open(gate, "w", encoding="utf-8"):
            pass
        person.sees(hashlib.sha256(text.encode()).hexdigest(), 60)
        typing.join()
        self.assertNotIn("alert", [event["type"] for event in self.events("--agent", "one")])

    @staticmethod
    def type_all(person, data):
        while data:
            data = data[os.write(person.master, data):]

    def test_what_calls_the_person(self):
        self.sh("one", r"read line; printf '\a\033]9;it is done\007\033]9;4;1;50\007said'; exec cat")
        person = self.sit_down("one")
        person.type("\r")
        person.sees("said")
        person.sees(r"\x07\x1b\]9;it is done\x1b\\")
        self.assertNotIn(b"]9;4", person.everything, "only for terminals that show it")

    def test_no_torn_frames(self):
        draw = r"""for n in $(seq 100 160); do printf '\033[?2026h\033[H%s' "$n"; sleep 0.02; printf '\033[5;1H%s\033[?2026l' "$n"; sleep 0.02; done"""
        self.sh("one", f"read line; {draw}; printf '\\033[9;1Hover'; exec cat")
        person = self.sit_down("one")
        person.type("\r")
        person.shows("over", 20)
        frames = re.findall(rb"\x1b\[\?2026h(.*?)\x1b\[\?2026l", person.output, re.DOTALL)
        numbers = [re.findall(rb"(?<!\d)1[0-6]\d(?!\d)", frame) for frame in frames]
        self.assertGreater(len([found for found in numbers if found]), 20)
        self.assertEqual([found for found in numbers if len(set(found)) > 1 or len(found) == 1], [])

    def test_read_only(self):
        self.start("one", "cat")
        person = self.sit_down("one", "-r")
        person.type("not to be seen\r")
        self.pawl("send", "one", "to be seen")
        person.sees("to be seen")
        self.assertNotIn("not", self.screen("one"))
        self.assertRegex(self.pawl("show", "one").stdout, r"(?m)^size +120x40$")
        self.assertIsNone(self.agents()["one"]["human_last_seen"])
        person.type("\x1c")
        self.assertEqual(person.ended()[0], 0)

    def test_two_people(self):
        self.start("one", "cat")
        first, second = self.sit_down("one"), self.sit_down("one")
        first.type("from the first\r")
        second.sees("from the first")
        second.type("from the second\r")
        first.sees("from the second")
        first.type("\x1c")
        self.assertEqual(first.ended()[0], 0)
        second.type("still there\r")
        second.sees("still there")

    def interrupted(self, how, seconds=PATIENCE, more=""):
        """Sits down at a program that has switched on everything, and gives what is shown after `how`."""
        modes = r"\033[?1049h\033[?1003h\033[?1006h\033[?2004h\033[?1004h\033[?25l" + more
        self.sh("one", f"printf '{modes}ready'; exec cat >/dev/null")
        self.on_screen("one", "ready")
        person = Person(self, "attach", "one")
        person.shows("ready")
        until("the terminal is raw", person.raw)
        how(person)
        code, shown = person.ended(seconds)
        self.assert_restored(person, shown)
        return code, shown

    def test_restored_after_term(self):
        self.assertNotEqual(self.interrupted(lambda person: os.killpg(person.process.pid, signal.SIGTERM))[0], 0)

    def test_restored_after_term_of_the_one_process(self):
        self.interrupted(lambda person: person.process.terminate(), 3)

    def test_restored_after_hangup(self):
        self.interrupted(lambda person: os.killpg(person.process.pid, signal.SIGHUP))

    def test_restored_after_kill(self):
        self.interrupted(lambda person: os.kill(person.working_process(), signal.SIGKILL))

    def test_every_mode_is_restored_after_kill(self):
        self.interrupted(lambda person: os.kill(person.working_process(), signal.SIGKILL), more=r"\033[?5h\033[?1016h\033[?1007h")

    def test_restored_after_the_repairer_is_killed(self):
        self.interrupted(lambda person: (working := person.working_process(), person.process.kill(),
                                         until("the other follows", lambda: not alive(working))))

    def test_restored_when_the_daemon_is_ended(self):
        code, shown = self.interrupted(lambda person: (self.pawl("daemon", "--stop"), person.shows("the daemon was ended"),
                                                       person.type("\x1c")))
        self.assertEqual(code, 0)
        self.assertIn(b"the agent keeps running", shown)
        self.assertEqual(self.agents()["one"]["state"], "unknown")

    def test_goes_on_with_the_next_daemon(self):
        self.sh("one", r"printf '\033]2;its title\007\033[?2004h'; exec cat")
        person = self.sit_down("one")
        for text in ("first", "second"):
            self.kill_daemon()
            person.sees("the daemon has gone; the agent keeps running")
            person.sees(r"\x1b\[\?1049h", 10)
            person.type(text + "\r")
            person.sees(text + ".*" + text)
        self.pawl("daemon", "--stop")
        person.sees("the daemon was ended")
        self.pawl("ls")
        person.sees(r"\x1b\[\?1049h", 10)
        person.type("third\r")
        person.sees("third.*third")
        person.type("\x1c")
        code, shown = person.ended()
        self.assertEqual(code, 0)
        self.assert_restored(person, shown)
        self.assertEqual(person.everything.count(b"\x1b[22;2t"), person.everything.count(b"\x1b[23;2t"), "its own title is back")

    def test_restored_when_the_program_ends(self):
        code, shown = self.interrupted(lambda person: self.pawl("stop", "one"))
        self.assertEqual(code, 0)
        self.assertIn(b"[one has exited: ended on request", shown)

    def test_the_window_is_closed(self):
        self.start("one", "cat")
        person = self.sit_down("one")
        until("the terminal is raw", person.raw)
        working = person.working_process()
        for fd in (person.master, person.slave):
            os.close(fd)
        person.master = person.slave = None
        until("both processes have gone", lambda: person.process.poll() is not None and not alive(working), 10)
        self.assertEqual(self.agents()["one"]["state"], "unknown")

    def test_nobody_to_attach_to(self):
        self.sh("one", "exit 3")
        self.ended("one")
        for name, said in (("nobody", b"no agent named 'nobody'"), ("one", b"'one' has crashed")):
            person = Person(self, "attach", name)
            code, shown = person.ended()
            self.assertEqual(code, 1)
            self.assertIn(said, shown)
            self.assertEqual(termios.tcgetattr(person.slave), person.before)

    def test_run_attaches(self):
        person = Person(self, "run", "one", "--", "sh", "-c", "stty size; read line; echo got $line; exit 3")
        person.sees("30 100")
        person.type("this\r")
        self.ended("one")
        code, shown = person.ended()
        self.assertEqual(code, 1)
        self.assertIn(b"got this", shown)
        self.assertIn(b"[one has crashed: ended by itself: exit code 3]", shown)
        self.assert_restored(person, shown)

    def test_watch(self):
        self.start("one", "sleep", "1000")
        person = Person(self, "ls", "-w")
        person.sees(r"\x1b\[\?1049h")
        person.sees("one")
        person.sees("q quits")
        self.start("two", "sleep", "1000")
        person.sees("two", 2)
        self.pawl("stop", "one")
        person.sees("exited", 2)
        self.kill_daemon()
        person.sees("the daemon is not running", 3)
        self.pawl("ls")
        person.sees("2 agents", 3)
        person.output = b""
        person.resize(20, 60)
        person.sees("NAME")
        person.type("q")
        code, shown = person.ended()
        self.assertEqual(code, 0)
        self.assert_restored(person, shown)


if __name__ == "__main__":
    unittest.main()
