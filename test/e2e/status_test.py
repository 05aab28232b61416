#!/usr/bin/env python3
"""What the person's own terminal is told about the agents (OSC 7501): only when it asked for it, and nothing at the end."""
import os
import signal
import subprocess
import unittest

from fleet import PAWL, FleetCase, until
from person import ATTRIBUTES_QUERY, STATUS_QUERY, Person

YES = STATUS_QUERY + b"\x1b[?62;22c"
NO = b"\x1b[?62;22c"
# An agent that says what it does, and says too much: a record of its own making must not pass.
REPORTS = r"""printf '\033]7501;?\033\\'; say() { printf "\033]7501;state=$1:app=claude-code\033\\"; }
rule() { printf '%0.s─' $(seq 60); echo; }
draw() { printf '\033[H\033[2J'; rule; printf '❯ \n'; rule; printf '\033[2;3H'; }
stty raw -echo; draw; say idle; say 'error:id=forged'
while :; do case $(dd bs=1 count=1 2>/dev/null) in w) say working;; p) say blocked:kind=permission;; d) say done; draw;;
x) stty sane; exit 3;; *) printf %s seen;; esac; done"""


class Status(FleetCase):
    def agent(self, name):
        self.sh(name, REPORTS, options=["--runtime", "claude"])
        self.pawl("wait", name, "--until", "ready", "--timeout", "30")

    def press(self, name, key):
        self.pawl("send", name, key, "--no-enter")

    def test_attach_passes_the_state_on(self):
        self.agent("one")
        person = Person(self, "attach", "one", answer=b"w" + YES[:4])
        until("it was asked", lambda: (person.read(), person.asked)[1])
        os.write(person.master, YES[4:] + b"")
        person.is_told("", state="working", app="pawl", title="one")  # the w was typed, not lost in the answer
        self.press("one", "p")
        person.is_told("", state="blocked", kind="permission")
        self.press("one", "d")
        person.is_told("", state="done", title="one")
        self.assertEqual(set(person.reports()), {""})
        self.assertNotIn(b"claude-code", person.everything)
        self.assertNotIn("seen", self.screen("one"), "the answers are no keys")
        person.type("\x1c")
        self.assertEqual(person.ended()[0], 0)
        self.assertEqual(person.reports(), {})

    def test_cleared_however_it_ends(self):
        self.agent("one")
        for how in (lambda person: person.process.terminate(), lambda person: os.killpg(person.process.pid, signal.SIGHUP),
                    lambda person: os.kill(person.working_process(), signal.SIGKILL)):
            person = Person(self, "attach", "one", answer=YES)
            person.is_told("", title="one")
            how(person)
            person.ended()
            self.assertEqual(person.reports(), {})

    def test_silent_without_an_answer(self):
        self.agent("one")
        for answer in (NO, b""):
            for words in (["attach", "one"], ["ls", "-w"]):
                person = Person(self, *words, answer=answer)
                until("it was asked", lambda who=person: (who.read(), who.asked)[1])
                person.sees("❯" if words[0] == "attach" else "q quits")
                self.press("one", "w")
                self.pawl("wait", "one", "--until", "busy", "--timeout", "30")
                self.press("one", "d")
                self.pawl("wait", "one", "--until", "ready", "--timeout", "30")
                person.type("\x1c")
                self.assertEqual(person.ended()[0], 0)
                self.assertEqual(person.everything.count(b"\x1b]7501;"), 1, "the question")
        self.assertNotIn("seen", self.screen("one"))

    def test_the_list_has_a_record_for_each(self):
        self.agent("one")
        self.agent("two")
        person = Person(self, "ls", "-w", answer=YES)
        person.is_told("one", state="idle", title="one", app="pawl")
        person.is_told("", state="idle", msg="2 agents: 2 ready")
        self.press("two", "w")
        person.is_told("two", state="working")
        person.is_told("", state="working", msg="2 agents: 1 busy, 1 ready")
        self.press("one", "p")
        person.is_told("", state="blocked", kind="permission")
        self.press("two", "x")
        person.is_told("two", state="error")
        self.pawl("rm", "two")
        until("its record has gone", lambda: (person.read(), "two" not in person.reports())[1])
        before = person.everything.count(b"\x1b]7501;")
        person.sees("q quits")  # repainted, and nothing new
        person.sees("q quits")
        self.assertEqual(person.everything.count(b"\x1b]7501;"), before)
        person.type("q")
        self.assertEqual(person.ended()[0], 0)
        self.assertEqual(person.reports(), {})

    def test_nobody_is_asked_without_a_terminal(self):
        self.agent("one")
        for words in (["ls"], ["screen", "one"], ["logs", "one"]):
            done = subprocess.run([PAWL, *words], env=self.environment, stdout=subprocess.PIPE, check=True)
            self.assertNotIn(b"7501", done.stdout)
            self.assertNotIn(ATTRIBUTES_QUERY, done.stdout)


if __name__ == "__main__":
    unittest.main()
