#!/usr/bin/env python3
"""Two machines of one fleet, a real agent on each, one account: a limit that one runs into (make test-real)."""
import json
import time

from agents import START_S, RealCase, main, seconds
from bus_server import SERVER, Bus, Nodes
from fake_model import fail, say
from fleet import until
from watched import SOON, toml

RESET_S = 100
MARGIN_S = 2
APART_S = 5  # doc/fleet.md, "Accounts"


class TwoMachines(Nodes, RealCase):
    agent = "claude"

    def setUp(self):
        super().setUp()
        if not SERVER:
            self.skipTest("no nats-server here")
        del self.environment["ANTHROPIC_API_KEY"]  # only subscriptions have such a limit
        self.environment["CLAUDE_CODE_OAUTH_TOKEN"] = "dummy"
        bus = Bus(self.folder + "/bus")
        self.addCleanup(bus.end)
        other = {**self.environment, "PAWL_HOME": self.folder + "/gpu"}
        self.addCleanup(self.clear_away, other["PAWL_HOME"], other)
        self.nodes = {"lap": self.environment, "gpu": other}
        for name in self.nodes:
            self.at(name, "fleet", "join", bus.url, "--name", name)
        until("they know each other", lambda: (self.seen("lap", "gpu") or {}).get("online") and (self.seen("gpu", "lap") or {}).get("online"), 20)

    def begin_on(self, node, name):
        rows = {"runtime": self.agent, "command": list(self.command), "dir": self.project, "account": "work", "mode": "active",
                "limit": {"margin_s": MARGIN_S}, "nudge": {"base_s": 1, "attempts": 1}, **SOON}
        self.write(f"{self.folder}/{name}.toml", f"[agent.{name}]\n" + "".join(f"{key} = {toml(one)}\n" for key, one in rows.items()))
        self.at(node, "up", f"{self.folder}/{name}.toml")
        self.at(node, "wait", name, "--until", "ready", "--timeout", str(START_S))

    def told(self, node, what, *options):
        return [event for event in map(json.loads, self.at(node, "events", "--json", "--here", *options).stdout.splitlines()) if event["type"] == what]

    def went_on(self, node, name, after):
        """When a rule had something typed to it after that moment."""
        return [seconds(event["at"]) for event in self.told(node, "decision", "--agent", name)
                if event.get("rule") and event["action"] in ("wake", "nudge") and seconds(event["at"]) > after]

    def test_a_limit_parks_both_and_they_go_on_one_after_the_other(self):
        self.model.script(fail("usage-limit", reset=RESET_S, times=1), *[say("Done.")] * 40)
        self.begin_on("gpu", "one")
        self.at("gpu", "send", "one", "hello")
        self.at("gpu", "wait", "one", "--until", "limited", "--timeout", "30")
        hit = max(seconds(event["at"]) for event in self.told("gpu", "state", "--agent", "one") if event["to"] == "limited")
        until("the other machine hears of it", lambda: any(event["until"] for event in self.told("lap", "account")), 10)
        heard = self.told("lap", "account")[0]
        print(f"\nthe other machine knew after {seconds(heard['at']) - hit:.3f} s")
        self.assertLessEqual(seconds(heard["at"]) - hit, 5)
        self.assertEqual((heard["account"], heard["node"]), ("work", "gpu"))
        ends = seconds(heard["until"])
        self.begin_on("lap", "two")
        until("it is parked", lambda: "as gpu says" in self.at("lap", "why", "two").stdout, 10)
        until(lambda: "both go on: " + self.at("lap", "why", "two").stdout + self.at("gpu", "why", "one").stdout,
              lambda: self.went_on("gpu", "one", hit) and self.went_on("lap", "two", hit), ends - time.time() + 60)
        one, two = self.went_on("gpu", "one", hit)[0], self.went_on("lap", "two", hit)[0]
        print(f"they went on {one - ends:.1f} and {two - ends:.1f} s after the reset")
        self.assertGreaterEqual(min(one, two), ends)
        self.assertGreaterEqual(abs(two - one), APART_S - 1)


if __name__ == "__main__":
    main("claude")
