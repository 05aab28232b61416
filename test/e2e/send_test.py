#!/usr/bin/env python3
"""Text on its way to an agent: queued, typed, seen taken; a person first; files that wake; a daemon killed in between."""
import collections
import datetime
import glob
import json
import os
import random
import re
import signal
import subprocess
import time
import unittest

from fleet import AGENT, PAWL, FleetCase, processes, read_proc, until
from person import Person

SEED = int(os.environ.get("SEED", "4"))
KILLS = int(os.environ.get("KILLS", "20"))
QUICK = ("--speed", "40")  # a turn takes a sixth of a second
SLOW = ("--speed", "2")    # … three seconds


class SendCase(FleetCase):
    def setUp(self):
        super().setUp()
        self.log = self.folder + "/prompts"
        self.environment["PAWL_DEMO_PROMPTS"] = self.log

    def agent(self, *flags, name="one", until="ready", quiet=120):
        command = json.dumps([AGENT, *(flags or QUICK)])
        with open(self.folder + "/pawl.toml", "w", encoding="utf-8") as file:
            file.write(f"[agent.{name}]\ncommand = {command}\nhuman_quiet_s = {quiet}\n")
        self.pawl("up")
        self.state(name, until)

    def state(self, name, states):
        self.pawl("wait", name, "--until", states, "--timeout", "30")

    def rested(self, turns):
        """Waits until so many turns were seen to begin, and the last one is over."""
        until(lambda: f"{turns} turns in {self.events()}",
              lambda: sum(event["type"] == "state" and event["to"] == "busy" for event in self.events()) >= turns)
        self.state("one", "ready")

    def prompts(self):
        try:
            with open(self.log, encoding="utf-8") as file:
                return file.read().splitlines()
        except FileNotFoundError:
            return []

    def prompted(self, *texts):
        until(lambda: f"{texts} in {self.prompts()}\n{self.screen('one')}", lambda: self.prompts() == list(texts))

    def send(self, *words, said, code=0, **more):
        done = self.pawl("send", "one", *words, code=code, **more)
        self.assertRegex(done.stdout, said)
        return done

    def person(self, name="one"):
        person = Person(self, "attach", name)
        person.sees(r"\x1b\[\?1049h")
        until("the terminal is raw", person.raw)
        return person

    def outcomes(self):
        """What became of each item of the outbox: {item: result}; only those that are done with."""
        items, done = {}, {}
        for event in self.events():
            if event["type"] == "decision" and event.get("item"):
                items[event["seq"]] = event["item"]
            elif event["type"] == "outcome" and event["decision"] in items and not event.get("kept"):
                done[items[event["decision"]]] = event["result"]
            elif event["type"] == "queue" and event["what"] == "dropped":
                done[event["item"]] = "dropped"
        return done

    def queued(self):
        return [event["item"] for event in self.events() if event["type"] == "queue" and event["what"] == "queued"]


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
        self.agent("--scene", "dialog", "--loop", "--speed", "8", until="waiting")
        self.pawl("answer", "one", "3")
        self.state("one", "ready")
        # The next question comes from the loop; the text waits for it, and its sender with it.
        self.send("go on", "--wait", "done", said=r"confirmed")
        self.state("one", "waiting")
        self.send("more", said=r"queued: one waits for an answer \(permission\)")

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
        self.assertIn("does not ask", self.refused("answer", "one", "1"))
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


class Files(SendCase):
    def pending(self, name="one"):
        return f"{self.home}/agents/{name}/wakeup_pending"

    def leave(self, text, name="one"):
        with open(self.pending(name), "w", encoding="utf-8") as file:
            file.write(text)

    def woken(self, *texts):
        self.prompted(*texts)
        self.assertFalse(os.path.exists(self.pending()))
        self.assertEqual(glob.glob(self.home + "/agents/one/outbox/*"), [])

    def test_wakeup_pending(self):
        self.agent(quiet=600)
        person = self.person()
        person.type("mine\r")
        self.prompted("mine")
        self.rested(1)
        subprocess.run(["touch", self.pending()], check=True)
        begin = time.monotonic()
        until("it is taken", lambda: not os.path.exists(self.pending()))
        self.assertLess(time.monotonic() - begin, 1)
        first = "Wake-up from wakeup_pending: look at your work and go on."
        self.woken("mine", first)
        self.rested(2)
        self.leave("the build is red\n")
        self.woken("mine", first, "Wake-up from wakeup_pending: the build is red")
        self.rested(3)
        with open(self.folder + "/elsewhere", "w", encoding="utf-8") as file:
            file.write("from: ci\nline one\nline two\n")
        os.rename(self.folder + "/elsewhere", self.pending())
        self.woken("mine", first, "Wake-up from wakeup_pending: the build is red", "Wake-up from ci: line one line two")
        self.assertEqual({event["from"] for event in self.events() if event.get("what") == "queued"}, {"wakeup_pending", "ci"})

    def test_a_file_that_is_still_being_written(self):
        self.agent()
        subprocess.run(f"(echo one; sleep 0.5; echo two) > '{self.pending()}'", shell=True, check=True)
        self.woken("Wake-up from wakeup_pending: one two")

    def test_left_while_no_daemon_ran(self):
        self.agent()
        self.pawl("daemon", "--stop")
        self.leave("good morning")
        self.pawl("ls")
        self.woken("Wake-up from wakeup_pending: good morning")

    def test_left_for_an_agent_that_does_not_run(self):
        self.agent()
        self.pawl("stop", "one")
        self.leave("good morning")
        self.pawl("ls")
        self.assertTrue(os.path.exists(self.pending()))
        self.pawl("restart", "one")
        self.woken("Wake-up from wakeup_pending: good morning")

    def test_an_agent_of_the_same_name(self):
        self.agent()
        self.pawl("rm", "-f", "one")
        self.agent()
        self.leave("you are new")
        self.woken("Wake-up from wakeup_pending: you are new")

    def test_what_is_no_file_is_left_alone(self):
        self.agent()
        os.mkfifo(self.pending())
        self.send("hello", "--wait", "done", said="confirmed")
        os.remove(self.pending())
        os.mkdir(self.pending())
        self.send("again", "--wait", "done", said="confirmed")
        self.prompted("hello", "again")

    def test_one_that_is_too_long_to_be_typed(self):
        self.agent("--scene", "busy", "--speed", "0.5", until="busy")
        self.leave("x" * ((256 << 10) + 1))
        aside = until("it is set aside", lambda: glob.glob(self.home + "/agents/one/wakeup-*.txt"))
        self.assertEqual(os.path.getsize(aside[0]), (256 << 10) + 1)
        outbox = until("it is queued", lambda: glob.glob(self.home + "/agents/one/outbox/*"))
        with open(outbox[0], encoding="utf-8") as file:
            self.assertIn(aside[0], file.read())

    def test_each_file_wakes_once_whenever_the_daemon_is_killed(self):
        self.agent()
        dice = random.Random(SEED)
        for i in range(KILLS // 2):
            self.leave(f"file {i} of {SEED}")
            time.sleep(dice.random() * dice.choice((0.01, 0.05, 0.3)))
            self.kill_daemon()
            self.pawl("ls")
            until("it is taken", lambda: not os.path.exists(self.pending()))
            until(lambda: f"SEED={SEED}: {self.outcomes()}", lambda i=i: len(self.outcomes()) == i + 1)
            self.assertEqual(len(self.queued()), i + 1, f"SEED={SEED}: queued twice")
        self.assertLessEqual(max(collections.Counter(self.prompts()).values()), 1, f"SEED={SEED}")

    def test_no_watches_to_be_had(self):
        limits = "/proc/sys/user/max_inotify_watches"
        script = f"echo 0 > {limits} && exec {PAWL} daemon"
        daemon = subprocess.Popen(["unshare", "-Ur", "sh", "-c", script], env=self.environment, cwd=self.folder,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8")
        self.addCleanup(daemon.stderr.close)
        self.addCleanup(daemon.wait, 30)
        self.addCleanup(daemon.terminate)
        until("a daemon", lambda: daemon.poll() is not None or os.path.exists(self.home + "/pawl.sock"))
        if daemon.poll() is not None:
            self.skipTest("no user namespaces here: " + daemon.stderr.read())
        self.agent()
        self.leave("slowly")
        self.woken("Wake-up from wakeup_pending: slowly")
        self.assertIn("cannot be watched", self.pawl("doctor", code=None).stdout)
        self.pawl("down")
        self.pawl("daemon", "--stop")
        self.assertIn("every 5 s instead", daemon.stderr.read())

    def test_last_human_interaction(self):
        self.agent(quiet=60)
        path = self.home + "/agents/one/last_human_interaction"
        now = time.time()

        def refused_for(seconds):
            done = self.send("waits", said="queued: a person typed into one a moment ago, until ")
            end = datetime.datetime.fromisoformat(re.search(r"until (\S+)Z", done.stdout)[1] + "+00:00")
            self.assertAlmostEqual(end.timestamp() - now, seconds, delta=2)

        for content in (str(now - 1000), str(int(now) - 1000), "1970-01-01T00:00:00Z"):
            with open(path, "w", encoding="utf-8") as file:
                file.write(content)
            self.send(content, "--wait", "done", said="confirmed")
        with open(path, "w", encoding="utf-8"):
            os.utime(path, (now - 50, now - 50))
        refused_for(10)
        with open(path, "w", encoding="utf-8") as file:
            file.write(datetime.datetime.fromtimestamp(now - 40, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ\n"))
        refused_for(20)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"{int((now - 30) * 1000)}\n")
        refused_for(30)
        self.assertIsNotNone(self.agents()["one"]["human_last_seen"])
        self.assertIn("confirmed", self.pawl("wake", "one").stdout)
        self.assertEqual(self.prompts()[-1], "Wake-up from an operator: look at your work and go on.")

    def test_a_file_that_comes_while_a_text_waits(self):
        """It is looked at before each delivery, not only when the text is given."""
        self.agent("--scene", "busy", "--speed", "8", until="busy", quiet=5)
        self.send("waits", said="queued: one is busy")
        with open(self.home + "/agents/one/last_human_interaction", "w", encoding="utf-8"):
            pass
        self.state("one", "ready")
        until("the gate is closed", lambda: [event for event in self.events() if event["type"] == "human"])
        self.prompted("waits")


class Kills(SendCase):
    def test_the_daemon_is_killed_during_deliveries(self):
        self.agent()
        dice = random.Random(SEED)
        texts = [f"text number {i} of {SEED}" for i in range(KILLS)]
        for text in texts:
            sender = subprocess.Popen([PAWL, "send", "one", text], env=self.environment, cwd=self.folder,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(dice.random() * dice.choice((0.05, 0.3, 0.6)))
            self.kill_daemon()
            sender.wait(30)
            self.pawl("ls")
        until(lambda: f"SEED={SEED}: {self.queued()} {self.outcomes()}", lambda: set(self.queued()) == set(self.outcomes()), 60)
        count = collections.Counter(self.prompts())
        self.assertLessEqual(set(count), set(texts), f"SEED={SEED}: joined or torn")
        self.assertLessEqual(max(count.values()), 1, f"SEED={SEED}: {count}")
        results = collections.Counter(self.outcomes().values())
        self.assertGreaterEqual(len(count), results["confirmed"], f"SEED={SEED}: {results} {count}")
        self.assertEqual(glob.glob(self.home + "/agents/one/outbox/*"), [])
        self.assert_every_decision_has_one_outcome()
        # It is as good as new.
        self.send("after all that", "--wait", "done", said="confirmed")


if __name__ == "__main__":
    unittest.main()
