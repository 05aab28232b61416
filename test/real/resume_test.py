#!/usr/bin/env python3
"""Two agents of one program in one folder (make test-real): both are killed, and each goes on with its own conversation, in which
the model sees what was said before. PAWL_RESUME names the agents."""
import os
import signal
import unittest

from agents import START_S, RealCase, find, main
from fake_model import say
from fleet import read_proc, until
from settle import AGENTS
from watched import SOON, Watched, toml

NAMES = [name for name in os.environ.get("PAWL_RESUME", "gemini pi").split() if find(name)]
TOLD = {"one": "remember 4711", "two": "remember 8128"}
OLD = """#!/bin/sh
# A version that does not know the argument that names a conversation.
for word; do case "$word" in --session*) echo "Unknown argument: $word" >&2; exit 1;; esac; done
exec {program} "$@"
"""


class ResumeTest(Watched):
    def pair(self, command=None, names=tuple(TOLD), **keys):
        rows = {"runtime": self.agent, "command": command or list(self.command), "dir": self.project, "restart": "resume", **SOON,
                **keys}
        lines = "".join(f"{key} = {toml(one)}\n" for key, one in rows.items())
        self.write(self.folder + "/pawl.toml", "".join(f"[agent.{name}]\n{lines}" for name in names))
        self.pawl("up", self.folder + "/pawl.toml")
        self.all_ready(names)

    def all_ready(self, names=tuple(TOLD)):
        for name in names:
            self.pawl("wait", name, "--until", "ready", "--timeout", str(2 * START_S))

    def shown(self, name, key):
        return self.agents()[name][key]

    def tell(self, name, text, answer):
        self.model.script(say(answer))
        self.pawl("send", name, text)
        until(lambda: f"{name} answers\n{self.screen(name)}", lambda: answer in self.screen(name), START_S)
        self.pawl("wait", name, "--until", "ready", "--timeout", str(START_S))

    def kill(self, name):
        """As a crash does: the program, with no word before."""
        before = self.shown(name, "pid")
        os.kill(before, signal.SIGKILL)
        until(lambda: f"{name} is started again\n{self.pawl('why', name).stdout}",
              lambda: self.shown(name, "pid") not in (None, before), START_S)

    def words(self, name):
        return read_proc(self.shown(name, "pid"), "cmdline").decode().split("\0")

    def users(self):
        return "\n".join(self.model.requests[-1]["users"])

    def test_both_go_on_with_their_own(self):
        self.pair()
        ids = {name: self.shown(name, "session_id") for name in TOLD}
        self.assertEqual(len(set(filter(None, ids.values()))), 2, ids)
        for name, text in TOLD.items():
            self.tell(name, text, f"Noted by {name}.")
        for name in TOLD:
            self.kill(name)
        self.all_ready()
        for name, text in TOLD.items():
            other = TOLD["two" if name == "one" else "one"]
            self.tell(name, "which number was it", f"It is known to {name}.")
            self.assertIn(text, self.users())
            self.assertIn("which number was it", self.users())
            self.assertNotIn(other, self.users())
            self.assertEqual(self.shown(name, "session_id"), ids[name])
            print(f"\n{self.agent} {name}: {' '.join(self.words(name))}\nthe model saw: {self.model.requests[-1]['users']}")

    def test_killed_before_a_word_it_comes_up(self):
        self.pair(names=["one"])
        self.kill("one")
        self.all_ready(["one"])
        self.assertEqual(self.shown("one", "restarts"), 1)
        self.tell("one", "hello", "Here I am.")
        self.assertEqual(self.model.prompts(), ["hello"])

    def test_a_version_without_the_argument_comes_up(self):
        """Also where nothing is to be restarted: the argument was Pawl's."""
        program = self.folder + "/old/" + self.agent
        self.write(program, OLD.format(program=find(self.agent)))
        os.chmod(program, 0o700)
        self.pair([program, *self.command[1:]], ["one"], restart="never")
        self.tell("one", "hello", "Here I am.")
        self.assertEqual(self.shown("one", "session_id"), None)
        self.assertEqual(len([event for event in self.events("--agent", "one") if event.get("to") == "starting"]), 2)


def load_tests(loader, _tests, _pattern):
    cases = [type(f"Resume_{name}", (ResumeTest, RealCase), {"agent": name}) for name in NAMES if name in AGENTS]
    return unittest.TestSuite(loader.loadTestsFromTestCase(case) for case in cases)


if __name__ == "__main__":
    main(*NAMES or ["gemini"])
