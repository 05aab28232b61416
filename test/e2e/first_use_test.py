#!/usr/bin/env python3
"""First use: what a folder's pawl.toml says is run only after a person approved it, by place and content. And what is kept of an agent's
environment."""
import json
import os
import signal
import socket
import struct
import subprocess
import unittest

from fleet import PAWL, FleetCase, until
from person import Person

TOML = '[agent.docs]\ncommand = ["sleep", "99"]\n'
ASKED = r"\nRun these\? \[y/N\] \Z"


class FirstUseCase(FleetCase):
    trusting = False

    def setUp(self):
        super().setUp()
        self.write(TOML)

    def write(self, text, path=None):
        with open(path or self.folder + "/pawl.toml", "w", encoding="utf-8") as file:
            file.write(text)

    def runs(self):
        return sorted(name for name, agent in self.agents().items() if agent["pid"])

    def refuses(self, *words, **more):
        said = self.refused("up", *words, code=6, **more)
        self.assertIn("pawl trust ", said)
        self.assertEqual(self.runs(), [])
        return said

    def asked(self, *words):
        person = Person(self, "up", *words)
        person.shows(ASKED)
        return person

    def code(self, person):
        return person.ended()[0]


class Scripts(FirstUseCase):
    def test_a_file_nobody_approved_runs_nothing(self):
        self.assertEqual(self.refuses(), f"pawl: {self.folder}/pawl.toml was never approved: read it, then approve it: pawl trust {self.folder}\n")
        self.refuses(self.folder + "/pawl.toml", cwd="/")
        self.refuses("--json")
        self.refuses(input="y\n" * 1000)  # yes | pawl up

    def test_approved_it_runs_until_it_changes(self):
        said = self.pawl("trust").stdout
        self.assertIn("sleep 99", said)
        self.assertIn(f"approved {self.folder}/pawl.toml", said)
        self.pawl("up")
        self.assertEqual(self.runs(), ["docs"])
        self.pawl("stop", "docs")
        self.write(TOML + 'prompt = "more"\n')
        self.assertIn("changed since you approved it (", self.refuses())
        self.write(TOML)
        self.pawl("up")

    def test_up_with_trust_is_a_yes(self):
        self.pawl("up", "--trust")
        self.assertEqual(self.runs(), ["docs"])
        self.pawl("up")
        self.assertIn(self.folder + "/pawl.toml", self.pawl("trust", "--list").stdout)

    def test_what_is_approved_is_listed_and_forgotten(self):
        self.pawl("trust", self.folder, cwd="/")
        listed = json.loads(self.pawl("trust", "--list", "--json").stdout)
        self.assertEqual((listed["version"], [one["path"] for one in listed["approved"]]), (1, [self.folder + "/pawl.toml"]))
        self.assertIn(self.folder, self.pawl("trust", "--forget", ".").stdout)
        self.refuses()
        self.assertEqual(self.pawl("trust", "--list").stdout, "")
        self.assertIn("is not approved", self.refused("trust", "--forget", "."))

    def test_one_file_has_one_place_however_it_is_reached(self):
        os.symlink(self.folder, self.folder + "/link")
        self.pawl("trust", self.folder + "/link")
        self.pawl("up", self.folder + "/link/pawl.toml")
        self.assertEqual(self.agents()["docs"]["dir"], self.folder)
        os.mkdir(self.folder + "/other")
        os.symlink(self.folder + "/pawl.toml", self.folder + "/other/pawl.toml")
        self.pawl("rm", "-f", "docs")
        self.refuses(cwd=self.folder + "/other")

    def test_a_folder_that_is_gone_can_be_forgotten(self):
        os.mkdir(self.folder + "/gone")
        self.write(TOML, self.folder + "/gone/pawl.toml")
        self.pawl("trust", "gone")
        os.remove(self.folder + "/gone/pawl.toml")
        os.rmdir(self.folder + "/gone")
        self.pawl("trust", "--forget", "gone")

    def test_ones_own_configuration_is_not_asked_about(self):
        self.environment["PAWL_CONFIG"] = self.folder + "/pawl.toml"
        self.pawl("up")
        self.assertEqual(self.runs(), ["docs"])

    def test_a_file_that_brings_nothing_new_is_not_asked_about(self):
        self.pawl("up", "--trust")
        self.pawl("trust", "--forget", self.folder)
        self.write("# a comment\n" + TOML)
        self.pawl("up")
        self.write(TOML + '[agent.more]\ncommand = ["sleep", "99"]\n')
        self.refused("up", code=6)
        self.assertEqual(self.runs(), ["docs"])

    def test_what_cannot_be_approved(self):
        """Each with the exit code and some of the words; nothing is approved by any of them."""
        os.mkdir(self.folder + "/empty")
        self.write("[agent.x]\ncommand = [", self.folder + "/torn.toml")
        self.write("", self.folder + "/none.toml")
        os.mkfifo(self.folder + "/pipe")
        for words, code, some in ((("no-such",), 1, "no-such"), (("empty",), 1, "empty/pawl.toml"), (("torn.toml",), 1, "torn.toml:2"),
                                  (("none.toml",), 1, "has no [agent.NAME]"), (("--list", "x"), 2, "--list"),
                                  (("--forget", "no-such"), 1, "is not approved"), (("x", "y"), 2, "trust")):
            with self.subTest(words):
                self.assertIn(some, self.refused("trust", *words, code=code))
        self.assertEqual(self.pawl("trust", "--list").stdout, "")


class BrokenList(FirstUseCase):
    def test_a_list_that_cannot_be_believed_approves_nothing(self):
        self.pawl("trust")
        path = self.home + "/trust"
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        with open(path, encoding="utf-8") as file:
            fine = file.read()
        tries = {"torn": fine[:len(fine) // 2], "empty": "", "zeros": "\0" * 100, "other": "[1, 2]", "newer": fine.replace('"version": 1', '"version": 9')}
        for name, text in tries.items():
            with self.subTest(name):
                self.write(text, path)
                os.chmod(path, 0o600)
                for words in (("up",), ("up", "--trust"), ("trust",), ("trust", "--list"), ("trust", "--forget", ".")):
                    said = self.refused(*words)
                    self.assertIn("is damaged", said)
                    self.assertIn("rm " + path, said)
                with open(path, encoding="utf-8") as file:
                    self.assertEqual(file.read(), text, "it is left for a person to look at")
        self.write(fine, path)
        for mode in (0o644, 0o620):
            os.chmod(path, mode)
            self.assertIn("other users may read", self.refused("up"))
        os.chmod(path, 0o600)
        if os.geteuid() == 0:
            os.chown(path, 65534, -1)
            self.assertIn("belongs to another user", self.refused("up"))
        os.remove(path)
        os.symlink(self.folder + "/elsewhere", path)
        self.assertIn("is a link", self.refused("up"))
        os.remove(path)
        self.assertEqual(self.runs(), [])
        self.refuses()
        self.pawl("up", "--trust")


class OnATerminal(FirstUseCase):
    def test_it_shows_what_would_run_and_asks(self):
        self.write('''[agent.docs]
command = ["sh", "-c", "sleep 99"]
permission = "bypassPermissions"
prompt = "go on"
notify = ["exec:/bin/true"]
recovery = { auth_refresh = ["./login"] }
work = { command = ["./list"] }
[agent.tests]
command = ["sleep", "99"]
dir = "/"
''')
        person = self.asked()
        shown = person.everything.decode()
        for words in ("pawl.toml was never approved", "docs", "sh -c 'sleep 99'", "in " + self.folder, "permission = bypassPermissions", "prompt = go on",
                      "notify = exec:/bin/true", "recovery.auth_refresh = ./login", "work.command = ./list", "tests", "sleep 99", "in /\r\n"):
            self.assertIn(words, shown)
        self.assertEqual(self.agents(), {})
        person.type("y\n")
        self.assertEqual(self.code(person), 0, person.everything)
        self.assertEqual(self.runs(), ["docs", "tests"])
        self.pawl("up")
        self.write(TOML)
        again = self.asked()
        self.assertIn("changed since you approved it (", again.everything.decode())

    def test_anything_but_yes_is_a_no(self):
        for answer in ("\n", "n\n", "no\n", "yup\n", "ja\n", " \n", "\x04", "nyes\n", "y" * 100 + "\n"):
            with self.subTest(answer):
                person = self.asked()
                person.type(answer)
                self.assertEqual(self.code(person), 6)
                self.assertIn(b"nothing was started", person.everything)
        self.assertEqual(self.agents(), {})
        self.refuses()

    def test_a_terminal_that_goes_away_is_a_no(self):
        person = self.asked()
        os.close(person.slave)
        os.close(person.master)
        person.slave = person.master = None
        self.assertNotEqual(person.process.wait(30), 0)
        self.refuses()

    def test_interrupted_it_runs_nothing(self):
        person = self.asked()
        person.type("\x03")
        self.assertNotEqual(self.code(person), 0)
        self.refuses()

    def test_what_was_typed_before_the_question_is_no_answer(self):
        self.pawl("ls")
        pid = self.daemon_pid()
        os.kill(pid, signal.SIGSTOP)  # the question cannot come yet
        try:
            person = Person(self, "up")
            person.type("y\ny\n")
            until("it was typed", lambda: (person.read(0), b"y\r\ny" in person.everything)[1])
        finally:
            os.kill(pid, signal.SIGCONT)
        person.shows(ASKED)
        person.type("\n")
        self.assertEqual(self.code(person), 6)

    def test_what_is_approved_is_what_was_shown(self):
        person = self.asked()
        self.write('[agent.evil]\ncommand = ["sleep", "98"]\n')
        person.type("yes\n")
        self.assertEqual(self.code(person), 0)
        self.assertEqual(self.runs(), ["docs"])
        self.assertIn("changed since", self.refused("up", code=6))

    def test_nothing_in_the_file_moves_the_cursor(self):
        self.write('[agent.docs]\ncommand = ["sh", "-c", "\\u001b[2J\\u001b[H\\r\\u202egnp.exe \\u0007\\u009b2J"]\n'
                   'prompt = "a\\nRun these? [y/N] y\\u200b"\n')
        person = self.asked()
        shown = person.everything.decode()
        for harmful in ("\x1b[2J", "\x1b[H", "\u202e", "\x07", "\x9b", "\u200b"):
            self.assertNotIn(harmful, shown)
        self.assertIn("\\u{1b}[2J\\u{1b}[H\\u{d}\\u{202e}gnp.exe \\u{7}\\u{9b}2J", shown)
        self.assertIn("a\\nRun these?", shown)

    def test_with_json_the_question_is_not_in_the_output(self):
        self.pawl("trust")
        self.assertEqual(json.loads(self.pawl("up", "--json").stdout)["version"], 1)


class Hostile(FirstUseCase):
    """Whoever speaks to the socket without the command line finds the same door."""

    def request(self, verb, **args):
        self.pawl("ls")
        body = json.dumps({"version": 1, "verb": verb, "args": args, "cwd": self.folder, "environment": []}).encode()
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(30)
            client.connect(self.home + "/pawl.sock")
            client.sendall(struct.pack("<IB", len(body), ord("J")) + body)
            return client.recv(65536)

    def test_the_socket_is_no_way_around(self):
        for args in ({"text": TOML, "path": self.folder + "/pawl.toml"}, {"text": TOML, "path": "/pawl.toml", "trust": True},
                     {"text": TOML}, {"text": TOML, "path": self.home + "/trust", "approved": True}):
            with self.subTest(args):
                self.assertIn(b"was never approved", self.request("up", **args))
        self.pawl("trust")
        self.assertIn(b"changed since", self.request("up", text=TOML.replace("sleep", "true"), path=self.folder + "/pawl.toml"))
        self.assertEqual(self.runs(), [])

    def test_an_agent_that_may_up_starts_what_was_approved_and_nothing_else(self):
        self.environment["PATH"] = os.path.dirname(PAWL) + ":" + self.environment["PATH"]
        script = (f"cd {self.folder}; pawl up 2>err; echo $? >one; pawl up --trust 2>>err; echo $? >two; PAWL_CONFIG=$PWD/pawl.toml pawl up 2>>err;"
                  "echo $? >three; sleep 99")
        self.write(f"[agent.worker]\ncommand = {json.dumps(['sh', '-c', script])}\nmay = [\"up\"]\n", self.folder + "/own.toml")
        self.pawl("up", "--trust", "own.toml")
        for name in ("one", "two", "three"):
            until(name, lambda: os.path.exists(f"{self.folder}/{name}") and os.path.getsize(f"{self.folder}/{name}"))
            with open(f"{self.folder}/{name}", encoding="ascii") as file:
                self.assertEqual(file.read(), "6\n", name)
        with open(self.folder + "/err", encoding="utf-8") as file:
            said = file.read()
        self.assertIn("which may not use 'trust'", said)
        self.assertEqual(self.runs(), ["worker"])


class Environment(FirstUseCase):
    DAEMONS, BOTH, CALLERS = "only-the-daemon-has-this", "both-have-this", "only-the-caller-has-this"
    SHOW = 'echo "$SHARED,$MINE,$OWN" >"$OUT.part"; mv "$OUT.part" "$OUT"; sleep 99'

    def setUp(self):
        super().setUp()
        self.out = self.folder + "/out"
        self.caller = {**self.environment, "SHARED": self.BOTH, "MINE": self.CALLERS, "OUT": self.out}
        self.environment = {**self.environment, "SHARED": self.BOTH, "OWN": self.DAEMONS, "OUT": self.out}
        self.pawl("ls")  # starts the daemon

    def kept(self):
        found = {}
        for folder, _, names in os.walk(self.home):
            for name in names:
                path = os.path.join(folder, name)
                if os.path.isfile(path) and "/rec/" not in path:
                    with open(path, "rb") as file:
                        found[os.path.relpath(path, self.home)] = file.read().decode("utf-8", "replace")
        return found

    def has(self, secret):
        return sorted(path for path, text in self.kept().items() if secret in text)

    def said(self):
        until("the agent wrote it", lambda: os.path.exists(self.out))
        with open(self.out, encoding="utf-8") as file:
            text = file.read().strip()
        os.remove(self.out)
        return text

    def another_daemon(self):
        """With nothing of what the first one had."""
        self.pawl("daemon", "--stop")
        bare = {name: self.environment[name] for name in ("PATH", "HOME", "PAWL_HOME", "PAWL_CONFIG") if name in self.environment}
        self.environment = {**bare, "SHARED": "another"}
        self.pawl("ls")

    def test_only_what_differs_is_in_the_agents_folder_and_nothing_of_the_daemons(self):
        self.pawl("run", "-d", "one", "--", "sh", "-c", self.SHOW, env=self.caller)
        self.assertEqual(self.said(), f"{self.BOTH},{self.CALLERS},")
        self.assertEqual(self.has(self.DAEMONS), [])
        self.assertEqual(self.has(self.CALLERS), ["agents/one/environment"])
        self.assertEqual([path.split("/")[0] for path in self.has(self.BOTH)], ["environments"])
        for path in self.has(self.BOTH) + self.has(self.CALLERS):
            self.assertEqual(os.stat(f"{self.home}/{path}").st_mode & 0o777, 0o600, path)

    def test_a_restart_by_another_daemon_gives_what_it_had(self):
        self.pawl("run", "-d", "one", "--", "sh", "-c", self.SHOW, env=self.caller)
        self.said()
        self.another_daemon()
        self.pawl("restart", "one")
        self.assertEqual(self.said(), f"{self.BOTH},{self.CALLERS},")
        self.pawl("rm", "-f", "one")
        for secret in (self.BOTH, self.CALLERS):
            self.assertEqual(self.has(secret), [])

    def test_minimal_gives_and_keeps_what_is_named(self):
        self.write(f'[agent.one]\ncommand = ["sh", "-c", {json.dumps(self.SHOW)}]\nenv = "minimal"\nenv_keep = ["MI*", "OUT"]\n')
        self.pawl("up", "--trust", env=self.caller)
        self.assertEqual(self.said(), f",{self.CALLERS},")
        self.assertEqual(self.has(self.BOTH), [])
        self.another_daemon()
        self.pawl("restart", "one")
        self.assertEqual(self.said(), f",{self.CALLERS},")

    def test_an_agent_that_becomes_minimal_is_narrowed_at_its_next_start(self):
        keys = f'[agent.one]\ncommand = ["sh", "-c", {json.dumps(self.SHOW)}]\nenv_keep = ["OUT"]\n'
        self.write(keys)
        self.pawl("up", "--trust", env=self.caller)
        self.assertEqual(self.said(), f"{self.BOTH},{self.CALLERS},")
        self.write(keys + 'env = "minimal"\n')
        self.pawl("up", "--trust", env=self.caller)
        self.pawl("restart", "one")
        self.assertEqual(self.said(), ",,")
        self.assertEqual(self.has(self.BOTH) + self.has(self.CALLERS), [])


if __name__ == "__main__":
    unittest.main()
