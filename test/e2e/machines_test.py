#!/usr/bin/env python3
"""Other machines by ssh: lists, every kind of verb, who is told to ask, and what cannot be reached. Each "machine" is a PAWL_HOME of its own;
ssh is a script here that runs what it is told with that home; machines_ssh_test.py has a real one."""
import json
import os
import signal
import socket
import time
import unittest

from fleet import PAWL, FleetCase, until

# Its last words are the host and what is to be run there. What a host does first is in a file of its name.
SSH = """#!/bin/bash
host=${@: -2:1} command=${@: -1}
[ -e "%(folder)s/hosts/$host" ] || { echo "ssh: Could not resolve hostname $host: Name or service not known" >&2; exit 255; }
export PAWL_HOME="%(folder)s/$host" HOME="%(folder)s"
. "%(folder)s/hosts/$host"
exec sh -c "$command"
"""


class Machines(FleetCase):
    def setUp(self):
        super().setUp()
        os.makedirs(self.folder + "/bin")
        os.makedirs(self.folder + "/hosts")
        self.environment["PATH"] = f"{self.folder}/bin:{self.environment['PATH']}"
        self.connect()

    def connect(self):
        self.write("bin/ssh", SSH % {"folder": self.folder}, 0o755)

    def write(self, name, text, mode=0o644):
        path = f"{self.folder}/{name}"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def far(self, name, first=""):
        """A machine of that name, which does this first whenever it is called."""
        self.write("hosts/" + name, first + "\n")
        environment = {**self.environment, "PAWL_HOME": f"{self.folder}/{name}"}
        self.addCleanup(self.clear_away, f"{self.folder}/{name}", environment)
        return environment

    def add(self, name, code=0, **more):
        return self.pawl("machine", "add", name, f"ssh://{name}", code=code, **more)

    def machine(self, name):
        return {one["name"]: one for one in json.loads(self.pawl("machine", "ls", "--json").stdout)["machines"]}[name]

    def rows(self, *words):
        return [(agent["machine"], agent["name"]) for agent in json.loads(self.pawl("ls", "--json", *words).stdout)["agents"]]

    def reached(self, name, wanted=True):
        return until(f"{name} online: {wanted}", lambda: self.machine(name)["online"] == wanted and self.machine(name), 40)

    def test_agents_of_a_machine_are_listed_and_every_verb_takes_them(self):
        far = self.far("gpu")
        self.assertIn("gpu is there: 0 agents", self.add("gpu").stdout)
        self.sh("here", "sleep 600")
        self.pawl("run", "-d", "gpu/docs", "--", "sh", "-c", "pwd; echo home $PAWL_HOME; exec cat")
        until("it is in the list", lambda: ("gpu", "docs") in self.rows())
        self.assertEqual(self.rows(), [(None, "here"), ("gpu", "docs")])
        self.assertEqual(self.rows("--here"), [(None, "here")])
        self.assertRegex(self.pawl("ls").stdout, r"(?m)^MACHINE +NAME .*\n- +here .*\ngpu +docs ")
        self.on_screen("gpu/docs", rf"^{self.folder}\n")  # where ssh puts it, not where we are
        self.pawl("send", "gpu/docs", "hello there", code=None)
        self.on_screen("gpu/docs", "hello there")
        self.assertIn("cat", self.pawl("why", "gpu/docs").stdout)
        self.assertEqual(self.pawl("stop", "gpu/docs").stdout, "docs stopped\n")
        self.pawl("wait", "gpu/docs", "--until", "exited,crashed", "--timeout", "20")
        asked = [event for event in json.loads("[" + ",".join(self.pawl("events", "--json", env=far).stdout.splitlines()) + "]")
                 if event["type"] == "request"]
        self.assertEqual({(event["by"]["kind"], event["by"]["name"]) for event in asked}, {("machine", socket.gethostname() + "/person")})
        self.assertEqual([event["verb"] for event in asked], ["run", "send", "stop"])

    def test_a_task_there(self):
        self.far("gpu")
        self.add("gpu")
        self.pawl("task", "start", "gpu/t", "--", "cat", input="do „this“\n")
        self.assertIn("completed", self.pawl("task", "wait", "gpu/t", "--timeout", "30").stdout)
        self.assertEqual(self.pawl("task", "output", "gpu/t").stdout, "do „this“\n")
        self.assertIn("--worktree", self.refused("task", "start", "gpu/u", "--worktree", "--", "cat", input="x", code=2))
        self.assertIn("another machine", self.refused("task", "start", "gpu/u", "--", "cat", input=b"\xff\xfe".decode("latin-1") * 3_000_000, code=2))
        self.pawl("task", "status", "gpu/u", code=1)

    def test_a_wait_outlives_a_silent_line_and_ends(self):
        self.far("gpu")
        self.add("gpu")
        self.pawl("run", "-d", "gpu/a", "--", "sh", "-c", "sleep 9; exit 3")
        began = time.monotonic()
        self.pawl("wait", "gpu/a", "--until", "crashed", "--timeout", "40")
        self.assertGreater(time.monotonic() - began, 5, "longer than a daemon may be silent")

    def test_one_that_is_gone_is_a_row_and_holds_up_nobody(self):
        far = self.far("gpu")
        self.add("gpu")
        self.pawl("run", "-d", "gpu/docs", "--", "sleep", "600")
        until("it is in the list", lambda: ("gpu", "docs") in self.rows())
        self.write("hosts/gpu", "echo 'ssh: connect to host gpu port 22: No route to host' >&2; exit 255\n")
        for pid in self.relays("gpu"):
            os.kill(pid, signal.SIGKILL)
        gone = self.reached("gpu", False)
        self.assertTrue(gone["since"])
        began = time.monotonic()
        listed = self.pawl("ls").stdout
        self.assertLess(time.monotonic() - began, 2)
        self.assertRegex(listed, r"(?m)^machine gpu is not reached since \S+: .+")
        until("why", lambda: "No route to host" in self.machine("gpu")["because"], 40)
        self.assertIn("No route to host", self.refused("screen", "gpu/docs"))
        self.assertIn("not reached any more", self.pawl("alerts").stdout)
        self.write("hosts/gpu", "\n")
        self.reached("gpu")
        until("it is back", lambda: ("gpu", "docs") in self.rows())
        self.assertEqual(json.loads(self.pawl("ls", "--json", env=far).stdout)["agents"][0]["restarts"], 0, "its agents never noticed")

    def relays(self, name):
        mark = f"PAWL_HOME={self.folder}/{name}".encode()
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as line, open(f"/proc/{pid}/environ", "rb") as environment:
                    if b"__relay" in line.read() and mark in environment.read().split(b"\0"):
                        found.append(int(pid))
            except OSError:
                pass
        return found

    def test_what_a_shell_prints_is_no_answer(self):
        self.far("gpu", "echo 'Welcome to gpu!'; echo J pawl-relay; echo noise >&2")
        self.add("gpu")
        self.pawl("run", "-d", "gpu/a", "--", "echo", "fine")
        self.on_screen("gpu/a", "^fine")

    def test_the_daemon_here_is_replaced(self):
        self.far("gpu")
        self.add("gpu")
        self.pawl("run", "-d", "gpu/a", "--", "sleep", "600")
        self.kill_daemon()
        self.assertEqual(self.pawl("screen", "gpu/a").returncode, 0)
        self.reached("gpu")
        until("nobody listens for the daemon that was killed", lambda: len(self.relays("gpu")) <= 1, 20)

    def test_an_agent_is_no_person_there(self):
        far = self.far("gpu")
        self.add("gpu")
        self.pawl("run", "-d", "gpu/docs", "--", "sleep", "600")
        self.sh("rogue", f"'{PAWL}' stop gpu/docs; echo code $?; '{PAWL}' screen gpu/docs >/dev/null; echo code $?; sleep 600")
        self.on_screen("rogue", "code 6\ncode 0")
        refused = [json.loads(line) for line in self.pawl("events", "--json", env=far).stdout.splitlines()]
        refused = [event for event in refused if event["type"] == "request" and event.get("refused")]
        self.assertEqual([event["by"]["name"] for event in refused], [socket.gethostname() + "/agent rogue"])
        self.sh("relay", f"'{PAWL}' __relay --from x/person </dev/null; echo code $?; sleep 600")
        self.on_screen("relay", "code 6")

    def test_bad_words(self):
        self.far("gpu")
        self.far("cpu")
        self.add("gpu")
        self.add("cpu")
        self.assertIn("did you mean 'gpu'", self.refused("screen", "gpo/docs", code=2))
        self.assertIn("one machine at a time", self.refused("stop", "gpu/a", "cpu/b", code=2))
        self.assertIn("one machine at a time", self.refused("stop", "gpu/a", "b", code=2))
        self.assertIn("is no address", self.refused("machine", "add", "x", "ssh://-oProxyCommand=id", code=2))
        self.assertIn("is no name", self.refused("machine", "add", "../x", "ssh://gpu", code=2))
        self.assertIn("Could not resolve", self.pawl("machine", "add", "nobody", "ssh://nobody", code=1).stderr)
        self.assertIn("no agent named", self.refused("screen", "gpu/docs"))
        self.pawl("machine", "rm", "gpu")
        self.assertIn("no machine named 'gpu'", self.refused("screen", "gpu/docs", code=2))
        self.assertIn("no machine named", self.refused("machine", "rm", "gpu"))
        until("nothing of it is left", lambda: not self.relays("gpu"), 20)

    def test_one_without_pawl_says_so(self):
        self.far("bare", "PATH=/nowhere; export PATH; exec /bin/sh -c 'pawl'")
        said = self.add("bare", code=1).stderr
        self.assertIn("pawl is not installed there", said)
        self.assertIn("--install", said)


if __name__ == "__main__":
    unittest.main()
