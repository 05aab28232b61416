#!/usr/bin/env python3
"""What the person's own terminal is told about the agents (OSC 7501): only when it asked for it, and nothing at the end."""
import os
import signal
import subprocess
import unittest

from fleet import AGENT, PAWL, FleetCase, until
from person import ATTRIBUTES_QUERY, STATUS_QUERY, Person

YES = STATUS_QUERY + b"\x1b[?62;22c"
NO = b"\x1b[?62;22c"


class Status(FleetCase):
    def agent(self, name, *words, until_state="ready"):
        """One that reports by the same protocol to its own terminal, which is Pawl's."""
        self.start(name, AGENT, *words)
        self.reaches(name, until_state)

    def reaches(self, name, state):
        self.pawl("wait", name, "--until", state, "--timeout", "30")

    def test_attach_passes_the_state_on(self):
        self.agent("one", "--speed", "2")
        person = Person(self, "attach", "one", answer=b"h" + YES[:4])
        until("it was asked", lambda: (person.read(), person.asked)[1])
        person.type("".join(map(chr, YES[4:])) + "i")
        self.on_screen("one", "❯ hi$")  # what was typed around and within the answer, and nothing of the answer
        person.is_told("", state="idle", app="pawl", title="one")
        person.type("\r")
        person.is_told("", state="working", title="one")
        person.is_told("", state="done", title="one")
        self.assertEqual(set(person.reports()), {""})
        person.type("\x1c")
        self.assertEqual(person.ended()[0], 0)
        self.assertEqual(person.reports(), {})

    def test_what_the_agent_wrote_is_not_passed_on(self):
        self.agent("one", "--scene", "dialog", until_state="waiting")
        self.assertIn("app=pawl-demo", self.pawl("logs", "one", "--raw").stdout)
        person = Person(self, "attach", "one", answer=YES)
        person.is_told("", state="blocked", kind="permission", app="pawl", title="one")
        self.assertNotIn(b"pawl-demo\x1b", person.everything)
        self.assertEqual(set(person.reports()[""]), {"state", "kind", "app", "title"})

    def test_cleared_however_it_ends(self):
        self.agent("one")
        for how in (lambda person: person.process.terminate(), lambda person: os.killpg(person.process.pid, signal.SIGHUP),
                    lambda person: os.kill(person.working_process(), signal.SIGKILL)):
            for words, name in ((["attach", "one"], ""), (["ls", "-w"], "one")):
                person = Person(self, *words, answer=YES)
                person.is_told(name, title="one")
                how(person)
                person.ended()
                self.assertEqual(person.reports(), {})

    def test_silent_without_an_answer(self):
        self.agent("one", "--speed", "20")
        for answer in (NO, b""):
            for words in (["attach", "one"], ["ls", "-w"]):
                person = Person(self, *words, answer=answer)
                until("it was asked", lambda who=person: (who.read(), who.asked)[1])
                seen = self.events()[-1]["seq"]
                self.pawl("send", "one", "hello")
                until("it worked", lambda: [e for e in self.events("--since", str(seen)) if e.get("from") == "busy"])
                person.read()
                person.type("\x1c")
                self.assertEqual(person.ended()[0], 0)
                self.assertEqual(person.everything.count(b"\x1b]7501;"), 1, "the question")

    def test_the_list_has_a_record_for_each(self):
        self.agent("one")
        person = Person(self, "ls", "-w", answer=YES)
        person.is_told("one", state="idle", title="one", app="pawl")
        person.is_told("", state="idle", msg="1 agent: 1 ready")
        self.start("two", AGENT, "--scene", "dialog", "--speed", "2")
        person.is_told("two", state="working")
        person.is_told("two", state="blocked", kind="permission")
        person.is_told("", state="blocked", kind="permission", msg="2 agents: 1 ready, 1 waiting")
        self.pawl("keys", "two", "1")
        person.is_told("two", state="done")
        person.is_told("", state="done")
        self.start("three", AGENT, "--scene", "crash", "--speed", "20")
        person.is_told("three", state="error")
        self.pawl("rm", "three")
        until("its record has gone", lambda: (person.read(), "three" not in person.reports())[1])
        person.is_told("", state="done")
        before = person.everything.count(b"\x1b]7501;")
        for _ in range(3):
            person.sees("q quits")  # repainted, and nothing new
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
