#!/usr/bin/env python3
"""A named pipe, a device, a socket or a folder where Pawl reads a file: nobody waits for it, and its agent says so."""
import os
import socket
import unittest

from fleet import FleetCase, until


class StrangeFiles(FleetCase):
    def setUp(self):
        super().setUp()
        self.place = self.folder + "/place"
        os.mkdir(self.place)
        self.environment["PAWL_CONFIG"] = self.folder + "/user.toml"

    def quick(self, *words, **more):
        """What a daemon that waits for a pipe would never answer."""
        return self.pawl(*words, timeout=20, **more).stdout

    def alerts(self, name):
        return [event["text"] for event in self.events() if event["type"] == "alert" and event["agent"] == name]

    def told(self, name, text):
        until(lambda: f"{text!r} in {self.alerts(name)}", lambda: any(text in one for one in self.alerts(name)))
        self.assertEqual(sum(text in one for one in self.alerts(name)), 1, "once")

    def test_an_agent_makes_a_pipe_of_its_env_file(self):
        self.sh("evil", "mkfifo .env", options=("--dir", self.place))
        self.ended("evil")
        self.told("evil", self.place + "/.env is a named pipe, not a file")
        self.assertIn("evil", self.quick("ls"))
        self.kill_daemon()
        self.assertIn("evil", self.quick("ls"))
        self.sh("good", "echo fine; sleep 60")
        self.on_screen("good", "fine")
        os.remove(self.place + "/.env")
        self.quick("rm", "evil")

    def test_a_link_in_place_of_the_log(self):
        os.mkdir(self.home, 0o700)
        victim = self.folder + "/victim"
        with open(victim, "w", encoding="ascii") as file:
            file.write("mine")
        os.symlink(victim, self.home + "/daemon.log")
        done = self.pawl("ls", timeout=20)
        self.assertIn("daemon.log is a link and is not followed", done.stderr)
        self.sh("one", "sleep 60")
        with open(self.folder + "/user.toml", "w", encoding="ascii") as file:
            file.write("not toml [")
        self.kill_daemon()
        self.quick("ls")  # a daemon that has something to say
        with open(victim, encoding="ascii") as file:
            self.assertEqual(file.read(), "mine")

    def test_a_virtual_environment_is_no_mistake(self):
        os.mkdir(self.place + "/.env")
        self.sh("one", "exit 3", options=("--dir", self.place))
        self.ended("one")
        self.quick("show", "one")
        self.assertEqual([text for text in self.alerts("one") if "not a file" in text], [])

    def test_an_env_file_that_is_none_refuses_the_start_with_words(self):
        os.mkfifo(self.place + "/secrets")
        os.symlink("secrets", self.place + "/link")
        for name, kind in (("/secrets", "a named pipe"), ("/link", "a named pipe"), ("", "a folder")):
            told = self.pawl("run", "-d", "one", "--env-file", self.place + name, "--", "true", code=1, timeout=20)
            self.assertIn(f"is {kind}, not a file", told.stderr)
            self.pawl("rm", "one", code=None)

    def test_what_others_leave_in_its_folder(self):
        self.sh("one", "sleep 60")
        home = self.home + "/agents/one/"
        for name in ("claude_mode.json", "inbox/work.md", "wakeup_pending"):
            os.mkfifo(home + "new")
            os.rename(home + "new", home + name)  # what is moved there is looked at
        with socket.socket(socket.AF_UNIX) as point:
            here = os.getcwd()
            os.chdir(home)
            point.bind("last_human_interaction")
            os.chdir(here)
        self.pawl("send", "one", "hello", code=None)
        for name, kind in (("wakeup_pending", "a named pipe"), ("claude_mode.json", "a named pipe"),
                           ("inbox/work.md", "a named pipe"), ("last_human_interaction", "a socket")):
            self.told("one", f"{home}{name} is {kind}, not a file")
        self.quick("ls")
        os.remove(home + "wakeup_pending")
        with open(home + "wakeup_pending.tmp", "w", encoding="utf-8") as file:
            file.write("from: ci\nred\n")
        os.rename(home + "wakeup_pending.tmp", home + "wakeup_pending")
        self.on_screen("one", "Wake-up from ci: red")

    def test_a_prompt_file_that_is_a_pipe(self):
        os.mkfifo(self.place + "/prompt.md")
        with open(self.folder + "/pawl.toml", "w", encoding="utf-8") as file:
            file.write(f'[agent.one]\ncommand = ["sleep", "60"]\ndir = "{self.place}"\nprompt_file = "prompt.md"\n')
        self.quick("up")
        self.told("one", self.place + "/prompt.md is a named pipe, not a file")

    def test_a_persons_own_pipe_is_read(self):
        self.sh("one", "cat")
        self.on_screen("one", r"\A\s*\Z")
        read, write = os.pipe()
        os.write(write, b"through a pipe\n")
        os.close(write)
        self.pawl("send", "one", "--file", f"/dev/fd/{read}", pass_fds=(read,))
        self.on_screen("one", "through a pipe")

    def test_nor_is_a_pipe_waited_for_that_nobody_writes_into(self):
        self.sh("one", "cat")
        os.mkfifo(self.place + "/words")
        said = self.pawl("send", "one", "--file", self.place + "/words", code=1).stderr
        self.assertIn("is a pipe, and nobody writes into it: name a file, or start what writes first", said)


if __name__ == "__main__":
    unittest.main()
