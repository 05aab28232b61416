#!/usr/bin/env python3
"""Machines that meet on three servers: every task is run by one of them at a time while the servers die one after the other, judged by what
the tasks wrote down."""
import contextlib
import os
import time
import unittest

from bus_server import SERVER, Cluster, Nodes
from fleet import FleetCase, until

TASKS = int(os.environ.get("TASKS", "24"))
SCRIPT = 'echo "begin $PAWL_FENCE $(date +%s.%N)" >>"{log}"; sleep 0.2; echo "end $PAWL_FENCE $(date +%s.%N)" >>"{log}"'


@unittest.skipUnless(SERVER, "no nats-server here")
class FleetOnACluster(Nodes, FleetCase):
    def setUp(self):
        super().setUp()
        self.bus = Cluster(self.folder + "/bus")
        self.addCleanup(self.bus.end)
        self.nodes = {}
        for name in ("lap", "gpu", "pod"):
            home = f"{self.folder}/{name}"
            self.nodes[name] = {**self.environment, "PAWL_HOME": home, "PAWL_CONFIG": "/dev/null"}
            self.addCleanup(self.clear_away, home, self.nodes[name])
            self.at(name, "fleet", "join", self.bus.url, "--name", name, code=None)  # a cluster takes a while to choose who leads
        until("all three are there", lambda: all((self.seen("lap", name) or {}).get("online") for name in self.nodes), 90)

    def give(self, number):
        """Who is not told that it was given says it again: a name is given once."""
        script = SCRIPT.format(log=f"{self.folder}/log-{number}")
        for attempt in range(30):
            node = list(self.nodes)[(number + attempt) % 3]
            said = self.at(node, "task", "start", f"t{number}", "--on", "any", "--dir", "/", "--", "sh", "-c", script, input="go\n", code=None)
            if said.returncode == 0 or "already" in said.stderr or "another unit" in said.stderr:
                return
            time.sleep(0.5)
        self.fail(f"t{number} could not be given: {said.stderr}")

    def runs(self, number):
        """(begin, end or None) of each, by its token."""
        found = {}
        with contextlib.suppress(FileNotFoundError), open(f"{self.folder}/log-{number}", encoding="ascii") as file:
            for word, fence, at in map(str.split, file):
                found.setdefault(fence, [None, None])[word == "end"] = float(at)
        return sorted(found.values())

    def test_servers_die_and_every_task_runs_once_at_a_time(self):
        dead = None
        for number in range(TASKS):
            if number % 6 == 3:
                dead = self.bus.all[number // 6 % 3]
                dead.kill()
            if number % 6 == 5 and dead:
                dead.start()
                dead = None
            self.give(number)
        if dead:
            dead.start()
        until(lambda: f"all are over: {[(number, self.runs(number)) for number in range(TASKS)]}",
              lambda: all(any(end for _, end in self.runs(number)) for number in range(TASKS)), 240)
        for number in range(TASKS):
            for one, two in zip(self.runs(number), self.runs(number)[1:]):
                self.assertGreaterEqual(two[0], one[1] or one[0] + 0.2, f"t{number} ran twice at a time: {self.runs(number)}")


if __name__ == "__main__":
    unittest.main()
