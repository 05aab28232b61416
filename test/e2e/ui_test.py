#!/usr/bin/env python3
"""pawl ui, and pawl alone on a terminal, as a person uses it: in a real tmux, with real keys. Whatever ends it, the terminal is as before."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import termios
import unittest

from approvals_test import claude
from fleet import PAWL, FleetCase, until
from person import Person

ONE = r"> (\x1b\[[0-9;]*m)?one"  # selected
DIALOGS = os.path.join(os.path.dirname(os.path.realpath(__file__)), "dialog_agent.py")


class UiCase(FleetCase):
    def asking(self, name, about="make target-1"):
        scene = {**claude("bash", about), "n": 1, "then": {"n": 0}}
        with open(f"{self.folder}/{name}.scene", "w", encoding="utf-8") as file:
            json.dump(scene, file)
        with open(self.folder + "/pawl.toml", "w", encoding="utf-8") as file:
            file.write(f"[agent.{name}]\nruntime = 'claude'\nhooks = false\ndialogs = 'off'\n"
                       f"command = {json.dumps([sys.executable, DIALOGS, f'{self.folder}/{name}'])}\n")
        self.pawl("up")
        until(f"{name} asks", lambda: (self.agents()[name]["dialog"] or {}).get("question"))

    def pressed(self, name):
        try:
            with open(f"{self.folder}/{name}.keys", encoding="utf-8") as file:
                return [json.loads(line)[:3] for line in file]
        except FileNotFoundError:
            return []


@unittest.skipUnless(shutil.which("tmux"), "tmux is not installed")
class InTmux(UiCase):
    def setUp(self):
        super().setUp()
        self.socket = self.folder + "/tmux.sock"
        environment = {**self.environment, "PS1": "$ ", "TERM": "xterm-256color"}
        self.tmux("-f", "/dev/null", "new-session", "-d", "-s", "work", "-x", "120", "-y", "32", "exec bash --norc", env=environment)
        self.addCleanup(self.tmux, "kill-server", check=False)

    def tmux(self, *words, check=True, env=None):
        done = subprocess.run(["tmux", "-u", "-S", self.socket, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                              env=env or {**os.environ, "TERM": "xterm-256color"})
        if check:
            self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.rstrip("\n")

    def keys(self, *keys):
        self.tmux("send-keys", "-t", "work", *keys)

    def type(self, text):
        self.tmux("send-keys", "-t", "work", "-l", text)

    def shown(self):
        return self.tmux("capture-pane", "-p", "-t", "work")

    def sees(self, pattern):
        return until(lambda: f"{pattern!r} in\n{self.shown()}", lambda: re.search(pattern, self.shown(), re.M))

    def sees_no_more(self, pattern):
        until(lambda: f"no {pattern!r} in\n{self.shown()}", lambda: not re.search(pattern, self.shown(), re.M))

    def modes(self):
        return self.tmux("display-message", "-p", "-t", "work", "#{alternate_on}#{mouse_any_flag}#{cursor_flag}#{keypad_flag}")

    def test_a_day_at_it(self):
        self.sh("builder", "echo building; exec cat")
        self.on_screen("builder", "building")
        self.asking("asker")
        self.type(f"cd {self.folder}; stty -g >before; clear\n")
        until("stty", lambda: os.path.exists(self.folder + "/before") and os.path.getsize(self.folder + "/before"))
        modes = self.modes()
        self.type(f"{PAWL}\n")
        self.sees(r"^> asker +waiting")  # who needs a person is first
        self.sees(r"Do you want to proceed|make target-1")
        self.sees(r"1\. .*\(allow\)")

        self.keys("j")
        self.sees("^> builder")
        self.sees("building")
        self.keys("Enter")
        self.sees_no_more("pawl  2 agents")
        self.type("typed here\n")
        self.on_screen("builder", "typed here\ntyped here")
        self.keys("C-\\")
        self.sees("^> builder")
        self.sees(r"detached from builder")

        self.keys("s")
        self.sees("Send to builder:")
        self.type("over to you")
        self.keys("Enter")
        until("the text is sent or queued", lambda: self.agents()["builder"]["outbox"] or "over to you" in self.screen("builder"))

        self.keys("k", "a")
        self.sees("Answer asker")
        self.keys("Enter")
        until("the row was chosen", lambda: [key[1:] for key in self.pressed("asker")] == [["Enter", 1]])
        self.sees_no_more(r"\(allow\)")

        self.tmux("resize-window", "-t", "work", "-x", "80", "-y", "24")
        self.sees(r"^─{80}$")
        self.tmux("resize-window", "-t", "work", "-x", "20", "-y", "5")
        self.sees("pawl needs")
        self.tmux("resize-window", "-t", "work", "-x", "150", "-y", "40")
        self.sees(r"asker.*│")

        self.kill_daemon()
        self.sees("The daemon has gone")
        self.pawl("status")
        self.sees("The daemon answers again")
        self.keys("Down", "Down", "Up")
        self.sees("pawl  2 agents")

        self.keys("?")
        self.sees("attach to it")
        self.keys("Escape", ":")
        self.type("why buil")
        self.keys("Tab")
        self.sees(":why builder")
        self.keys("Enter")
        self.sees("watchdog")
        self.keys("Escape", "t")
        self.sees("screen at 20")
        self.keys("Escape", "/")
        self.type("uilding")
        self.sees(r"/uilding")
        self.sees(r"builder")
        self.keys("Escape", "q")
        self.sees_no_more("pawl  2 agents")
        self.type("stty -g >after\n")
        until("stty", lambda: os.path.exists(self.folder + "/after") and os.path.getsize(self.folder + "/after"))
        with open(self.folder + "/before") as before, open(self.folder + "/after") as after:
            self.assertEqual(before.read(), after.read())
        self.assertEqual(self.modes(), modes)

    def test_ctrl_z_gives_the_shell_back(self):
        self.sh("one", "exec cat")
        self.type(f"{PAWL} ui\n")
        self.sees("^> one")
        self.keys("C-z")
        self.sees(r"Stopped")
        self.assertEqual(self.modes()[0], "0")
        self.type("fg\n")
        self.sees("^> one")
        self.keys("q")
        self.sees_no_more("^> one")


class AtTerminal(UiCase):
    def assert_as_before(self, person):
        self.assertEqual(termios.tcgetattr(person.slave), person.before)
        last = dict(re.findall(rb"\x1b\[\?(\d+)([hl])", person.everything))
        self.assertEqual({mode for mode, value in last.items() if value == b"h"}, {b"25"}, "only the cursor is on")

    def person(self, *words, size=(30, 110)):
        person = Person(self, *words, size=size)
        person.sees("agents?")
        return person

    def test_killed_and_hung_up(self):
        self.sh("one", "exec cat")
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGSEGV):
            person = self.person()
            os.kill(person.working_process(), number)
            code, _ = person.ended()
            self.assertNotEqual(code, 0)
            self.assert_as_before(person)

    def test_a_person_without_a_terminal_that_can_show_it(self):
        self.assertIn("ui needs a terminal", self.refused("ui", code=2))
        self.assertIn("pawl keeps AI coding agents working", self.pawl().stdout)
        self.sh("dumb", f"TERM=dumb {PAWL} ui; TERM= {PAWL} ui; TERM=unknown {PAWL} ui; TERM=dumb {PAWL} | head -1; exec cat")
        for text in ("TERM is 'dumb'", "TERM is not set", "TERM is 'unknown'", "^pawl keeps AI coding agents working"):
            self.on_screen("dumb", text)

    def test_resized_all_the_time(self):
        self.sh("one", "exec cat")
        person = self.person()
        for step in range(200):
            person.resize(1 + step * 7 % 60, 1 + step * 13 % 200)
            if step % 20 == 0:
                person.read(0)
        person.resize(30, 110)
        person.sees(ONE)
        person.type("q")
        self.assertEqual(person.ended()[0], 0)
        self.assert_as_before(person)

    def test_a_daemon_that_stands_still_is_said_and_q_works(self):
        self.sh("one", "exec cat")
        person = self.person()
        person.sees(ONE)
        pid = self.daemon_pid()
        os.kill(pid, signal.SIGSTOP)
        self.addCleanup(os.kill, pid, signal.SIGCONT)
        person.type("/o\r")  # something is asked
        person.sees("does not answer")
        os.kill(pid, signal.SIGCONT)
        person.sees("answers again")
        os.kill(pid, signal.SIGSTOP)
        person.type("q")
        self.assertEqual(person.ended()[0], 0)
        self.assert_as_before(person)

    def test_inside_an_agent_it_has_that_agents_rights(self):
        self.sh("other", "exec cat")
        self.sh("inside", f"stty rows 30 cols 120; TERM=xterm exec {PAWL} ui")
        self.on_screen("inside", "^> inside|^> other")
        self.pawl("keys", "inside", "/")
        self.pawl("keys", "inside", *"other")
        self.pawl("keys", "inside", "Enter", "p")
        self.on_screen("inside", "may not|not allowed")
        self.assertFalse(self.agents()["other"]["paused"])
        self.pawl("stop", "inside")

    def test_hostile_names_and_titles(self):
        self.sh("one", r"printf '\033]0;owned\007\033[31mred\033[0m\033[?1000h'; exec cat")
        person = self.person()
        person.sees("red")
        self.assertNotIn(b"owned", person.everything)
        person.type("q")
        self.assertEqual(person.ended()[0], 0)
        self.assert_as_before(person)


if __name__ == "__main__":
    unittest.main()
