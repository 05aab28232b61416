#!/usr/bin/env python3
"""Codex with the server that all its windows share (make test-real): alone in its folder an agent keeps it; its conversation is found
and gone on with; what the server runs is an agent's, whoever of them started it, and nobody's end ends it. Two in one folder have
servers of their own, so that each can tell its conversation."""
import os
import shlex
import shutil
import signal

from agents import START_S, RealCase, main
from fake_model import run, say
from fleet import read_proc, until
from watched import SOON, toml

SHARED = "← for agents"  # under the box of a window that has it
NAMES = ("one", "two")


class ServerTest(RealCase):
    agent = "codex"

    def begin_two(self, *folders):
        rows = ""
        for name, folder in zip(NAMES, folders):
            folder = f"{self.folder}/{folder}"
            os.makedirs(folder, exist_ok=True)
            keys = {"runtime": "codex", "command": ["codex"], "dir": folder, "restart": "resume", **SOON}
            rows += f"[agent.{name}]\n" + "".join(f"{key} = {toml(value)}\n" for key, value in keys.items())
        with open(self.user_home + "/.codex/config.toml", "a", encoding="utf-8") as file:
            for folder in set(folders) - {"project"}:
                file.write(f'[projects."{self.folder}/{folder}"]\ntrust_level = "trusted"\n')
        self.write(self.folder + "/pawl.toml", rows)
        self.pawl("up", self.folder + "/pawl.toml")
        for name in NAMES:
            self.ready(name)

    def ready(self, name):
        self.pawl("wait", name, "--until", "ready", "--timeout", str(2 * START_S))

    def tell(self, name, text):
        self.model.script(say("Noted."))
        self.assertIn("confirmed", self.pawl("send", name, text).stdout)
        self.ready(name)

    def shown(self, name, key):
        return self.agents()[name][key]

    def listening(self):
        return [pid for pid in self.servers() if b"--listen" in read_proc(pid, "cmdline")]

    def restarted(self, name):
        before = self.shown(name, "pid")
        os.kill(before, signal.SIGKILL)
        until(f"{name} is started again", lambda: self.shown(name, "pid") not in (None, before), START_S)
        self.ready(name)

    def test_each_goes_on_with_its_own_and_the_server_lives(self):
        self.begin_two(*NAMES)
        for name in NAMES:
            self.assertIn(SHARED, self.screen(name))
        self.go_on()
        server = self.listening()
        self.assertEqual(len(server), 1, "one server for both")
        self.pawl("stop", "one")
        self.assertEqual(self.listening(), server, "it is of the other, too")

    def test_two_in_one_folder_have_their_own(self):
        self.begin_two("project", "project")
        for name in NAMES:
            self.assertNotIn(SHARED, self.screen(name))
        self.go_on()
        self.assertEqual(self.listening(), [])

    def go_on(self):
        """Both are told something, killed, and asked for it."""
        for name in NAMES:
            self.tell(name, f"remember {name}")
        until("both conversations are known", lambda: all(self.shown(name, "session_id") for name in NAMES), 10)
        ids = {name: self.shown(name, "session_id") for name in NAMES}
        for name in NAMES:
            self.restarted(name)
            self.tell(name, "which was it")
            said = "\n".join(self.model.requests[-1]["users"])
            self.assertIn(f"remember {name}", said)
            self.assertNotIn("remember " + NAMES[1 - NAMES.index(name)], said)
        self.assertEqual({name: self.shown(name, "session_id") for name in NAMES}, ids)

    def test_what_it_runs_is_an_agents(self):
        self.begin_two(*NAMES)
        pawl, told = shlex.quote(shutil.which("pawl")), f"{self.folder}/told"
        detached = f"setsid -f sh -c '{pawl} stop two; echo $? >>{told}.detached'"
        for name in NAMES:  # one of the two has started the server
            self.model.script(run(f"{pawl} stop two; echo $? >{told}.{name}; {detached}", ask=True), say("Done."))
            self.pawl("send", name, "do it")
            self.pawl("wait", name, "--until", "waiting", "--timeout", str(START_S))
            self.pawl("answer", name, "1")
            until("it was tried", lambda: os.path.exists(f"{told}.{name}"), START_S)
            self.ready(name)
        for name in NAMES:
            with open(f"{told}.{name}", encoding="ascii") as file:
                self.assertEqual(file.read(), "6\n")
        until("both cut loose and tried", lambda: os.path.getsize(told + ".detached") >= 4, 10)
        with open(told + ".detached", encoding="ascii") as file:
            self.assertEqual(file.read(), "6\n6\n")
        by = [event["by"] for event in self.events() if event["type"] == "request" and event.get("refused")]
        self.assertEqual([(one["kind"], one["name"]) for one in by], [("agent", None)] * 4, by)


if __name__ == "__main__":
    main("codex")
