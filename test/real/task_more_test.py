#!/usr/bin/env python3
"""Tasks with real agents (make test-real), as who gives them sees them: what reaches the model, what is told of its answer, when, and
to whom; names, verbs and bounds; and that nothing of a task runs on."""
import concurrent.futures
import json
import os
import re
import subprocess
import threading
import time

from agents import main
from fake_model import fail, run, say
from fake_model.steps import Step
from fleet import PAWL, until
from settle import AGENTS
from tasked import PROMPT, Tasked, only_for, tests_of

ODD = ("Line one\r\nline\ttwo „quoted“ 'single' \"double\" `tick` $HOME \\n 🦀 e\u0301 100% <b>&amp;</b>\n\n"
       "  indented, and the end\n\n\n")
LONG = "".join(f"line {number} of a long prompt, with „quotes“\n" for number in range(6500)) + "the end"
ORPHAN = "(env -i setsid sleep {} </dev/null >/dev/null 2>&1 &)"  # away from its parent, its terminal and its environment
# A plain command that reads its prompt from standard input, as a person would write it.
PLAIN = {"claude": ["claude", "-p"], "codex": ["codex", "exec", "--skip-git-repo-check", "-"],
         "gemini": ["gemini", "--skip-trust", "-o", "text", "-p", ""], "pi": ["pi", "-p"]}


class Prompts:
    def reaches(self, prompt, arrives):
        self.model.script(say("I read it."))
        self.write_bytes(prompt)
        self.pawl(*self.start_words("t", "--prompt-file", self.folder + "/prompt"))
        self.assertEqual(self.over()["status"], "completed")
        self.assertEqual([self.digest(text) for text in self.model.prompts()], [self.digest(arrives)], self.model.prompts())
        with open(self.task()["tmpdir"] + "/prompt", "rb") as file:
            self.assertEqual(file.read(), prompt)
        self.assertEqual(self.manifest()["prompt_sha256"], self.digest(prompt))
        self.assertEqual(self.task()["prompt_sha256"], self.digest(prompt))

    def write_bytes(self, prompt):
        with open(self.folder + "/prompt", "wb") as file:
            file.write(prompt)

    def test_a_prompt_of_odd_letters(self):
        """K13. pi takes away what is blank at its end."""
        self.reaches(ODD.encode(), ODD.strip() if self.agent == "pi" else ODD)

    def test_a_long_prompt(self):
        self.reaches(LONG.encode(), LONG)

    def test_a_prompt_that_is_no_text(self):
        """Pawl gives its bytes. The agents make text of them, and Codex says that it cannot."""
        prompt = b"caf\xe9 \xff, the end"
        if self.agent != "codex":
            return self.reaches(prompt, "caf\ufffd \ufffd, the end")
        self.write_bytes(prompt)
        self.pawl(*self.start_words("t", "--prompt-file", self.folder + "/prompt"))
        task = self.over(code=1)
        self.assertEqual((task["status"], task["prompt_sha256"]), ("failed", self.digest(prompt)))
        self.assertIn("input is not valid UTF-8 (invalid byte at offset 3)", task["reason"])
        return self.assertEqual(self.model.requests, [])


class Answers:
    def test_the_result_is_the_last_message_alone(self):
        self.model.script(Step(text="First I look.", command="echo 4711 >seen.txt"),
                          Step(text="Then I look again.", command="cat seen.txt"), say("It was 4711.\n\nThat is all."))
        self.give("--yolo")
        self.assertEqual(self.over()["status"], "completed")
        self.assertEqual(self.file("result"), "It was 4711.\n\nThat is all.\n")
        self.assertEqual(self.pawl("task", "output", "t", "--result").stdout, "It was 4711.\n\nThat is all.\n")
        log = self.file("output.log")
        places = [log.find(words) for words in ("First I look.", "echo 4711", "Then I look again.", "cat seen.txt", "It was 4711.")]
        self.assertEqual(places, sorted(places), log)
        self.assertNotIn(-1, places, log)
        self.assertEqual(len(self.model.requests), 3)

    def test_an_answer_with_escape_sequences(self):
        """K4: one that is begun and never ended hides the rest of its line, no more."""
        self.model.script(say("\x1b[31mred\x1b[0m and \x1b]0;a title that never ends\nthen the end.", pieces=1))
        self.give()
        self.assertEqual(self.over()["status"], "completed")
        for name in ("output.log", "result"):
            self.assertIn("then the end.", self.file(name), name)
            self.assertIn("red", self.file(name), name)
            self.assertNotIn("\x1b", self.file(name), name)

    def test_an_interface_gives_lines(self):
        self.model.script(say("All is well, and here is why.\n\nBecause I looked."))
        self.give("--interactive")
        self.assertEqual(self.over()["status"], "completed")
        log = self.file("output.log")
        self.assertEqual(self.model.prompts(), [PROMPT])
        self.assertEqual(log.count("All is well, and here is why."), 1, log)
        self.assertEqual(log.count("Because I looked."), 1, log)
        self.assertLess(log.index("All is well"), log.index("Because I looked."))
        self.assertNotIn("\x1b", log)
        self.assertTrue(self.has("done"))
        self.nothing_runs()

    def test_called_as_a_plain_command(self):
        self.model.script(say("All is well."))
        self.pawl("task", "start", "t", "--dir", self.project, "--", *PLAIN[self.agent], input=PROMPT)
        task = self.over()
        self.assertEqual((task["status"], task["exit_code"], task["runtime"]), ("completed", 0, "generic"))
        self.assertEqual([text.strip() for text in self.model.prompts()], [PROMPT])
        self.assertIn("All is well.", self.file("output.log"))
        self.assertNotIn("\x1b", self.file("output.log"))

    def test_events_as_they_happen(self):
        self.model.script(run("touch made.txt"), say("word " * 40, begin=0.5, pieces=40, every=0.5), say("There you are."))
        self.pawl("ls")
        told = []
        words = [PAWL, "task", "events", "--json", "-f"]
        with subprocess.Popen(words, env=self.environment, stdout=subprocess.PIPE, text=True) as follower:
            self.addCleanup(follower.kill)
            hear = lambda: [told.append((time.time(), json.loads(line))) for line in follower.stdout]
            threading.Thread(target=hear, daemon=True).start()
            time.sleep(1)  # it follows from when it has come
            self.give("--yolo")
            self.made("made.txt")
            os.kill(self.task()["pid"], 9)
            self.over()
            until(lambda: f"it heard {told}", lambda: any(event["event"] == "completed" for _, event in told), 10)
            follower.kill()
        self.assertEqual([event["event"] for _, event in told], ["started", "crashed", "resumed", "completed"])
        self.assertEqual([event["seq"] for _, event in told], [event["seq"] for event in self.happened()[:4]])
        for at, event in told:
            self.assertEqual(event["task"], "t")
            self.assertLess(at - self.when_of(event), 1.5, event)
        self.assertEqual(told[-1][1]["exit_code"], 0)

    @staticmethod
    def when_of(event):
        return time.mktime(time.strptime(event["at"][:19], "%Y-%m-%dT%H:%M:%S")) - time.timezone + float("0" + event["at"][19:-1])

    def test_in_a_tmux_of_its_own(self):
        self.model.script(Step(text="I look.", command="echo 4711 >seen.txt"), say("It was 4711."))
        self.give("--yolo", "--backend", "tmux")
        task = self.over()
        self.assertEqual((task["status"], task["retry_count"]), ("completed", 0))
        self.assertEqual(self.file("result"), "It was 4711.\n")
        self.assertIn("echo 4711", self.file("output.log"))

    def test_in_a_worktree_of_its_own(self):
        git = lambda *words: subprocess.run(["git", "-C", self.project, "-c", "user.name=x", "-c", "user.email=x@y", *words], check=True,
                                            capture_output=True)
        git("init", "-q")
        git("add", ".")
        git("commit", "-q", "-m", "x")
        self.model.script(run("cp main.py copy.py"), say("I copied it."))
        given = self.give("--yolo", "--worktree")
        self.assertEqual(self.over()["status"], "completed")
        self.assertTrue(os.path.exists(given["worktree"] + "/copy.py"))
        self.assertFalse(os.path.exists(self.project + "/copy.py"))
        self.assertIn("not committed", self.pawl("task", "clean", "-f", "t").stderr)
        self.assertTrue(os.path.exists(given["worktree"] + "/copy.py"), "unsaved work stays")


class Names:
    def test_long_names_and_one_folder(self):
        """K12; and each of two in one folder keeps its own conversation."""
        names = ["n" * 63 + end for end in "ab"]
        self.model.script(run("touch made-a; sleep 4", on="task a"), run("touch made-b; sleep 4", on="task b"),
                          say("This was a.", on="task a"), say("This was b.", on="task b"))
        for name in names:
            self.give("--yolo", name=name, prompt=f"Do task {name[-1]}.")
        for name in names:
            self.assertEqual(self.over(name=name)["status"], "completed")
            self.assertEqual(self.pawl("task", "output", name, "--result").stdout, f"This was {name[-1]}.\n")
        first, second = (self.task(name) for name in names)
        for key in ("session_name", "session_id", "tmpdir"):
            self.assertNotEqual(first[key], second[key])
        self.assertEqual(sorted(self.model.prompts()), ["Do task a.", "Do task b."])

    def test_five_at_once_are_one(self):
        """K16."""
        self.model.script(say("All is well."))
        with concurrent.futures.ThreadPoolExecutor(5) as pool:
            done = list(pool.map(lambda _: self.pawl(*self.start_words("t"), input=PROMPT, code=None), range(5)))
        self.assertEqual(sorted(each.returncode for each in done), [0, 1, 1, 1, 1])
        for each in done:
            if each.returncode:
                self.assertRegex(each.stderr, r"\Apawl: there is a task 't' already: choose another name, or: pawl task clean t\n\Z")
        self.assertEqual(self.over()["status"], "completed")
        self.assertEqual(os.listdir(self.home + "/tasks"), [os.path.basename(self.task()["tmpdir"])])
        self.assertEqual(self.model.prompts(), [PROMPT])

    def test_waiting_for_one_that_is_limited(self):
        """K5."""
        if self.agent == "claude":  # only subscriptions have such a limit
            del self.environment["ANTHROPIC_API_KEY"]
            self.environment["CLAUDE_CODE_OAUTH_TOKEN"] = "dummy"
        self.model.script(fail("usage-limit", reset=3600))
        self.give()
        said = self.pawl("task", "wait", "t", "--timeout", "60", code=4, timeout_s=70).stdout
        self.assertRegex(said, r"\At: limited until [^\n]*; it goes on by itself then, and can be waited for again\n\Z")
        self.assertEqual(json.loads(self.pawl("task", "wait", "t", "--json", code=4).stdout)["tasks"][0]["status"], "limited")
        self.pawl("task", "start", "quick", "--", "true", input="x")
        self.pawl("task", "wait", "t", "quick", "--any", "--timeout", "20")
        self.pawl("task", "wait", "t", "quick", "--timeout", "20", code=4)
        self.model.script(say("I go on."))
        self.pawl("task", "resume", "t")
        self.assertEqual((self.over()["status"], self.task()["retry_count"]), ("completed", 0))
        self.assertEqual(self.file("result"), "I go on.\n")
        story = self.story()  # Gemini begins to keep a conversation with the first answer: there is none, and it starts afresh
        again = ["crashed", "resumed"] if self.agent == "gemini" else []
        self.assertEqual(story, ["started", "limited", "resumed", *again, "completed"])


class Bounds:
    @only_for("claude", "pi")  # the others tell what they used at the end
    def test_tokens_are_counted_with_every_answer(self):
        """K15."""
        self.model.script(*(run(f"sleep 0.3; echo {number}") for number in range(30)))
        self.give("--yolo", "--max-tokens", "3500")
        task = self.over(code=5)
        self.assertEqual((task["status"], task["abandon_reason"]), ("abandoned", "max_tokens_exceeded"))
        self.assertLess(task["tokens"], 5500)
        self.assertLessEqual(len(self.model.requests), 6, "about a thousand for each")
        self.assertIn(f"it has used {task['tokens']} tokens", self.pawl("task", "ls").stdout)
        self.assertFalse(self.has("done"))
        self.nothing_runs()

    def test_its_time_is_over(self):
        self.model.script(self.slow("touch made.txt; sleep 300"))
        self.give("--yolo", "--deadline", "14s")
        self.made("made.txt")
        task = self.over(code=5)
        self.assertEqual((task["status"], task["abandon_reason"]), ("abandoned", "deadline"))
        self.assertFalse(self.has("done"))
        self.assertEqual(self.story(), ["started", "abandoned"])
        self.assertEqual(self.running("sleep", "300"), [])
        self.nothing_runs()

    def test_a_tool_that_wants_too_much_memory(self):
        """Killed whole, told so, and gone on with in its conversation."""
        eat = "python3 -c 'import time; x = bytearray(1400 << 20); open(\"eaten\", \"w\").close(); time.sleep(60)'"
        self.model.script(run("touch made.txt; " + eat), say("I shall not try that again."))
        self.give("--yolo", "--memory", "1200M")
        task = self.over()
        self.assertEqual((task["status"], task["retry_count"]), ("completed", 1))
        crashed = [event for event in self.happened() if event["event"] == "crashed"]
        self.assertEqual(len(crashed), 1)
        self.assertRegex(crashed[0]["detail"], r"killed for memory \((peak )?1\.\d GiB of 1\.2 GiB[;)]")
        self.assertIn("killed for memory", self.file("monitor.log"))
        self.assertIn("Go on with your task", self.earlier())
        self.assertEqual(self.running("python3", "-c", eat[12:-1]), [])
        self.assertEqual(self.file("result"), "I shall not try that again.\n")


class Ends:
    def test_orphans_of_a_tool_end_with_it(self):
        """K7."""
        number = f"777.{os.getpid()}"
        self.model.script(run(ORPHAN.format(number) + "; touch made.txt"), say("I left something behind.", begin=3))
        self.give("--yolo")
        self.made("made.txt")
        until("it is there while its task runs", lambda: self.running("sleep", number), 2.5)
        self.assertEqual(self.over()["status"], "completed")
        until("it has gone", lambda: not self.running("sleep", number), 10)
        self.nothing_runs()

    def test_cancelled_in_the_middle_of_a_tool(self):
        number = f"778.{os.getpid()}"
        self.model.script(Step(text="I begin.", command=ORPHAN.format(number) + "; touch made.txt; sleep 301"), say("Never said."))
        self.give("--yolo")
        self.made("made.txt")
        self.said("touch made.txt")
        self.pawl("task", "cancel", "t")
        task = self.over(code=5)
        self.assertEqual(task["status"], "cancelled")
        self.assertEqual(self.manifest()["status"], "cancelled")
        self.assertFalse(self.has("done"), "there is no result")
        self.assertFalse(self.has("pid"))
        until("nothing of it is left", lambda: not self.running("sleep", number) and not self.running("sleep", "301"), 10)
        self.nothing_runs()
        self.assertEqual(self.story(), ["started", "cancelled"])
        self.assertEqual(len(self.model.requests), 1)
        self.assertIn("I begin.", self.file("output.log"))

    def test_one_that_was_cancelled_is_told_something_else(self):
        self.model.script(run("echo 4711 >seen.txt"), say("word " * 60, begin=0.5, pieces=60, every=0.5), say("It was 4711."))
        self.give("--yolo")
        self.made("seen.txt")
        until("it is asked again", lambda: len(self.model.requests) == 2, 30)
        time.sleep(1)
        self.pawl("task", "cancel", "t")
        self.write(self.task()["tmpdir"] + "/resume_prompt", "Forget the rest: what was the number?")
        self.pawl("task", "resume", "t")
        self.assertEqual(self.over()["status"], "completed")
        self.assertEqual(self.file("result"), "It was 4711.\n")
        self.assertIn(PROMPT, self.earlier(), "in the same conversation")
        self.assertIn("Forget the rest: what was the number?", self.earlier())

    def test_one_that_has_its_result_is_not_gone_on_with(self):
        self.model.script(say("All is well."))
        self.give()
        self.over()
        said = self.refused("task", "resume", "t")
        self.assertIn("'t' has its result already: read it with: pawl task output t", re.sub(r"[„“‘’]", "'", said))
        self.assertEqual(len(self.model.requests), 1)
        self.assertIn("never read", self.pawl("task", "clean", "t", code=1).stderr)
        self.pawl("task", "output", "t")
        folder = self.task()["tmpdir"]
        self.assertEqual(self.pawl("task", "clean", "t").stdout, "t removed\n")
        self.assertFalse(os.path.exists(folder))


class TaskMore(Prompts, Answers, Names, Bounds, Ends, Tasked):
    pass


def load_tests(loader, _tests, _pattern):
    return tests_of(loader, TaskMore)


if __name__ == "__main__":
    main(*AGENTS)
