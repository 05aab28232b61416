"""Real agents under a real daemon: what the tests of test/real share. Everything runs in a network namespace with nothing but
loopback, with a throwaway home, a dummy key, and fake_model for a model. An agent that is not installed is a skipped test."""
import ctypes
import datetime
import fcntl
import glob
import json
import os
import pty
import re
import shlex
import shutil
import signal
import socket
import struct
import subprocess
import sys
import termios
import threading
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "e2e"))
from fake_model import FakeModel
from fleet import FleetCase, alive, processes, read_proc, until
from settle import AGENTS, Place

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
FOLDERS = os.environ.get("PAWL_REAL_AGENTS") or ROOT + "/build/real-agents/bin"
ALONE = "PAWL_REAL_ALONE"
BACKEND = os.environ.get("PAWL_REAL_BACKEND") or "pty"   # or tmux, or adopted: started in tmux before Pawl came
START_S = 40        # an agent may take this long to come up on a loaded machine
TURN_S = 30
PERSON_S = 0.5      # between seeing a text and pressing Enter: within a tenth of a second of a paste, Gemini takes it for a line break
READY_WITHIN = 0.6  # from the end of a turn to the event


def find(name):
    return shutil.which(name, path=os.pathsep.join(filter(None, [FOLDERS, os.environ["PATH"]])))


def loopback_up():
    """A new namespace's own loopback starts down."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        request = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(sock, 0x8913, request))[1]
        fcntl.ioctl(sock, 0x8914, struct.pack("16sh14x", b"lo", flags | 1))


def main(*agents):
    """Runs the tests of the calling file, away from every network; skips all of them when that cannot be."""
    for agent in agents:
        if not find(agent):
            print(f"skipped: {agent} is not installed: make real-agents, or put its folder in PAWL_REAL_AGENTS", flush=True)
    if not any(map(find, agents)):
        sys.exit(0)
    if ALONE not in os.environ:
        unshare = ["unshare", "-n"] if os.geteuid() == 0 else ["unshare", "-rn"]
        if subprocess.run([*unshare, "true"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
            print("skipped: no network namespace can be made here (unshare -n): run it as root")
            sys.exit(0)
        os.execvpe("unshare", [*unshare, sys.executable, *sys.argv], {**os.environ, ALONE: "1"})
    loopback_up()
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # be the parent of what is left over, so that nothing escapes
    unittest.main(verbosity=2)


def seconds(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


class RealCase(FleetCase):
    """One agent called `one`, in self.project, talking to self.model."""
    agent = ""  # which of settle.py

    def setUp(self):
        super().setUp()
        self.command = AGENTS[self.agent].command
        self.model = FakeModel(self.folder + "/model.jsonl")
        self.addCleanup(self.model.close)
        self.user_home, self.project = self.folder + "/user", self.folder + "/project"
        os.makedirs(self.user_home)
        os.makedirs(self.project)
        self.write(self.project + "/main.py", 'print("hello")\n')
        kept = {name: os.environ[name] for name in ("LANG", "TERM") if name in os.environ}
        self.place = Place(self.user_home, self.project, self.model.url)
        paths = [os.path.dirname(find(self.agent)), os.environ["PATH"]]
        self.environment = {**kept, "HOME": self.user_home, "PATH": os.pathsep.join(paths), "SHELL": "/bin/bash", "TZ": "UTC",
                            "LANG": "C.UTF-8", "PAWL_HOME": self.home, "PAWL_CONFIG": self.folder + "/no.toml",
                            **AGENTS[self.agent].settle(self.place)}
        self.place.write(".bashrc", "PS1='\\u@\\h:\\w\\$ '\n")
        self.addCleanup(self.say_goodbye)
        self.addCleanup(self.tell_story)

    @staticmethod
    def write(path, text):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text if isinstance(text, str) else json.dumps(text))

    def say_goodbye(self):
        """Some agents have children that take a moment longer than they do."""
        self.pawl("down", code=None)
        for pid in self.servers():
            os.kill(pid, signal.SIGKILL)
        until("its processes have left", lambda: not self.of_this_fleet(), 5)

    def tell_story(self):
        """When the test failed, or always with PAWL_REAL_STORY=FOLDER, where it is kept with the recording: events beside the
        model's log, the screen, and the last word of `pawl why`."""
        folder = os.environ.get("PAWL_REAL_STORY", "")
        result = self._outcome.result  # its `success` is of the cleanup alone
        if not folder and not any(test is self for test, _ in result.failures + result.errors):
            return
        rows = [(at, f"model {what} {number}") for at, what, number in self.model.log]
        for event in self.events("--agent", "one"):
            if event["type"] == "state":
                said = {key: event.get(key) for key in ("from", "to", "kind", "tier", "because")}
                rows.append((seconds(event["at"]), "      " + json.dumps(said, ensure_ascii=False)))
        lines = [f"==== {self.id()}", *(f"{at % 1000:8.3f} {text}" for at, text in sorted(rows)), self.screen("one"),
                 self.pawl("why", "one", code=None).stdout]
        print("\n" + "\n".join(lines), flush=True)
        if folder:
            kept = f"{folder}/{self.id().rpartition('.')[2]}-{self.agent}"
            why = self.pawl("why", "one", "--json", code=None).stdout
            self.write(kept + ".txt", "\n".join([*lines, why]))
            for path in sorted(glob.glob(f"{self.home}/agents/one/rec/*.cast*")):
                shutil.copy(path, kept + "-" + os.path.basename(path))
            shutil.copy(self.folder + "/model.jsonl", kept + "-model.jsonl")

    def begin(self, *command):
        if BACKEND == "adopted":
            return self.begin_in_tmux(command or self.command)
        self.pawl("run", "-d", "one", "--dir", self.project, "--backend", BACKEND, "--", *(command or self.command))

    def begin_in_tmux(self, command):
        """As a person would have started it before Pawl came."""
        self.tmux("-f", "/dev/null", "new-session", "-d", "-s", "work", "-x", "120", "-y", "40", "-c", self.project,
                  "exec " + shlex.join(command))
        self.addCleanup(self.end_in_tmux)
        until("it runs", lambda: self.tmux("display-message", "-p", "#{pane_current_command}") not in ("sh", "bash", "env", "tmux"))
        self.pawl("adopt", "-S", self.folder + "/user.sock", "work", "--name", "one")

    def tmux(self, *words, check=True):
        return subprocess.run(["tmux", "-u", "-S", self.folder + "/user.sock", *words], env=self.environment, check=check,
                              stdout=subprocess.PIPE, stderr=None if check else subprocess.DEVNULL, text=True).stdout.strip()

    def person(self):
        """Somebody attaches to the user's tmux: gives the keyboard."""
        pid, master = pty.fork()
        if pid == 0:
            os.execvpe("tmux", ["tmux", "-u", "-S", self.folder + "/user.sock", "attach-session", "-t", "work"],
                       {**self.environment, "TERM": "xterm-256color"})
        fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 41, 120, 0, 0))
        threading.Thread(target=self.watch, args=(master,), daemon=True).start()
        self.addCleanup(os.waitpid, pid, 0)
        self.addCleanup(os.kill, pid, signal.SIGKILL)
        return master

    @staticmethod
    def watch(master):
        try:
            while os.read(master, 65536):
                pass
        except OSError:
            pass

    def of_its_home(self):
        mark = f"HOME={self.user_home}\0".encode()
        return [pid for pid in processes() if mark in read_proc(pid, "environ") and alive(pid)]

    def servers(self):
        """Shared by all windows of a user (Codex): nobody's end ends them."""
        return [pid for pid in self.of_its_home() if b"\0app-server\0" in read_proc(pid, "cmdline")]

    def end_in_tmux(self):
        """With what the agent left running: no cookie of ours tells of it, but its home does."""
        self.tmux("kill-server", check=False)
        for pid in self.of_its_home():
            if b"__daemon" not in read_proc(pid, "cmdline"):
                os.kill(pid, signal.SIGKILL)

    def wait(self, *states, timeout=TURN_S):
        """Blocks until one of the states; gives it."""
        done = self.pawl("wait", "one", "--until", ",".join(states), "--timeout", str(timeout), code=None)
        self.assertEqual(done.returncode, 0, f"{states}: {done.stderr}\n{self.screen('one')}\n"
                                             f"{self.pawl('why', 'one').stdout}")
        return done.stdout.strip()

    def up(self):
        self.begin()
        self.wait("ready", timeout=START_S)
        self.mark = time.time()

    def prompt(self, text):
        """Types a text, sees it in the box, and sends it, as a person does. Gives when Enter was pressed."""
        self.pawl("send", "one", text, "--no-enter")
        self.wait("typing")
        time.sleep(PERSON_S)
        self.mark = time.time()
        self.pawl("keys", "one", "Enter")
        return self.mark

    def answer(self, key):
        """Presses a key until the dialog has gone: agents ignore keys that come too soon. Gives when it was pressed last."""
        for _ in range(10):
            pressed = time.time()
            self.pawl("keys", "one", key)
            done = self.pawl("wait", "one", "--until", "busy,ready,typing,exited", "--timeout", "2", code=None)
            if done.returncode == 0:
                return pressed
        raise AssertionError(f"{key} does not answer\n{self.screen('one')}")

    def states(self, since=None):
        """The changes of state since the last prompt: (time, state, kind, tier, because)."""
        return [(seconds(event["at"]), event["to"], event.get("kind") or "", event["tier"], event["because"])
                for event in self.events("--agent", "one")
                if event["type"] == "state" and seconds(event["at"]) >= (since or self.mark) - 0.001]

    def when(self, state, since=None):
        """The first change to that state."""
        found = [row for row in self.states(since) if row[1] == state]
        self.assertTrue(found, f"never {state}: {self.states(since)}")
        return found[0]

    def turn_over(self):
        """Waits for the model's last word and the event after it; gives the seconds between the two."""
        until("the model has answered", lambda: (self.model.last("end") or 0) > self.mark, TURN_S)
        end = self.model.last("end")
        self.wait("ready")
        ready = [row for row in self.states() if row[1] == "ready"]
        self.assertTrue(ready, self.states())
        late = ready[-1][0] - end
        self.assertEqual([row for row in ready if row[0] < end], [], "ready while the model was still answering")
        self.assertLessEqual(late, READY_WITHIN, f"ready {late:.2f} s after the end of the turn")
        return late

    def why(self):
        return json.loads(self.pawl("why", "one", "--json").stdout)

    def opinions(self):
        """What each channel says on its own: (tier, state) pairs."""
        return {(row["tier"], row["means"]) for row in self.why().get("evidence", [])}

    def notices(self):
        return [notice["kind"] for notice in self.agents()["one"]["notices"]]

    def pid_in_front(self, name):
        """The agent's own process, wherever it is below the terminal."""
        pattern = re.compile(name.encode())
        found = []
        for pid in self.of_this_fleet():
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                if pattern.search(file.read()):
                    found.append(pid)
        return found


def of_each(loader, case, names):
    """The tests of a case for each of these agents, one after the other."""
    cases = [type(f"{case.__name__}_{name}", (case, RealCase), {"agent": name}) for name in names]
    return unittest.TestSuite(loader.loadTestsFromTestCase(one) for one in cases)
