#!/usr/bin/env python3
"""Emergencies as they come, with real agents (make test-real; minutes each): a limit that ends, a daemon that stands still, a model
that is gone, programs that are killed while they are typed to. Afterwards everybody works, no text is lost or comes twice, and each
matter was told. PAWL_LIVE names the agents; PAWL_LIVE_STOP and PAWL_LIVE_OUTAGE are seconds, PAWL_LIVE_KILLS a count."""
import json
import os
import random
import signal
import threading
import time
import unittest

from agents import START_S, RealCase, find, main, seconds
from fake_model import fail, say
from fleet import until
from settle import AGENTS
from watched import Watched

NAMES = [name for name in os.environ.get("PAWL_LIVE", "claude codex").split() if find(name)]
STOP_S = int(os.environ.get("PAWL_LIVE_STOP", "130"))
OUTAGE_S = int(os.environ.get("PAWL_LIVE_OUTAGE", "180"))
KILLS = int(os.environ.get("PAWL_LIVE_KILLS", "6"))
TEXTS = ["first", "second", "third"]


class LiveTest(Watched):
    def one(self, key):
        return self.agents()["one"][key]

    def told(self, *words):
        """Each of the words is in `pawl alerts`, or was in the events: nothing was silent."""
        text = self.pawl("alerts", code=None).stdout + "\n".join(
            json.dumps(event) for event in self.events("--agent", "one") if event["type"] in ("alert", "decision"))
        for word in words:
            self.assertIn(word, text)
        return text

    def works(self):
        """The next text gets its answer."""
        count = len(self.model.prompts())
        self.model.script(say("I am at work."))
        self.wait("ready", timeout=2 * START_S)
        self.assertIn("confirmed", self.pawl("send", "one", "are you there", "--wait", "done").stdout)
        self.assertEqual(self.model.prompts()[count:], ["are you there"])
        self.assert_every_decision_has_one_outcome()

    def report(self, text):
        print(f"\n{self.agent}: {text}", flush=True)

    def test_a_limit_ends_with_three_texts_in_the_queue(self):
        if self.agent == "claude":  # only subscriptions have such a limit
            del self.environment["ANTHROPIC_API_KEY"]
            self.environment["CLAUDE_CODE_OAUTH_TOKEN"] = "dummy"
        # They say the minute only: one that is certainly still to come.
        self.model.script(fail("usage-limit", reset=75, times=1), *map(say, ("One.", "Two.", "Three.")))
        self.ready(limit={"margin_s": 2})
        self.pawl("send", "one", "work on", code=None)
        self.decided("limit-wait", timeout=60)
        for text in TEXTS:
            self.assertIn("queued", self.pawl("send", "one", text).stdout)
        ends = seconds(self.one("limited_until"))
        until(lambda: f"all went\n{self.screen('one')}\n{self.model.prompts()}", lambda: len(self.model.prompts()) >= 4, 240)
        first = next(row["at"] for row in self.model.requests if row["prompt"] == TEXTS[0])
        self.assertGreaterEqual(first, ends - 1, "typed before the limit was over")
        self.works()
        self.assertEqual(self.model.prompts(), ["work on", *TEXTS, "are you there"])
        self.told("limit")
        self.report(f"its limit was over, {first - ends:.1f} s later the first of {TEXTS} arrived; {self.model.prompts()}")

    def test_a_daemon_that_stands_still_kills_nothing(self):
        """Under an agent and a task in the middle of an answer."""
        long = " ".join(f"word{number}" for number in range(3 * STOP_S))
        self.environment["IS_SANDBOX"] = "1"
        self.ready(restart="resume")
        slow = {"begin": 1, "pieces": STOP_S, "every": 1.2}
        self.model.script(say(long + " THE END", on="for the agent", **slow), say(long + " ALL OF IT", on="for the task", **slow))
        self.pawl("task", "start", "t", "--runtime", self.agent, "--dir", self.project, input="a long answer for the task")
        self.pawl("send", "one", "a long answer for the agent", "--wait", "busy")
        until("both are asked", lambda: len(self.model.requests) >= 2, 60)
        before, daemon = self.one("pid"), self.daemon_pid()
        os.kill(daemon, signal.SIGSTOP)
        try:
            time.sleep(STOP_S)
        finally:
            os.kill(daemon, signal.SIGCONT)
        self.on_the_screen("THE END", STOP_S + 60)
        self.pawl("task", "wait", "t", "--timeout", str(STOP_S + 60), timeout=STOP_S + 90)
        task = json.loads(self.pawl("task", "status", "t", "--json").stdout)
        self.assertEqual((task["status"], task["retry_count"]), ("completed", 0))
        with open(task["tmpdir"] + "/output.log", encoding="utf-8") as file:
            output = file.read()
        self.assertIn("ALL OF IT", output)
        self.assertEqual([number for number in range(3 * STOP_S) if f"word{number}" not in output], [])
        self.assertEqual((self.one("pid"), self.one("restarts")), (before, 0))
        self.assertEqual(self.decisions("restart") + self.decisions("nudge"), [])
        gaps = [event["ms"] for event in self.events() if event.get("what") == "gap"]
        self.assertTrue(any(ms > (STOP_S - 10) * 1000 for ms in gaps), gaps)
        self.works()
        self.report(f"the daemon stood still for {STOP_S} s (a gap of {max(gaps)} ms in the journal): both answers whole, "
                    f"no restart, no retry")

    def on_the_screen(self, text, timeout):
        until(lambda: f"{text}\n{self.screen('one')}\n{self.pawl('why', 'one').stdout}", lambda: text in self.screen("one"), timeout)

    def test_an_outage_of_the_model(self):
        self.environment["CLAUDE_CODE_MAX_RETRIES"] = "2"  # else it tries for minutes by itself
        self.ready(prompt="write the docs", nudge={"base_s": 20, "attempts": 3})
        self.model.script(fail("overloaded"))
        began = time.time()
        self.pawl("send", "one", "hello", code=None)
        until("it is asked", lambda: self.model.requests, 60)
        time.sleep(max(0, began + OUTAGE_S - time.time()))
        asked = len(self.model.requests)
        self.assertEqual(self.decisions("nudge"), [], "no nudge is spent on a model that is not there")
        self.assertEqual(self.decisions("restart"), [])
        self.assertEqual(self.one("nudges"), 0)
        over = time.time()
        self.model.script(say("It works again."), say("It works again."))
        self.on_the_screen("It works again.", 400)
        late = time.time() - over
        self.told("its service does not answer")
        self.works()
        because = [one["because"][:80] for one in self.decisions("wake")]
        self.report(f"{OUTAGE_S} s without a model ({asked} requests): no nudge, no restart; {late:.0f} s after its end it worked; "
                    f"told: {because}")

    def test_killed_while_it_is_typed_to(self):
        """Whatever was typed, pressed or taken when it died: each text is in the conversation once, or said not to be certain."""
        self.ready(restart="resume", recovery={"resume_crashes": 100}, crash_loop={"count": 100, "window_s": 60}, cooldown_s=1)
        dice, sure, unsure = random.Random(self.agent), [], []
        for number in range(KILLS):
            text = f"text{number} of many"
            self.wait("ready", timeout=2 * START_S)
            pid = self.one("pid")
            sender = threading.Thread(target=self.pawl, args=("send", "one", text), kwargs={"code": None})
            sender.start()
            time.sleep(dice.uniform(0, 1.5))
            os.kill(pid, signal.SIGKILL)
            sender.join()
            until(lambda: f"it is started again\n{self.pawl('why', 'one').stdout}",
                  lambda wanted=number + 1: self.one("restarts") >= wanted, 2 * START_S)
            self.wait("ready", timeout=2 * START_S)
            until(lambda: f"nothing waits\n{self.pawl('why', 'one').stdout}", lambda: not self.one("outbox"), 2 * START_S)
            (sure if self.last_outcome() == "confirmed" else unsure).append(text)
        self.works()
        got = self.model.prompts()
        self.report(f"killed {KILLS} times; {len(sure)} arrived, {len(unsure)} told as not certain; the model got {got}")
        for text in sure:
            self.assertEqual(got.count(text), 1, f"{text}: {got}")
        for text in unsure:
            self.assertLessEqual(got.count(text), 1, f"{text}: {got}")
        self.told("started again")
        alerts = [event["text"] for event in self.events("--agent", "one") if event["type"] == "alert"]
        self.assertEqual(len([text for text in alerts if "may not have arrived" in text]), len(unsure), alerts)

    def last_outcome(self):
        return [event for event in self.events("--agent", "one")
                if event["type"] == "outcome" and event["action"] == "send" and not event.get("kept")][-1]["result"]


def load_tests(loader, _tests, _pattern):
    cases = [type(f"Live_{name}", (LiveTest, RealCase), {"agent": name}) for name in NAMES if name in AGENTS]
    return unittest.TestSuite(loader.loadTestsFromTestCase(case) for case in cases)


if __name__ == "__main__":
    main(*NAMES or ["claude"])
