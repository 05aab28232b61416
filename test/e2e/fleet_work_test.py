#!/usr/bin/env python3
"""What a unit of the fleet's work brings along: a git remote and a commit as its folder, a prompt of many megabytes; and what becomes of it
when it is over, or when the machine that ran it is gone."""
import glob
import hashlib
import os
import shutil
import signal
import subprocess
import unittest

from bus_server import SERVER, OnABus
from fleet import FleetCase, until


@unittest.skipUnless(SERVER, "no nats-server here")
class FleetWork(OnABus, FleetCase):
    def git(self, *words, cwd=None):
        done = subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e", *words], cwd=cwd or self.remote, check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
        return done.stdout.strip()

    def repository(self):
        """A remote with two commits on main; gives their names."""
        if not shutil.which("git"):
            self.skipTest("no git here")
        self.remote = self.folder + "/remote"
        os.makedirs(self.remote)
        self.git("init", "-q", "-b", "main")
        commits = []
        for text in ("one", "two"):
            with open(self.remote + "/file", "w", encoding="ascii") as file:
                file.write(text + "\n")
            self.git("add", "-A")
            self.git("commit", "-q", "-m", text)
            commits.append(self.git("rev-parse", "HEAD"))
        return commits

    def two(self):
        self.node("lap", config="[fleet]\ntasks = 0\n")
        self.node("gpu")
        self.online("lap", "gpu")

    def clones(self, name):
        return sorted(glob.glob(f"{self.folder}/{name}/checkouts/*"))

    def test_a_commit_is_the_folder(self):
        first, second = self.repository()
        self.two()
        self.give("lap", "old", "cat file; git rev-parse HEAD; git remote get-url origin", "--git", f"{self.remote}#{first}")
        self.ended("lap", "old")
        self.assertEqual(self.at("lap", "task", "output", "old").stdout.split(), ["one", first, self.remote])
        self.give("lap", "new", "cat file; echo work >mine", "--git", f"{self.remote}#main")
        self.ended("lap", "new")
        self.assertEqual(self.at("lap", "task", "output", "new").stdout.split(), ["two"])
        # A clone in which nothing is goes; what was not pushed stays, and where is said.
        until(lambda: self.clones("gpu"), lambda: len(self.clones("gpu")) == 1, 20)
        self.assertTrue(os.path.exists(self.clones("gpu")[0] + "/mine"))
        self.assertIn(self.clones("gpu")[0], self.at("gpu", "task", "status", "new").stdout)
        # Every try has the commit that the branch had when it was given.
        self.give("lap", "later", "cat file", "--git", f"{self.remote}#main", "--needs", "label=gpu")
        with open(self.remote + "/file", "w", encoding="ascii") as file:
            file.write("three\n")
        self.git("commit", "-q", "-a", "-m", "three")
        self.node("big", config="[fleet]\nlabels = ['gpu']\n")
        self.ended("lap", "later")
        self.assertEqual(self.at("lap", "task", "output", "later").stdout.split(), ["two"])
        self.assertNotEqual(second, self.git("rev-parse", "HEAD"))

    def test_what_cannot_be_fetched_is_said_and_others_may_try(self):
        first, _ = self.repository()
        self.two()
        self.give("lap", "none", "true", "--git", f"{self.remote}#{'1' * 40}")
        until("why it waits", lambda: "not on gpu: " in (self.status("lap", "none")["detail"] or ""), 30)
        self.assertIn("has no commit 1111", self.at("lap", "task", "ls").stdout)
        private = self.folder + "/private"
        os.makedirs(private)
        self.give("lap", "closed", "true", "--git", f"{private}/x#{first}")
        until("why it waits", lambda: "git cannot fetch" in (self.status("lap", "closed")["detail"] or ""), 30)
        os.rename(self.remote, private + "/x")
        self.node("pod")
        self.assertEqual(self.ended("lap", "closed")["machine"], "pod")
        for words, said in ((["--git", "ext::sh -c id"], "git remote"), (["--git", "-u#x"], "option of git"), (["--git", "https://me:secret@host/a"], "password"),
                            (["--git", f"{private}/x#nowhere"], "no branch and no tag"), (["--git", f"{private}/x", "--dir", "/tmp"], "one of them"),
                            (["--git", self.folder + "/nothing"], "git cannot read")):
            done = self.at("lap", "task", "start", "bad", "--on", "any", *words, "--", "true", input="x\n", code=None)
            self.assertNotEqual(done.returncode, 0, words)
            self.assertRegex(done.stderr, r"\Apawl: [^\n]+: [^\n]+\n\Z")
            self.assertIn(said, done.stderr)
        self.assertIn("--on any", self.at("lap", "task", "start", "bad", "--git", f"{private}/x", "--", "true", input="x\n", code=2).stderr)

    def test_a_folder_that_no_node_has(self):
        self.two()
        self.give("lap", "fix", "true", "--dir", self.folder + "/none")
        until("why it waits", lambda: "not on gpu: " in (self.status("lap", "fix")["detail"] or ""), 30)
        self.assertIn("not on gpu", self.at("lap", "task", "ls").stdout)
        self.assertEqual(self.status("lap", "fix")["status"], "waiting")

    def test_a_large_prompt_arrives_as_it_was_given(self):
        self.two()
        for size in (40_000, 5_000_000):
            text = os.urandom(size)
            with open(self.folder + "/large", "wb") as file:
                file.write(text)
            self.at("lap", "task", "start", f"sum-{size}", "--on", "any", "--prompt-file", self.folder + "/large", "--", "sha256sum")
            self.ended("lap", f"sum-{size}")
            self.assertEqual(self.at("lap", "task", "output", f"sum-{size}").stdout.split()[0], hashlib.sha256(text).hexdigest())
        with open(self.folder + "/large", "wb") as file:
            file.truncate((64 << 20) + 1)
        self.assertIn("larger than 64 MiB", self.at("lap", "task", "start", "more", "--on", "any", "--prompt-file", self.folder + "/large", "--", "true", code=2).stderr)

    def test_what_was_not_pushed_on_a_dead_node_is_not_pretended_to_be_moved(self):
        self.node("lap", config="[fleet]\ntasks = 0\n")
        self.node("gpu")
        self.online("lap", "gpu")
        self.give("lap", "fix", f"[ -e {self.folder}/go ] || sleep 300")
        until("it runs", lambda: self.status("lap", "fix")["machine"] == "gpu", 30)
        self.bus.kill()  # gpu hears nothing any more, and is killed
        with open(f"{self.folder}/gpu/daemon.lock", encoding="ascii") as file:
            os.kill(int(file.read()), signal.SIGKILL)
        with open(self.folder + "/go", "w", encoding="ascii"):
            pass
        self.bus.start()
        self.node("pod")
        said = self.ended("lap", "fix", seconds=120)
        self.assertEqual((said["machine"], said["left_on"]), ("pod", "gpu"))
        self.assertIn("what it did there and did not push stayed there", self.at("lap", "task", "status", "fix").stdout)
        self.assertIn("stayed there", self.at("pod", "task", "status", "fix").stdout)
        self.assertIn("it ran on gpu before", self.at("pod", "why", "task-fix").stdout)

    def test_what_is_over_is_begun_again_under_its_name(self):
        self.two()
        self.give("lap", "fix", f"cat; [ -e {self.folder}/go ]")
        self.ended("lap", "fix", "failed")
        with open(self.folder + "/go", "w", encoding="ascii"):
            pass
        self.assertIn("fix: waiting", self.at("lap", "task", "resume", "fix").stdout)
        self.ended("lap", "fix")
        self.assertIn("the prompt", self.at("lap", "task", "output", "fix").stdout)
        for name in ("lap", "gpu"):
            self.assertIn("is completed: give it again under another name", self.at(name, "task", "resume", "fix", code=1).stderr)
        self.give("lap", "sleeps", "sleep 300")
        until("it runs", lambda: self.status("lap", "sleeps")["machine"] == "gpu", 30)
        self.at("lap", "task", "cancel", "sleeps")
        self.ended("lap", "sleeps", "cancelled")
        # Not while its run is being ended there.
        until("it can be begun again", lambda: "sleeps: waiting" in self.at("gpu", "task", "resume", "sleeps", code=None).stdout, 20)
        until("it runs again", lambda: self.status("lap", "sleeps")["status"] == "running", 30)
        self.at("lap", "task", "cancel", "sleeps")


if __name__ == "__main__":
    unittest.main()
