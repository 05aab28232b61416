#!/usr/bin/env python3
"""Agents that live for months, with real programs (make test-real): one session after the other in one conversation, and what
happens when that cannot go on. PAWL_LOOP names the agents."""
import json
import os
import signal
import time
import unittest

from agents import START_S, RealCase, find, main
from fake_model import fail, say
from fleet import read_proc, until
from watched import LEAVE, Watched

NAMES = [name for name in os.environ.get("PAWL_LOOP", "claude codex").split() if find(name)]


class LoopTest(Watched):
    def live(self, **keys):
        self.ready(strategy="task-driven", restart="resume", floor_s=1, **keys)

    def assign(self, text, answer):
        """Work for its inbox; comes back when the agent has answered and rests."""
        self.pawl("inbox", "add", "one", text)
        until(lambda: f"it answers\n{self.screen('one')}\n{self.decisions()}",
              lambda: answer in self.screen("one"), START_S + 60)
        self.wait("ready", timeout=START_S)

    def first_session(self, text="remember 4711"):
        """One piece of work in a conversation that is known then; gives the file it is kept in."""
        self.assign(text, "I will remember.")
        until("its conversation is known", self.transcript, 10)
        time.sleep(2)  # it writes it down a moment later
        return self.transcript()

    def transcript(self):
        told = [event["transcript"] for event in self.events("--agent", "one") if event.get("transcript")]
        return told[-1] if told else None

    def shown(self, key):
        return self.agents()["one"][key]

    def leave(self):
        self.pawl("send", "one", LEAVE[self.agent], code=None)
        until(lambda: f"it has left\n{self.screen('one')}", lambda: self.shown("state") in ("exited", "crashed"), 30)
        self.assertEqual(self.shown("state"), "exited", self.pawl("why", "one").stdout)

    def last_users(self):
        return "\n".join(self.model.requests[-1]["users"])

    def words(self):
        """The command line of its program."""
        return read_proc(self.shown("pid"), "cmdline").decode().split("\0")

    def archived(self):
        return json.loads(self.pawl("archive", "ls", "one", "--json").stdout)["archived"]

    def test_the_next_session_is_in_the_same_conversation(self):
        self.model.script(say("I will remember."), say("It was 4711."))
        self.live()
        self.first_session()
        self.leave()
        self.assign("which number was it", "It was 4711.")
        self.assertEqual([one["how"] for one in self.decisions("start")], ["resume"])
        self.assertIn("remember 4711", self.last_users())
        self.assertIn("which number was it", self.last_users())

    def test_killed_it_goes_on_with_the_conversation(self):
        self.model.script(say("I will remember."), say("It was 4711."))
        self.live()
        self.first_session()
        os.kill(self.shown("pid"), signal.SIGKILL)
        self.assertEqual(self.decided("restart")["how"], "resume")
        self.assign("which number was it", "It was 4711.")
        self.assertIn("remember 4711", self.last_users())

    def test_after_its_crashes_it_starts_afresh_and_nothing_is_lost(self):
        self.model.script(say("I will remember."), say("Which number?"))
        self.live(recovery={"resume_crashes": 1})
        transcript = self.first_session()
        with open(transcript, encoding="utf-8") as file:
            before = file.read()
        os.kill(self.shown("pid"), signal.SIGSEGV)
        self.assertEqual(self.decided("archive")["how"], "conversation")
        self.assertEqual(self.decided("restart")["how"], "fresh")
        self.assertFalse(os.path.exists(transcript))
        self.assign("which number was it", "Which number?")
        self.assertNotIn("remember 4711", self.last_users())
        [kept] = self.archived()
        self.assertEqual(kept["origin"], transcript)
        self.pawl("archive", "restore", "one", kept["id"])
        with open(transcript, encoding="utf-8") as file:
            self.assertTrue(file.read().startswith(before))

    def test_a_huge_transcript_is_never_loaded(self):
        self.model.script(say("I will remember."), say("Which number?"))
        self.live()
        transcript = self.first_session()
        self.leave()
        os.truncate(transcript, 300 << 20)
        self.assign("which number was it", "Which number?")
        self.assertIn("has 300 MB", self.decided("archive")["because"])
        self.assertEqual([one["how"] for one in self.decisions("start")], ["fresh"])
        self.assertFalse(os.path.exists(transcript))
        self.assertEqual([one["size"] for one in self.archived()], [300 << 20])
        self.assertNotIn("remember 4711", self.last_users())
        self.assertNotIn(os.path.basename(transcript).removesuffix(".jsonl"), " ".join(self.words()))
        folder = f"/proc/{self.shown('pid')}/fd"
        opened = [os.readlink(f"{folder}/{fd}") for fd in os.listdir(folder) if os.path.lexists(f"{folder}/{fd}")]
        self.assertEqual([one for one in opened if "archive/one" in one or one == transcript], [])

    def test_nothing_to_resume_is_no_crash_loop(self):
        self.model.script(say("I will remember."), say("Which number?"))
        self.live()
        transcript = self.first_session()
        self.leave()
        os.remove(transcript)
        self.assign("which number was it", "Which number?")
        self.assertEqual([one["how"] for one in self.decisions("start")], ["fresh"])
        self.assertEqual(self.decisions("restart"), [])
        self.assertNotIn("remember 4711", self.last_users())

    def test_its_stop_hook_hands_over_what_waits(self):
        if self.agent != "claude":
            self.skipTest("it has no stop hook that makes a turn go on")
        self.model.script(say("The first is done.", begin=3), say("The second is done."))
        self.live(loop={"stop_hook": True})
        self.pawl("inbox", "add", "one", "do the first")
        self.wait("busy", timeout=START_S)
        self.pawl("inbox", "add", "one", "--from", "ci", "do the second")
        until(lambda: f"it goes on\n{self.screen('one')}\n{self.decisions()}", lambda: "The second is done." in self.screen("one"), 60)
        witnesses = [event["witness"] for event in self.events("--agent", "one") if event["type"] == "outcome" and event["action"] == "wake"]
        self.assertIn("its stop hook handed it over", witnesses)
        self.assertIn("do the second", self.last_users())
        until("both are done", lambda: sum(event.get("what") == "done" for event in self.events("--agent", "one")) == 2, 90)

    def test_a_login_is_renewed_and_the_work_goes_on(self):
        self.environment["CLAUDE_CODE_MAX_RETRIES"] = "1"  # else it tries for minutes by itself
        renewed = self.folder + "/renewed"
        self.model.script(fail("unauthorized"))
        self.live(recovery={"auth_refresh": ["touch", renewed]})
        self.pawl("inbox", "add", "one", "say hello")
        self.decided("refresh-auth", timeout=90)
        until("the command ran", lambda: os.path.exists(renewed), 10)
        self.model.script(say("It works again."))
        until(lambda: f"it goes on\n{self.screen('one')}\n{self.decisions()}", lambda: "It works again." in self.screen("one"), 120)
        self.assertEqual(self.decisions("restart"), [], "its crashes are not counted")


def load_tests(loader, _tests, _pattern):
    cases = [type(f"Loop_{name}", (LoopTest, RealCase), {"agent": name}) for name in NAMES]
    return unittest.TestSuite(loader.loadTestsFromTestCase(case) for case in cases)


if __name__ == "__main__":
    main(*NAMES or ["claude"])
