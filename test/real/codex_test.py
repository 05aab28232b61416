#!/usr/bin/env python3
"""Codex, the real one: what Pawl says of it, and how soon (make test-real)."""
from agents import RealCase, main, seconds
from common import CommonTests
from fake_model import fail, run, say
from fleet import until


class Codex(CommonTests, RealCase):
    agent = "codex"
    asked = "Would you like to run"
    listed = "/model"

    def test_a_slow_tool_keeps_it_busy(self):
        self.model.script(run("sleep 4", ask=True), say("Slept."))
        self.up()
        self.prompt("sleep a little")
        self.wait("waiting")
        pressed = self.answer("Enter")
        self.turn_over()
        self.assertEqual({row[1] for row in self.states(pressed)[:-1]}, {"busy"}, self.states(pressed))

    def test_the_usage_limit_has_an_end(self):
        self.model.script(fail("usage-limit", reset=150 * 60))
        self.up()
        self.prompt("hello")
        self.wait("limited")
        self.assertLessEqual(self.when("limited")[0] - self.model.last("error"), 3)
        until("it has an end", lambda: self.agents()["one"]["limited_until"], 5)
        ends = self.model.last("error") + 150 * 60
        self.assertLessEqual(abs(seconds(self.agents()["one"]["limited_until"]) - ends), 60)


if __name__ == "__main__":
    main("codex")
