#!/usr/bin/env python3
"""`pawl move`: an agent goes to another machine with its conversation, and whatever fails leaves it where it was. It never runs in both
places. Machines as in machines.py: homes of their own, and a script as ssh; each has a HOME of its own as well."""
import contextlib
import glob
import json
import os
import shutil
import signal
import subprocess
import time
import unittest

import moving_claude
import toy
from fleet import PAWL, until
from machines import MachinesCase

PAGES = 700  # KB of conversation: some pieces


class MoveCase(MachinesCase):
    def setUp(self):
        super().setUp()
        self.environment["MOVING"] = self.folder
        self.environment["HOME"] = self.home_of("here")
        self.project = self.folder + "/project"
        os.makedirs(self.project)
        shutil.copy(moving_claude.__file__, self.folder + "/bin/claude")
        shutil.copy(toy.__file__, self.folder + "/bin/toy.py")
        os.chmod(self.folder + "/bin/claude", 0o755)
        self.addCleanup(lambda: self.assertFalse(os.path.exists(self.folder + "/twice"), "it ran in both places"))

    def home_of(self, name):
        os.makedirs(f"{self.folder}/home-{name}", exist_ok=True)
        return f"{self.folder}/home-{name}"

    def machine_there(self, name="gpu", first=""):
        environment = self.far(name, f"export HOME={self.home_of(name)}\n{first}")
        self.add(name)
        return {**environment, "HOME": self.home_of(name)}

    def agent_here(self, name="docs", *options):
        self.pawl("run", "-d", name, "--runtime", "claude", "--dir", self.project, *options)
        self.pawl("wait", name, "--until", "ready", "--timeout", "30")
        until("its conversation is known", lambda: self.agents()[name]["session_id"])
        return self.agents()[name]["session_id"]

    def grow(self, session):
        path, = glob.glob(f"{self.home_of('here')}/.claude/projects/*/{session}.jsonl")
        with open(path, "a", encoding="utf-8") as file:
            for number in range(PAGES):
                file.write(json.dumps({"type": "assistant", "text": f"{number} ".ljust(1024, "x")}) + "\n")
        return path

    def starts(self):
        with open(self.folder + "/starts", encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def lines_of(self, home, session):
        path, = glob.glob(f"{home}/.claude/projects/*/{session}.jsonl")
        with open(path, encoding="utf-8") as file:
            return file.read().splitlines()

    def steps(self, **more):
        out = self.pawl("events", "--json", "--here", **more).stdout.splitlines()
        return [event["what"] for event in map(json.loads, out) if event["type"] == "move"]

    def there(self, far):
        return {one["name"]: one for one in json.loads(self.pawl("ls", "--json", "--here", env=far).stdout)["agents"]}

    def goes_on_here(self, session, name="docs"):
        """It is here, in its conversation, and works."""
        until(lambda: f"it is ready\n{self.pawl('why', name).stdout}", lambda: self.agents_here()[name]["state"] == "ready")
        self.assertEqual(self.agents_here()[name]["session_id"], session)
        self.assertEqual(self.starts()[-1]["home"], self.home_of("here"))
        self.assertIn("confirmed", self.pawl("send", name, "are you there", "--wait", "done").stdout)
        self.assertIn("are you there", self.lines_of(self.home_of("here"), session)[-1])

    def agents_here(self):
        return {one["name"]: one for one in json.loads(self.pawl("ls", "--json", "--here").stdout)["agents"]}

    def nothing_left(self, name="gpu", session=None):
        self.assertEqual(glob.glob(f"{self.folder}/{name}/arrivals/*"), [])
        if session:
            self.assertEqual(glob.glob(f"{self.home_of(name)}/.claude/projects/*/{session}*"), [])


class Move(MoveCase):
    def test_it_goes_on_there_and_nowhere_else(self):
        far = self.machine_there()
        session = self.agent_here("docs", "--permission", "acceptEdits")
        self.pawl("send", "docs", "remember this", "--wait", "done")
        path = self.grow(session)
        said = self.pawl("move", "docs", "gpu")
        self.assertIn("docs is gpu/docs now: ready", said.stdout)
        last = self.starts()[-1]
        self.assertEqual((last["id"], last["home"], last["dir"]), (session, self.home_of("gpu"), self.project))
        self.assertIn("--resume", last["argv"])
        self.assertIn("acceptEdits", last["argv"])
        with open(path, encoding="utf-8") as file:
            before = file.read().splitlines()
        self.assertEqual(self.lines_of(self.home_of("gpu"), session)[:len(before)], before, "every line arrived")
        self.assertEqual(self.there(far)["docs"]["state"], "ready")
        self.assertEqual(self.there(far)["docs"]["permission"] if "permission" in self.there(far)["docs"] else "acceptEdits", "acceptEdits")
        here = self.agents_here()["docs"]
        self.assertEqual((here["state"], here["because"]), ("exited", "docs has moved to gpu"))
        self.assertIn("moved to gpu", self.pawl("why", "docs").stdout)
        self.assertEqual(self.steps(), ["leaving", "given", "gone"])
        self.assertEqual(self.steps(env=far), ["came"])
        self.nothing_left()
        self.assertIn("confirmed", self.pawl("send", "gpu/docs", "and here", "--wait", "done").stdout)
        for words in (("start", "docs"), ("restart", "docs"), ("send", "docs", "x"), ("run", "-d", "docs", "--", "true")):
            self.assertIn("has moved to gpu", self.pawl(*words, code=1).stderr, words)
        self.assertIn("has moved to gpu", self.pawl("move", "docs", "gpu", code=1).stderr)
        self.pawl("rm", "docs")
        self.assertEqual(self.there(far)["docs"]["state"], "ready")

    def test_back_again(self):
        far = self.machine_there()
        session = self.agent_here()
        self.pawl("move", "docs", "gpu")
        self.pawl("send", "gpu/docs", "said there", "--wait", "done")
        # From there this machine is one as well.
        self.write("hosts/lap", f"export PAWL_HOME={self.home} HOME={self.home_of('here')}\n")
        self.pawl("machine", "add", "lap", "ssh://lap", env=far)
        self.pawl("move", "docs", "lap", env=far)
        self.goes_on_here(session)
        self.assertTrue(any("said there" in line for line in self.lines_of(self.home_of("here"), session)))
        self.assertEqual(self.steps(), ["leaving", "given", "gone", "came"])

    def test_what_cannot_be_done_there_changes_nothing_here(self):
        far = self.machine_there()
        session = self.agent_here()
        pid = self.agents()["docs"]["pid"]
        self.pawl("run", "-d", "docs", "--", "sleep", "600", env=far)
        for words, said in ((("docs", "gpu"), "an agent named 'docs' is there already"),
                            (("docs", "gpu/docs2", "--dir", self.folder + "/nowhere"), "no such directory"),
                            (("docs", "gpu/docs2", "--dir", "src"), "not a whole path"),
                            (("docs", "gpo"), "no machine named 'gpo'"),
                            (("docs",), "where to?"),
                            (("nobody", "gpu"), "no agent named 'nobody'"),
                            (("docs", "gpu/.."), "bad name"),
                            (("docs", "gpu", "--here"), "is not on its way")):
            self.assertIn(said, self.pawl("move", *words, code=None).stderr, words)
        os.rename(self.folder + "/bin/claude", self.folder + "/bin/claude.away")
        self.assertIn("'claude' is not installed there", self.pawl("move", "docs", "gpu/docs2", code=1).stderr)
        os.rename(self.folder + "/bin/claude.away", self.folder + "/bin/claude")
        self.pawl("task", "start", "t", "--", "sleep", "60", input="x")
        self.sh("plain", "sleep 600")
        self.assertIn("not known which conversation", self.pawl("move", "plain", "gpu", "--now", code=1).stderr)
        self.write("hosts/gpu", "echo 'No route to host' >&2; exit 255\n")
        for pid_of_relay in self.relays("gpu"):
            os.kill(pid_of_relay, signal.SIGKILL)
        self.reached("gpu", False)
        self.assertIn("is not reached", self.pawl("move", "docs", "gpu/docs2", code=1).stderr)
        self.assertEqual((self.agents_here()["docs"]["pid"], self.agents_here()["docs"]["session_id"]), (pid, session))
        self.assertEqual(self.steps(), [])
        self.nothing_left()

    def test_another_name_and_another_folder_there(self):
        far = self.machine_there()
        session = self.agent_here()
        other = self.folder + "/other.place"
        os.makedirs(other)
        self.assertIn("docs is gpu/papers now", self.pawl("move", "docs", "gpu/papers", "--dir", other).stdout)
        self.assertEqual((self.starts()[-1]["dir"], self.starts()[-1]["id"]), (other, session))
        self.assertEqual(self.there(far)["papers"]["dir"], other)
        self.assertIn("pawl show gpu/papers", self.pawl("start", "docs", code=1).stderr)

    def test_its_turn_is_waited_for(self):
        self.machine_there()
        session = self.agent_here()
        self.pawl("send", "docs", "work 4", "--wait", "busy")
        refused = self.pawl("move", "docs", "gpu", "--timeout", "1", code=124).stderr
        self.assertIn("docs is busy", refused)
        self.assertEqual(self.steps(), [])
        said = self.pawl("move", "docs", "gpu")
        self.assertIn("this is waited for", said.stderr)
        self.assertEqual(self.starts()[-1]["id"], session)
        self.assertEqual(len(self.starts()), 2)

    def test_with_now_it_is_not(self):
        self.machine_there()
        self.agent_here()
        self.pawl("send", "docs", "work 600", "--wait", "busy")
        began = time.monotonic()
        self.pawl("move", "docs", "gpu", "--now")
        self.assertLess(time.monotonic() - began, 40)

    def test_an_unsent_text_is_never_lost(self):
        self.machine_there()
        self.agent_here()
        self.pawl("send", "docs", "--no-enter", "half a thought")
        self.pawl("wait", "docs", "--until", "typing", "--timeout", "20")
        self.assertIn("has an unsent text in its box", self.pawl("move", "docs", "gpu", "--timeout", "1", code=124).stderr)
        self.assertEqual(self.agents_here()["docs"]["state"], "typing")

    def test_whoever_asked_gives_up_before_it_began(self):
        self.machine_there()
        self.agent_here()
        self.pawl("send", "docs", "work 8", "--wait", "busy")
        with subprocess.Popen([PAWL, "move", "docs", "gpu"], env=self.environment, stderr=subprocess.PIPE) as client:
            client.stderr.readline()
            client.kill()
        time.sleep(9)
        self.pawl("wait", "docs", "--until", "ready", "--timeout", "20")
        time.sleep(1)
        self.assertEqual(self.steps(), [])

    def test_it_does_not_come_up_there(self):
        for illness, why in (("sick", "did not stay on gpu"), ("other", "another conversation on gpu")):
            with self.subTest(illness):
                far = self.machine_there()
                self.write("home-gpu/sick", illness)
                session = self.agent_here("docs-" + illness)
                said = self.pawl("move", "docs-" + illness, "gpu", code=1).stderr
                self.assertIn(why, said)
                self.assertIn("it goes on here", said)
                self.goes_on_here(session, "docs-" + illness)
                self.assertNotIn("docs-" + illness, self.there(far))
                self.nothing_left("gpu", session)
                self.assertEqual(self.steps()[-3:], ["leaving", "given", "back"])
                self.assertIn("was not moved to gpu", self.pawl("alerts").stdout)
                self.pawl("machine", "rm", "gpu")

    def test_the_client_is_killed_in_the_middle(self):
        far = self.machine_there()
        session = self.agent_here()
        self.grow(session)
        with subprocess.Popen([PAWL, "move", "docs", "gpu"], env=self.environment, stderr=subprocess.PIPE, text=True) as client:
            while "is ended here" not in client.stderr.readline():
                pass
            client.kill()
        until("it is there", lambda: self.steps()[-1:] == ["gone"])
        self.assertEqual(self.there(far)["docs"]["state"], "ready")

    def killed_at(self, what, whose):
        """The daemon of `whose` home is killed when the journal here says `what`."""
        far = self.machine_there()
        session = self.agent_here()
        self.grow(session)
        with subprocess.Popen([PAWL, "move", "docs", "gpu"], env=self.environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE) as client:
            until("it is on its way", lambda: what in self.steps())
            self.kill_daemon_of(whose if whose else self.environment, far)
            client.communicate(timeout=60)
        until(lambda: f"it is somewhere\n{self.steps()}\n{self.pawl('why', 'docs').stdout}", lambda: self.steps()[-1] in ("gone", "back"), 60)
        if self.steps()[-1] == "back":
            self.goes_on_here(session)
            self.assertNotIn("docs", self.there(far))
        else:
            until("it is ready there", lambda: self.there(far)["docs"]["state"] == "ready")
            self.assertEqual(self.starts()[-1]["home"], self.home_of("gpu"))

    def kill_daemon_of(self, environment, far):
        home = (far if environment is far else environment)["PAWL_HOME"]
        pid = json.loads(self.pawl("status", "--json", env={**self.environment, "PAWL_HOME": home}).stdout)["pid"]
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)

    def test_the_daemon_here_is_killed_while_it_leaves(self):
        self.killed_at("leaving", None)

    def test_the_daemon_here_is_killed_when_it_was_given(self):
        self.killed_at("given", None)

    def test_the_daemon_there_is_killed_while_it_leaves(self):
        self.killed_at("leaving", {**self.environment, "PAWL_HOME": self.folder + "/gpu"})

    def test_the_daemon_there_is_killed_when_it_was_given(self):
        self.killed_at("given", {**self.environment, "PAWL_HOME": self.folder + "/gpu"})

    def cut(self):
        self.write("hosts/gpu", "echo 'No route to host' >&2; exit 255\n")
        for pid in self.relays("gpu"):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def test_the_line_is_cut_before_it_was_given(self):
        self.machine_there()
        session = self.agent_here()
        self.grow(session)
        with subprocess.Popen([PAWL, "move", "docs", "gpu"], env=self.environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE) as client:
            until("it is on its way", lambda: "leaving" in self.steps())
            self.cut()
            client.communicate(timeout=60)
        if "given" in self.steps():
            self.skipTest("it was faster")
        self.assertEqual(client.returncode, 1)
        self.goes_on_here(session)

    def test_nobody_knows_whether_it_runs_there_until_a_person_says_so(self):
        self.machine_there()
        self.write("home-gpu/sick", "mute")
        session = self.agent_here()
        with subprocess.Popen([PAWL, "move", "docs", "gpu"], env=self.environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE) as client:
            until("it runs there", lambda: self.starts()[-1]["home"] == self.home_of("gpu"))
            self.cut()
            until("people are told", lambda: "it is not known whether it runs there" in self.pawl("alerts", "--here").stdout)
            self.assertIn("not known yet whether it runs there", self.pawl("start", "docs", code=1).stderr)
            self.kill_daemon()
            self.assertIn("not known yet whether it runs there", self.pawl("restart", "docs", code=1).stderr)
            os.kill(self.starts()[-1]["pid"], signal.SIGKILL)
            until("it can be said", lambda: self.pawl("move", "docs", "--here", code=None).returncode == 0)
            client.communicate(timeout=60)
        self.goes_on_here(session)

    def test_a_full_disk_there(self):
        size = "size=3m"
        if os.getuid() != 0 or subprocess.run(["unshare", "-m", "true"], check=False, stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("a small disk needs root")
        self.far("gpu", f"export HOME={self.home_of('gpu')}\n")
        os.makedirs(f"{self.folder}/gpu/arrivals", mode=0o700)
        os.chmod(f"{self.folder}/gpu", 0o700)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", size, "none", f"{self.folder}/gpu/arrivals"], check=False).returncode != 0:
            self.skipTest("nothing can be mounted here")
        self.addCleanup(subprocess.run, ["umount", "-l", f"{self.folder}/gpu/arrivals"], check=False)
        self.add("gpu")
        session = self.agent_here()
        for _ in range(6):
            self.grow(session)
        said = self.pawl("move", "docs", "gpu", code=1).stderr
        self.assertRegex(said, r"(?i)no space left|full")
        self.goes_on_here(session)

    def test_what_is_changed_on_the_way_is_not_started(self):
        far = self.machine_there()
        session = self.agent_here()
        path = self.grow(session)
        with subprocess.Popen([PAWL, "move", "docs", "gpu"], env=self.environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as client:
            until("it is looked at", lambda: glob.glob(f"{self.folder}/gpu/arrivals/*/0"))
            with open(path, "r+b") as file:
                file.seek(-100, os.SEEK_END)
                file.write(b"y" * 50)
            _, said = client.communicate(timeout=60)
        if client.returncode == 0:
            self.skipTest("it was faster")
        self.assertIn("is not what was sent", said)
        self.goes_on_here(session)
        self.assertNotIn("docs", self.there(far))

    def test_an_agent_may_not_and_may_when_it_was_allowed(self):
        self.machine_there()
        session = self.agent_here()
        self.sh("rogue", f"'{PAWL}' move docs gpu; echo code $?; sleep 600")
        self.on_screen("rogue", "code 6")
        self.write("no.toml", "[agent.boss]\nmay = [\"move\"]\n")
        self.sh("boss", f"'{PAWL}' move docs gpu; echo code $?; sleep 600")
        self.on_screen("boss", "code 0")
        self.assertEqual((self.starts()[-1]["id"], self.starts()[-1]["home"]), (session, self.home_of("gpu")))
        by = [event["by"] for event in self.events() if event["type"] == "move"][0]
        self.assertEqual((by["kind"], by["name"]), ("agent", "boss"))


if __name__ == "__main__":
    unittest.main()
