#!/usr/bin/env python3
"""Real programs as clients of `pawl mcp` (make test-real): set up by `pawl mcp install`, each lists the agents, starts a task, waits for
it and reads what it said. What the model asks for is scripted."""
import json
import os
import subprocess

from agents import RealCase, main
from fake_model import Step, say
from fleet import PAWL

WISH = "Delegate this with Pawl"


class McpTest:
    namespace = ""
    tool = ""     # what the program calls our tool `ls`, without that
    batch = ()    # how it runs a prompt and ends

    def setUp(self):
        super().setUp()
        self.environment.update(IS_SANDBOX="1", PATH=f"{os.path.dirname(PAWL)}:{self.environment['PATH']}")
        self.pawl("mcp", "install", self.agent, "--yes")

    def call(self, tool, **arguments):
        return Step(tool=self.tool + tool, namespace=self.namespace, arguments=arguments, on=WISH)

    def test_it_lists_starts_waits_and_reads(self):
        self.pawl("run", "-d", "one", "--", "cat")
        self.model.script(self.call("ls"),
                          self.call("task_start", name="t", prompt="seven", command=["sh", "-c", "read it; echo got $it"]),
                          self.call("task_wait", names=["t"]), self.call("task_output", name="t"), say("It is done.", on=WISH))
        done = subprocess.run([*self.command[:1], *self.batch, WISH], env=self.environment, cwd=self.project, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, encoding="utf-8", check=False)
        told = [row["result"] for row in self.model.requests if row["result"]]
        self.assertIn("It is done.", done.stdout, told)
        self.assertEqual(len(told), 4, f"{done.stdout}\n{told}")
        for result, word in zip(told, ("one", "running", "completed", "got seven")):
            self.assertIn(word, result)
        self.assertEqual(json.loads(self.pawl("task", "status", "t", "--json").stdout)["status"], "completed")


class Claude(McpTest, RealCase):
    agent = "claude"
    tool = "mcp__pawl__"
    batch = ("-p", "--allowedTools", "mcp__pawl", "--")


class Codex(McpTest, RealCase):
    agent = "codex"
    namespace = "mcp__pawl"
    batch = ("exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox")


class Gemini(McpTest, RealCase):
    agent = "gemini"
    tool = "mcp_pawl_"
    batch = ("--yolo", "-p")


if __name__ == "__main__":
    main("claude", "codex", "gemini")
