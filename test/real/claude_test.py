#!/usr/bin/env python3
"""Claude Code, the real one: what Pawl says of it, and how soon (make test-real)."""
import json
import os
import signal
import time

from agents import START_S, RealCase, main, seconds
from fake_model import refuse, run, say
from fleet import until


class Claude(RealCase):
    command = ["claude", "--permission-mode", "default"]  # else it asks which one to have

    def settle_in(self):
        self.write(self.user_home + "/.claude.json", {
            "hasCompletedOnboarding": True, "lastOnboardingVersion": "9.9.9", "theme": "dark", "numStartups": 9,
            "customApiKeyResponses": {"approved": ["dummy"], "rejected": []},
            "projects": {self.project: {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True,
                                        "projectOnboardingSeenCount": 9}}})
        return {"ANTHROPIC_BASE_URL": self.model.url, "ANTHROPIC_API_KEY": "dummy", "DISABLE_TELEMETRY": "1",
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1", "DISABLE_ERROR_REPORTING": "1"}

    def test_a_turn_is_busy_then_ready(self):
        self.model.script(say("A slow answer. " * 30, begin=1, pieces=30, every=0.1))
        self.up()
        pressed = self.prompt("say something long")
        # Its hook may be quicker than its report; both have to say so.
        until("its own report says busy", lambda: ("status", "busy") in self.opinions(), 5)
        late = self.turn_over()
        busy = self.when("busy")
        self.assertIn(busy[3], ("status", "hook"), busy)
        self.assertLessEqual(busy[0] - pressed, 0.6)
        self.assertEqual([row[1] for row in self.states()], ["busy", "ready"], self.states())
        print(f"\nclaude: ready {late:.3f} s after the end of the turn")

    def test_a_permission_dialog_waits(self):
        self.model.script(run("touch made.txt"), say("Made it."))
        self.up()
        self.prompt("make a file")
        self.wait("waiting")
        asked = self.when("waiting")
        self.assertEqual(asked[2], "permission", asked)
        self.assertIn(asked[3], ("status", "hook", "screen"))
        until("its own report says so too", lambda: ("status", "waiting") in self.opinions(), 5)
        self.assertLessEqual(asked[0] - self.model.last("call"), 1.0, "noticed late")
        why = self.why()
        self.assertEqual((why["state"], why["kind"]), ("waiting", "permission"))
        self.assertIn("touch made.txt", json.dumps(why))
        self.answer("Enter")
        self.turn_over()
        self.assertTrue(os.path.exists(self.project + "/made.txt"))

    def test_a_refused_permission_is_ready_again(self):
        self.model.script(run("touch made.txt"), say("Not reached."))
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
        self.wait("ready", "typing")  # it may put the prompt back into the box
        self.assertLessEqual(time.time() - pressed, 2.5)

    def test_a_folder_that_is_not_trusted_yet_waits(self):
        self.write(self.user_home + "/.claude.json", {
            "hasCompletedOnboarding": True, "lastOnboardingVersion": "9.9.9", "theme": "dark",
            "customApiKeyResponses": {"approved": ["dummy"], "rejected": []}})
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

    def test_the_list_of_commands_is_a_draft(self):
        self.up()
        self.pawl("send", "one", "/", "--no-enter")
        self.wait("typing")
        until("the list is there", lambda: "/add-dir" in self.screen("one"), 10)
        self.assertEqual(self.wait("typing"), "typing")
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
        del self.environment["ANTHROPIC_API_KEY"]  # only subscriptions have such a limit
        self.environment["CLAUDE_CODE_OAUTH_TOKEN"] = "dummy"
        reset = (int(time.time()) // 3600 + 3) * 3600
        unified = "anthropic-ratelimit-unified-"
        self.model.script(refuse(429, "rate_limit_error", "This request would exceed your account's rate limit.", {
            unified + "status": "rejected", unified + "reset": str(reset), unified + "representative-claim": "five_hour",
            unified + "5h-status": "rejected", unified + "5h-reset": str(reset), unified + "5h-utilization": "1.0",
            unified + "overage-status": "rejected", "retry-after": "7200", "x-should-retry": "false"}))
        self.up()
        self.prompt("hello")
        self.wait("limited")
        self.assertLessEqual(self.when("limited")[0] - self.model.last("error"), 3)
        until("it has an end", lambda: self.agents()["one"]["limited_until"], 5)
        self.assertLessEqual(abs(seconds(self.agents()["one"]["limited_until"]) - reset), 60)

    def test_an_overloaded_model_keeps_it_busy(self):
        self.model.script(refuse(529, "overloaded_error", "Overloaded", times=2), say("Here I am again."))
        self.up()
        self.prompt("hello")
        self.turn_over()
        self.assertEqual({row[1] for row in self.states()[:-1]}, {"busy"}, self.states())

    def test_an_overloaded_model_it_gave_up_on_is_a_notice(self):
        self.model.script(refuse(529, "overloaded_error", "Overloaded"))
        self.up()
        self.prompt("hello")
        self.wait("ready")
        until("the notice", lambda: "overload" in self.notices(), 5)

    def test_a_rejected_request_is_a_notice(self):
        self.model.script(refuse(429, "rate_limit_error", "This request would exceed your account's rate limit.",
                                 {"x-should-retry": "false"}))
        self.up()
        self.prompt("hello")
        self.wait("ready", "limited")
        until("the notice", self.notices, 5)

    def test_killed_inside_a_shell_is_the_shell(self):
        self.begin("bash", "-ic", "claude --permission-mode default; exec bash -i")
        self.wait("ready", timeout=START_S)
        agent = self.pid_in_front(r"^(\S*/)?claude")
        self.assertTrue(agent)
        self.mark = time.time()
        for pid in agent:
            os.kill(pid, signal.SIGKILL)
        self.wait("shell")
        self.assertLessEqual(self.when("shell")[0] - self.mark, 1.5)


if __name__ == "__main__":
    main("claude")
