#!/usr/bin/env python3
"""The watchdog with real agents (make test-real): they die, idle, ask, hit limits and lose their login; each is handled as
written, works again, and nothing is typed into the wrong place. PAWL_WATCHDOG names the agents."""
import os
import shlex
import signal
import subprocess
import time
import unittest

import settle
from agents import START_S, RealCase, find, main, seconds
from fake_model import fail, run, say
from fleet import until
from settle import AGENTS
from watched import LEAVE, Watched

NAMES = [name for name in os.environ.get("PAWL_WATCHDOG", "claude codex gemini").split() if find(name)]


class WatchdogTest(Watched):
    def end_it(self):
        """The agent's own process, killed."""
        os.kill(self.agents()["one"]["pid"], signal.SIGKILL)

    def back(self):
        until(lambda: f"it is back\n{self.screen('one')}", lambda: self.agents()["one"]["restarts"] > 0, 30)
        self.wait("ready", timeout=START_S)

    def test_killed_it_goes_on_with_its_conversation(self):
        self.model.script(say("I will remember 4711."), say("It was 4711."))
        self.ready(restart="resume")
        self.pawl("send", "one", "remember 4711", "--wait", "done")
        until("its conversation is known", lambda: self.agents()["one"]["session_id"], 10)
        time.sleep(2)  # some write it down a moment later
        self.end_it()
        decision = self.decided("restart")
        self.back()
        self.assertEqual(decision["how"], "resume")
        self.pawl("send", "one", "which number was it", "--wait", "done")
        self.assertEqual(self.model.prompts()[-1], "which number was it")
        self.assertIn("remember 4711", "\n".join(self.model.requests[-1]["users"]))
        alerts = [event["text"] for event in self.events("--agent", "one") if event["type"] == "alert"]
        self.assertTrue(any("started again" in text for text in alerts), alerts)

    def test_idle_it_gets_its_prompt_again(self):
        self.model.script(say("Done."), say("Done again."))
        self.up_with(prompt="write the docs", nudge={"base_s": 3, "attempts": 1})
        self.assertEqual(self.outcome_of(self.decided("nudge"))["result"], "confirmed")
        until("the model got it", lambda: self.model.prompts() == ["write the docs"] * 2, 20)  # at its start, and now
        self.decided("escalate")
        self.assertEqual(len(self.decisions("nudge")), 1)

    def test_a_person_is_not_disturbed(self):
        self.ready(prompt="write the docs", nudge={"base_s": 2}, human_quiet_s=8)
        pressed = time.time()
        self.write(self.home + "/agents/one/last_human_interaction", "")
        self.assertGreaterEqual(seconds(self.decided("nudge")["at"]) - pressed, 7.9)

    def ask_permission(self, answer):
        self.model.script(run("touch made.txt", ask=True), say("So be it."))
        self.ready(answer_permissions=answer)
        self.pawl("send", "one", "make a file")

    def test_a_permission_is_refused_by_configuration(self):
        self.ask_permission("deny")
        self.assertEqual(self.outcome_of(self.decided("answer"))["result"], "confirmed")
        self.wait("ready")
        self.assertFalse(os.path.exists(self.project + "/made.txt"))

    def test_a_permission_is_allowed_by_configuration(self):
        self.ask_permission("allow")
        self.assertEqual(self.outcome_of(self.decided("answer"))["result"], "confirmed")
        until("it was made", lambda: os.path.exists(self.project + "/made.txt"), 20)
        self.wait("ready")

    def test_a_permission_is_a_persons_by_default(self):
        self.ask_permission("ask")
        self.decided("escalate")
        time.sleep(3)
        self.assertEqual([one["action"] for one in self.decisions()], ["escalate"])
        self.assertFalse(os.path.exists(self.project + "/made.txt"))
        self.assertEqual(self.agents()["one"]["state"], "waiting")
        self.pawl("answer", "one", "1")
        until("it was made", lambda: os.path.exists(self.project + "/made.txt"), 20)

    def test_a_login_is_renewed_and_it_goes_on(self):
        self.environment["CLAUDE_CODE_MAX_RETRIES"] = "1"  # else it tries for minutes by itself
        self.model.script(fail("unauthorized"))
        self.ready(recovery={"auth_refresh": ["touch", self.folder + "/renewed"]})
        self.pawl("send", "one", "hello", code=None)
        self.assertEqual(self.outcome_of(self.decided("refresh-auth", timeout=60))["result"], "confirmed")
        self.assertTrue(os.path.exists(self.folder + "/renewed"))
        self.model.script(say("It works again."))
        self.decided("wake")
        until("the model answered", lambda: "It works again." in self.screen("one"), 90)


    def test_it_leaves_by_itself_and_comes_back(self):
        self.model.script(say("Noted."), say("Here again."))
        self.ready(restart="resume")
        self.pawl("send", "one", "note this", "--wait", "done")
        time.sleep(2)
        self.pawl("send", "one", LEAVE[self.agent], code=None)
        self.assertIn("ended by itself", self.decided("restart")["because"])
        self.back()
        self.pawl("send", "one", "are you there", "--wait", "done")
        self.assertEqual(self.model.prompts(), ["note this", "are you there"])

    def test_a_wrapper_that_says_137(self):
        self.model.script(say("Here again."))
        self.ready(restart="fresh", command=["sh", "-c", shlex.join(self.command) + "; exit $?"])
        inner = [int(pid) for pid in subprocess.run(["ps", "-o", "pid=", "--ppid", str(self.agents()["one"]["pid"])],
                                                    capture_output=True, text=True, check=True).stdout.split()]
        self.assertEqual(len(inner), 1)
        os.kill(inner[0], signal.SIGKILL)
        because = self.decided("restart")["because"]
        self.assertIn("exit code 137, as programs end when memory runs out", because)
        self.back()
        self.pawl("send", "one", "are you there", "--wait", "done")
        self.assertEqual(self.model.prompts(), ["are you there"])

    def test_a_limit_is_waited_for(self):
        if self.agent == "claude":  # only subscriptions have such a limit
            del self.environment["ANTHROPIC_API_KEY"]
            self.environment["CLAUDE_CODE_OAUTH_TOKEN"] = "dummy"
        self.model.script(fail("usage-limit", reset=20, times=1), say("I go on."))
        self.ready(limit={"margin_s": 2})
        self.pawl("send", "one", "work on", code=None)
        wait = self.decided("limit-wait", timeout=60)
        if self.agent == "gemini":  # says no time: it is tried after half an hour
            self.assertIn("does not say when it ends", wait["because"])
            self.assertEqual(self.model.prompts(), ["work on"] * len(self.model.prompts()))
            return
        self.assertTrue(wait.get("until"), wait)
        until(lambda: f"it goes on\n{self.screen('one')}\n{self.decisions()}", lambda: "I go on." in self.screen("one"), 120)
        self.assertNotIn("upgrade", " ".join(self.model.prompts()).lower())

    def test_texts_that_wait_for_a_limit_go_at_its_end(self):
        if self.agent == "gemini":
            self.skipTest("it says no time")
        if self.agent == "claude":
            del self.environment["ANTHROPIC_API_KEY"]
            self.environment["CLAUDE_CODE_OAUTH_TOKEN"] = "dummy"
        # They say the minute only: one that is certainly still to come.
        self.model.script(fail("usage-limit", reset=75, times=1), say("One."), say("Two."), say("Three."))
        self.ready(limit={"margin_s": 2})
        self.pawl("send", "one", "work on", code=None)
        self.decided("limit-wait", timeout=60)
        self.wait("limited")
        for text in ("first", "second", "third"):
            self.assertIn("queued", self.pawl("send", "one", text).stdout)
        if self.agent == "codex":  # and a daemon that comes back in that state
            self.kill_daemon()
        ends = seconds(self.agents()["one"]["limited_until"])
        print(f"\n{self.agent}: its limit ends in {ends - time.time():.0f} s")
        until("its end", lambda: time.time() > ends + 4, 120)
        asked = time.time()
        self.pawl("ls")
        self.assertLess(time.time() - asked, 2)
        until(lambda: f"all went\n{self.screen('one')}\n{self.model.prompts()}", lambda: len(self.model.prompts()) >= 4, 60)
        self.wait("ready")
        self.assertEqual(self.model.prompts(), ["work on", "first", "second", "third"])
        time.sleep(3)
        self.assertEqual(self.agents()["one"]["state"], "ready")  # whatever still stands on its screen
        self.assertEqual([one["action"] for one in self.decisions() if one["action"] == "wake"], [])

    def test_a_queued_text_does_not_stop_the_rules(self):
        self.ask_permission("deny")
        self.wait("busy", "waiting", "ready")
        self.pawl("send", "one", "and then say hello", code=None)
        self.assertEqual(self.outcome_of(self.decided("answer"))["result"], "confirmed")
        until("the text arrived", lambda: "and then say hello" in " ".join(self.model.prompts()), 60)
        self.assertFalse(os.path.exists(self.project + "/made.txt"))

    def test_with_yolo_it_does_not_ask(self):
        self.environment["IS_SANDBOX"] = "1"  # else Claude Code refuses, as root
        self.place.write(".claude/settings.json", {"skipDangerousModePermissionPrompt": True})
        made = self.folder + "/made.txt"  # not in its project
        self.model.script(run("touch " + made, ask=self.agent != "codex"), say("So be it."))  # Codex refuses to be asked then
        self.ready(permission="bypassPermissions", command=self.command[:1])
        self.pawl("send", "one", "make a file", "--wait", "done")
        self.assertTrue(os.path.exists(made))
        self.assertEqual(self.decisions(), [])

    def test_a_folder_you_named_is_trusted(self):
        getattr(settle, self.agent)(self.place, trusted=False)
        self.up_with(trust_dirs=[self.project])
        self.assertEqual(self.outcome_of(self.decided("answer", timeout=START_S))["result"], "confirmed")
        self.wait("ready", timeout=START_S)

    def test_a_folder_nobody_named_is_a_persons(self):
        getattr(settle, self.agent)(self.place, trusted=False)
        self.up_with()
        self.decided("escalate", timeout=START_S)
        time.sleep(2)
        self.assertEqual(self.agents()["one"]["state"], "waiting")


def load_tests(loader, _tests, _pattern):
    cases = [type(f"Watchdog_{name}", (WatchdogTest, RealCase), {"agent": name}) for name in NAMES]
    return unittest.TestSuite(loader.loadTestsFromTestCase(case) for case in cases)


if __name__ == "__main__":
    main(*AGENTS)
