"""What the end-to-end tests share: a PAWL_HOME of its own for every test, and nothing left behind at its end."""
import base64
import contextlib
import glob
import io
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

PAWL = shutil.which("pawl") or "pawl"
AGENT = shutil.which("pawl-demo-agent") or "pawl-demo-agent"
PATIENCE = 30  # seconds until something that has to happen counts as not happening


def until(what, condition, seconds=PATIENCE):
    """Looks until the condition is true, and gives what it said; fails with `what` when it never is."""
    deadline = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds} s: {what() if callable(what) else what}")
        time.sleep(0.01)


def processes():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def read_proc(pid, name):
    try:
        with open(f"/proc/{pid}/{name}", "rb") as file:
            return file.read()
    except OSError:
        return b""


def status_of(pid):
    """State letter, parent, process group and session; nothing when it has gone."""
    text = read_proc(pid, "stat").rpartition(b") ")[2].split()
    return (text[0].decode(), int(text[1]), int(text[2]), int(text[3])) if text else None


def alive(pid):
    status = status_of(pid)
    return bool(status) and status[0] not in "ZX"


def gone(pid):
    """With all its threads: as long as one of them ends, it holds the files of all, and whoever connects is let in."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return True
    return not any(alive(f"{pid}/task/{thread}") for thread in threads)


def cookie(home):
    """The start of PAWL_SESSION in every process of that home (src/host/environment.cpp)."""
    value = 14695981039346656037
    for byte in home.encode():
        value = (value ^ byte) * 1099511628211 % 2**64
    return f"PAWL_SESSION={value:016x}-".encode()


@contextlib.contextmanager
def part_file(path):
    """One part of a recording as text; a finished one is compressed a minute later."""
    if path.endswith(".zst"):
        yield io.StringIO(subprocess.run(["zstd", "-dcq", path], check=True, stdout=subprocess.PIPE).stdout.decode(), newline="\n")
    else:
        with open(path, encoding="utf-8") as file:
            yield file


def recorded(home, agent):
    """The bytes an agent printed, put together again from its recording (doc/recording.md)."""
    paths = glob.glob(f"{home}/agents/{agent}/rec/*.cast*")
    return recorded_in(path for path in paths if path.endswith(".cast") or path.endswith(".zst") and path[:-4] not in paths)


def recorded_in(paths):
    whole = []
    for path in sorted(paths):
        with part_file(path) as file:
            repaint = json.loads(next(file))["pawl"]["repaint"]
            exact = None
            for _, code, data in map(json.loads, file):
                if code == "b":
                    exact = base64.b64decode(data)
                elif code == "o":
                    if not repaint:
                        whole.append(data.encode() if exact is None else exact)
                    repaint, exact = False, None
    return b"".join(whole)


class FleetCase(unittest.TestCase):
    maxDiff = 2000
    trusting = True

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="pawl-e2e-")
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)
        self.use_home(self.folder + "/home")

    def use_home(self, home):
        self.home = home
        self.environment = {**os.environ, "PAWL_HOME": home, "PAWL_CONFIG": self.folder + "/no.toml"}
        for name in ("NO_COLOR", "TMUX"):
            self.environment.pop(name, None)
        self.addCleanup(self.clear_away, home, dict(self.environment))

    def pawl(self, *words, code=0, text=True, **more):
        """Runs pawl; the exit code has to be `code` (None: any). A test's own pawl.toml is approved (first_use_test.py is about that)."""
        if words[:1] == ("up",) and self.trusting:
            words = ("up", "--trust", *words[1:])
        options = {"env": self.environment, "cwd": self.folder, "timeout": 60, "stdin": subprocess.DEVNULL, **more}
        if "input" in options:
            del options["stdin"]
        if text:
            options.update(encoding="utf-8", errors="replace")
        done = subprocess.run([PAWL, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
        if code is not None:
            self.assertEqual(done.returncode, code, f"pawl {' '.join(words)}\n{done.stdout}\n{done.stderr}")
        return done

    def start(self, name, *command, options=()):
        self.pawl("run", "-d", name, *options, "--", *command)

    def sh(self, name, script, options=()):
        self.start(name, "sh", "-c", script, options=options)

    def agents(self):
        return {agent["name"]: agent for agent in json.loads(self.pawl("ls", "--json").stdout)["agents"]}

    def events(self, *words):
        return [json.loads(line) for line in self.pawl("events", "--json", *words).stdout.splitlines()]

    def screen(self, name):
        return self.pawl("screen", name).stdout

    def on_screen(self, name, pattern):
        """Waits until the agent's screen shows the pattern; gives the match."""
        return until(lambda: f"{pattern!r} on the screen of {name}:\n{self.screen(name)}",
                     lambda: re.search(pattern, self.screen(name), re.M))

    def ended(self, *names):
        for name in names:
            self.pawl("wait", name, "--until", "exited,crashed", "--timeout", "60")

    def refused(self, *words, code=1, **more):
        """The message of a command that fails as every command should: `pawl: what: fix`, on stderr, one line."""
        done = self.pawl(*words, code=code, **more)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, r"\Apawl: [^\n]+: [^\n]+\n\Z")
        return done.stderr

    def daemon_pid(self):
        with open(self.home + "/daemon.lock", encoding="ascii") as file:
            return int(file.read())

    def kill_daemon(self):
        pid = self.daemon_pid()
        os.kill(pid, signal.SIGKILL)
        until("the daemon is dead", lambda: gone(pid))
        return pid

    def holders(self, home=None):
        line = f"pawl-holder\0{home or self.home}/holders\0".encode()
        found = [pid for pid in processes() if read_proc(pid, "cmdline").startswith(line) and alive(pid)]
        return [pid for pid in found if int((status_of(pid) or ["", "0"])[1]) not in found]  # it has just forked a keeper, which has its name still

    def of_this_fleet(self, home=None):
        """Every living process that a program of this home started."""
        mark = cookie(home or self.home)
        return [pid for pid in processes() if mark in read_proc(pid, "environ") and alive(pid)]

    def assert_every_decision_has_one_outcome(self):
        """Also: in that order, of the same agent and action. Gives the number of decisions."""
        open_ones, done = {}, set()
        for event in self.events():
            if event["type"] == "decision":
                open_ones[event["seq"]] = event
            elif event["type"] == "outcome":
                self.assertNotIn(event["decision"], done, "a second outcome")
                decision = open_ones.pop(event["decision"], None)
                self.assertIsNotNone(decision, f"an outcome without a decision: {event}")
                self.assertEqual((decision["agent"], decision["action"]), (event["agent"], event["action"]))
                done.add(event["decision"])
        self.assertEqual(open_ones, {})
        return len(done)

    def clear_away(self, home, environment):
        if not os.path.isdir(home):
            return
        daemon = None
        if os.path.exists(home + "/daemon.lock"):
            self.pawl("down", code=None, env=environment)
            with open(home + "/daemon.lock", encoding="ascii") as file:
                daemon = int(file.read() or 0)
            self.pawl("daemon", "--stop", code=None, env=environment)
        left = self.of_this_fleet(home)
        named = [read_proc(pid, "cmdline") for pid in left]
        holders = self.holders(home)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        for pid in holders:
            os.kill(pid, signal.SIGTERM)  # leaves at once when it holds nothing
        going = [*holders, *([daemon] if daemon else [])]
        try:
            self.assertEqual(named, [], "processes of the fleet after pawl down")
            until("the daemon and its holders have left", lambda: not any(map(alive, going)), 10)
        finally:
            for pid in filter(alive, going):
                os.kill(pid, signal.SIGKILL)
