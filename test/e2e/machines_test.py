#!/usr/bin/env python3
"""Other machines by ssh: lists, every kind of verb, who is told to ask, and what cannot be reached. Each "machine" is a PAWL_HOME of its own;
ssh is a script here that runs what it is told with that home; machines_ssh_test.py has a real one."""
import contextlib
import hashlib
import json
import os
import signal
import socket
import subprocess
import threading
import time
import unittest

from fleet import PAWL, until
from machines import MachinesCase
from web import WebSocket

class Machines(MachinesCase):
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
        self.assertIn("another machine", self.refused("task", "start", "gpu/u", "--", "cat", input="\xff\xfe" * 3_000_000, code=2))
        self.pawl("task", "status", "gpu/u", code=1)
        odd = bytes(range(256)) * 2000
        self.pawl("task", "start", "gpu/odd", "--", "sha256sum", input=odd, text=False)
        self.assertIn("completed", self.pawl("task", "wait", "gpu/odd", "--timeout", "30").stdout)
        self.assertIn(hashlib.sha256(odd).hexdigest(), self.pawl("task", "output", "gpu/odd").stdout, "every byte, also what is no text")

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

    def lines(self, *words, **more):
        return [json.loads(line) for line in self.pawl(*words, "--json", **more).stdout.splitlines()]

    def test_lists_show_all_machines(self):
        self.far("gpu")
        self.add("gpu")
        self.pawl("machine", "add", "gone", "ssh://gone", code=1)
        self.sh("here", "exit 3")
        self.pawl("run", "-d", "gpu/docs", "--", "sh", "-c", "exit 4")
        self.assertEqual(self.pawl("wait", "gpu/docs", "here", "--until", "crashed", "--timeout", "20").stdout, "here: crashed\ngpu/docs: crashed\n")
        self.pawl("task", "start", "gpu/t", "--", "cat", input="x")
        self.pawl("task", "start", "t", "--", "cat", input="x")
        self.assertIn("gpu/t: completed", self.pawl("task", "wait", "t", "gpu/t", "--timeout", "30").stdout)
        began = time.monotonic()
        tasks = json.loads(self.pawl("task", "ls", "--json").stdout)
        self.assertEqual([(one["machine"], one["task_name"]) for one in tasks["tasks"]], [(None, "t"), ("gpu", "t")])
        self.assertRegex(self.pawl("task", "ls").stdout, r"(?m)^gpu/t +completed")
        report = json.loads(self.pawl("report", "--json").stdout)
        self.assertEqual([(one["machine"], one["name"]) for one in report["agents"] if one["name"] in ("here", "docs")], [(None, "here"), ("gpu", "docs")])
        self.assertLess(time.monotonic() - began, 4, "the one that is gone holds up nobody")
        for words in (("alerts",), ("report",), ("task", "ls"), ("ls",)):
            self.assertRegex(self.pawl(*words).stdout, r"(?m)^machine gone is not reached since \S+: .*Could not resolve", words)
            self.assertNotIn("machine gone", self.pawl(*words, "--here").stdout)
        events = self.lines("events")
        self.assertEqual({event["machine"] for event in events}, {None, "gpu"})
        self.assertEqual([event["at"] for event in events], sorted(event["at"] for event in events))
        self.assertEqual({event["machine"] for event in self.lines("events", "--here")}, {None})
        self.assertRegex(self.pawl("events").stdout, r"(?m)  gpu/docs  +.* crashed")

    def test_events_go_on_when_a_machine_was_away(self):
        far = self.far("gpu")
        self.add("gpu")
        self.pawl("run", "-d", "gpu/docs", "--", "sleep", "600")
        with subprocess.Popen([PAWL, "events", "-f", "--json"], env=self.environment, stdout=subprocess.PIPE, text=True) as follower:
            self.addCleanup(follower.kill)
            said = []
            reader = threading.Thread(target=lambda: [said.append(json.loads(line)) for line in follower.stdout])
            reader.start()
            until("its past", lambda: [one for one in said if one["machine"] == "gpu"])
            self.write("hosts/gpu", "echo 'No route to host' >&2; exit 255\n")
            for pid in self.relays("gpu"):
                os.kill(pid, signal.SIGKILL)
            until("it is said", lambda: [one for one in said if one["type"] == "machine" and one["what"] == "away"])
            self.pawl("stop", "docs", env=far)
            self.write("hosts/gpu", "\n")
            until("it is back", lambda: [one for one in said if one["type"] == "machine" and one["what"] == "back"], 60)
            until("what it missed", lambda: [one for one in said if one["machine"] == "gpu" and one.get("to") in ("exited", "crashed")])
            self.pawl("run", "-d", "gpu/more", "--", "true")
            until("what is new", lambda: [one for one in said if one["machine"] == "gpu" and one["agent"] == "more"])
            follower.kill()
            reader.join()
        numbers = [one["seq"] for one in said if one["machine"] == "gpu" and one["seq"]]
        self.assertEqual(numbers, sorted(set(numbers)), "each once, in order")
        theirs = [json.loads(line)["seq"] for line in self.pawl("events", "--json", env=far).stdout.splitlines()]
        self.assertEqual(numbers, theirs[:len(numbers)], "none is missing")
        self.assertEqual([one["what"] for one in said if one["type"] == "machine"], ["away", "back"])

    def test_agents_of_several_machines_at_once(self):
        self.far("gpu")
        self.far("cpu")
        self.add("gpu")
        self.add("cpu")
        self.sh("b", "sleep 600")
        for name in ("gpu/a", "cpu/a"):
            self.pawl("run", "-d", name, "--", "sleep", "600")
        self.assertEqual(sorted(self.pawl("stop", "gpu/a", "b", "cpu/a").stdout.splitlines()), ["b stopped", "cpu/a stopped", "gpu/a stopped"])
        done = self.pawl("rm", "gpu/a", "b", "cpu/nobody", code=1)
        self.assertEqual(sorted(done.stdout.splitlines()), ["b removed", "gpu/a removed"])
        self.assertIn("cpu/nobody: no agent named 'nobody'", done.stderr)
        self.assertIn("no machine named 'gpo'", self.refused("stop", "gpo/a", "b", code=2))

    def test_a_wait_says_that_a_machine_went_away_and_goes_on(self):
        self.far("gpu")
        self.add("gpu")
        self.pawl("run", "-d", "gpu/a", "--", "sh", "-c", "sleep 8; exit 3")
        with subprocess.Popen([PAWL, "wait", "gpu/a", "--until", "crashed", "--timeout", "60"], env=self.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as waiter:
            until("the connection", lambda: len(self.relays("gpu")) >= 2)
            for pid in self.relays("gpu"):
                with contextlib.suppress(ProcessLookupError):  # it may end with the one before
                    os.kill(pid, signal.SIGKILL)
            out, err = waiter.communicate(timeout=60)
        self.assertEqual((waiter.returncode, out), (0, "crashed\n"), err)
        self.assertRegex(err, r"pawl: machine gpu is not reached: .*\npawl: machine gpu is reached again\n")

    def test_the_dashboard_has_agents_of_other_machines(self):
        far = self.far("gpu")
        self.add("gpu")
        self.pawl("run", "-d", "gpu/docs", "--", "sh", "-c", "echo hello from gpu; exec cat")
        until("it is in the list", lambda: ("gpu", "docs") in self.rows())
        self.serve()
        get = lambda path: self.get("/api/v1/" + path)  # pylint: disable=unnecessary-lambda-assignment
        listed = get("agents").json()
        self.assertEqual([(one["machine"], one["name"]) for one in listed["agents"]], [("gpu", "docs")])
        self.assertEqual([one["name"] for one in listed["machines"]], ["gpu"])
        self.assertEqual(get("agents?here=1").json()["agents"], [])
        self.assertEqual(get("machines/gpu/agents/docs").json()["agent"]["name"], "docs")
        self.assertIn("hello from gpu", get("machines/gpu/agents/docs/screen").json()["screen"])
        self.assertEqual([one["name"] for one in get("alerts").json()["machines"]], ["gpu"])
        self.assertEqual(get("machines/nobody/agents/docs").status, 404)
        self.assertEqual(get("machines/gpu/agents/nobody").status, 409)
        self.assertEqual(self.post("/api/v1/machines/gpu/sessions/x/revoke").status, 404)
        terminal = WebSocket(self, "/api/v1/machines/gpu/agents/docs/terminal", *self.bearer())
        terminal.shows(b"hello from gpu")
        terminal.say({"control": True})
        terminal.hears(lambda said: said.get("control"))
        terminal.type(b"typed here\r")
        terminal.shows(b"typed here")
        self.on_screen("gpu/docs", "^typed here")
        reader = WebSocket(self, "/api/v1/machines/gpu/agents/docs/terminal", *self.bearer(self.reader))
        reader.shows(b"hello from gpu")
        reader.say({"control": True})
        self.assertFalse(reader.hears(lambda said: "control" in said)["control"], "who only looks here only looks there")
        self.assertEqual(self.post("/api/v1/machines/gpu/agents/docs/stop", token=self.reader).status, 403)
        self.assertEqual(self.post("/api/v1/machines/gpu/agents/docs/stop").status, 200)
        asked = [json.loads(line) for line in self.pawl("events", "--json", env=far).stdout.splitlines()]
        by = [event["by"] for event in asked if event["type"] == "request" and event["verb"] == "stop"][0]
        self.assertEqual(by["kind"], "machine")
        self.assertRegex(by["name"], rf"^{socket.gethostname()}/web operator \(.*\) from 127\.0\.0\.1$")
        self.assertIn("stop gpu/docs", [event["verb"] for event in self.lines("events", "--here") if event["type"] == "request"])

    def test_bad_words(self):
        self.far("gpu")
        self.far("cpu")
        self.add("gpu")
        self.add("cpu")
        self.assertIn("did you mean 'gpu'", self.refused("screen", "gpo/docs", code=2))
        self.assertIn("one machine at a time", self.refused("task", "clean", "gpu/a", "cpu/b", code=2))
        self.assertIn("one machine at a time", self.refused("release", "gpu/a", "b", code=2))
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
