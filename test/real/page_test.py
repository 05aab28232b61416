#!/usr/bin/env python3
"""Real agents over the network (make test-real): what a browser sees of one, and what it does to it, by HTTP and WebSocket."""
import datetime
import unittest

from agents import START_S, RealCase, find, main
from fleet import until
from web import WebCase, WebSocket

PROMPT = "count to three, „please“"
ANSWER = "One, two and three it is."  # scenarios/turn.toml
AT = "/api/v1/agents/one"


class PageTest:
    def view(self):
        return self.get(AT).json()["agent"]

    def test_a_turn_by_http(self):
        if not find(self.agent):
            self.skipTest(f"{self.agent} is not installed")
        self.model.scenario("turn")
        self.begin()
        self.wait("ready", timeout=START_S)
        self.serve()
        self.assertEqual((self.view()["runtime"], self.view()["state"]), (self.agent, "ready"))
        terminal = WebSocket(self, AT + "/terminal", *self.bearer())
        sent = self.post(AT + "/send", {"text": PROMPT, "outcome": True})
        self.assertEqual((sent.status, sent.json()["verdict"]), (200, "confirmed"), sent)
        terminal.shows(ANSWER.encode())
        self.wait("ready")
        self.assertEqual(self.model.prompts(), [PROMPT])
        before = datetime.datetime.utcnow().isoformat(timespec="milliseconds") + "Z"
        terminal.say({"control": True})
        terminal.hears(lambda message: message == {"control": True})
        terminal.type(b"a draft")
        until("it holds a draft", lambda: self.view()["state"] == "typing")
        self.assertTrue([event for event in self.events() if event["type"] == "human" and event["where"].startswith("browser")])
        states = [event["to"] for event in self.get(AT + "/timeline?since=10m").json()["events"] if event["type"] == "state"]
        for state in ("ready", "busy", "typing"):
            self.assertIn(state, states)
        then = self.get(AT + "/screen?at=" + before).json()
        self.assertIn(ANSWER, then["screen"])
        self.assertNotIn("a draft", then["screen"])


def load_tests(loader, _tests, _pattern):
    cases = [type(f"Page_{name}", (PageTest, RealCase, WebCase), {"agent": name}) for name in ("claude", "codex")]
    return unittest.TestSuite(loader.loadTestsFromTestCase(case) for case in cases)


if __name__ == "__main__":
    main("claude", "codex")
