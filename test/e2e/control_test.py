#!/usr/bin/env python3
"""The verbs that act: run, send, keys, stop, restart, rm, up, down."""
import json
import os
import unittest

from fleet import FleetCase, alive

FLEET = """
[defaults]
stop_grace_s = 1
[runtime.mine]
start = ["sh", "-c", "echo my runtime; exec cat"]
[agent.one]
command = ["sh", "-c", "pwd; exec cat"]
dir = "sub"
env_file = "some.env"
size = { cols = 70, rows = 20 }
[agent.two]
runtime = "mine"
"""


class Control(FleetCase):
    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def test_run_gives_names(self):
        self.assertEqual(self.pawl("run", "-d", "--", "sleep", "1000").stdout, "sleep\n")
        self.assertEqual(self.pawl("run", "-d", "--", "sleep", "1000").stdout, "sleep-2\n")
        agent = json.loads(self.pawl("run", "-d", "--json", "x", "--dir", "/", "--", "sleep", "1000").stdout)
        self.assertEqual((agent["name"], agent["dir"]), ("x", "/"))
        self.assertEqual(os.readlink(f"/proc/{agent['pid']}/cwd"), "/")
        # Not on a terminal there is nothing to attach to.
        self.assertEqual(self.pawl("run", "y", "--", "sleep", "1000").stdout, "y\n")
        self.assertEqual(set(self.agents()), {"sleep", "sleep-2", "x", "y"})

    def test_arguments_reach_the_program_unchanged(self):
        words = ["--json", "-d", "", "a  b", "$HOME", "'\"\\", "naïve 端末", "--"]
        self.start("one", "python3", "-c", "import sys; print(sys.argv[1:])", *words)
        self.ended("one")
        self.assertEqual(self.pawl("logs", "one").stdout.strip(), repr(words))

    def test_send(self):
        self.start("one", "cat")
        path = self.write("f", "from a file")
        for words, said, more in ((["hello there"], "hello there", {}), (["-"], "from a pipe", {"input": "from a pipe"}),
                                  (["-f", path], "from a file", {})):
            self.assertIn("unverified: the terminal echoed the line", self.pawl("send", "one", *words, **more).stdout)
            self.on_screen("one", rf"(?s){said}\n{said}$")  # echoed by the terminal, then said again by cat
        self.pawl("send", "one", "--no-enter", "no enter")
        self.on_screen("one", r"(?s)from a file\nno enter$")
        self.refused("send", "one", code=2)
        self.refused("send", "one", "text", "-f", "f", code=2)
        self.refused("send", "nobody", "text")
        self.assertNotIn("hello there", self.pawl("events", "--json").stdout, "the journal does not keep what was said")

    def test_send_pastes_into_a_program_that_asks_for_it(self):
        self.sh("one", r"printf '\033[?2004hready\n'; exec cat -v")
        self.on_screen("one", "ready")
        self.assertIn("unverified", self.pawl("send", "one", "two\nlines").stdout)  # cat -v shows more than was sent
        self.on_screen("one", r"(?s)\^\[\[200~two.*lines\^\[\[201~")

    def test_keys(self):
        self.sh("one", "stty -echo -icrnl -isig; echo ready; exec cat -v")
        self.on_screen("one", "ready")
        self.pawl("keys", "one", "a", "Up", "Escape", "M-x", "F1", "C-c", "Enter", "C-j")
        self.on_screen("one", r"^a\^\[\[A\^\[\^\[x\^\[OP\^C\^M$")
        self.assertIn("NoSuchKey", self.refused("keys", "one", "NoSuchKey", code=None))

    def test_stop_restart_rm(self):
        self.sh("one", "echo life $$; read line; exit $line")
        first = self.agents()["one"]["pid"]
        self.assertEqual(self.pawl("restart", "one").stdout, "one restarted\n")
        again = self.agents()["one"]
        self.assertNotEqual(again["pid"], first)
        self.assertEqual(again["restarts"], 1)
        self.on_screen("one", f"life {again['pid']}")
        self.assertIn("is running", self.refused("rm", "one"))
        self.assertEqual(self.pawl("stop", "one").stdout, "one stopped\n")
        self.assertFalse(alive(again["pid"]))
        self.assertEqual((self.agents()["one"]["state"], self.agents()["one"]["signal"]), ("exited", 15))
        self.assertEqual(self.pawl("stop", "one").stdout, "one stopped\n")  # already
        self.assertIn(f"life {again['pid']}", self.screen("one"), "the screen of an ended program stays")
        self.pawl("restart", "one")
        self.pawl("send", "one", "5")
        self.ended("one")
        self.assertEqual((self.agents()["one"]["state"], self.agents()["one"]["exit_code"]), ("crashed", 5))
        self.assertEqual(self.pawl("rm", "one").stdout, "one removed\n")
        self.assertEqual(self.agents(), {})
        self.assertFalse(os.path.exists(self.home + "/agents/one"))
        self.refused("rm", "one")
        self.start("two", "sleep", "1000")
        pid = self.agents()["two"]["pid"]
        self.pawl("rm", "-f", "two")
        self.assertFalse(alive(pid))
        self.assert_every_decision_has_one_outcome()

    def test_several_at_once(self):
        for name in "abc":
            self.start(name, "sleep", "1000")
        done = self.pawl("stop", "a", "nobody", "b", code=1)
        self.assertEqual(sorted(done.stdout.splitlines()), ["a stopped", "b stopped"])
        self.assertRegex(done.stderr, r"\Apawl: nobody: no agent named 'nobody': .*\n\Z")
        self.refused("stop", code=2)
        results = json.loads(self.pawl("restart", "--all", "--json").stdout)
        self.assertEqual(results["version"], 1)
        self.assertEqual({r["name"]: r["ok"] for r in results["results"]}, {"a": True, "b": True, "c": True})
        self.pawl("rm", "--all", "-f")
        self.assertEqual(self.agents(), {})
        self.assert_every_decision_has_one_outcome()

    def test_up_and_down(self):
        self.write("pawl.toml", FLEET)
        self.write("sub/some.env", "FROM_FILE='in the file'\n")
        self.assertEqual(sorted(self.pawl("up").stdout.splitlines()), ["one is up", "two is up"])
        self.on_screen("one", f"^{self.folder}/sub$")
        self.on_screen("two", "^my runtime$")
        pids = {name: agent["pid"] for name, agent in self.agents().items()}
        with open(f"/proc/{pids['one']}/environ", encoding="utf-8") as file:
            self.assertIn("FROM_FILE=in the file", file.read().split("\0"))
        self.assertIn("size            70x20", self.pawl("show", "one").stdout)
        self.pawl("stop", "two")
        self.pawl("up", self.folder + "/pawl.toml", cwd="/")
        now = {name: agent["pid"] for name, agent in self.agents().items()}
        self.assertEqual(now["one"], pids["one"], "what runs is left alone")
        self.assertTrue(alive(now["two"]))
        self.assertEqual(sorted(self.pawl("down").stdout.splitlines()), ["one stopped", "two stopped"])
        self.assertEqual({agent["state"] for agent in self.agents().values()}, {"exited"})
        self.assertEqual(self.pawl("down").stdout, "")

    def test_the_files_are_private(self):
        self.sh("one", "echo secret")
        self.ended("one")
        self.pawl("logs", "one")
        for folder, folders, files in os.walk(self.home):
            for name in folders + files:
                mode = os.lstat(os.path.join(folder, name)).st_mode & 0o777
                self.assertEqual(mode, 0o700 if name in folders else 0o600, os.path.join(folder, name))


if __name__ == "__main__":
    unittest.main()
