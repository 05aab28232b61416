#!/usr/bin/env python3
"""pawl send with real agents (make test-real): whatever the text and whatever the agent does at that moment, what is reported
confirmed arrived once and whole. The model's log is the judge. PAWL_DELIVERIES is how many prompts each agent gets."""
import os
import random
import re
import threading
import time

from agents import BACKEND, START_S, TURN_S, find, main, of_each
from fake_model import run, say
from fleet import until
from settle import AGENTS
from watched import Watched

COUNT = int(os.environ.get("PAWL_DELIVERIES", "24"))
ASKING = ("claude", "codex", "gemini")  # those with a permission dialog
NAMES = [name for name in os.environ.get("PAWL_DELIVER", "claude codex gemini pi").split() if find(name)]
ODD = "keys like Enter C-c <esc> \\e[31m ^[[A {Escape} \\n $(true) `id` \"'; %s /help ~ & |"


def lines(count, mark):
    return "\n".join(f"line {n} of {mark}: plain words and a number {n * 37}" for n in range(1, count + 1))


def body(kind, mark):
    return {"short": "one line", "lines": lines(40, mark), "5k": lines(100, mark)[:5000], "64k": lines(1400, mark)[:64 << 10],
            "wide": "端末のエージェント 🦀🎉 naïve Ünïcödé — „quotes“ 한국어 مرحبا", "odd": ODD, "few": lines(3, mark),
            "byte": ""}[kind]


# Spelt otherwise than the box shows it, or taken for a part of the box, or for a word to the program.
ODD_ONES = ["cafe\u0301 in pieces", "\u1112\u1161\u11ab\u1100\u116e\u11a8 in pieces", "a hand \U0001F44D\U0001F3FD up", "soft\u00adhyphen here",
            "above\n\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\nbelow", "/unheardof of", "/unheardof of it\nand more",
            "have a look at @main.py", "\u202eturned round"]

KINDS = ["short", "lines", "wide", "odd", "few", "5k", "byte", "short", "64k", "odd"]


def text_of(number):
    """Each has its own first and last word."""
    kind = KINDS[number % len(KINDS)]
    return f"begin{number} {body(kind, number)} end{number}" if kind != "byte" else f"x{number}"


def shape(text):
    """As agents leave it: ends of lines and runs of blanks are theirs to change."""
    return re.sub(r"\s+", " ", text).strip()


class DeliverTest(Watched):
    def send(self, text, *words, code=0):
        return self.pawl("send", "one", "-", *words, input=text, code=code).stdout

    def arrived(self, texts, timeout):
        until(lambda: f"{len(texts)} prompts arrived, not {len(self.model.prompts())}\n{self.screen('one')}\n"
                      f"{self.pawl('why', 'one').stdout}", lambda: len(self.model.prompts()) >= len(texts), timeout)
        self.assertEqual([shape(got) for got in self.model.prompts()], [shape(text) for text in texts])

    def outcomes(self):
        return [event["result"] for event in self.events("--agent", "one")
                if event["type"] == "outcome" and event["action"] in ("send", "wake") and not event.get("kept")]

    def test_sent_while_it_starts_is_ready_and_is_busy(self):
        texts = [text_of(number) for number in range(COUNT)]
        self.begin()
        self.assertIn("queued", self.send(texts[0]))
        for text in texts[1:COUNT // 2]:  # while it starts, or works
            self.assertRegex(self.send(text), "queued|confirmed")
        self.arrived(texts[:COUNT // 2], START_S + 10 * COUNT)
        for text in texts[COUNT // 2:]:
            self.wait("ready")
            self.assertIn("confirmed", self.send(text, "--wait", "done"))
        self.arrived(texts, 10)
        self.assertEqual(self.outcomes(), ["confirmed"] * COUNT)
        took = sorted(event["took_ms"] for event in self.events("--agent", "one")
                      if event["type"] == "outcome" and event["action"] == "send" and not event.get("kept"))
        print(f"\n{self.agent}: {COUNT} delivered; from typing to confirmed {took[len(took) // 2]} ms (median), {took[-1]} ms (most)")

    def test_sent_before_a_dialog_and_its_answer(self):
        if self.agent not in ASKING:
            self.skipTest("it never asks")
        self.model.script(run("touch made.txt", ask=True, on="first"), say("Made.", on="first"))
        self.up()
        self.send("first make a file", "--wait", "busy")
        self.wait("waiting")
        self.assertIn("queued", self.send("second after the dialog"))
        self.assertIn("queued", self.send("third at once", "--now"))
        self.assertIn("confirmed", self.pawl("answer", "one", "1").stdout)
        self.arrived(["first make a file", "third at once", "second after the dialog"], 60)
        self.assertTrue(os.path.exists(self.project + "/made.txt"))

    def test_a_draft_is_waited_for_or_put_back(self):
        self.up()
        self.pawl("send", "one", "--no-enter", "half a thou")
        self.wait("typing")
        self.assertIn("queued", self.send("patient"))
        self.assertIn("confirmed", self.send("urgent", "--now", "--wait", "done"))
        self.wait("typing")
        self.assertIn("half a thou", self.screen("one").split("urgent")[-1])
        self.assertEqual([shape(text) for text in self.model.prompts()], ["urgent"])
        self.pawl("keys", "one", "C-u")
        self.arrived(["urgent", "patient"], 60)

    def empty(self):
        """Its box, by what the next text becomes: alone, whatever the one before left behind."""
        self.wait("ready")
        count = len(self.model.prompts())
        self.assertIn("confirmed", self.send("are you there", "--wait", "done"))
        self.assertEqual([shape(text) for text in self.model.prompts()[count:]], ["are you there"])

    def test_odd_spellings_arrive_or_leave_nothing_behind(self):
        self.up()
        for text in ODD_ONES:
            with self.subTest(text):
                count = len(self.model.prompts())
                said = self.send(text, code=None)
                print(f"\n{self.agent}: {text!r}: {said.strip()}")
                if "confirmed" in said:
                    until("it arrived", lambda: len(self.model.prompts()) > count, 10)
                else:
                    self.assertRegex(said, "taken out of the box|its box emptied")
                    self.assertEqual(len(self.model.prompts()), count)
                self.empty()

    def test_a_prompt_that_a_hook_refuses(self):
        if self.agent != "claude":
            self.skipTest("its hooks need to be trusted one by one")
        for took in ("0", "2"):
            self.write(self.folder + "/refuse.sh",
                       f"#!/bin/sh\nif grep -q forbidden; then sleep {took}; echo not here >&2; exit 2; fi\n")
            os.chmod(self.folder + "/refuse.sh", 0o755)
            self.place.write(".claude/settings.json", {"hooks": {"UserPromptSubmit": [
                {"hooks": [{"type": "command", "command": self.folder + "/refuse.sh"}]}]}})
            if took == "0":
                self.up()
            said = self.send("this is forbidden", code=None)
            print(f"\n{self.agent}: refused after {took} s: {said.strip()}")
            print(self.screen("one"))
            self.assertRegex(said, "^refused: a hook of its own refused the prompt: .*not here")
            self.empty()
        self.assertNotIn("forbidden", " ".join(self.model.prompts()))

    def test_a_rules_prompt_outlives_a_kill_of_the_daemon(self):
        """Killed between the text and its Enter, mostly: it is never left in the box as somebody's."""
        self.up_with(prompt="write the docs", nudge={"base_s": 3, "attempts": 1})
        self.wait("ready", timeout=START_S)
        end = time.time() + TURN_S
        while not self.decisions("nudge") and time.time() < end:
            pass
        before = len(self.model.prompts())
        self.kill_daemon()
        result = self.outcome_of(self.decisions("nudge")[0])
        print(f"\n{self.agent}: a rule's prompt, and a kill: {result['result']}: {result['witness']}")
        self.empty()
        self.assertEqual(set(self.model.prompts()[:-1]) - {"write the docs"}, set())
        if result["result"] == "confirmed":
            self.assertEqual(len(self.model.prompts()), before + 2)

    def by_hand(self, keys, typed, count):
        """A person at a tmux client, who begins to type when the agent looks idle and waits for nobody."""
        dice = random.Random(self.agent)
        for number in range(count):
            time.sleep(dice.uniform(0, 5))
            until("it looks idle", lambda: self.agents()["one"]["state"] == "ready", 60)
            typed.append(f"mine{number} typed by hand")
            while True:
                for sign in typed[-1]:
                    os.write(keys, sign.encode())
                    time.sleep(dice.uniform(0.03, 0.12))
                time.sleep(dice.uniform(1, 1.5))
                if "sent" not in self.box():
                    break
                os.write(keys, b"\x15")  # two began at the same moment: they see it, and begin again
                time.sleep(1)
            os.write(keys, b"\r")

    def box(self):
        """What the person sees in it: the last row with words of theirs or ours."""
        rows = self.tmux("capture-pane", "-p", "-t", "work").splitlines()
        return next((row for row in reversed(rows) if re.search("sent|mine", row)), "")

    def test_sent_beside_a_person(self):
        """Their client is their own: nobody can hold its keys back."""
        if BACKEND != "adopted":
            self.skipTest("a person at an own terminal is in test_a_draft_is_waited_for_or_put_back")
        self.write(self.folder + "/user.toml", "[defaults]\nhuman_quiet_s = 2\n")
        self.environment["PAWL_CONFIG"] = self.folder + "/user.toml"
        self.up()
        typed, sent = [], [f"sent{number} by pawl" for number in range(COUNT)]
        person = threading.Thread(target=self.by_hand, args=(self.person(), typed, COUNT // 2))
        person.start()
        for text in sent:
            self.send(text, code=None)
            time.sleep(random.uniform(0, 4))
        person.join()
        until("all were typed", lambda: len(self.outcomes()) == COUNT, 20 * COUNT)
        self.wait("ready")
        got = [shape(text) for text in self.model.prompts()]
        fates = self.outcomes()
        confirmed = [text for text, fate in zip(sent, fates) if fate == "confirmed"]
        print(f"\n{self.agent}: {len(typed)} by hand, {len(confirmed)} of {COUNT} confirmed beside them, "
              f"{COUNT - len(confirmed)} told to have met the person's keys")
        self.assertEqual(sorted(got), sorted(typed + confirmed), fates)
        self.assertEqual(len([event for event in self.events("--agent", "one") if "may not have arrived" in event.get("text", "")]),
                         COUNT - len(confirmed))


def load_tests(loader, _tests, _pattern):
    return of_each(loader, DeliverTest, NAMES)


if __name__ == "__main__":
    main(*NAMES)
