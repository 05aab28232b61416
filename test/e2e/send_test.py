#!/usr/bin/env python3
"""Text on its way to an agent: queued, typed, seen taken; a person first; a daemon killed in between."""
import collections
import datetime
import glob
import json
import os
import random
import re
import subprocess
import time
import unittest

from fleet import PAWL, processes, read_proc, until
from sender import KILLS, SEED, SendCase


class Send(SendCase):
    def test_to_a_ready_agent(self):
        self.agent()
        self.send("look at the queue", said=r"\Aconfirmed: .+ \(\d+\.\d\d s\)\n\Z")
        self.prompted("look at the queue")
        receipt = json.loads(self.pawl("send", "one", "--json", "--wait", "done", "again").stdout)
        self.assertEqual((receipt["name"], receipt["verdict"]), ("one", "confirmed"))
        self.prompted("look at the queue", "again")
        self.assertEqual(glob.glob(self.home + "/agents/one/outbox/*"), [])
        self.assert_every_decision_has_one_outcome()

    def test_to_a_busy_agent_in_order(self):
        self.agent("--scene", "busy", "--speed", "6", until="busy")
        self.send("first", said="queued: one is busy\n")
        self.send("second", said="queued: one is busy; 1 before it\n")
        self.send("third", said="queued: one is busy; 2 before it\n")
        self.assertEqual(self.prompts(), [])
        self.prompted("first", "second", "third")

    def test_queued_texts_outlive_the_daemon(self):
        self.agent("--scene", "busy", "--speed", "4", until="busy")
        self.send("first", said="queued")
        self.pawl("daemon", "--stop")
        self.send("second", said="queued")
        self.kill_daemon()
        self.pawl("ls")
        self.send("third", said="queued")
        self.kill_daemon()
        self.pawl("ls")
        self.prompted("first", "second", "third")

    def test_wait(self):
        self.agent("--scene", "busy", "--speed", "4", until="busy")
        self.send("one", "--wait", "busy", said=r"confirmed: .*\nbusy: ")
        self.send("two", "--wait", "done", said=r"confirmed: .*\nready: ")
        self.assertEqual(self.agents()["one"]["state"], "ready")
        self.refused("send", "one", "three", "--wait", "nonsense", code=2)
        self.prompted("one", "two")

    def test_wait_gives_up_in_time(self):
        self.agent("--scene", "busy", "--speed", "1", until="busy")
        begin = time.monotonic()
        self.refused("send", "one", "--wait", "done", "--timeout", "1", "later", code=124)
        self.assertLess(time.monotonic() - begin, 10)
        self.assertEqual(len(self.queued()), 1, "it stays in the outbox")

    def test_wait_gives_up_during_the_turn(self):
        self.agent("--speed", "0.2")
        done = self.send("a long turn", "--wait", "done", "--timeout", "3", said="confirmed", code=124)
        self.assertIn("still busy", done.stderr)

    def test_the_turn_ends_with_a_question(self):
        self.agent("--speed", "8")
        self.send("remove the old build", "--wait", "done", said=r"confirmed: .*\nwaiting: ", code=3)
        self.send("more", said=r"queued: one waits for an answer \(permission\)\n")
        self.assertIn("confirmed", self.pawl("answer", "one", "1").stdout)
        self.prompted("remove the old build", "more")

    def test_who_waits_is_told_that_it_ended(self):
        self.agent("--scene", "busy", "--speed", "0.5", until="busy")
        sender = subprocess.Popen([PAWL, "send", "one", "--wait", "done", "later"], env=self.environment, cwd=self.folder,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
        until("it is queued", self.queued)
        self.pawl("stop", "one")
        said = sender.communicate(timeout=30)
        self.assertEqual(sender.returncode, 1, said)
        self.assertIn("the text stays in its outbox", said[1])

    def test_usage(self):
        self.agent()
        self.refused("send", "one", code=2)
        self.refused("send", code=2)
        self.refused("send", "one", "--nonsense", code=2)
        self.refused("send", "nobody", "text")
        self.refused("send", "one", "", code=2)
        self.pawl("stop", "one")
        self.assertIn("is not running", self.refused("send", "one", "text"))
        self.assertIn("is not running", self.refused("wake", "one"))
        self.assertEqual(glob.glob(self.home + "/agents/one/outbox/*"), [])

    def test_dashes(self):
        self.agent()
        self.refused("send", "one", "-text", code=2)
        self.send("--wait", "done", "--", "-text", said="confirmed")
        self.send("--wait", "done", "--", "--now", said="confirmed")
        self.send("--wait", "done", "-", said="confirmed", input="- from a pipe\n")
        self.prompted("-text", "--now", "- from a pipe")

    def test_limits(self):
        self.agent("--scene", "busy", "--speed", "0.1", until="busy")
        self.send("-", said="queued", input="x" * (256 << 10))
        self.assertIn("larger than 256 KiB", self.refused("send", "one", "-", input="x" * ((256 << 10) + 1)))
        for i in range(99):
            self.send(f"text {i}", said="queued")
        self.assertIn("100 texts wait for 'one' already", self.refused("send", "one", "one too many"))
        self.assertEqual(len(glob.glob(self.home + "/agents/one/outbox/*")), 100)

    def test_a_line_that_the_kernel_would_cut(self):
        self.pawl("run", "-d", "cat", "--", "cat")
        until("its terminal is looked at", lambda: "edits lines" in self.pawl("why", "cat").stdout, 10)
        cut = self.pawl("send", "cat", "-", input="short\n" + "x" * 4095, code=1).stdout
        self.assertRegex(cut, r"\Arefused: its terminal cuts lines of more than 4094 bytes")
        self.assertNotIn("short", self.screen("cat"))
        self.pawl("send", "cat", "-", input="y" * 4094 + "\nthe end")
        until(lambda: f"all of it on {self.screen('cat')}", lambda: self.screen("cat").count("the end") == 2, 10)

    def test_answer(self):
        self.agent("--scene", "dialog", "--loop", "--speed", "8", until="waiting")
        said = self.pawl("answer", "one", "4", code=1).stdout
        self.assertIn("'4' is none of its rows: Yes, this once; Yes, and do not ask again today; No, say what to do instead", said)
        self.pawl("answer", "one", "Yes", code=1)  # two rows begin so
        self.pawl("answer", "one", "-", code=1)
        self.assertEqual(self.agents()["one"]["state"], "waiting")
        self.assertIn("confirmed", self.pawl("answer", "one", "no, say").stdout)
        self.on_screen("one", "Not allowed: rm -r out/old")
        self.state("one", "waiting")
        self.assertIn("confirmed", self.pawl("answer", "one", "2").stdout)
        self.on_screen("one", "Allowed: rm -r out/old")
        self.state("one", "busy,ready")
        self.assertIn("has no open dialog", self.refused("answer", "one", "1"))
        self.refused("answer", "one", code=2)

    def test_the_text_is_nobody_elses(self):
        secret = "quaint-marmalade-7"
        self.agent("--scene", "busy", "--speed", "4", until="busy")
        self.send("-", said="queued", input=secret)

        def leaks():
            ours = {os.getpid()}
            for pid in processes():
                for name in ("cmdline", "environ"):
                    if pid not in ours and secret.encode() in read_proc(pid, name):
                        yield f"/proc/{pid}/{name}"
            with open(self.home + "/daemon.log", encoding="utf-8") as file:
                if secret in file.read():
                    yield "daemon.log"
            if secret in self.pawl("events", "--json").stdout:
                yield "events"

        self.assertEqual(list(leaks()), [])
        self.prompted(secret)
        self.assertEqual(list(leaks()), [])


class APersonFirst(SendCase):
    def test_a_draft_is_put_back(self):
        self.agent()
        person = self.person()
        person.type("half a thought ")
        self.state("one", "typing")
        self.send("not now", said="queued: somebody's text is in the box of one")
        self.send("--now", "it is urgent", said=r"confirmed: .*; the draft is back \(")
        self.assertEqual(self.prompts(), ["it is urgent"])
        self.on_screen("one", "❯ half a thought")
        person.type("and the rest\r")
        until(self.prompts, lambda: len(self.prompts()) == 2)
        self.assertEqual(self.prompts()[1], "half a thought and the rest")
        self.assertEqual(glob.glob(self.home + "/agents/one/draft-*"), [])

    def test_a_person_at_the_keyboard_is_left_alone(self):
        self.agent(quiet=60)
        person = self.person()
        before = datetime.datetime.now(datetime.timezone.utc)
        person.type("mine\r")
        self.prompted("mine")
        self.rested(1)
        done = self.send("yours", said=r"queued: a person typed into one a moment ago, until \S+Z\n")
        end = datetime.datetime.fromisoformat(re.search(r"until (\S+)Z", done.stdout)[1] + "+00:00")
        self.assertTrue(55 < (end - before).total_seconds() < 75, done.stdout)
        self.assertIn("confirmed", self.pawl("wake", "one", "--from", "ci", "the build is red").stdout)
        self.prompted("mine", "Wake-up from ci: the build is red")
        self.rested(2)
        self.assertIn("confirmed", self.pawl("wake", "one").stdout)
        self.prompted("mine", "Wake-up from ci: the build is red", "Wake-up from an operator: look at your work and go on.")

    def test_the_quiet_time_ends(self):
        self.agent(quiet=2)
        person = self.person()
        person.type("mine\r")
        self.prompted("mine")
        self.rested(1)
        self.send("yours", said="queued|confirmed")  # a slow machine may need two seconds for that
        self.prompted("mine", "yours")


class Kills(SendCase):
    def test_the_daemon_is_killed_during_deliveries(self):
        self.agent()
        dice = random.Random(SEED)
        texts = [f"text number {i} of {SEED}" for i in range(KILLS)]
        cut_off = set()
        for text in texts:
            self.state("one", "ready")
            sender = subprocess.Popen([PAWL, "send", "one", text], env=self.environment, cwd=self.folder,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(dice.random() * 0.4)  # a delivery takes a quarter of a second
            self.kill_daemon()
            if sender.wait(30) != 0:
                cut_off.add(text)
            self.pawl("ls")
            # Done with, so that the next kill falls into the next delivery.
            until(lambda: f"SEED={SEED}: {self.queued()} {self.outcomes()}", lambda: set(self.queued()) == set(self.outcomes()))
        count = collections.Counter(self.prompts())
        self.assertLessEqual(set(count), set(texts), f"SEED={SEED}: joined or torn")
        self.assertLessEqual(max(count.values()), 1, f"SEED={SEED}: {count}")
        results = collections.Counter(self.outcomes().values())
        self.assertGreaterEqual(len(count), results["confirmed"], f"SEED={SEED}: {results} {count}")
        self.assertGreater(len(cut_off & set(count)), 0, f"SEED={SEED}: no kill fell into a delivery")
        self.assertEqual(glob.glob(self.home + "/agents/one/outbox/*"), [])
        self.assert_every_decision_has_one_outcome()
        for item, result in self.outcomes().items():
            self.assertIn(result, ("confirmed", "unverified", "failed"), item)
        # It is as good as new.
        self.send("after all that", "--wait", "done", said="confirmed")

    def test_a_draft_is_not_lost_when_the_daemon_is_killed(self):
        self.agent()
        dice = random.Random(SEED)
        for i in range(max(3, KILLS // 4)):
            person = self.person()
            person.type("half a thought ")
            self.state("one", "typing")
            person.type("\x1c")
            person.ended()
            sender = subprocess.Popen([PAWL, "wake", "one", f"number {i}"], env=self.environment, cwd=self.folder,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(dice.random() * 0.9)
            self.kill_daemon()
            sender.wait(30)
            self.pawl("ls")
            until(lambda: f"SEED={SEED}: {self.queued()} {self.outcomes()}", lambda: set(self.queued()) == set(self.outcomes()))
            self.assertEqual(glob.glob(self.home + "/agents/one/*.new"), [])
            kept = glob.glob(self.home + "/agents/one/draft-*")
            if kept:
                with open(kept[0], encoding="utf-8") as file:
                    self.assertEqual(file.read(), "half a thought ")
                self.assertIn(kept[0], self.pawl("events", "--json").stdout, "an alert says where it is")
                os.remove(kept[0])
            else:
                self.on_screen("one", "❯ half a thought$")
            self.pawl("keys", "one", "C-u")
            self.state("one", "ready")
        self.assertLessEqual(max(collections.Counter(self.prompts()).values(), default=0), 1, f"SEED={SEED}")


if __name__ == "__main__":
    unittest.main()
