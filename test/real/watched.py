"""What the tests of real agents share that look at what the rules decided."""
import json
import time

from agents import BACKEND, START_S
from fleet import until

LEAVE = {"claude": "/exit", "codex": "/quit", "gemini": "/quit"}
SOON = {"settle_s": 1, "cooldown_s": 5, "human_quiet_s": 2}


def toml(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(one)}" for key, one in value.items()) + " }"
    return json.dumps(value)


class Watched:
    """Mixed into a RealCase."""

    def up_with(self, **keys):
        if BACKEND == "adopted":
            self.skipTest("these start their agents themselves")
        rows = {"runtime": self.agent, "command": list(self.command), "dir": self.project, "backend": BACKEND, **SOON, **keys}
        self.write(self.folder + "/pawl.toml", "[agent.one]\n" + "".join(f"{key} = {toml(one)}\n" for key, one in rows.items()))
        self.pawl("up", self.folder + "/pawl.toml")

    def ready(self, **keys):
        self.up_with(**keys)
        self.wait("ready", timeout=START_S)
        self.mark = time.time()

    def decisions(self, action=None):
        return [event for event in self.events("--agent", "one")
                if event["type"] == "decision" and event.get("rule") and action in (None, event["action"])]

    def decided(self, action, timeout=30, count=1):
        until(lambda: f"{action}: {self.decisions()}\n{self.screen('one')}\n{self.pawl('why', 'one').stdout}",
              lambda: len(self.decisions(action)) >= count, timeout)
        return self.decisions(action)[-1]

    def outcome_of(self, decision):
        found = lambda: [event for event in self.events("--agent", "one")
                         if event["type"] == "outcome" and event["decision"] == decision["seq"]]
        until(lambda: f"an outcome of {decision}", found, 30)
        return found()[0]
