#!/usr/bin/env python3
"""A bad night with real processes: the daemon, its holders and demo agents are killed with -9, the daemon is stopped and goes on, and
texts are sent all along. Then everything calms down, and what must be true of a made-up night (doc/simulation.md) has to be true of
this one: by its journal, and by what the agents wrote down that they took.

NIGHT_SECONDS: how long (45). SEED: of what is done and when; what processes make of it is theirs."""
import collections
import glob
import json
import os
import random
import signal
import subprocess
import time
import unittest

from fleet import AGENT, PAWL, FleetCase, alive, gone, read_proc, until

SECONDS = float(os.environ.get("NIGHT_SECONDS", "45"))
SEED = int(os.environ.get("SEED", str(int(time.time()))))
NAMES = "abcdef"
SENDERS = 6  # that wait for their answer at the same time
SETTLES = 90  # seconds: its restarts, and all texts that wait

CONFIG = """
[agent.{name}]
command = {command}
mode = "active"
restart = "fresh"
settle_s = 0.2
cooldown_s = 0.5
alive_window_s = 3600
crash_loop = {{ count = 1000, window_s = 900 }}
nudge = {{ attempts = 0 }}
"""


class Sender:
    """A text on its way; what its sender heard."""

    def __init__(self, case, name, number):
        self.name, self.text = name, f"text number {number} for {name}"
        self.process = subprocess.Popen([PAWL, "send", name, self.text], env=case.environment, cwd=case.folder, encoding="utf-8",
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.word = ""  # confirmed, queued, unverified, …; empty: it knows that it does not know

    def done(self):
        if self.process.poll() is None:
            return False
        out, self.error = self.process.communicate()
        self.word = out.partition(":")[0] if self.process.returncode == 0 else ""
        return True


class RealNight(FleetCase):
    def setUp(self):
        super().setUp()
        self.dice = random.Random(SEED)
        self.sent, self.asking, self.did = [], [], collections.Counter()
        with open(self.folder + "/pawl.toml", "w", encoding="utf-8") as file:
            for name in NAMES:
                command = ["env", "PAWL_DEMO_PROMPTS=" + self.log(name), AGENT, "--speed", "40"]
                file.write(CONFIG.format(name=name, command=json.dumps(command)))

    def log(self, name):
        return f"{self.folder}/prompts-{name}"

    def prompts(self, name):
        try:
            with open(self.log(name), encoding="utf-8") as file:
                return file.read().splitlines()
        except FileNotFoundError:
            return []

    # What happens.

    def daemon(self):
        """Whichever has the lock and is one; none between two."""
        try:
            pid = self.daemon_pid()
        except (ValueError, OSError):
            return None
        return pid if read_proc(pid, "cmdline").endswith(b"\0__daemon\0") and alive(pid) else None

    def kill(self, pid):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            return
        until(f"{pid} is dead", lambda: gone(pid))

    def send(self):
        self.asking = [one for one in self.asking if not one.done()]
        if len(self.asking) < SENDERS:
            self.sent.append(Sender(self, self.dice.choice(NAMES), len(self.sent)))
            self.asking.append(self.sent[-1])

    def kill_daemon_somewhere(self):
        pid = self.daemon()
        if pid:
            self.kill(pid)

    def stop_daemon_for_a_while(self):
        pid = self.daemon()
        if not pid:
            return
        os.kill(pid, signal.SIGSTOP)
        try:
            time.sleep(self.dice.choice((0.05, 0.3, 1, 3)))
        finally:
            os.kill(pid, signal.SIGCONT)

    def programs(self):
        """Their processes, by the log that each writes."""
        marks = {f"PAWL_DEMO_PROMPTS={self.log(name)}".encode(): name for name in NAMES}
        found = []
        for pid in self.of_this_fleet():
            if os.path.basename(read_proc(pid, "cmdline").split(b"\0")[0].decode()) == os.path.basename(AGENT):
                found += [(marks[one], pid) for one in read_proc(pid, "environ").split(b"\0") if one in marks]
        return found

    def kill_agent(self):
        found = self.programs()
        if found:
            self.kill(self.dice.choice(sorted(found))[1])

    def kill_holder(self):
        found = self.holders()
        if found:
            self.kill(self.dice.choice(sorted(found)))

    def look(self):
        self.pawl("ls", code=None)

    def night(self):
        doings = [(self.send, 60), (self.look, 12), (self.kill_daemon_somewhere, 8), (self.stop_daemon_for_a_while, 5), (self.kill_agent, 6),
                  (self.kill_holder, 1)]
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            doing = self.dice.choices([one for one, _ in doings], [weight for _, weight in doings])[0]
            doing()
            self.did[doing.__name__] += 1
            time.sleep(self.dice.choice((0, 0.02, 0.1, 0.3)))

    # What must be true.

    def at_rest(self):
        """Nothing is under way, nothing waits, everybody is there."""
        if any(not one.done() for one in self.asking if one.process.returncode is None):
            return False
        agents = self.agents()
        return set(agents) == set(NAMES) and all(one["state"] == "ready" and one["pid"] for one in agents.values()) and \
            not glob.glob(self.home + "/agents/*/outbox/*")

    def story(self):
        """For whoever has to find out why."""
        states = {name: (agent["state"], agent["because"]) for name, agent in self.agents().items()}
        return f"SEED={SEED} {dict(self.did)}\n{states}\noutboxes: {glob.glob(self.home + '/agents/*/outbox/*')}"

    def check_texts(self, events):
        """Each once, whole and alone; whoever was told nothing else can rely on it."""
        alerts = collections.Counter(event["agent"] for event in events if event["type"] == "alert" and "may not have arrived" in event["text"])
        dropped = collections.Counter(event["agent"] for event in events if event["type"] == "queue" and event["what"] == "dropped")
        for name in NAMES:
            texts = [one for one in self.sent if one.name == name]
            count = collections.Counter(self.prompts(name))
            self.assertLessEqual(set(count), {one.text for one in texts}, f"joined, torn, or somebody else's; {self.story()}")
            self.assertLessEqual(max(count.values(), default=0), 1, f"a text arrived twice; {self.story()}")
            missing = [one for one in texts if one.text not in count]
            self.assertEqual([one.text for one in missing if one.word == "confirmed"], [], f"confirmed, and nobody took it; {self.story()}")
            silent = [one.text for one in missing if one.word == "queued"]
            self.assertLessEqual(len(silent), alerts[name] + dropped[name], f"lost without a word: {silent}; {self.story()}")

    def check_silence(self, events):
        """Nothing of ours went wrong by its own word, and everybody can be talked to."""
        for event in events:
            if event["type"] == "alert":
                self.assertNotRegex(event["text"] + str(event.get("todo")), "please report it|quarantine|again and again", self.story())
        for name in NAMES:
            done = self.pawl("send", name, "--wait", "done", f"good morning {name}", code=None)
            self.assertEqual((done.returncode, done.stdout.partition(":")[0]), (0, "confirmed"), f"{done.stdout}{done.stderr}\n{self.story()}")
            self.assertEqual(self.prompts(name)[-1], f"good morning {name}")

    def test_a_night(self):
        print(f"SEED={SEED} NIGHT_SECONDS={SECONDS:g}", flush=True)
        self.pawl("up")
        for name in NAMES:
            self.pawl("wait", name, "--until", "ready", "--timeout", "30")
        self.night()
        until(self.story, self.at_rest, SETTLES)
        events = self.events()
        words = collections.Counter(one.word or "-" for one in self.sent)
        taken = sum(len(self.prompts(name)) for name in NAMES)
        print(f"{dict(self.did)}\n{len(self.sent)} texts, {taken} taken, senders heard {dict(words)}, {len(events)} events", flush=True)
        self.check_texts(events)
        self.check_silence(events)
        self.assertEqual(sorted(name for name, _ in self.programs()), sorted(NAMES), f"one program for each; {self.story()}")
        until("the last outcomes are written", self.no_decision_is_open)
        self.assertGreater(self.assert_every_decision_has_one_outcome(), len(NAMES))
        self.assertGreater(taken, len(self.sent) // 4, "the night was too bad to show anything")

    def no_decision_is_open(self):
        events = self.events()
        decided = {event["seq"] for event in events if event["type"] == "decision"}
        return decided == {event["decision"] for event in events if event["type"] == "outcome"}


if __name__ == "__main__":
    unittest.main()
