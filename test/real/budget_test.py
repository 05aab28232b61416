#!/usr/bin/env python3
"""What a real agent uses, counted from its own files, and budgets that are kept (make test-real)."""
import json
import time
import unittest

from agents import BACKEND, START_S, RealCase, find, main
from fake_model import run, say
from fake_model.anthropic import Anthropic
from fake_model.responses import Responses
from fake_model.steps import Step
from fleet import until


def toml(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(one)}" for key, one in value.items()) + " }"
    return json.dumps(value)


class BudgetCase(RealCase):
    answers = None  # whose form its model answers in

    @property
    def each(self):
        return self.answers.input + self.answers.output

    def up_with(self, **keys):
        rows = {"runtime": self.agent, "command": list(self.command), "dir": self.project, "backend": BACKEND,
                "human_quiet_s": 1, **keys}
        self.write(self.folder + "/pawl.toml", "[agent.one]\n" + "".join(f"{key} = {toml(one)}\n" for key, one in rows.items()))
        self.pawl("up", self.folder + "/pawl.toml")
        self.wait("ready", timeout=START_S)

    def spent(self):
        return self.agents()["one"]["spent"]

    def decisions(self):
        return [(event["rule"], event["action"]) for event in self.events("--agent", "one")
                if event["type"] == "decision" and event.get("rule")]

    def told(self):
        """What the model says it has used."""
        return self.each * len(self.model.requests)

    def counted(self):
        until(lambda: f"{self.told()} tokens: {self.spent()}", lambda: self.spent()["tokens"] == self.told(), 15)

    def show_what_the_model_used(self):
        self.model.script(run("echo hi"), say("First."), say("Second."))
        self.up_with()
        self.assertIsNone(self.spent()["tokens"])
        self.pawl("send", "one", "do it", "--wait", "done")
        self.pawl("send", "one", "again", "--wait", "done")
        self.assertEqual(len(self.model.requests), 3)
        self.counted()
        self.assertIsNone(self.spent()["cost_usd"], "nobody knows what its model costs")
        self.assertIn("TOKENS", self.pawl("ls").stdout)
        self.assertIn("3.0k", self.pawl("ls").stdout)
        self.pawl("daemon", "--stop")
        self.pawl("ls")
        time.sleep(4)
        self.assertEqual(self.spent()["tokens"], self.told(), "counted once, whoever counts")


@unittest.skipUnless(find("claude"), "claude is not installed")
class Claude(BudgetCase):
    agent, answers = "claude", Anthropic

    def test_what_the_model_used_is_what_is_shown(self):
        self.show_what_the_model_used()

    def test_sub_agents_are_counted(self):
        ask = {"description": "look", "prompt": "look around", "subagent_type": "general-purpose"}
        self.model.script(Step(text="I ask somebody.", tool="Agent", arguments=ask, on="delegate"), say("I see."), say("Good."))
        self.up_with()
        self.pawl("send", "one", "delegate it", "--wait", "done", code=None)
        until("the model was asked for all of it", lambda: len(self.model.requests) >= 3, 20)
        self.counted()

    def test_a_used_up_budget_stops_the_next_nudge(self):
        self.model.script(say("Done."), say("Done again."), say("And again."))
        self.up_with(prompt="write the docs", nudge={"base_s": 3, "attempts": 9}, budget={"tokens_per_day": 2 * self.each, "soft_pct": 50})
        until(lambda: f"it is used up: {self.decisions()}", lambda: ("budget", "limit-wait") in self.decisions(), 60)
        self.assertEqual(self.decisions().count(("budget", "escalate")), 1, "told of the first half")
        time.sleep(8)
        self.assertEqual(self.model.prompts(), ["write the docs"] * 2)
        self.assertEqual(self.decisions().count(("nudge", "nudge")), 1)
        self.assertEqual(self.decisions().count(("budget", "limit-wait")), 1)
        why = json.loads(self.pawl("why", "one", "--json").stdout)["policy"]
        self.assertEqual(why["rule"], "budget", why)
        self.assertIn("budget is used up", why["because"])
        self.assertTrue(self.spent()["used_up"])
        self.pawl("send", "one", "but I say so", "--wait", "done")
        self.assertEqual(self.model.prompts()[-1], "but I say so", "a person decides")


@unittest.skipUnless(find("codex"), "codex is not installed")
class Codex(BudgetCase):
    agent, answers = "codex", Responses

    def test_what_the_model_used_is_what_is_shown(self):
        self.show_what_the_model_used()


if __name__ == "__main__":
    main("claude", "codex")
