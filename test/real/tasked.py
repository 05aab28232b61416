"""What the tests of tasks with real agents share: one task called `t`, in self.project. PAWL_TASKS names the agents."""
import hashlib
import json
import os
import unittest

from agents import RealCase, find
from fake_model import run
from fleet import alive, processes, read_proc, until

NAMES = [name for name in os.environ.get("PAWL_TASKS", "claude codex gemini pi").split() if find(name)]
PROMPT = "Do the work, „please“."


def tests_of(loader, case):
    """The tests of a case for each agent; those that say for whom (`only_for`) for these alone."""
    cases = [type(f"{case.__name__}_{name}", (case, RealCase), {"agent": name}) for name in NAMES]
    for one in cases:
        for test in loader.getTestCaseNames(one):
            if one.agent not in getattr(getattr(one, test), "agents", NAMES):
                setattr(one, test, None)
    return unittest.TestSuite(loader.loadTestsFromTestCase(one) for one in cases)


def only_for(*agents):
    def note(test):
        test.agents = agents
        return test
    return note


class Tasked:
    """Mixed into a RealCase."""

    def setUp(self):
        super().setUp()
        self.place.write(".pi/agent/settings.json", {"defaultProvider": "fake", "defaultModel": "fake-model"})
        self.environment.update(IS_SANDBOX="1", PAWL_CONFIG=self.folder + "/user.toml", MONITOR_BASE_INTERVAL="5",
                                MONITOR_GRACE_PERIOD="3")
        self.configure("limit = { margin_s = 2 }\nstop_grace_s = 3\n")

    def tell_story(self):
        if not any(test is self for test, _ in self._outcome.result.failures + self._outcome.result.errors):
            return
        for name in ("monitor.log", "output.log", "manifest"):
            print(f"---- {self.id()} {name}\n{self.file(name)}", flush=True)

    def configure(self, text):
        self.write(self.folder + "/user.toml", "[defaults]\n" + text)

    def start_words(self, name, *options):
        return ("task", "start", name, "--runtime", self.agent, "--dir", self.project, "--json", *options)

    def give(self, *options, prompt=PROMPT, name="t"):
        return json.loads(self.pawl(*self.start_words(name, *options), input=prompt).stdout)

    def task(self, name="t"):
        return json.loads(self.pawl("task", "status", name, "--json").stdout)

    def over(self, code=0, timeout="90", name="t"):
        done = self.pawl("task", "wait", name, "--timeout", timeout, code=None, timeout_s=120)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return self.task(name)

    def pawl(self, *words, timeout_s=60, **more):
        return super().pawl(*words, timeout=timeout_s, **more)

    def file(self, name, task="t"):
        try:
            with open(os.path.join(self.task(task)["tmpdir"], name), encoding="utf-8") as file:
                return file.read()
        except (OSError, AssertionError) as error:
            return str(error)

    def has(self, name, task="t"):
        return os.path.exists(os.path.join(self.task(task)["tmpdir"], name))

    def manifest(self, task="t"):
        return dict(line.split("=", 1) for line in self.file("manifest", task).splitlines())

    def said(self, text, seconds=30):
        until(lambda: f"{text!r}\n{self.file('output.log')}", lambda: text in self.file("output.log"), seconds)

    def earlier(self):
        """What the last request told of the person's words."""
        return "\n".join(self.model.requests[-1]["users"])

    def slow(self, command, **more):
        """A tool that takes its time: Codex goes on without it after ten seconds, unless it is told not to."""
        return run(command, **({"arguments": {"yield_time_ms": 30000}} if self.agent == "codex" else {}), **more)

    def made(self, name, seconds=60):
        """Waits for a file that a tool of the agent makes."""
        until(lambda: f"{name}\n{self.file('output.log')}", lambda: os.path.exists(f"{self.project}/{name}"), seconds)

    def happened(self, task="t"):
        lines = self.pawl("task", "events", task, "--since", "1h", "--json").stdout.splitlines()
        return [json.loads(line) for line in lines]

    def story(self, task="t"):
        return [event["event"] for event in self.happened(task)]

    def nothing_runs(self):
        until(lambda: f"left: {[read_proc(pid, 'cmdline') for pid in self.of_this_fleet()]}", lambda: not self.of_this_fleet(), 10)

    @staticmethod
    def running(*words):
        """The processes with this command line, whoever started them."""
        line = "\0".join(words).encode() + b"\0"
        return [pid for pid in processes() if read_proc(pid, "cmdline") == line and alive(pid)]

    @staticmethod
    def digest(text):
        return hashlib.sha256(text if isinstance(text, bytes) else text.encode()).hexdigest()
