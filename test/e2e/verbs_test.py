#!/usr/bin/env python3
"""The verbs that look: what they print, in which form, and with which exit code."""
import datetime
import json
import os
import re
import shutil
import subprocess
import unittest

from fleet import PAWL, FleetCase

KEYS = ("name runtime backend dir mode strategy state kind since tier because confidence pid session_id last_alive restarts "
        "nudges limited_until human_last_seen paused parked tokens cost_usd").split()
TIME = r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\Z"
VERBS = ("run up down ls show screen logs events wait attach send keys stop restart rm daemon doctor completion version "
         "help").split()


class Look(FleetCase):
    def test_ls(self):
        self.assertIn("no agents yet", self.pawl("ls").stdout)
        self.assertEqual(json.loads(self.pawl("ls", "--json").stdout), {"version": 1, "agents": []})
        self.assertEqual(self.pawl("run", "-d", "one", "--", "sleep", "1000").stdout, "one\n")
        self.start("two", "sh", "-c", "exit 3")
        self.ended("two")
        table = self.pawl("ls").stdout
        self.assertRegex(table, r"\ANAME +STATE +FOR +RUNTIME +RESTARTS +WHY\none +unknown .*\ntwo +crashed .*exit code 3\n\Z")
        agents = self.agents()
        for agent in agents.values():
            self.assertLessEqual(set(KEYS), set(agent))
            for key in ("since", "last_alive"):
                self.assertRegex(agent[key], TIME)
            for key in ("kind", "session_id", "limited_until", "human_last_seen", "tokens", "cost_usd"):
                self.assertIsNone(agent[key], key)
        one, two = agents["one"], agents["two"]
        self.assertEqual((one["state"], one["dir"], one["restarts"], one["paused"]), ("unknown", self.folder, 0, False))
        self.assertEqual(os.readlink(f"/proc/{one['pid']}/cwd"), self.folder)
        self.assertEqual((two["state"], two["pid"], two["exit_code"]), ("crashed", None, 3))

    def test_show(self):
        self.start("one", "sleep", "1000", options=["--size", "90x30"])
        shown = self.pawl("show", "one").stdout
        self.assertRegex(shown, r"(?m)^name +one$")
        self.assertRegex(shown, r"(?m)^command +sleep 1000$")
        self.assertRegex(shown, r"(?m)^size +90x30$")
        agent = json.loads(self.pawl("show", "one", "--json").stdout)
        self.assertEqual(agent["version"], 1)
        self.assertLessEqual(set(KEYS), set(agent["agent"]))
        self.assertEqual(agent["agent"]["recordings"], self.home + "/agents/one/rec")

    def test_screen(self):
        self.sh("one", r"printf '\033[31mred\033[0m plain\033[5;3Hthere\033]2;My title\007'; sleep 1000")
        self.on_screen("one", "there")
        self.assertEqual(self.screen("one"), "red plain\n\n\n\n  there\n")
        self.assertIn("\x1b[", self.pawl("screen", "one", "--ansi").stdout)
        screen = json.loads(self.pawl("screen", "one", "--json").stdout)
        self.assertEqual(screen["version"], 1)
        self.assertEqual((screen["cols"], screen["rows"], screen["title"]), (120, 40, "My title"))
        self.assertEqual(screen["cursor"], {"row": 5, "col": 8, "visible": True})
        self.assertEqual(screen["screen"].split("\n")[4], "  there")

    def test_logs(self):
        self.sh("one", r"printf '\033[31mred\033[0m\n'; seq 1 500; printf '\033]2;t\007last\n'")
        followed = self.pawl("logs", "one", "-f")  # ends with the program
        lines = ["red", *map(str, range(1, 501)), "last"]
        self.assertEqual(followed.stdout.split(), lines)
        self.assertNotIn("\x1b", followed.stdout)
        self.assertEqual(self.pawl("logs", "one").stdout.split(), lines)
        self.assertEqual(self.pawl("logs", "one", "-n", "2").stdout.split(), ["500", "last"])
        self.assertEqual(self.pawl("logs", "one", "-n", "0").stdout, "")
        raw = self.pawl("logs", "one", "--raw", text=False).stdout
        wanted = "\x1b[31mred\x1b[0m\n" + "".join(f"{i}\n" for i in range(1, 501)) + "\x1b]2;t\x07last\n"
        self.assertEqual(raw, wanted.replace("\n", "\r\n").encode())

    def test_logs_follow_shows_what_comes(self):
        self.sh("one", "echo first; read line; echo got $line; read line")
        self.on_screen("one", "first")
        with subprocess.Popen([PAWL, "logs", "one", "-f"], env=self.environment, stdout=subprocess.PIPE, text=True) as logs:
            self.assertEqual(logs.stdout.readline(), "first\n")
            self.pawl("send", "one", "hello")
            self.assertEqual([logs.stdout.readline(), logs.stdout.readline()], ["hello\n", "got hello\n"])
            self.pawl("stop", "one")
            self.assertEqual(logs.stdout.read(), "")
            self.assertEqual(logs.wait(), 0)

    def test_logs_follow_goes_on_after_a_restart(self):
        self.sh("one", "echo life $$; exec cat")
        self.on_screen("one", "life")
        with subprocess.Popen([PAWL, "logs", "one", "-f"], env=self.environment, stdout=subprocess.PIPE, text=True) as logs:
            lives = []
            for _ in range(2):
                lives.append((logs.stdout.readline(), f"life {self.agents()['one']['pid']}\n"))
                self.pawl("restart" if len(lives) == 1 else "stop", "one")
            self.assertEqual([said for said, _ in lives], [wanted for _, wanted in lives])
            self.assertEqual((logs.stdout.read(), logs.wait()), ("", 0))

    def test_events(self):
        before = datetime.datetime.now(datetime.timezone.utc).isoformat()
        self.sh("one", "exit 7")
        self.ended("one")
        first = self.events()
        self.start("two", "cat")
        self.pawl("keys", "two", "a")
        self.pawl("stop", "two")
        every = self.events()
        self.assertEqual([event["seq"] for event in every], list(range(1, len(every) + 1)))
        for event in every:
            self.assertRegex(event["at"], TIME)
            self.assertEqual(list(event)[:4], ["seq", "at", "agent", "type"])
        self.assertEqual(every[:len(first)], first)
        self.assertEqual(self.events("--since", str(first[-1]["seq"])), every[len(first):])
        self.assertEqual(self.events("--since", every[-1]["at"])[-1], every[-1])
        self.assertEqual(self.events("--since", "2099-01-01T00:00:00Z"), [])
        self.assertEqual(self.events("--since", before), every)
        self.assertEqual(self.events("--since", "1h"), every)
        self.assertEqual(self.events("--agent", "one"), first)
        self.assertEqual([(e["action"], e["result"]) for e in every if e["type"] == "outcome"],
                         [("start", "confirmed"), ("start", "confirmed"), ("keys", "unverified"), ("stop", "confirmed")])
        self.assertEqual([(e["from"], e["to"]) for e in first if e["type"] == "state"][-1], ("unknown", "crashed"))
        self.assertEqual(self.assert_every_decision_has_one_outcome(), 4)
        self.assertEqual(len(self.pawl("events").stdout.splitlines()), len(every))

    def test_events_follow(self):
        self.pawl("ls")
        with subprocess.Popen([PAWL, "events", "-f", "--json"], env=self.environment, stdout=subprocess.PIPE, text=True) as feed:
            self.addCleanup(feed.kill)
            self.sh("one", "exit 0")
            seen = []
            while not seen or seen[-1].get("to") != "exited":
                seen.append(json.loads(feed.stdout.readline()))
            self.assertEqual([event["seq"] for event in seen], list(range(1, len(seen) + 1)))
            feed.terminate()

    def test_wait(self):
        self.start("one", "cat")
        self.assertEqual(self.pawl("wait", "one", "--until", "unknown").stdout, "unknown\n")
        self.assertIn("still unknown", self.refused("wait", "one", "--until", "exited", "--timeout", "0.2", code=124))
        with subprocess.Popen([PAWL, "wait", "one", "--until", "exited,crashed"], env=self.environment,
                              stdout=subprocess.PIPE, text=True) as waiting:
            self.pawl("keys", "one", "C-d")
            self.assertEqual((waiting.stdout.read(), waiting.wait()), ("exited\n", 0))
        self.assertIn("will not change by itself", self.refused("wait", "one", "--until", "ready"))
        self.refused("wait", "one", "--until", "sleepy", code=2)
        self.refused("wait", "nobody", "--until", "ready")

    def test_help_and_version(self):
        overview = self.pawl("help").stdout
        for verb in VERBS:
            self.assertRegex(overview, rf"(?m)^  {verb} +\S")
            on_verb = self.pawl("help", verb).stdout
            self.assertTrue(on_verb.startswith(f"pawl {verb}: "), on_verb)
            self.assertIn(f"  pawl {verb}", on_verb)
            if verb != "help":
                self.assertEqual(self.pawl(verb, "--help").stdout, on_verb)
        self.assertEqual(self.pawl().stdout, overview)
        version = self.pawl("version").stdout
        self.assertRegex(version, r"\Apawl \d+\.\d+\.\d+\S*\n\Z")
        self.assertEqual(json.loads(self.pawl("version", "--json").stdout), {"version": 1, "pawl": version.split()[1]})
        self.assertFalse(os.path.exists(self.home), "help needs no daemon and no home")

    def test_completion(self):
        for shell in ("bash", "zsh", "fish"):
            script = self.pawl("completion", shell).stdout
            for verb in VERBS:
                self.assertIn(verb, script)
            if shutil.which(shell):
                with open(f"{self.folder}/{shell}", "w", encoding="utf-8") as file:
                    file.write(script)
                checked = subprocess.run([shell, "-n", file.name], stderr=subprocess.PIPE, text=True)
                self.assertEqual((checked.returncode, checked.stderr), (0, ""))
        self.refused("completion", "tcsh", code=2)

    def test_bash_completes_verbs_and_names(self):
        self.start("some-agent", "sleep", "1000")
        ask = ("source <(pawl completion bash); COMP_WORDS=({}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); COMP_LINE='{}'; "
               "COMP_POINT=${{#COMP_LINE}}; $(complete -p pawl | sed -E 's/.*-F ([^ ]+).*/\\1/') pawl; echo ${{COMPREPLY[*]}}")
        for line, wanted in (("pawl scr", "screen"), ("pawl stop some", "some-agent")):
            done = subprocess.run(["bash", "-c", ask.format(line, line)], env=self.environment, stdout=subprocess.PIPE, text=True)
            self.assertEqual(done.stdout.split(), [wanted])

    def test_doctor(self):
        self.assertIn("starts by itself", self.pawl("doctor").stdout)
        self.start("one", "sleep", "1000")
        self.assertRegex(self.pawl("doctor").stdout, r"(?m)^ok +daemon +pid \d+, 1 agents?, 1 running$")
        doctor = json.loads(self.pawl("doctor", "--json").stdout)
        self.assertEqual(doctor["version"], 1)
        self.assertLessEqual({"home", "disk", "terminals", "daemon"}, {check["name"] for check in doctor["checks"]})

    def test_no_colour_when_not_asked_for(self):
        self.sh("one", r"printf '\033[31mred\033[0m'; exit 1")
        self.ended("one")
        for verb in (["ls"], ["show", "one"], ["screen", "one"], ["logs", "one"], ["events"], ["doctor"], ["help"],
                     ["help", "ls"]):
            self.assertNotIn("\x1b", self.pawl(*verb).stdout, verb)
        # On a terminal there is colour, unless NO_COLOR says otherwise.
        for more, coloured in (({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)):
            done = subprocess.run(["script", "-qec", "pawl ls", "/dev/null"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  env={**self.environment, "TERM": "xterm-256color", **more})
            self.assertEqual(b"\x1b[" in done.stdout, coloured, (more, done.stdout))
            self.assertLessEqual(max(map(len, re.sub(rb"\x1b\[[0-9;]*m", b"", done.stdout).splitlines())), 80)


if __name__ == "__main__":
    unittest.main()
