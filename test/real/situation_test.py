#!/usr/bin/env python3
"""What the keyboard of real agents reaches, and what they ask: no prompt is run as a command, no answer lands on another question
(make test-real)."""
import json
import os
import re
import shutil
import signal

from agents import START_S, RealCase, main
from fake_model import run, say
from fake_model.steps import Step
from fleet import until
from watched import Watched


class Situations:
    """Mixed into a RealCase."""

    def one(self):
        return json.loads(self.pawl("show", "one", "--json").stdout)["agent"]

    def reaches(self, what):
        until(lambda: f"{what}, not {self.one()['input']}:\n{self.screen('one')}", lambda: self.one()["input"] == what, 10)

    def held(self, word):
        self.assertNotEqual(self.one()["state"], "ready")
        for words in (("send", "one", "touch made-by-a-prompt"), ("wake", "one", "--from", "ci", "the build is red")):
            self.assertRegex(self.pawl(*words).stdout, r"\Aqueued: one .*" + word)
        self.assertEqual(self.model.prompts(), [])
        self.assertFalse(os.path.exists(self.project + "/made-by-a-prompt"))

    def all_arrived(self):
        until(lambda: f"both in {self.model.prompts()}", lambda: len(self.model.prompts()) == 2, 60)
        self.assertFalse(os.path.exists(self.project + "/made-by-a-prompt"))
        self.assertIn("the build is red", self.model.prompts()[0])
        self.assertEqual(self.model.prompts()[1], "touch made-by-a-prompt")

    def test_nothing_is_typed_in_shell_mode(self):
        self.model.script(say("Yes."), say("Yes."))
        self.up()
        self.pawl("keys", "one", "!")
        self.reaches("shell")
        self.held("shell mode")
        self.pawl("keys", "one", "BSpace")
        self.all_arrived()

    def left_and_sent(self, what):
        self.reaches(what)
        self.assertRegex(self.pawl("send", "one", "hello to all").stdout, r"\Aqueued: one ")
        until(lambda: f"it arrives: {self.model.prompts()}\n{self.screen('one')}", lambda: self.model.prompts() == ["hello to all"], 30)
        found = self.decisions("leave")
        self.assertEqual([one["rule"] for one in found], ["mode"])
        outcome = [one for one in self.events() if one["type"] == "outcome" and one["decision"] == found[0]["seq"]][0]
        self.assertEqual((outcome["result"], outcome["witness"]), ("confirmed", "its prompt is back"))

    def test_an_empty_shell_mode_that_nobody_comes_back_to_is_left(self):
        self.model.script(say("Yes."))
        self.ready(human_quiet_s=3)
        self.pawl("keys", "one", "!")
        self.left_and_sent("shell")

    def test_a_draft_in_shell_mode_is_neither_cleared_nor_run(self):
        self.up()
        for key in "!ls":
            self.pawl("keys", "one", key)
        self.reaches("shell")
        self.held("shell mode")
        self.on_screen("one", r"^!\sls")

    def asked(self, command):
        """Comes to a dialog about this command; gives it."""
        until(lambda: f"asked about {command}: {self.one()['dialog']}\n{self.screen('one')}",
              lambda: command in ((self.one()["dialog"] or {}).get("subject") or ""), 30)
        return self.one()["dialog"]

    def test_what_is_asked_is_told_and_an_answer_is_for_that_dialog(self):
        self.model.script(run("touch first.txt", ask=True), run("touch second.txt", ask=True), say("Done."))
        self.up()
        self.prompt("make two files")
        first = self.asked("touch first.txt")
        self.assertRegex(first["question"], r"(?i)^(do|would) you ")
        self.assertNotIn(first["question"], [row["text"] for row in first["rows"]])
        for words in (("show", "one"), ("why", "one")):
            self.assertIn("touch first.txt", self.pawl(*words).stdout)
        until("an alert has it", lambda: "touch first.txt" in self.pawl("alerts").stdout, 10)
        self.assertEqual(self.one()["dialog"]["id"], first["id"])
        self.pawl("keys", "one", "Enter")  # somebody else answers it
        self.on_screen("one", "second.txt")
        until("it is seen", lambda: any("second.txt" in json.dumps(event.get("dialog") or {}) for event in self.events()), 20)
        self.assertIn("second.txt", self.pawl("answer", "one", "1", code=1).stderr)
        self.assertIn("second.txt", self.pawl("answer", "one", "1", "--dialog", first["id"], code=1).stderr)
        self.assertFalse(os.path.exists(self.project + "/second.txt"))
        second = self.asked("touch second.txt")
        self.assertIn("confirmed", self.pawl("answer", "one", "1", "--dialog", second["id"]).stdout)
        self.wait("ready")
        self.assertTrue(os.path.exists(self.project + "/second.txt"))


class FirstRun:
    """Mixed into a RealCase whose home is empty: nobody has logged in."""
    login = ""       # what it says then
    keys = ()        # pressed on the way there

    def test_nobody_is_logged_in(self):
        self.environment = {name: value for name, value in self.environment.items() if not re.search("KEY|PROVIDER|OFFLINE", name)}
        shutil.rmtree(self.user_home)
        os.makedirs(self.user_home)
        self.begin()
        for key in self.keys:
            self.wait("waiting", timeout=START_S)
            self.pawl("keys", "one", key)
        until(lambda: f"{self.login!r}: {self.why()}\n{self.screen('one')}", lambda: re.search(self.login, self.one()["because"]), START_S)
        self.assertEqual((self.one()["state"], self.one()["kind"]), ("waiting", "login"))
        self.assertRegex(self.pawl("send", "one", "hello").stdout, r"\Aqueued: one ")


class Spoken:
    """Mixed into a RealCase: what it draws for screen readers is read, too."""
    spoken = ()      # the arguments

    def test_what_is_drawn_for_screen_readers(self):
        self.model.script(say("It rains in the north, and it will be dry tomorrow.", begin=1.5), run("touch made.txt", ask=True), say("Done."))
        self.begin(*self.command, *self.spoken)
        self.wait("ready", timeout=START_S)
        self.pawl("keys", "one", "/")
        self.wait("typing")
        self.pawl("keys", "one", "BSpace")
        self.wait("ready")
        self.pawl("keys", "one", "!")
        self.reaches("shell")
        self.pawl("keys", "one", "Escape")
        self.wait("ready")
        self.prompt("how is the weather")
        self.wait("busy")
        until("the model has answered", lambda: (self.model.last("end") or 0) > self.mark, 30)
        self.wait("ready")
        self.assertEqual([row for row in self.states() if row[1] == "ready" and row[0] < self.model.last("end")], [])
        self.prompt("make a file")
        self.wait("waiting")
        until(lambda: f"{self.one()['dialog']}", lambda: re.match(r"Do you want to proceed|Allow execution of", (self.one()["dialog"] or {}).get("question") or ""), 10)


class Claude(Spoken, Situations, Watched, RealCase):
    agent = "claude"
    spoken = ("--ax-screen-reader",)

    def test_a_status_line_that_looks_like_work(self):
        self.place.write(".claude/settings.json", {"statusLine": {"type": "command", "command": "echo 'my line (esc to interrupt)'"}})
        self.begin()
        self.on_screen("one", "my line .esc to interrupt")
        self.wait("ready", timeout=START_S)
        self.assertRegex(self.one()["because"], "does not move: .my line")
        self.model.script(say("A slow answer. " * 60, begin=1, pieces=60, every=0.05))
        self.prompt("say something long")
        self.wait("busy")
        until("the model has answered", lambda: (self.model.last("end") or 0) > self.mark, 30)
        self.wait("ready")
        ready = [row[0] for row in self.states() if row[1] == "ready"]
        self.assertEqual([at for at in ready if at < self.model.last("end")], [], self.states())

    def test_a_suspended_one_is_named(self):
        self.up()
        pid = self.one()["pid"]
        self.pawl("keys", "one", "C-z")
        until(lambda: self.one()["because"], lambda: f"suspended with Ctrl-Z: kill -CONT {pid} lets it go on" in self.one()["because"], 10)
        self.assertEqual((self.one()["state"], self.one()["input"]), ("unknown", "none"))
        os.kill(pid, signal.SIGCONT)
        self.wait("ready")

    def test_a_page_that_nobody_comes_back_to_is_left(self):
        self.model.script(say("Yes."))
        self.ready(human_quiet_s=3)
        self.pawl("keys", "one", "C-o")
        self.left_and_sent("view")

    def test_nothing_is_typed_into_the_agents_view(self):
        self.model.script(say("Yes."), say("Yes."))
        self.up()
        self.pawl("keys", "one", "Left")
        self.reaches("agents")
        self.held("agents view")

    def test_a_kept_answer_is_for_its_own_question(self):
        def question(text):
            return Step(tool="AskUserQuestion", arguments={"questions": [{
                "question": text, "header": "May I", "multiSelect": False,
                "options": [{"label": "Yes", "description": "Do it"}, {"label": "No", "description": "Do not"}]}]})
        self.model.script(question("May I delete the temp folder?"), say("Done."), question("May I drop the production database?"), say("Done."))
        self.up()
        self.prompt("clean up")
        until(lambda: f"the first question: {self.one()['dialog']}", lambda: (self.one()["dialog"] or {}).get("question") == "May I delete the temp folder?", 30)
        self.assertIn("kept", self.pawl("answer", "one", "1", "--keep").stdout)
        self.wait("ready")
        self.prompt("go on")
        until(lambda: f"the second question: {self.one()['dialog']}",
              lambda: (self.one()["dialog"] or {}).get("question") == "May I drop the production database?", 30)
        until("a person is told", lambda: "production database" in self.pawl("alerts").stdout, 150)
        self.assertEqual(self.one()["state"], "waiting", "nobody pressed anything")


class Codex(FirstRun, Situations, Watched, RealCase):
    agent = "codex"
    login = "Choose how you want to use Codex"


class Shells(Watched):
    """Those of which only the shell mode is tried."""
    one, reaches, left_and_sent = Situations.one, Situations.reaches, Situations.left_and_sent
    test_an_empty_shell_mode_that_nobody_comes_back_to_is_left = Situations.test_an_empty_shell_mode_that_nobody_comes_back_to_is_left


class Gemini(FirstRun, Spoken, Shells, RealCase):
    agent = "gemini"
    login = "How would you like to authenticate"
    keys = ("Enter",)  # it asks whether to trust the folder first
    spoken = ("--screen-reader",)

    def test_a_background_shell_with_the_focus_takes_the_keys(self):
        self.model.script(run("sleep 60", ask=True), say("It runs."), say("Yes."))
        self.up()
        self.prompt("run it")
        self.wait("waiting")
        self.answer("Enter")
        self.on_screen("one", "Shell +sleep 60")
        self.pawl("keys", "one", "C-b")
        self.wait("ready")
        self.assertEqual(self.one()["background"], 1)
        self.pawl("keys", "one", "C-b")
        self.reaches("shell")
        self.assertRegex(self.pawl("send", "one", "hello to all").stdout, r"\Aqueued: one .*shell")
        self.pawl("keys", "one", "Tab")
        until(lambda: f"it arrives: {self.model.prompts()}", lambda: "hello to all" in self.model.prompts(), 30)


class Opencode(Shells, RealCase):
    agent = "opencode"


class Qwen(Shells, RealCase):
    agent = "qwen"


class Copilot(FirstRun, Watched, RealCase):
    agent = "copilot"
    one = Situations.one
    login = "Please use /login to sign in"
    keys = ("Enter",)


class Pi(Watched, RealCase):
    agent = "pi"
    one = Situations.one

    def test_a_command_is_a_draft(self):
        self.up()
        for key in "/mo":
            self.pawl("keys", "one", key)
            self.wait("typing")
        self.on_screen("one", "Select model")
        self.assertEqual((self.one()["state"], self.one()["input"]), ("typing", "prompt"))
        for _ in "/mo":
            self.pawl("keys", "one", "BSpace")
        self.wait("ready")
        self.assertEqual({row[1] for row in self.states()}, {"typing", "ready"}, self.states())


if __name__ == "__main__":
    main("claude", "codex", "gemini", "opencode", "qwen", "copilot", "pi")
