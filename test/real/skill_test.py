#!/usr/bin/env python3
"""The skill, as another agent reads it (make test-real): a real Claude Code and a real Codex, supervised by Pawl, find it, and every call
that it tells them to make is understood, allowed and answered; those of others' tasks are not. What the model asks for is scripted."""
import json
import os
import unittest

from agents import RealCase, main
from fake_model import run, say
from fleet import PAWL, until
from settle import AGENTS

WISH = "Delegate the repair of main.py to another agent"
TASK = "Repair main.py as told"
CALLS = ("pawl version && command -v claude",
         "pawl task start repair --dir . --permission acceptEdits --prompt-file prompt.md --json",
         "pawl task wait repair --timeout 9m",
         "pawl task output repair --result",
         "pawl task status repair --json",
         "pawl task cancel theirs; pawl task clean -f theirs",
         "pawl task clean repair")


class SkillTest:
    skills = ""
    yolo = ()
    asker, cleans = "one", 0

    def setUp(self):
        super().setUp()
        self.environment.update(IS_SANDBOX="1", PATH=f"{os.path.dirname(PAWL)}:{self.environment['PATH']}")
        self.environment.update(AGENTS["claude"].settle(self.place))  # the delegated task's
        self.pawl("skill", "install", "--dir", f"{self.user_home}/{self.skills}/pawl-tasks")
        self.write(self.project + "/prompt.md", TASK)
        self.place.write(".profile", f"PATH={self.environment['PATH']}\n")  # its shell is a login shell: Pawl is installed

    def test_every_call_of_it_is_right(self):
        self.pawl("task", "start", "theirs", "--dir", self.project, "--", "sleep", "300", input="x")
        self.model.script(say("I repaired it.", on=TASK),
                          *(run(f"{call}; echo code $? >>{self.folder}/codes", on=WISH) for call in CALLS),
                          say("It is repaired.", on=WISH))
        self.model.looked_for = "Delegate a coding task to another agent"
        self.begin(*self.command, *self.yolo)
        self.wait("ready", timeout=60)
        self.prompt(WISH)
        until(lambda: f"{self.said()}\n{self.screen('one')}", lambda: len(self.said()) == len(CALLS), 120)
        self.assertEqual(self.said(), ["code 0"] * 5 + ["code 6", f"code {self.cleans}"])
        told = json.dumps(self.model.requests, ensure_ascii=False)
        self.assertIn("I repaired it.", told, "the result reached who asked for it")
        self.assertGreater(self.model.found, 0, "it was offered the skill")
        given = [event for event in self.events() if event["type"] == "request" and "repair" in json.dumps(event)]
        self.assertEqual({event["by"]["name"] for event in given if event["by"]["kind"] == "agent"}, {self.asker})
        self.assertEqual(json.loads(self.pawl("task", "status", "theirs", "--json").stdout)["status"], "running")

    def said(self):
        try:
            with open(self.folder + "/codes", encoding="utf-8") as file:
                return file.read().splitlines()
        except FileNotFoundError:
            return []


class Claude(SkillTest, RealCase):
    agent = "claude"
    skills = ".claude/skills"
    yolo = ("--allowedTools", "Bash")


class Codex(SkillTest, RealCase):
    agent = "codex"
    skills = ".codex/skills"
    yolo = ("--dangerously-bypass-approvals-and-sandbox",)
    asker, cleans = None, 6  # what its shared server runs is an agent's, and nobody knows of which: no task is its own


if __name__ == "__main__":
    main("claude", "codex")
