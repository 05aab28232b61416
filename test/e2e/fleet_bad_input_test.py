#!/usr/bin/env python3
"""A fleet's bus that is not as it should be, tried from outside on a real server: each time a message that says what to do, nothing lost,
nothing run."""
import json
import re
import time
import unittest

from bus_server import SERVER, Bus, OnABus
from fleet import FleetCase, until
from nats_client import Nats

GARBAGE = (b"", b"\xff\xfe\x00", b"{", b'{"version":1}', b"[[[[[[[[", b'{"version":1,"state":"waiting","task":7,"needs":3,"at":"x"}', b"x" * 200_000)
SUBJECTS = [f"$KV.pawl_home_{bucket}.{key}" for bucket in ("nodes", "agents", "work", "leases", "accounts", "blobs") for key in ("gpu", "x", "gpu.docs")] + [
    "pawl.home.events.gpu.docs", "pawl.home.events.x.y", "pawl.home.work.default", "pawl.home.work.nowhere", "pawl.home.inbox.gpu.docs",
    "pawl.home.inbox.gpu", "pawl.home.cmd.gpu.lap", "pawl.home.cmd.gpu", "pawl.home.nothing"]


@unittest.skipUnless(SERVER, "no nats-server here")
class FleetBadInput(OnABus, FleetCase):
    def other_bus(self, name, config, jetstream=True):
        bus = Bus(f"{self.folder}/{name}", config, jetstream=jetstream)
        self.addCleanup(bus.end)
        return bus

    def not_joined(self, url, said, *options):
        """What joining says; then it is left again."""
        home = f"{self.folder}/other"
        self.nodes["other"] = {**self.environment, "PAWL_HOME": home, "PAWL_CONFIG": self.folder + "/no.toml"}
        self.addCleanup(self.clear_away, home, self.nodes["other"])
        name = () if "--name" in options else ("--name", "lap")
        done = self.at("other", "fleet", "join", url, *name, *options, code=None)
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"\Apawl: [^\n]+: [^\n]+\n\Z")
        self.assertIn(said, done.stderr)
        self.at("other", "fleet", "leave", code=None)
        return done.stderr

    def test_where_no_bus_is(self):
        self.not_joined("nats://127.0.0.1:1", "not in the fleet yet")
        self.not_joined("http://127.0.0.1:4222", "is not the address")
        self.not_joined("nats://me:secret@127.0.0.1:4222", "")

    def test_a_server_that_keeps_nothing(self):
        self.not_joined(self.other_bus("plain", "", jetstream=False).url, "jetstream {")

    def test_a_server_without_room(self):
        bus = self.other_bus("small", 'jetstream { store_dir: "%s/small/store", max_file_store: 1MB }' % self.folder, jetstream=False)
        self.not_joined(bus.url, "max_file_store")

    def test_credentials_that_are_not_known(self):
        for name in ("lap", "gpu"):
            self.pawl("fleet", "enroll", name, "--out", f"{self.folder}/{name}.creds", "--dir", self.folder + "/roll")
        bus = self.other_bus("closed", 'include "../roll/pawl-home.conf"\n')
        self.not_joined(bus.url, "credentials")
        self.pawl("fleet", "revoke", "lap", "--dir", self.folder + "/roll")
        bus.end()
        bus.start()
        self.not_joined(bus.url, "", "--creds", f"{self.folder}/lap.creds")
        self.not_joined(bus.url, "", "--creds", f"{self.folder}/gpu.creds")  # another node's

    def test_two_of_one_name(self):
        self.node("gpu")
        first = self.seen("gpu", "gpu")
        self.assertTrue(first["online"])
        said = self.not_joined(self.bus.url, "", "--name", "gpu")
        self.assertRegex(said, r"gpu")
        self.assertTrue(re.search(r"[0-9a-f]{8}", said), said)
        self.assertTrue(self.seen("gpu", "gpu")["online"], "the first one stays")

    def test_a_full_store_takes_no_prompt_and_nothing_is_lost(self):
        outside = Nats(self.bus.port)
        self.addCleanup(outside.close)
        self.node("gpu")
        outside.ask("$JS.API.STREAM.DELETE.KV_pawl_home_blobs")
        self.at("gpu", "fleet", "leave")
        made = outside.ask("$JS.API.STREAM.CREATE.KV_pawl_home_blobs", json.dumps(
            {"name": "KV_pawl_home_blobs", "subjects": ["$KV.pawl_home_blobs.>"], "retention": "limits", "storage": "file", "discard": "new", "max_bytes": 1 << 20,
             "max_age": 0, "max_msgs": -1, "max_consumers": -1, "max_msgs_per_subject": 1, "num_replicas": 1, "allow_rollup_hdrs": False}).encode())
        self.assertNotIn("error", made)
        self.node("gpu")
        with open(self.folder + "/large", "wb") as file:
            file.write(b"x" * (3 << 20))
        said = self.at("gpu", "task", "start", "fix", "--on", "any", "--prompt-file", self.folder + "/large", "--", "true", code=1).stderr
        self.assertIn("store is full", said)
        self.assertIn("no task named", self.at("gpu", "task", "status", "fix", code=1).stderr)
        stream = lambda: outside.ask("$JS.API.STREAM.INFO.KV_pawl_home_blobs")["state"]  # noqa: E731
        until(stream, lambda: stream()["bytes"] < 100_000, 10)  # what was put is gone
        with open(self.folder + "/large", "wb") as file:
            file.write(b"x" * (500 << 10))
        self.at("gpu", "task", "start", "fits", "--on", "any", "--prompt-file", self.folder + "/large", "--", "wc", "-c")
        self.ended("gpu", "fits")
        self.assertEqual(self.at("gpu", "task", "output", "fits").stdout.strip(), str(500 << 10))

    def test_garbage_on_every_subject(self):
        outside = Nats(self.bus.port)
        self.addCleanup(outside.close)
        self.node("lap", config="[fleet]\ntasks = 0\n")
        self.node("gpu")
        self.online("lap", "gpu")
        for value in GARBAGE:
            for subject in SUBJECTS:
                outside.publish(subject, value)
        self.online("lap", "gpu")
        self.online("gpu", "lap")
        self.give("lap", "fine", "echo hello")
        self.assertEqual(self.ended("lap", "fine")["machine"], "gpu")
        tasks = json.loads(self.at("gpu", "task", "ls", "--all", "--here", "--json").stdout)["tasks"]
        self.assertEqual([task["task_name"] for task in tasks], ["fine"], "nothing of it was run")

    def test_a_node_from_the_future_and_one_whose_clock_is_off(self):
        outside = Nats(self.bus.port)
        self.addCleanup(outside.close)
        self.node("gpu")
        for name, version, pawl, off in (("new", 7, "99.0.0", 0), ("late", 1, "1.0.0", -3600)):
            entry = {"version": version, "name": name, "id": "f" * 36, "pawl": pawl, "since": "2026-01-01T00:00:00.000Z", "agents": 1, "tasks": 0,
                     "room": 0, "labels": [], "later": {"a": [1]}}
            for _ in range(3):
                entry["wall"] = int((time.time() + off) * 1000)
                outside.publish(f"$KV.pawl_home_nodes.{name}", json.dumps(entry).encode())
        self.online("gpu", "new")
        said = lambda: self.at("gpu", "events").stdout  # noqa: E731
        until(said, lambda: "node new has a newer pawl" in said(), 10)
        until(said, lambda: "the clock of late is" in said(), 10)


if __name__ == "__main__":
    unittest.main()
