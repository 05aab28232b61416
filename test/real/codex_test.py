#!/usr/bin/env python3
"""Codex, the real one: what Pawl says of it, and how soon (make test-real)."""
import json
import os
import signal
import time

from agents import START_S, RealCase, main, seconds
from fake_model import refuse, run, say
from fleet import until

CONFIG = """model = "gpt-5.1-codex"
model_provider = "fake"
check_for_update_on_startup = false
approval_policy = "on-request"
sandbox_mode = "workspace-write"
[analytics]
enabled = false
[feedback]
enabled = false
[otel]
exporter = "none"
[model_providers.fake]
name = "fake"
base_url = "{url}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
[projects."{project}"]
trust_level = "trusted"
"""
ASKS = {"sandbox_permissions": "require_escalated", "justification": "the test wants it"}


class Codex(RealCase):
    command = ["codex"]

    def settle_in(self):
        self.write(self.user_home + "/.codex/config.toml", CONFIG.format(url=self.model.url, project=self.project))
        return {"OPENAI_API_KEY": "dummy"}

    def test_a_turn_is_busy_then_ready(self):
        self.model.script(say("A slow answer. " * 30, begin=1, pieces=30, every=0.1))
        self.up()
        pressed = self.prompt("say something long")
        late = self.turn_over()
        busy = self.when("busy")
        self.assertEqual(busy[3], "status", busy)
        self.assertLessEqual(busy[0] - pressed, 0.6)
        self.assertEqual(self.when("ready")[3], "status")
        self.assertEqual([row[1] for row in self.states()], ["busy", "ready"], self.states())
        print(f"\ncodex: ready {late:.3f} s after the end of the turn")

    def test_a_permission_dialog_waits(self):
        self.model.script(run("touch made.txt", **ASKS), say("Made it."))
        self.up()
        self.prompt("make a file")
        self.wait("waiting")
        asked = self.when("waiting")
        self.assertEqual(asked[2], "permission", asked)
        self.assertIn(asked[3], ("status", "screen"))
        self.assertLessEqual(asked[0] - self.model.last("call"), 1.0, "noticed late")
        until("the dialog is named", lambda: "Would you like to run" in json.dumps(self.why()), 5)
        why = self.why()
        self.assertEqual((why["state"], why["kind"]), ("waiting", "permission"))
        self.answer("Enter")
        self.turn_over()
        self.assertTrue(os.path.exists(self.project + "/made.txt"))

    def test_a_refused_permission_is_ready_again(self):
        self.model.script(run("touch made.txt", **ASKS), say("Not reached."))
        self.up()
        self.prompt("make a file")
        self.wait("waiting")
        pressed = self.answer("Escape")
        self.wait("ready")
        self.assertLessEqual(self.when("ready", pressed)[0] - pressed, 1.5)

    def test_an_interrupted_turn_is_ready_again(self):
        self.model.script(say("A slow answer. " * 60, begin=1, pieces=60, every=0.25))
        self.up()
        self.prompt("say something long")
        self.wait("busy")
        until("the model answers", lambda: self.model.last("request"))
        pressed = time.time()
        self.pawl("keys", "one", "Escape")
        self.wait("ready", "typing")
        self.assertLessEqual(time.time() - pressed, 2.5)

    def test_a_slow_tool_keeps_it_busy(self):
        self.model.script(run("sleep 4", **ASKS), say("Slept."))
        self.up()
        self.prompt("sleep a little")
        self.wait("waiting")
        pressed = self.answer("Enter")
        self.turn_over()
        self.assertEqual({row[1] for row in self.states(pressed)[:-1]}, {"busy"}, self.states(pressed))

    def test_the_list_of_commands_is_a_draft(self):
        self.up()
        self.pawl("send", "one", "/", "--no-enter")
        self.wait("typing")
        until("the list is there", lambda: "/model" in self.screen("one"), 10)
        self.assertEqual({row[1] for row in self.states()}, {"typing"}, self.states())

    def test_a_draft_is_typing(self):
        self.up()
        self.pawl("send", "one", "half a thou", "--no-enter")
        self.wait("typing")
        self.assertEqual(self.when("typing")[3], "screen")
        self.mark = time.time()
        self.pawl("keys", "one", "C-u")
        self.wait("ready")
        self.assertEqual([row[1] for row in self.states()], ["ready"], "nothing was sent")

    def test_the_usage_limit_has_an_end(self):
        reset = (int(time.time()) // 60 + 150) * 60
        self.model.script(refuse(429, "usage_limit_reached", "The usage limit has been reached", plan_type="plus",
                                 resets_at=reset, resets_in_seconds=reset - int(time.time())))
        self.up()
        self.prompt("hello")
        self.wait("limited")
        self.assertLessEqual(self.when("limited")[0] - self.model.last("error"), 3)
        until("it has an end", lambda: self.agents()["one"]["limited_until"], 5)
        self.assertLessEqual(abs(seconds(self.agents()["one"]["limited_until"]) - reset), 60)

    def test_an_overloaded_model_keeps_it_busy(self):
        self.model.script(refuse(503, "server_error", "The server is overloaded.", times=2), say("Here I am again."))
        self.up()
        self.prompt("hello")
        self.turn_over()
        self.assertEqual([row[1] for row in self.states()], ["busy", "ready"], self.states())

    def test_killed_inside_a_shell_is_the_shell(self):
        self.begin("bash", "-ic", "codex; exec bash -i")
        self.wait("ready", timeout=START_S)
        agent = self.pid_in_front(r"codex")
        self.assertTrue(agent)
        self.mark = time.time()
        for pid in agent:
            with open(f"/proc/{pid}/comm", encoding="ascii") as file:
                if file.read().strip() != "bash":
                    os.kill(pid, signal.SIGKILL)
        self.wait("shell")
        self.assertLessEqual(self.when("shell")[0] - self.mark, 1.5)


if __name__ == "__main__":
    main("codex")
