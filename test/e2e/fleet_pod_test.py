#!/usr/bin/env python3
"""A pod of a fleet: `pawl daemon --init` that joins by its environment, runs work, and gives it back when it is told to end."""
import json
import os
import unittest

import init_test
from bus_server import SERVER, Bus, Nodes
from fleet import until


@unittest.skipUnless(SERVER and init_test.ALLOWED, "no nats-server here, or no pid namespaces")
class Pod(Nodes, init_test.InitCase):
    def setUp(self):
        super().setUp()
        self.bus = Bus(self.folder + "/bus")
        self.addCleanup(self.bus.end)
        lap = self.folder + "/lap"
        toml = self.folder + "/lap.toml"
        with open(toml, "w", encoding="utf-8") as file:
            file.write("[fleet]\ntasks = 0\n")
        self.nodes = {"lap": {**self.environment, "PAWL_HOME": lap, "PAWL_CONFIG": toml}}
        self.addCleanup(self.clear_away, lap, self.nodes["lap"])
        self.environment = {**self.environment, "PAWL_FLEET_URL": self.bus.url, "PAWL_FLEET_NODE": "pod"}

    def status(self):
        return json.loads(self.at("lap", "task", "status", "fix", "--json").stdout)

    def give_back(self, script, began):
        """The pod joins by its environment, runs the work, and is told to end; the work waits again."""
        self.begin("--grace", "3s")
        self.at("lap", "fleet", "join", self.bus.url, "--name", "lap")
        until("the pod is there", lambda: (self.seen("lap", "pod") or {}).get("online"), 20)
        self.at("lap", "task", "start", "fix", "--on", "any", "--", "sh", "-c", script, input="go\n")
        until("it runs there", lambda: os.path.exists(began), 30)
        self.term()
        until("it is told that it waits again", lambda: self.status()["status"] == "waiting", 20)
        self.assertEqual(self.code(), 124, self.heard())  # its turn was cut off
        until("others hear that it goes", lambda: self.seen("lap", "pod") is None, 2)
        self.assertNotIn("could not be given back", self.heard())

    def test_it_gives_its_work_back_at_the_end(self):
        log = self.folder + "/log"
        self.give_back(f"echo begin >>{log}; sleep 1000; echo end >>{log}", log)
        with open(log, encoding="ascii") as file:
            self.assertEqual(file.read(), "begin\n")

    def test_the_next_one_with_the_same_folder_takes_it_again(self):
        began, again = self.folder + "/began", self.folder + "/again"
        self.give_back(f"if [ -e {began} ]; then echo this time; touch {again}; else touch {began}; sleep 1000; fi", began)
        self.begin("--grace", "3s")
        until(lambda: f"it is done: {self.status()}", lambda: self.status()["status"] == "completed", 60)
        self.assertTrue(os.path.exists(again))
        self.assertEqual(self.at("lap", "task", "output", "fix").stdout, "this time\n")
        self.term()
        self.assertEqual(self.code(), 0, self.heard())


if __name__ == "__main__":
    unittest.main()
