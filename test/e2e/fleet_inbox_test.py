#!/usr/bin/env python3
"""Items for agents' inboxes that come over the fleet's bus: from programs outside, and from machines while the agent's one is away."""
import json
import os
import signal
import unittest

from bus_server import SERVER, OnABus
from fleet import FleetCase, until
from nats_client import Nats


@unittest.skipUnless(SERVER, "no nats-server here")
class FleetInbox(OnABus, FleetCase):
    def setUp(self):
        super().setUp()
        self.node("gpu")
        self.at("gpu", "run", "-d", "docs", "--", "cat")
        self.at("gpu", "mode", "docs", "paused")
        self.outside = Nats(self.bus.port)
        self.addCleanup(self.outside.close)

    def items(self):
        return json.loads(self.at("gpu", "inbox", "ls", "docs", "--json").stdout)["items"]

    def alerts(self, word):
        return [event["text"] for event in map(json.loads, self.at("gpu", "events", "--json").stdout.splitlines())
                if event["type"] == "alert" and word in event["text"]]

    def test_from_a_program_outside(self):
        self.outside.publish("pawl.home.inbox.gpu.docs", b"the links are dead")
        self.outside.publish("pawl.home.inbox.gpu.docs", json.dumps({"text": "and the page is slow", "from": "ci", "priority": "high"}).encode())
        rows = until(self.items, lambda: len(self.items()) == 2 and self.items(), 20)
        self.assertEqual([(row["from"], row["priority"]) for row in rows], [("ci", "high"), ("the fleet's inbox", "normal")])
        with open(self.folder + "/gpu/daemon.lock", encoding="ascii") as file:
            os.kill(int(file.read()), signal.SIGKILL)
        self.at("gpu", "ls")
        self.online("gpu", "gpu")
        self.outside.publish("pawl.home.inbox.gpu.docs", b"one more")
        until(self.items, lambda: len(self.items()) == 3, 20)

    def test_garbage_and_nobody(self):
        for value in (b"", b"\xff\xfe", b"a\0b"):
            self.outside.publish("pawl.home.inbox.gpu.docs", value)
        self.outside.publish("pawl.home.inbox.gpu.nobody", b"hello")
        self.outside.publish("pawl.home.inbox.gpu.docs", b"fine")
        until(self.items, lambda: len(self.items()) == 1, 20)
        aside = self.folder + "/gpu/inbox-aside"
        until("garbage is put aside", lambda: os.path.isdir(aside) and len(os.listdir(aside)) == 3, 20)
        self.assertEqual(len(self.alerts("put aside: it is no text")), 1)
        until("nobody is told", lambda: self.alerts("for the agent nobody, and there is none"), 20)
        self.at("gpu", "run", "-d", "nobody", "--", "cat")
        self.at("gpu", "mode", "nobody", "paused")
        until("it comes when the agent does", lambda: json.loads(self.at("gpu", "inbox", "ls", "nobody", "--json").stdout)["items"], 30)

    def test_from_a_machine_while_the_other_is_away(self):
        self.node("lap")
        self.online("lap", "gpu")
        self.assertIn("waits for docs", self.at("lap", "inbox", "add", "gpu/docs", "while it is there").stdout)
        with open(self.folder + "/gpu/daemon.lock", encoding="ascii") as file:
            os.kill(int(file.read()), signal.SIGKILL)
        self.online("lap", "gpu", False)
        self.assertEqual(self.at("lap", "inbox", "add", "gpu/docs", "--from", "ci", "while it is away").stdout,
                         "gpu is away: it waits on the fleet's bus for gpu/docs\n")
        self.at("lap", "inbox", "add", "gpu/docs", " ", code=2)
        self.at("gpu", "ls")
        rows = until(self.items, lambda: len(self.items()) == 2 and self.items(), 30)
        self.assertEqual(sorted(row["from"] or "" for row in rows)[0], "ci")
        self.bus.kill()
        until("it is said", lambda: "not in touch" in self.at("lap", "fleet", "ls").stdout, 30)
        said = self.at("lap", "inbox", "add", "gpu/docs", "x", code=1).stderr
        self.assertRegex(said, r"\Apawl: [^\n]+: [^\n]+\n\Z")


if __name__ == "__main__":
    unittest.main()
