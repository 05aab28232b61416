#!/usr/bin/env python3
"""One turn of every agent that is installed (make test-real): it comes up by itself, takes a prompt byte for byte and once, is
busy, says the answer, and is ready again."""
import time
import unittest

from agents import START_S, RealCase, find, main
from fleet import until
from settle import AGENTS

PROMPT = "count to three, „please“"
ANSWER = "One, two and three it is."  # scenarios/turn.toml


class TurnTest:
    def test_a_turn(self):
        if not find(self.agent):
            self.skipTest(f"{self.agent} is not installed")
        self.model.scenario("turn")
        self.begin()
        self.wait("ready", timeout=START_S)
        self.mark = time.time()
        self.pawl("send", "one", PROMPT)
        until("the model has answered", lambda: self.model.last("end"))
        self.wait("ready")
        self.assertIn("busy", [state for _, state, *_ in self.states()])
        self.on_screen("one", ANSWER)
        self.assertEqual(self.model.prompts(), [PROMPT])


def load_tests(loader, _tests, _pattern):
    cases = [type(f"Turn_{name}", (TurnTest, RealCase), {"agent": name}) for name in AGENTS]
    return unittest.TestSuite(loader.loadTestsFromTestCase(case) for case in cases)


if __name__ == "__main__":
    main(*AGENTS)
