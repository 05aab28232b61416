#!/usr/bin/env python3
"""Claude Code, the real one: what Pawl says of it, and how soon (make test-real)."""
import time

import settle
from agents import START_S, RealCase, main, seconds
from common import CommonTests
from fake_model import fail, run, say
from fleet import until


class Claude(CommonTests, RealCase):
    agent = "claude"
    busy_tiers = ("status", "hook")  # its hook may be quicker than its report
    asked_tiers = ("status", "hook", "screen")
    listed = "/add-dir"

    def test_a_folder_that_is_not_trusted_yet_waits(self):
        settle.claude(self.place, trusted=False)
        self.begin()
        self.wait("waiting", timeout=START_S)
        until("it says for what", lambda: self.agents()["one"]["kind"] == "trust", 5)
        self.pawl("keys", "one", "Down")  # its pointer is on "No, exit"
        self.on_screen("one", "❯ Yes, I trust this folder")
        self.pawl("keys", "one", "Enter")
        self.wait("ready")

    def test_a_slow_tool_keeps_it_busy(self):
        self.model.script(run("sleep 4"), say("Slept."))  # it runs that without asking
        self.up()
        self.prompt("sleep a little")
        self.turn_over()
        self.assertEqual({row[1] for row in self.states()[:-1]}, {"busy"}, self.states())

    def test_what_it_runs_is_not_a_person(self):
        self.model.script(run("pawl stop one; env -i PATH=$PATH PAWL_HOME=$PAWL_HOME setsid -w pawl answer one 1; pawl ls"), say("Tried."))
        self.up()
        self.prompt("stop yourself")
        self.wait("waiting")
        self.pawl("answer", "one", "1")
        until("it has tried", lambda: "Tried." in self.screen("one"))
        asked = [(event["verb"], event["by"]["kind"], event["by"]["name"], event.get("refused", False)) for event in self.events()
                 if event["type"] == "request" and event["verb"] in ("stop", "answer")]
        self.assertEqual(asked, [("answer", "person", None, False), ("stop", "agent", "one", True), ("answer", "agent", "one", True)])

    def test_the_usage_limit_has_an_end(self):
        del self.environment["ANTHROPIC_API_KEY"]  # only subscriptions have such a limit
        self.environment["CLAUDE_CODE_OAUTH_TOKEN"] = "dummy"
        self.model.script(fail("usage-limit", reset=3 * 3600))
        self.up()
        self.prompt("hello")
        self.wait("limited")
        self.assertLessEqual(self.when("limited")[0] - self.model.last("error"), 3)
        until("it has an end", lambda: self.agents()["one"]["limited_until"], 5)
        ends = self.model.last("error") + 3 * 3600
        self.assertLessEqual(abs(seconds(self.agents()["one"]["limited_until"]) - ends), 60)

    def test_an_overloaded_model_it_gave_up_on_is_a_notice(self):
        self.model.script(fail("overloaded"))
        self.up()
        self.prompt("hello")
        self.wait("ready")
        until("the notice", lambda: "overload" in self.notices(), 5)

    def test_a_rejected_request_is_a_notice(self):
        self.model.script(fail("rate-limit", reset=0, headers={"x-should-retry": "false"}))
        self.up()
        self.prompt("hello")
        self.wait("ready", "limited")
        until("the notice", self.notices, 5)


if __name__ == "__main__":
    main("claude")
