#!/usr/bin/env python3
"""Tasks with real agents (make test-real): what goes wrong with them is told apart, they go on with their own conversation, and what
is reported is what the model's log says happened."""
import os
import signal
import time

from agents import main
from fake_model import fail, hang, run, say
from fleet import until
from settle import AGENTS
from tasked import PROMPT, Tasked, tests_of


class TaskTest(Tasked):
    def test_a_result(self):
        self.model.script(say("All is well."))
        self.give()
        task = self.over()
        self.assertEqual((task["status"], task["exit_code"], task["retry_count"]), ("completed", 0, 0))
        self.assertEqual(self.model.prompts(), [PROMPT])
        self.assertIn("All is well.", self.file("output.log"))
        self.assertTrue(task["session_id"])
        self.assertGreater(task["tokens"], 0)

    def test_a_tool_that_is_allowed(self):
        self.model.script(run("touch made.txt"), say("I made it."))
        self.give("--yolo")
        self.assertEqual(self.over()["status"], "completed")
        self.assertTrue(os.path.exists(self.project + "/made.txt"))
        self.assertIn("touch made.txt", self.file("output.log"))

    def test_a_tool_that_is_not(self):
        self.model.script(run("sleep 0.5; touch made.txt"), say("I was not allowed to."))
        self.give("--permission", "plan")
        task = self.over(code=1)
        self.assertEqual(task["status"], "completed-with-denials")
        self.assertFalse(os.path.exists(self.project + "/made.txt"))

    def test_a_service_that_is_busy_for_a_moment(self):
        self.model.script(fail("rate-limit", reset=2, times=1), say("Now it works."))
        self.give()
        self.assertEqual(self.over()["status"], "completed")
        self.assertIn("Now it works.", self.file("output.log"))

    def test_a_login_that_fails(self):
        self.environment["CLAUDE_CODE_MAX_RETRIES"] = "1"  # else it tries for minutes by itself
        self.model.script(fail("unauthorized"))
        self.give()
        task = self.over(code=1)
        self.assertEqual(task["status"], "failed")
        self.assertIn("login", task["reason"])

    def test_a_login_that_is_renewed(self):
        self.environment["CLAUDE_CODE_MAX_RETRIES"] = "1"
        self.configure("recovery = { auth_refresh = [\"touch\", \"%s/renewed\"] }\n" % self.folder)
        self.model.script(fail("unauthorized"))
        self.give()
        until("it was renewed", lambda: os.path.exists(self.folder + "/renewed"), 60)
        self.model.script(say("It works again."))
        self.assertEqual(self.over()["status"], "completed")

    def test_a_limit_with_a_reset(self):
        if self.agent == "claude":  # only subscriptions have such a limit
            del self.environment["ANTHROPIC_API_KEY"]
            self.environment["CLAUDE_CODE_OAUTH_TOKEN"] = "dummy"
        self.model.script(fail("usage-limit", reset=20))
        self.give()
        until("it waits", lambda: self.task()["status"] == "limited", 60)
        self.model.script(say("I go on."))
        if self.agent in ("gemini", "pi"):  # they do not say until when: it is tried after half an hour, or now
            time.sleep(5)
            self.pawl("task", "resume", "t")
        else:
            self.assertTrue(self.task()["limited_until"])
        until("it goes on", lambda: self.task()["status"] != "limited", 60)
        task = self.over()
        self.assertEqual((task["status"], task["retry_count"]), ("completed", 0))
        self.assertIn("I go on.", self.file("output.log"))

    def test_a_context_that_is_too_long(self):
        self.model.script(fail("context"))
        self.give()
        task = self.over(code=1)
        self.assertEqual(task["status"], "failed")
        self.assertIn("context", task["reason"])

    def test_a_service_that_never_answers(self):
        self.model.script(hang())
        self.give()
        until("it is asked", lambda: self.model.requests, 30)
        until(lambda: "it is found out\n" + self.file("monitor.log"), lambda: self.task()["retry_count"] == 1, 90)
        self.model.script(say("There you are."))
        task = self.over()
        self.assertEqual(task["status"], "completed")
        self.assertIn("it hangs", self.file("monitor.log"))
        self.assertIn(PROMPT, "\n".join(self.model.requests[-1]["users"]))

    def test_killed_it_goes_on_with_its_conversation(self):
        self.model.script(run("echo 4711 >seen.txt"), say("word " * 40, begin=0.5, pieces=40, every=0.5), say("It was 4711."))
        self.give("--yolo")
        until("its tool ran", lambda: os.path.exists(self.project + "/seen.txt"), 60)
        time.sleep(2)
        os.kill(self.task()["pid"], signal.SIGKILL)
        task = self.over()
        self.assertEqual((task["status"], task["retry_count"]), ("completed", 1))
        earlier = "\n".join(self.model.requests[-1]["users"])
        self.assertIn(PROMPT, earlier)
        self.assertIn("Go on with your task", earlier)
        self.assertIn("It was 4711.", self.file("output.log"))

    def test_a_stop_of_the_daemon_kills_nothing(self):
        """Longer than a silent task is left alone: 3 × 5 + 3 s here."""
        self.model.script(say("word " * 70, begin=0.5, pieces=70, every=0.5))
        self.give()
        until("it is asked", lambda: self.model.requests, 60)
        daemon = self.daemon_pid()
        os.kill(daemon, signal.SIGSTOP)
        try:
            time.sleep(28)
        finally:
            os.kill(daemon, signal.SIGCONT)
        task = self.over()
        self.assertEqual((task["status"], task["retry_count"]), ("completed", 0))
        self.assertIn("word word", self.file("output.log"))


def load_tests(loader, _tests, _pattern):
    return tests_of(loader, TaskTest)


if __name__ == "__main__":
    main(*AGENTS)
