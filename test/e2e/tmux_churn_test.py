#!/usr/bin/env python3
"""Days of a tmux server's life, compressed: panes are split, killed, respawned, moved, renamed and resized, people come and go, the
daemon is killed and the server replaced, while Pawl adopts, types and gives back. The server never dies of it, a text for one pane is
never found in another, and nothing of Pawl is left. CHURN says how many steps (thousands once in a while), SEED which."""
import glob
import os
import pty
import random
import re
import signal
import subprocess
import time
import unittest

from fleet import until
from tmux_test import TmuxCase

STEPS = int(os.environ.get("CHURN", "60"))
SEED = int(os.environ.get("SEED", "0")) or random.randrange(1, 10**6)


class Churn(TmuxCase):
    def setUp(self):
        super().setUp()
        self.dice = random.Random(SEED)
        os.mkdir(self.folder + "/got")
        self.program = f"exec sh -c 'echo began $$; while read -r line; do echo \"$line\" >>{self.folder}/got/$$; done'"
        self.adopted, self.sent, self.serial, self.clients = {}, {}, 0, []
        self.addCleanup(self.end_clients)

    def end_clients(self):
        for pid, master in self.clients:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            os.close(master)
        self.clients.clear()

    def panes(self):
        rows = self.tmux("list-panes", "-a", "-F", "#{pane_id} #{pane_pid} #{pane_dead}", check=False).splitlines()
        return {pane: int(pid) for pane, pid, dead in map(str.split, rows) if dead == "0"}

    def any_pane(self):
        return self.dice.choice(sorted(self.panes()))

    # What may happen.
    def open_window(self):
        if len(self.panes()) < 12:
            self.window(self.program)

    def split(self):
        self.tmux("split-window", "-d", "-t", self.any_pane(), self.program, check=False)

    def kill_pane(self):
        if len(self.panes()) > 3:
            self.tmux("kill-pane", "-t", self.any_pane(), check=False)

    def respawn(self):
        self.tmux("respawn-pane", "-k", "-t", self.any_pane(), self.program, check=False)

    def rename(self):
        self.tmux("rename-window", "-t", self.any_pane(), self.dice.choice(["a b", "x:y", "端末", "%3", "-S"]), check=False)

    def resize(self):
        self.tmux("resize-window", "-t", self.any_pane(), "-x", str(self.dice.randrange(20, 200)), "-y", str(self.dice.randrange(5, 60)),
                  check=False)

    def move(self):
        self.tmux("swap-pane", "-d", "-s", self.any_pane(), "-t", self.any_pane(), check=False)
        self.tmux("break-pane", "-d", "-s", self.any_pane(), check=False)

    def zoom(self):
        self.tmux("resize-pane", "-Z", "-t", self.any_pane(), check=False)

    def copy_mode(self):
        self.tmux("copy-mode", "-t", self.any_pane(), check=False)

    def come(self):
        if len(self.clients) >= 3:
            return
        pid, master = pty.fork()
        if pid == 0:
            os.environ["TERM"] = "xterm-256color"
            os.execlp("tmux", "tmux", "-u", "-S", self.socket, "attach-session")
        self.clients.append((pid, master))

    def go(self):
        if self.clients:
            pid, master = self.clients.pop(self.dice.randrange(len(self.clients)))
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            os.close(master)

    def adopt_one(self):
        pane = self.any_pane()
        pid = self.panes().get(pane)
        self.serial += 1
        name = f"a{self.serial}"
        done = self.pawl("adopt", "-S", self.socket, pane, "--name", name, code=None)
        if done.returncode == 0:
            self.adopted[name] = pid
        else:
            self.assertRegex(done.stderr, "adopted already|no pane|ended|gone|can't find")

    def release_one(self):
        if self.adopted:
            name = self.dice.choice(sorted(self.adopted))
            del self.adopted[name]
            self.pawl("release", name, code=None)

    def send_one(self):
        alive = self.panes().values()
        self.adopted = {name: pid for name, pid in self.adopted.items() if pid in alive or self.dice.random() < 0.2}
        if self.adopted:
            name = self.dice.choice(sorted(self.adopted))
            self.serial += 1
            self.sent[f"text {self.serial} for {name}"] = self.adopted[name]
            long = " " + "x" * self.dice.choice([0, 0, 2000])
            self.pawl("send", name, f"text {self.serial} for {name}{long}", "--now", code=None)

    def kill_the_daemon(self):
        if self.dice.random() < 0.3 and os.path.exists(self.home + "/daemon.lock"):
            self.pawl("ls")
            self.kill_daemon()

    def replace_the_server(self):
        if self.dice.random() > 0.2:
            return
        self.end_clients()
        self.tmux("kill-server", check=False)
        until("the server has gone", lambda: not os.path.isdir(f"/proc/{self.server}"))
        self.tmux("-f", "/dev/null", "new-session", "-d", "-s", "work", self.program)
        self.server = int(self.ask("#{pid}"))

    def step(self):
        self.dice.choice([self.open_window, self.open_window, self.split, self.kill_pane, self.respawn, self.rename, self.resize, self.move,
                          self.zoom, self.copy_mode, self.come, self.go, self.adopt_one, self.adopt_one, self.adopt_one, self.release_one,
                          self.send_one, self.send_one, self.send_one, self.kill_the_daemon, self.replace_the_server])()
        self.assertEqual(self.tmux("display-message", "-p", "#{pid}", check=False), str(self.server), "the server lives")

    def test_churn(self):
        print(f"seed {SEED}, {STEPS} steps", flush=True)
        for _ in range(4):
            self.window(self.program)
        for _ in range(STEPS):
            self.step()
        self.pawl("down", code=None)
        time.sleep(1)
        for pane in self.panes():
            self.assertEqual(self.ask("#{pane_pipe}", pane), "0", "no pipe of ours is left")
        self.assertEqual(self.tmux("list-buffers"), "")
        self.assertEqual([name for name in os.listdir(self.home + "/tmux") if name.startswith("pawl-")], [])
        self.no_text_in_the_wrong_pane()
        self.assert_every_decision_has_one_outcome()

    def no_text_in_the_wrong_pane(self):
        seen = 0
        for path in glob.glob(self.folder + "/got/*"):
            with open(path, encoding="utf-8", errors="replace") as file:
                for text in re.findall(r"text \d+ for a\d+", file.read()):
                    seen += 1
                    self.assertEqual(int(os.path.basename(path)), self.sent[text], f"{text!r} was typed into another program")
        print(f"{seen} of {len(self.sent)} texts arrived, none elsewhere", flush=True)


if __name__ == "__main__":
    unittest.main()
