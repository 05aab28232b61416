#!/usr/bin/env python3
"""Every way that ways_table.py and ways_more.py name in which a process inside an agent tries what it may not: refused, and nothing has
changed. The rows of a place are tried by one program there (ways_inside.py); each is a subTest with its name."""
import json
import os
import shutil
import signal
import subprocess
import sys
import unittest

import ways_inside
from fleet import AGENT, PAWL, FleetCase, cookie, read_proc, until
from ways_more import DOCUMENTED, MODES, OWN, ROWS
from ways_table import CLOSED, DONE, PLACES, REFUSED

HERE = os.path.dirname(os.path.abspath(__file__))
WATCHED = ("other", "victim", "spare", "team-a", "team-b", "task-ours", "pane")  # what no row may do anything to
NAMESPACES = {"userns": ["unshare", "-U"], "pidns": ["unshare", "-Ur", "--pid", "--fork", "--mount-proc", "--kill-child"],
              "netns": ["unshare", "-Urmn"], "bwrap": ["bwrap", "--dev-bind", "/", "/", "--unshare-pid", "--proc", "/proc", "--die-with-parent"]}
KNOWN = {"session_id": "known-1", "hook_event_name": "Stop", "transcript_path": "/t/known-1.jsonl"}
FORGED = json.dumps({**KNOWN, "session_id": "forged", "hook_event_name": "UserPromptSubmit", "transcript_path": "/t/forged.jsonl"})
LIAR = """#include <sys/types.h>
#include <string.h>
pid_t getpid(void) { return 1; }
pid_t getppid(void) { return 0; }
pid_t getsid(pid_t pid) { return 1; }
"""


class WaysCase(FleetCase):
    maxDiff = None
    trusting = False

    def setUp(self):
        super().setUp()
        self.work = self.folder + "/work"
        os.makedirs(self.work)
        self.environment["PATH"] = os.path.dirname(PAWL) + ":" + self.environment["PATH"]
        self.own = self.put("own.toml", OWN)
        self.tmux_socket = self.folder + "/user.sock"

    def put(self, name, text):
        with open(f"{self.folder}/{name}", "w", encoding="utf-8") as file:
            file.write(text)
        return f"{self.folder}/{name}"

    def tmux(self, *words):
        return subprocess.run(["tmux", "-f", "/dev/null", "-S", self.tmux_socket, *words], env=self.environment, check=True,
                              capture_output=True, encoding="utf-8").stdout

    def variables(self, name):
        rows = read_proc(self.agents()[name]["pid"], "environ").decode().split("\0")
        return dict(row.split("=", 1) for row in rows if "=" in row)

    def facts(self):
        """The words that rows can use."""
        other = self.variables("other")
        found = {"home": self.home, "folder": self.folder, "own": self.own, "daemon": self.daemon_pid(), "tmux": self.tmux_socket,
                 "cookie": cookie(self.home).decode().partition("=")[2], "other_cookie": other["PAWL_SESSION"], "other_secret": other["PAWL_HOOK"],
                 "session": int(other["PAWL_SESSION"].rpartition("-")[2]), "said": FORGED}
        return found

    def plan(self, place, names, facts):
        """Gives the command that tries these rows, and where it puts what it finds."""
        out = f"{self.work}/{place}"
        os.mkdir(out)
        with open(out + "/plan.json", "w", encoding="utf-8") as file:
            json.dump({"facts": facts, "rows": [(ROWS[name].kind, ROWS[name].text) for name in names]}, file)
        return [sys.executable, os.path.abspath(ways_inside.__file__), out + "/plan.json", out], out

    def over(self, out, names, sign="over"):
        def reached():
            tried = sum(name.endswith(".code") for name in os.listdir(out))
            return f"{len(names)} rows are tried; {tried} were, the last of them is {names[tried - 1]!r}\n{self.pawl('ls').stdout}"
        until(reached, lambda: os.path.exists(f"{out}/{sign}.code"), 100)

    def judge(self, names, out):
        for number, name in enumerate(names):
            with self.subTest(name):
                with open(f"{out}/{number}.code", encoding="ascii") as file:
                    code = int(file.read())
                with open(f"{out}/{number}.said", encoding="utf-8", errors="replace") as file:
                    said = file.read()
                wants = ROWS[name].wants
                if wants == REFUSED:
                    self.assertEqual(code, 6, said)
                    self.assertIn("this runs inside", said)
                elif wants == CLOSED:
                    self.assertIn(code, (1, 2, 99), said)
                else:
                    self.assertEqual(code, 0, said)

    def missing(self, name):
        """Why a row cannot be tried here."""
        if "numbers_come_again" in ROWS[name].text and tuple(map(int, os.uname().release.split(".")[:2])) < (6, 14):
            return "before Linux 6.14 a namespace cannot have fewer numbers"
        return ", ".join(f"there is no {tool}" for tool in ROWS[name].needs if not shutil.which(tool))


class Ways(WaysCase):
    def setUp(self):
        super().setUp()
        self.sh("other", "read x; echo got $x; sleep 9999")
        self.start("victim", "sleep", "9999")
        for name in ("team-a", "team-b", "team-c"):
            self.start(name, "sh", "-c", "read x; echo got $x; sleep 9999")
        self.pawl("register", "spare", "--", "sleep", "9")
        self.pawl("task", "start", "ours", "--dir", self.folder, "--prompt-file", self.own, "--", "sleep", "9999")
        self.item = json.loads(self.pawl("inbox", "add", "team-b", "work", "--json").stdout)["id"]
        self.toml = self.put("fleet.toml", '[agent.fresh]\ncommand = ["sleep", "9"]\n')
        self.approved = self.put("approved.toml", '[agent.approved]\ncommand = ["sleep", "9"]\n')
        self.pawl("trust", self.approved)
        self.preload = self.folder + "/liar.so"
        if shutil.which("cc"):
            subprocess.run(["cc", "-shared", "-fPIC", "-o", self.preload, "-xc", "-"], input=LIAR.encode(), check=True)
        if shutil.which("tmux"):
            self.tmux("new-session", "-d", "-s", "user", "-x", "100", "-y", "30", "sleep 9999")
            self.addCleanup(self.tmux, "kill-server")
            self.tmux("new-window", "-d", "-n", "agent", AGENT)
            self.pawl("adopt", "user:0.0", "-S", self.tmux_socket, "--name", "pane")
        self.know()

    def know(self):
        """The victim's own hook: what is known of it before."""
        mine = {**self.environment, **{key: value for key, value in self.variables("victim").items() if key.startswith("PAWL_")}}

        def told():
            self.pawl("hook", "claude", json.dumps(KNOWN), env=mine)
            return self.agents()["victim"]["session_id"] == "known-1"
        until("the victim's own hook is believed", told)

    def facts(self):
        victim = self.variables("victim")
        return {**super().facts(), "item": self.item, "toml": self.toml, "approved": self.approved, "preload": self.preload,
                "victim_cookie": victim["PAWL_SESSION"], "victim_secret": victim["PAWL_HOOK"]}

    def seen(self):
        """All that no row may change."""
        agents = self.agents()
        victim = json.loads(self.pawl("show", "victim", "--json").stdout)["agent"]
        return {"daemon": self.daemon_pid(), "fleet": {name: {key: agents[name].get(key) for key in ("pid", "paused", "mode", "permission", "session_id")}
                                                       for name in WATCHED if name in agents},
                "strangers": sorted(set(agents) & {"fresh", "approved", "user"}), "inbox": self.pawl("inbox", "ls", "team-b", "--json").stdout,
                "screens": [self.screen(name) for name in ("other", "team-a", "team-b")], "trust": self.pawl("trust", "--list").stdout,
                "task": json.loads(self.pawl("task", "status", "ours", "--json").stdout)["status"],
                "victim": [victim[key] for key in ("session_id", "transcript", "hook")]}

    def start_place(self, place, command, out):
        """Gives what has to be done when it is there, if anything."""
        line = " ".join(command)
        bare = f'env -i PATH="$PATH" PAWL_HOME="$PAWL_HOME" setsid -f {line} </dev/null >/dev/null 2>&1'
        if place in ("pty", "tmux"):
            self.sh(place, f"{line}; exec sleep 9999", ("--backend", "tmux") if place == "tmux" else ())
        elif place == "task":
            self.pawl("task", "start", "trial", "--dir", self.folder, "--prompt-file", self.own, "--", *command)
        elif place == "task-orphan":
            self.pawl("task", "start", "trial-loose", "--dir", self.folder, "--prompt-file", self.own, "--", "sh", "-c", f"{bare}; exec sleep 9999")
        elif place == "adopted":
            self.tmux("new-window", "-d", "-n", "more", f"while [ ! -e {out}/go ]; do sleep 0.05; done; {line}; exec sleep 9999")
            self.pawl("adopt", "user:more.0", "-S", self.tmux_socket, "--name", place)
        elif place == "detached":
            self.sh(place, f"{bare}; exec sleep 9999")
        elif place == "orphan":
            waits = f'sh -c "echo >{out}/here; while [ ! -e {out}/go ]; do sleep 0.05; done; {line}"'
            self.sh(place, bare.replace(line, waits) + f"; while [ ! -e {out}/here ]; do sleep 0.05; done")
            self.ended(place)
        elif place == "terminal":
            self.start(place, "script", "-qec", line, "/dev/null")
        elif place == "lead":
            table = json.dumps(["sh", "-c", f"{line}; exec sleep 9999"])
            text = f'[agent.lead]\ncommand = {table}\nmay = ["pause:team-*", "keys:team-a"]\n'
            self.environment["PAWL_CONFIG"] = self.put("user.toml", text)
            self.pawl("up", self.environment["PAWL_CONFIG"])
        else:
            self.start(place, *NAMESPACES[place], *command)
        self.put(out.removeprefix(self.folder + "/") + "/go", "")

    def why_not(self, place):
        """Why nothing can be tried there."""
        tools = {"tmux": "tmux", "adopted": "tmux", "terminal": "script"}
        if place in tools and not shutil.which(tools[place]):
            return f"there is no {tools[place]}"
        words = NAMESPACES.get(place)
        if words and not shutil.which(words[0]):
            return f"there is no {words[0]}"
        done = words and subprocess.run([*words, "true"], capture_output=True, encoding="utf-8", check=False)
        return f"the kernel does not allow it: {done.stderr.strip()}" if done and done.returncode else ""

    def try_place(self, place):
        names = [name for name, row in ROWS.items() if row.place == place]
        if why := self.why_not(place):
            return self.skip(names, why)
        self.skip([name for name in names if self.missing(name)], "")
        names = [name for name in names if not self.missing(name)]
        own = {"task": "task-trial", "task-orphan": "task-trial-loose"}.get(place, place)
        command, out = self.plan(place, names, {**self.facts(), "self": own, **self.leader()})
        before = self.seen()
        begun = self.events()[-1]["seq"]
        self.start_place(place, command, out)
        self.over(out, names)
        self.judge(names, out)
        with self.subTest(f"nothing has changed after {place}"):
            self.assertEqual(self.seen(), before)
        with self.subTest(f"nothing was decided by {place}"):
            decided = [event for event in self.events("--since", str(begun)) if event["type"] == "decision" and event["agent"] in WATCHED]
            self.assertEqual(decided, [])
        return None

    def leader(self):
        """What the leader's own processes have in their environment."""
        if "lead" not in self.agents():
            return {}
        lead = self.variables("lead")
        return {"lead_cookie": lead["PAWL_SESSION"], "lead_secret": lead["PAWL_HOOK"]}

    def skip(self, names, why):
        for name in names:
            with self.subTest(name):
                self.skipTest(why or self.missing(name))

    def test_every_place(self):
        for place in ("lead", *PLACES):
            self.try_place(place)

    def test_a_person_beside_them_does_everything(self):
        names = [name for name, row in ROWS.items() if row.place == "person"]
        command, out = self.plan("person", names, self.facts())
        subprocess.run(command, env=self.environment, cwd=self.folder, check=True, timeout=100)
        self.judge(names, out)


class Alone(WaysCase):
    """Rows that could take others with them: each in a fleet of its own."""

    def take_number(self):
        """Has a process of ours get the number that an agent's had, where that can be chosen; gives what ends it."""
        until("a number to take", lambda: os.path.exists(self.folder + "/number"))
        with open(self.folder + "/number", encoding="ascii") as file:
            wanted = int(file.read())
        for _ in range(1000):
            with open("/proc/sys/kernel/ns_last_pid", "w", encoding="ascii") as file:
                file.write(str(wanted - 1))
            pid = os.posix_spawn("/bin/sleep", ["sleep", "99"], self.environment)
            if pid == wanted:
                return pid
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        return None

    def try_alone(self, number, name):
        self.use_home(f"{self.folder}/home-{number}")
        if os.path.exists(self.folder + "/no.toml"):
            os.remove(self.folder + "/no.toml")
        self.environment["PATH"] = os.path.dirname(PAWL) + ":" + self.environment["PATH"]
        self.sh("other", "read x; echo got $x; sleep 9999")
        if "own.sock" in ROWS[name].text:
            self.start("paned", "sleep", "9999", options=("--backend", "tmux"))
        before = self.agents()["other"]["pid"]
        command, out = self.plan(f"alone-{number}", [name], self.facts())
        self.sh("lone", f"{' '.join(command)}; exec sleep 9999")
        if "number_of_a_person" in ROWS[name].text:
            person = self.take_number()
            self.put("taken", "")
            self.addCleanup(os.waitpid, person, 0)
            self.addCleanup(os.kill, person, signal.SIGKILL)
        self.over(out, [name], sign="0")
        self.judge([name], out)
        with self.subTest(f"nothing has changed after {name}"):
            self.assertNotIn("fresh", self.agents())
            if "holder_killed" in ROWS[name].text:
                return
            other = self.agents()["other"]
            self.assertEqual((other["pid"], other["state"], self.screen("other").strip()), (before, "unknown", ""))
            decided = [event for event in self.events() if event["type"] == "decision" and event["agent"] == "other" and event["action"] != "start"]
            self.assertEqual(decided, [])

    def test_each_in_a_fleet_of_its_own(self):
        for number, name in enumerate(name for name, row in ROWS.items() if row.place == "alone"):
            with self.subTest(name):
                if "own.sock" in ROWS[name].text and not shutil.which("tmux"):
                    self.skipTest("there is no tmux")
                if "number_of_a_person" in ROWS[name].text and not os.access("/proc/sys/kernel/ns_last_pid", os.W_OK):
                    self.skipTest("who gets which number cannot be chosen")
                self.try_alone(number, name)


class Modes(WaysCase):
    """What a file that an agent leaves says about its own permission."""

    def test_it_never_allows_more(self):
        os.mkdir(self.folder + "/bin")
        claude = self.put("bin/claude", f'#!/bin/sh\necho "$@" >{self.folder}/line.part; mv {self.folder}/line.part {self.folder}/line; exec sleep 9999\n')
        os.chmod(claude, 0o755)
        self.environment["PATH"] = f"{self.folder}/bin:{self.environment['PATH']}"
        self.start("moded", "claude", options=("--permission", "plan"))
        self.assertIn("--permission-mode plan", self.line())
        for name, (way, text) in MODES.items():
            with self.subTest(name):
                self.leave(self.home + "/agents/moded/claude_mode.json", way, text)
                self.pawl("restart", "moded")
                self.assertEqual(self.agents()["moded"]["permission"], "plan")
                line = self.line()
                self.assertIn("--permission-mode plan", line)
                self.assertNotIn("--dangerously-skip-permissions", line)

    def leave(self, path, way, text):
        if os.path.lexists(path):
            os.remove(path)
        if way == "link":
            os.symlink(self.put("mode.json", text), path)
            return
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def line(self):
        """The command line it was started with, once."""
        path = self.folder + "/line"
        until("it is started", lambda: os.path.exists(path))
        with open(path, encoding="utf-8") as file:
            found = file.read()
        os.remove(path)
        return found


class Table(unittest.TestCase):
    def test_it_has_at_least_two_hundred_names(self):
        everything = [*ROWS, *DOCUMENTED, *MODES]
        self.assertEqual(len(everything), len(set(everything)))
        tried = [name for name, row in ROWS.items() if row.wants != DONE]
        self.assertGreaterEqual(len(tried), 200)
        self.assertGreaterEqual(len([name for name in tried if not name.startswith("verb in ")]), 200, "those that are no product")
        for name, row in ROWS.items():
            self.assertTrue(row.kind == "py" or "{try}" in row.text, name)

    def test_what_is_not_stopped_is_said(self):
        with open(os.path.join(HERE, "../../doc/trust.md"), encoding="utf-8") as file:
            text = file.read().partition("## What this does not stop")[2].partition("\n## ")[0]
        for name, word in DOCUMENTED.items():
            with self.subTest(name):
                self.assertIn(word, text)


if __name__ == "__main__":
    unittest.main()
