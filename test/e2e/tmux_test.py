#!/usr/bin/env python3
"""tmux panes: adopted as they run, watched, typed into, given back; and agents in a server of Pawl's own. Everything here is done to a
real tmux server, as its user would see it."""
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import threading
import time
import unittest

from fleet import AGENT, FleetCase, alive, recorded, until


@unittest.skipUnless(shutil.which("tmux"), "tmux is not installed")
class TmuxCase(FleetCase):
    def setUp(self):
        super().setUp()
        self.socket = self.folder + "/us er.sock"
        self.tmux("-f", "/dev/null", "new-session", "-d", "-s", "work", "-x", "100", "-y", "30", "exec bash --norc")
        self.server = int(self.ask("#{pid}"))
        self.addCleanup(self.tmux, "kill-server", check=False)

    def tmux(self, *words, check=True):
        done = subprocess.run(["tmux", "-u", "-S", self.socket, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                              env={**os.environ, "PS1": "$ ", "TERM": "xterm-256color"})
        if check:
            self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.rstrip("\n")

    def ask(self, what, pane="%0"):
        return self.tmux("display-message", "-p", "-t", pane, what)

    def window(self, command, name="w"):
        return self.tmux("new-window", "-d", "-P", "-F", "#{pane_id}", "-n", name, command)

    def configure(self, text):
        with open(self.folder + "/user.toml", "w", encoding="utf-8") as file:
            file.write(text)
        self.environment["PAWL_CONFIG"] = self.folder + "/user.toml"

    def adopt(self, pane, *words):
        return self.pawl("adopt", "-S", self.socket, pane, *words)

    def person(self, target="work"):
        """Somebody sits at the server: gives the keyboard."""
        pid, master = pty.fork()
        if pid == 0:
            os.environ.update(TERM="xterm-256color")
            os.environ.pop("TMUX", None)
            os.execlp("tmux", "tmux", "-u", "-S", self.socket, "attach-session", "-t", target)
        self.addCleanup(os.close, master)
        self.addCleanup(os.waitpid, pid, 0)
        self.addCleanup(os.kill, pid, signal.SIGKILL)
        until("a person is there", lambda: self.tmux("list-clients"))
        return master

    def untouched(self, pane="%0"):
        self.assertEqual(self.ask("#{pane_pipe}", pane), "0")
        self.assertEqual(self.tmux("list-buffers"), "")
        self.assertEqual([name for name in os.listdir(self.home + "/tmux") if name.startswith("pawl-")], [])
        self.assertEqual(int(self.ask("#{pid}")), self.server)


class Adopted(TmuxCase):
    def test_a_pane_is_adopted_and_given_back(self):
        self.tmux("send-keys", "-t", "%0", "printf '\\033[1mbefore\\033[0m 端末\\n'", "Enter")
        until("it printed", lambda: "端末" in self.tmux("capture-pane", "-p", "-t", "%0"))
        options = self.tmux("show-options", "-g")
        self.assertEqual(self.adopt("work:0.0", "--name", "one").stdout, "one adopted\n")
        self.on_screen("one", "^before 端末")
        self.assertEqual(len(re.findall("\x1b\\[[0-9;]*1m *before", self.pawl("screen", "one", "--ansi").stdout)), 1)
        self.tmux("send-keys", "-t", "%0", "echo after", "Enter")
        self.on_screen("one", "^after")
        agent = self.agents()["one"]
        self.assertEqual((agent["backend"], agent["pane"]["target"]), ("tmux", "%0"))
        self.assertEqual(agent["pid"], int(self.ask("#{pane_pid}")))
        self.assertIn("adopted already", self.pawl("adopt", "-S", self.socket, "%0", code=1).stderr)
        self.pawl("release", "one")
        self.assertEqual(self.agents(), {})
        until("no pipe is left", lambda: self.ask("#{pane_pipe}") == "0")
        self.untouched()
        self.assertTrue(alive(agent["pid"]))
        self.assertEqual(self.tmux("show-options", "-g"), options)
        self.assert_every_decision_has_one_outcome()

    def test_all_agents_are_found(self):
        agents = [self.window(f"exec {AGENT}") for _ in range(3)]
        self.window("exec cat", name="cat")
        listed = self.pawl("adopt", "-S", self.socket, "--all", code=1)
        self.assertIn("use -y", listed.stderr)
        for pane in agents:
            self.assertIn(pane + " ", listed.stdout)
        self.assertEqual(self.agents(), {})
        self.pawl("adopt", "-S", self.socket, "--all", "-y")
        found = self.agents()
        self.assertEqual(sorted(found), ["work", "work-2", "work-3"])
        self.assertEqual({agent["runtime"] for agent in found.values()}, {"demo"})
        self.assertIn("nothing new", self.pawl("adopt", "-S", self.socket, "--all", "-y").stdout)
        self.assertEqual(json.loads(self.pawl("adopt", "-S", self.socket, "--all", "-y", "--json").stdout)["results"], [])
        self.window(f"exec {AGENT}")
        self.assertEqual(self.pawl("adopt", "-S", self.socket, "--all", "-y").stdout, "work-4 adopted\n")
        for name in found:
            self.pawl("wait", name, "--until", "ready", "--timeout", "20")

    def test_a_text_arrives_once(self):
        pane = self.window(f"exec {AGENT}")
        self.adopt(pane, "--name", "one")
        self.pawl("wait", "one", "--until", "ready", "--timeout", "20")
        said = self.pawl("send", "one", "explain the queue\nin two lines", "--wait", "ready", "--timeout", "30")
        self.assertIn("confirmed", said.stdout)
        self.on_screen("one", "What you asked for")
        self.tmux("copy-mode", "-t", pane)
        self.assertIn("confirmed", self.pawl("send", "one", "the last of " * 5, "--wait", "ready", "--timeout", "30").stdout)
        self.assertEqual(self.ask("#{pane_in_mode}", pane), "0")
        self.untouched("%0")
        self.assertEqual(self.tmux("list-buffers"), "")

    def test_a_pipe_of_the_users_stays(self):
        self.tmux("pipe-pane", "-t", "%0", f"cat >{self.folder}/theirs")
        self.adopt("%0", "--name", "one")
        self.tmux("send-keys", "-t", "%0", "echo seen", "Enter")
        self.on_screen("one", "^seen")
        until("it is said", lambda: "terminal: its pane has a pipe of its user's" in self.pawl("why", "one").stdout)
        self.assertIn("pipe of its user's", json.dumps(self.events()))
        self.pawl("release", "one")
        self.assertEqual(self.ask("#{pane_pipe}"), "1")
        with open(self.folder + "/theirs", encoding="utf-8") as file:
            self.assertIn("seen", file.read())

    def test_a_pipe_that_its_user_ended_is_free(self):
        self.tmux("pipe-pane", "-t", "%0", "exec cat >/dev/null")
        self.adopt("%0", "--name", "one")
        until("it is said", lambda: "terminal: " in self.pawl("why", "one").stdout)
        self.tmux("pipe-pane", "-t", "%0")
        until("it is followed", lambda: "terminal: " not in self.pawl("why", "one").stdout, 20)
        self.tmux("send-keys", "-t", "%0", "echo followed", "Enter")
        self.on_screen("one", "^followed")
        self.pawl("release", "one")
        until("no pipe is left", lambda: self.ask("#{pane_pipe}") == "0")

    def test_a_tmux_in_a_tmux(self):
        """The agent is in the inner one; the pane around it shows the same and is not an agent's."""
        inner = self.folder + "/inner.sock"
        self.configure("[agent.inside]\nhuman_quiet_s = 0\n")  # who attached just now is no reason to wait
        self.tmux("send-keys", "-t", "%0", f"TMUX= tmux -u -S '{inner}' -f /dev/null new-session -s inside 'exec {AGENT}'", "Enter")
        tmux = ["tmux", "-u", "-S", inner]
        until("it runs inside", lambda: subprocess.run([*tmux, "list-clients"], capture_output=True, check=False).stdout)
        self.addCleanup(subprocess.run, [*tmux, "kill-server"], check=False)
        self.assertIn("no pane", self.refused("adopt", "-S", self.socket, "--all", "-y"))
        self.pawl("adopt", "-S", inner, "--all", "-y")
        self.assertEqual({name: agent["runtime"] for name, agent in self.agents().items()}, {"inside": "demo"})
        self.pawl("wait", "inside", "--until", "ready", "--timeout", "20")
        self.assertIn("confirmed", self.pawl("send", "inside", "explain the queue", "--wait", "ready", "--timeout", "30").stdout)
        self.assertIn("explain the queue", self.tmux("capture-pane", "-p", "-t", "%0"))
        self.pawl("release", "inside")
        self.untouched()

    def test_a_new_daemon_goes_on(self):
        self.adopt("%0", "--name", "one")
        self.tmux("send-keys", "-t", "%0", "echo first", "Enter")
        self.on_screen("one", "^first")
        self.kill_daemon()
        until("no pipe is left", lambda: self.ask("#{pane_pipe}") == "0")
        self.tmux("send-keys", "-t", "%0", "echo meanwhile", "Enter")
        self.on_screen("one", "^meanwhile")
        self.tmux("send-keys", "-t", "%0", "echo later", "Enter")
        self.on_screen("one", "^later")
        self.assertEqual(self.agents()["one"]["restarts"], 0)

    def test_another_server_with_the_same_numbers_is_not_touched(self):
        self.adopt("%0", "--name", "one")
        self.kill_daemon()
        self.tmux("kill-server")
        until("it is gone", lambda: not self.tmux("list-sessions", check=False))
        self.tmux("-f", "/dev/null", "new-session", "-d", "-s", "work", "exec bash --norc")
        until("its end is known", lambda: self.agents()["one"]["state"] in ("crashed", "exited"), 10)
        self.assertEqual(self.ask("#{pane_pipe}"), "0")

    def test_what_ends_is_known(self):
        panes = [self.window("exec cat") for _ in range(3)]
        for number, pane in enumerate(panes):
            self.adopt(pane, "--name", f"a{number}")
        self.tmux("kill-pane", "-t", panes[0])
        until("a closed pane", lambda: "pane was closed" in self.agents()["a0"]["because"], 5)
        self.tmux("respawn-pane", "-k", "-t", panes[1], "exec cat")
        until("another program", lambda: "started anew" in self.agents()["a1"]["because"], 5)
        self.assertEqual(self.agents()["a2"]["exit_code"], None)
        os.kill(self.server, signal.SIGKILL)
        until("the server's death", lambda: "tmux server is gone" in self.agents()["a2"]["because"], 2)
        self.assert_every_decision_has_one_outcome()

    def test_the_size_follows(self):
        self.adopt("%0", "--name", "one")
        self.tmux("resize-window", "-t", "work", "-x", "60", "-y", "20")
        self.tmux("send-keys", "-t", "%0", "seq -s ' ' 1 60", "Enter")
        self.on_screen("one", "^1 2 3.* 22 23$")

    def test_a_person_is_seen(self):
        self.adopt("%0", "--name", "one")
        self.assertIsNone(self.agents()["one"]["human_last_seen"])
        keys = self.person()
        time.sleep(1.1)
        os.write(keys, b"echo by hand\r")
        until("the person is seen", lambda: self.agents()["one"]["human_last_seen"], 5)
        done = self.pawl("send", "one", "not now", "--wait", "ready", "--timeout", "2", code=None)
        self.assertNotEqual(done.returncode, 0)
        self.assertNotIn("not now", self.tmux("capture-pane", "-p", "-t", "%0"))

    def test_a_person_who_was_there_before(self):
        """Also when their server was watched already, for another pane."""
        other = self.window(f"exec {AGENT}")
        self.adopt("%0", "--name", "one")
        keys = self.person()
        self.tmux("select-window", "-t", other)
        os.write(keys, b"half a thought")
        until("it is typed", lambda: "half a thought" in self.tmux("capture-pane", "-p", "-t", other))
        time.sleep(2.5)  # sweeps have seen those keys
        self.adopt(other, "--name", "two")
        self.assertIsNotNone(self.agents()["two"]["human_last_seen"])
        self.assertIn("queued", self.pawl("send", "two", "not now").stdout)
        self.assertIn("half a thought", self.tmux("capture-pane", "-p", "-t", other))

    def test_a_person_in_another_window_keeps_nothing_back(self):
        """And no key of theirs, in whichever window, gets a text of ours in between."""
        agent = self.window(f"exec {AGENT}")
        self.adopt(agent, "--name", "one")
        self.pawl("wait", "one", "--until", "ready", "--timeout", "20")
        keys = self.person()
        typing = threading.Event()
        thread = threading.Thread(target=lambda: [(os.write(keys, b"x"), time.sleep(0.05)) for _ in iter(typing.is_set, True)])
        thread.start()
        try:
            for number in range(5):
                self.assertIn("confirmed", self.pawl("send", "one", f"explain {number}", "--wait", "ready", "--timeout", "30").stdout)
        finally:
            typing.set()
            thread.join()
        self.assertIsNone(self.agents()["one"]["human_last_seen"])

    def test_a_server_that_hangs_costs_nothing(self):
        self.adopt("%0", "--name", "one")
        self.start("mine", "cat")
        os.kill(self.server, signal.SIGSTOP)
        self.addCleanup(os.kill, self.server, signal.SIGCONT)
        began = time.monotonic()
        done = self.pawl("send", "one", "into the void", "--wait", "ready", "--timeout", "8", code=None)
        self.assertNotEqual(done.returncode, 0)
        self.pawl("send", "mine", "hello", code=None)
        self.on_screen("mine", "hello")
        until("it is said", lambda: "does not answer" in json.dumps(self.events()), 15)
        self.assertEqual(self.agents()["one"]["pid"], int(self.agents()["one"]["pid"]))
        self.assertLess(time.monotonic() - began, 40)
        os.kill(self.server, signal.SIGCONT)
        self.tmux("send-keys", "-t", "%0", "echo awake", "Enter")
        self.on_screen("one", "^awake")

    def test_attach_is_the_real_pane(self):
        pane = self.window("exec cat")
        self.adopt(pane, "--name", "one")
        pid, master = pty.fork()
        if pid == 0:
            os.environ.clear()
            os.environ.update(self.environment, TERM="xterm-256color")
            os.execvp("pawl", ["pawl", "attach", "one"])
        self.addCleanup(os.close, master)
        self.addCleanup(os.waitpid, pid, 0)
        self.addCleanup(os.kill, pid, signal.SIGKILL)
        until("it is there", lambda: self.tmux("list-clients", "-F", "#{pane_id}") == pane)
        os.write(master, b"by hand\r")
        self.on_screen("one", "by hand\nby hand")

    def test_servers_with_names_of_their_own(self):
        environment = {**os.environ, "TMUX_TMPDIR": self.folder}
        tmux = ["tmux", "-L", "od d"]
        subprocess.run([*tmux, "-f", "/dev/null", "new-session", "-d", "-s", "we ird: x", "exec cat"], env=environment, check=True)
        self.addCleanup(subprocess.run, [*tmux, "kill-server"], env=environment, check=False)
        ask = [*tmux, "display-message", "-p", "-t", "%0", "#{pane_current_command}"]  # tmux answers before the pane's shell became cat
        until("cat runs", lambda: subprocess.run(ask, env=environment, capture_output=True, text=True, check=False).stdout.strip() == "cat")
        self.environment["TMUX_TMPDIR"] = self.folder
        self.pawl("adopt", "-L", "od d", "%0")
        self.assertEqual(list(self.agents()), ["we-ird_-x"])
        self.pawl("send", "we-ird_-x", "hello", code=None)
        self.on_screen("we-ird_-x", "hello\nhello")

    def test_down_gives_them_back(self):
        self.adopt("%0", "--name", "one")
        pid = self.agents()["one"]["pid"]
        self.start("mine", "cat")
        self.assertEqual(sorted(self.pawl("down").stdout.splitlines()), ["mine stopped", "one given back"])
        self.assertEqual({name: agent["state"] for name, agent in self.agents().items()}, {"mine": "exited"})
        self.assertTrue(alive(pid))
        until("no pipe is left", lambda: self.ask("#{pane_pipe}") == "0")

    def test_stop_ends_what_runs_there_and_not_the_shell(self):
        self.tmux("send-keys", "-t", "%0", "cat", "Enter")
        until("cat runs", lambda: self.ask("#{pane_current_command}") == "cat")
        self.adopt("%0", "--name", "one")
        self.pawl("stop", "one")
        until("cat has ended", lambda: self.ask("#{pane_current_command}") == "bash")
        self.assertTrue(alive(int(self.ask("#{pane_pid}"))))

    def test_it_is_started_again_in_its_pane(self):
        agent = f"{AGENT}"
        self.tmux("send-keys", "-t", "%0", agent, "Enter")
        until("it runs", lambda: "demo" in self.ask("#{pane_current_command}"))
        self.configure("[agent.one]\nsettle_s = 1\n")
        self.adopt("%0", "--name", "one", "--restart", "fresh")
        self.pawl("wait", "one", "--until", "ready", "--timeout", "20")
        shell = self.ask("#{pane_pid}")
        front = int(subprocess.run(["pgrep", "-P", shell], capture_output=True, text=True, check=True).stdout)
        os.kill(front, signal.SIGKILL)
        until(lambda: f"it was started again: {self.screen('one')}{self.pawl('why', 'one').stdout}{self.events()[-5:]}", lambda: self.agents()["one"]["restarts"] == 1, 20)
        self.pawl("wait", "one", "--until", "ready", "--timeout", "20")
        self.assertEqual(self.ask("#{pane_pid}"), shell)

    def test_mistakes_are_said(self):
        self.assertIn("no tmux server", self.refused("adopt", "-S", self.folder + "/none", "%0"))
        self.assertIn("tmux", self.refused("adopt", "-S", self.socket, "%77"))
        self.assertIn("which pane", self.refused("adopt", code=2))
        self.assertIn("no pane", self.refused("adopt", "-S", self.socket, "--all", "-y"))
        self.start("mine", "cat")
        self.assertIn("not adopted", self.refused("release", "mine"))
        self.adopt("%0", "--name", "one")
        self.assertIn("pane of yours", self.refused("restart", "one"))


class Own(TmuxCase):
    def own(self, name, *command):
        self.start(name, *command, options=("--backend", "tmux"))

    def test_the_first_byte_and_the_exit_code(self):
        self.own("one", "sh", "-c", "printf first; env; exit 7")
        self.ended("one")
        self.assertEqual(self.agents()["one"]["exit_code"], 7)
        until("it is recorded", lambda: b"PAWL_AGENT=one" in recorded(self.home, "one"))
        text = recorded(self.home, "one").decode()
        self.assertTrue(text.startswith("first"), text[:200])
        self.assertNotIn("TMUX", text)
        self.own("two", "sh", "-c", "kill -9 $$")
        self.ended("two")
        self.assertEqual(self.agents()["two"]["signal"], 9)
        self.assertIn("command not found", self.pawl("run", "-d", "bad", "--backend", "tmux", "--", "no-such-thing", code=1).stderr)
        until("its server has left", lambda: not self.own_panes(), 10)

    def own_panes(self):
        done = subprocess.run(["tmux", "-S", self.home + "/tmux/own.sock", "list-panes", "-a"], capture_output=True, text=True)
        return done.stdout

    def test_it_is_watched_and_typed_into(self):
        self.own("one", AGENT)
        self.pawl("wait", "one", "--until", "ready", "--timeout", "20")
        self.assertIn("confirmed", self.pawl("send", "one", "explain the queue", "--wait", "ready", "--timeout", "30").stdout)
        self.kill_daemon()
        self.pawl("wait", "one", "--until", "ready", "--timeout", "20")
        self.assertIn("confirmed", self.pawl("send", "one", "explain it again", "--wait", "ready", "--timeout", "30").stdout)
        self.pawl("stop", "one")
        until("its server has left", lambda: not self.own_panes(), 10)

    def test_a_bare_kill_server_does_not_reach_it(self):
        self.own("one", "cat")
        self.own("killer", "sh", "-c", "TMUX_TMPDIR=/nowhere tmux kill-server; exit 3")
        self.ended("killer")
        self.pawl("send", "one", "still here", code=None)
        self.on_screen("one", "still here")

    def test_its_server_dies(self):
        for name in ("one", "two"):
            self.own(name, "cat")
        pid = subprocess.run(["tmux", "-S", self.home + "/tmux/own.sock", "display-message", "-p", "#{pid}"], capture_output=True,
                             text=True).stdout
        os.kill(int(pid), signal.SIGKILL)
        until("both are known dead", lambda: {a["state"] for a in self.agents().values()} == {"crashed"}, 2)
        self.assertIn("tmux server is gone", self.agents()["one"]["because"])
        self.pawl("restart", "one")
        self.pawl("send", "one", "again", code=None)
        self.on_screen("one", "again")


if __name__ == "__main__":
    unittest.main()
