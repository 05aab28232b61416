#!/usr/bin/env python3
"""Tasks with real agents (make test-real) in rough weather: what kills, stops and breaks off an agent, its daemon, its holder or its
model in the middle of a turn. It goes on with its conversation, its person is told the truth, and nothing is said twice."""
import contextlib
import glob
import os
import signal
import time

from agents import main
from fake_model import fail, run, say
from fake_model.steps import Step
from fleet import until
from settle import AGENTS
from tasked import PROMPT, Tasked, only_for, tests_of

SPEECH = "".join(f"word{number} " for number in range(60))
TRANSCRIPTS = {"claude": ".claude/projects/*/*.jsonl", "codex": ".codex/sessions/*/*/*/*.jsonl", "gemini": ".gemini/tmp/*/chats/*.json*",
               "pi": ".pi/agent/sessions/*/*.jsonl"}
GO_ON = "Go on with your task"


def speech(**more):
    """A long answer, half a minute of it."""
    return say(SPEECH, begin=0.5, pieces=60, every=0.5, **more)


class Rough(Tasked):
    def speaks(self, *before, after=("I am back.",), options=("--yolo",)):
        """In the middle of a turn: its first tool ran, and the model speaks."""
        self.model.script(*(before or [run("echo 4711 >seen.txt")]), speech(), *(say(text) for text in after))
        self.give(*options)
        self.made("seen.txt")
        until("the model speaks", lambda: len(self.model.requests) == len(before or [1]) + 1, 30)
        time.sleep(3)

    def went_on(self, times=1):
        """The conversation of the last request is the old one, and it was told to go on."""
        task = self.over()
        self.assertEqual((task["status"], task["retry_count"]), ("completed", times))
        self.assertEqual(self.file("result"), "I am back.\n")
        self.assertIn(PROMPT, self.earlier())
        self.assertIn(GO_ON, self.earlier())
        self.assertEqual(self.model.prompts().count(PROMPT), 1, self.model.prompts())
        self.assertEqual(self.file("output.log").count("I am back."), 1)
        self.nothing_runs()

    def test_what_a_killed_run_had_said_is_there(self):
        """K19. Codex tells whole messages only."""
        self.speaks()
        os.kill(self.task()["pid"], signal.SIGKILL)
        self.went_on()
        log = self.file("output.log")
        self.assertIn("echo 4711", log)
        if self.agent != "codex":
            self.assertEqual(log.count("word0 word1 word2"), 1, log)
            self.assertRegex(next(line for line in log.splitlines() if "word0" in line), r"\A[word\d ]+\Z", "on a line of its own")
            self.assertLess(log.index("word2"), log.index("I am back."))
        self.assertNotIn("word59", log)
        self.assertEqual(self.story()[:3], ["started", "crashed", "resumed"])

    def test_ended_politely_it_goes_on(self):
        """TERM from somebody else: some say goodbye and leave with an exit code. Gemini finishes its turn."""
        self.speaks()
        os.kill(self.task()["pid"], signal.SIGTERM)
        if self.agent != "gemini":
            return self.went_on()
        task = self.over()
        self.assertEqual((task["status"], task["retry_count"]), ("completed", 0))
        return self.assertEqual(self.file("result").strip(), SPEECH.strip())

    def test_killed_again_and_again(self):
        self.model.script(run("echo 4711 >seen.txt"), speech(), speech(), speech(), say("I am back."))
        self.give("--yolo")
        for times in range(3):
            until("the model speaks", lambda: len(self.model.requests) == times + 2, 60)
            time.sleep(1)
            os.kill(self.task()["pid"], signal.SIGKILL)
            until("it is seen", lambda: not self.task()["pid"] or self.task()["retry_count"] > times, 10)
        self.went_on(times=3)
        self.assertEqual(self.story()[:7], ["started"] + ["crashed", "resumed"] * 3)

    def test_a_tool_that_kills_its_agent(self):
        self.model.script(run("echo 4711 >seen.txt; kill -9 $PPID; sleep 302"), say("I am back."))
        self.give("--yolo")
        self.went_on()
        self.assertEqual(self.running("sleep", "302"), [])

    def test_a_killed_daemon_costs_nothing(self):
        self.model.script(run("echo 4711 >seen.txt"), say(SPEECH, begin=0.5, pieces=60, every=0.2), say("Never said."))
        self.give("--yolo")
        self.made("seen.txt")
        for _ in range(3):
            self.kill_daemon()
            time.sleep(1)
            self.pawl("task", "ls")
        task = self.over()
        self.assertEqual((task["status"], task["retry_count"]), ("completed", 0))
        self.assertEqual(self.file("result").strip(), SPEECH.strip())
        self.assertEqual(self.file("output.log").count("word30 word31"), 1, "what was said meanwhile is there, once")
        self.assertEqual(len(self.model.requests), 2)
        self.assertEqual(self.story(), ["started", "completed"])

    def test_a_killed_holder_costs_a_try(self):
        self.speaks()
        for pid in self.holders():
            os.kill(pid, signal.SIGKILL)
        self.went_on()

    def test_daemon_and_holder_killed(self):
        self.speaks()
        holders = self.holders()
        self.kill_daemon()
        for pid in holders:
            os.kill(pid, signal.SIGKILL)
        self.pawl("task", "ls")
        self.went_on()

    def test_a_suspended_machine(self):
        """Nothing of it runs for longer than a silent task is left alone: 3 × 5 + 3 s here."""
        self.model.script(run("echo 4711 >seen.txt"), speech(), say("Never said."))
        self.give("--yolo")
        self.made("seen.txt")
        until("the model speaks", lambda: len(self.model.requests) == 2, 30)
        time.sleep(1)
        asleep = {self.daemon_pid(), *self.holders(), *self.of_this_fleet()}
        for word in (signal.SIGSTOP, signal.SIGCONT):
            for pid in asleep:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, word)
            time.sleep(22 if word == signal.SIGSTOP else 0)
        task = self.over()
        self.assertEqual((task["status"], task["retry_count"]), ("completed", 0))
        self.assertEqual(self.file("result").strip(), SPEECH.strip())
        self.assertEqual(self.story(), ["started", "completed"])

    @only_for("claude", "codex", "gemini")  # pi takes the half for the whole, and nothing it says tells
    def test_an_answer_that_is_broken_off(self):
        """Gemini does not tell where the broken one ends and the next begins."""
        self.model.script(say(SPEECH, pieces=60, every=0.1, cut=20), say("Here is all of it."))
        self.give()
        self.assertEqual(self.over()["status"], "completed")
        self.assertTrue(any(what == "cut" for _, what, _ in self.model.log))
        if self.agent != "gemini":
            self.assertEqual(self.file("result"), "Here is all of it.\n")
        self.assertTrue(self.file("result").endswith("Here is all of it.\n"))
        self.assertEqual(self.file("output.log").count("Here is all of it."), 1)
        self.assertEqual(self.model.prompts()[0], PROMPT)
        self.assertNotIn("word59", self.file("output.log"))

    def test_a_service_that_fails_three_times(self):
        self.model.script(fail("server", times=3), say("Now it works."))
        self.give()
        self.assertEqual(self.over()["status"], "completed")
        self.assertEqual(self.file("result"), "Now it works.\n")
        self.assertEqual(len([what for _, what, _ in self.model.log if what == "error"]), 3)
        self.assertEqual(self.model.prompts()[0], PROMPT)

    def test_an_answer_without_a_word(self):
        """Claude Code and Gemini ask again by themselves; for the others it is an end like any other, without a message."""
        self.model.script(say(""), say("Now I speak."))
        self.give()
        task = self.over()
        self.assertEqual((task["status"], task["retry_count"]), ("completed", 0))
        asks_again = self.agent in ("claude", "gemini")
        self.assertEqual(len(self.model.requests), 2 if asks_again else 1)
        self.assertEqual(self.model.prompts()[0], PROMPT)
        self.assertEqual(self.has("result"), asks_again)
        if asks_again:
            return self.assertEqual(self.file("result"), "Now I speak.\n")
        return self.assertIn("has no message of an agent", self.pawl("task", "output", "t", "--result", code=1).stderr)

    def test_a_tool_that_works_in_silence(self):
        """Longer than a silent task is left alone."""
        self.model.script(self.slow("timeout 24 sh -c 'while :; do :; done'; touch counted.txt"), say("It is counted."))
        self.give("--yolo")
        task = self.over()
        self.assertEqual((task["status"], task["retry_count"]), ("completed", 0))
        self.made("counted.txt", 0)
        self.assertEqual(self.file("result"), "It is counted.\n")
        self.assertEqual(self.story(), ["started", "completed"])

    def test_a_transcript_that_is_too_large_is_put_away(self):
        """K8: one of that size is not loaded again."""
        self.configure("stop_grace_s = 3\npreflight = { transcript_max_mb = 2 }\n")
        self.speaks(after=("I begin anew.",))
        files = glob.glob(f"{self.user_home}/{TRANSCRIPTS[self.agent]}")
        self.assertEqual(len(files), 1, files)
        with open(files[0], "a", encoding="utf-8") as file:
            file.write('{"type":"filler","text":"' + "x" * (4 << 20) + '"}\n')
        os.kill(self.task()["pid"], signal.SIGKILL)
        task = self.over()
        self.assertEqual((task["status"], task["retry_count"]), ("completed", 1))
        self.assertEqual(self.file("result"), "I begin anew.\n")
        archived = glob.glob(f"{self.home}/archive/*/*/{os.path.basename(files[0])}")
        self.assertEqual(len(archived), 1, "it is kept")
        self.assertGreater(os.path.getsize(archived[0]), 4 << 20)
        self.assertIn("of 2 MB: put away: ", self.file("monitor.log"))
        self.assertIn(PROMPT, self.earlier())
        self.assertNotIn(GO_ON, self.earlier(), "a new conversation is given the task itself")
        self.assertIsNone(self.model.requests[-1]["result"], "and nothing of the old one")

    @only_for("claude")  # the others have no such jobs
    def test_a_job_behind_it_is_waited_for(self):
        self.model.script(Step(tool="Bash", arguments={"command": "sleep 8; touch made.txt", "run_in_background": True}),
                          say("It runs in the background."), say("It is made."))
        self.give("--yolo")
        self.assertEqual((self.over()["status"], self.task()["retry_count"]), ("completed", 0))
        self.made("made.txt", 0)
        self.assertEqual(self.file("result"), "It is made.\n")
        self.assertEqual(self.model.prompts()[0], PROMPT)
        self.nothing_runs()


def load_tests(loader, _tests, _pattern):
    return tests_of(loader, Rough)


if __name__ == "__main__":
    main(*AGENTS)
