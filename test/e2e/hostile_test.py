#!/usr/bin/env python3
"""Clients and programs that behave badly: the daemon lives, everybody else is served, nothing is lost."""
import json
import random
import socket
import struct
import time
import unittest

from fleet import FleetCase, alive, recorded

SOON = 5  # seconds in which a look has to be answered, on a busy machine


def frame(kind, payload):
    return struct.pack("<I", len(payload)) + kind + payload


class Hostile(FleetCase):
    def connect(self):
        client = socket.socket(socket.AF_UNIX)
        self.addCleanup(client.close)
        client.connect(self.home + "/pawl.sock")
        client.settimeout(10)
        return client

    def answer(self, client):
        """The daemon's last word to a client it throws out."""
        got = b""
        try:
            while True:
                more = client.recv(65536)
                if not more:
                    return got
                got += more
        except ConnectionResetError:
            return got

    def still_serves(self, daemon):
        before = time.monotonic()
        self.assertEqual(self.agents()["one"]["state"], "unknown")
        self.assertLess(time.monotonic() - before, SOON)
        self.assertEqual(self.daemon_pid(), daemon)
        self.assertTrue(alive(daemon))

    def test_garbage_at_the_socket(self):
        self.start("one", "cat")
        daemon, dice = self.daemon_pid(), random.Random(1)
        bad = [dice.randbytes(100_000), b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\0" * 1000, frame(b"X", b"{}"), frame(b"J", b"not json"),
               frame(b"J", b"[1, 2]"), frame(b"J", b'"text"'), frame(b"J", b'{"verb":' + b"[" * 100_000), frame(b"O", b"x"), b"\xff" * 5,
               struct.pack("<I", 2**32 - 1) + b"J", struct.pack("<I", 5 << 20) + b"J"]
        for bytes_ in bad:
            client = self.connect()
            try:
                client.sendall(bytes_)
            except BrokenPipeError:
                pass  # thrown out in the middle
            said = self.answer(client)
            if said:
                self.assertFalse(json.loads(said[5:])["ok"], bytes_[:20])
            self.still_serves(daemon)

    def test_strange_requests(self):
        self.start("one", "cat")
        daemon = self.daemon_pid()
        for request in ({}, {"verb": "no-such"}, {"verb": 7}, {"verb": "show", "args": []}, {"verb": "show", "args": {"name": {"a": 1}}},
                        {"verb": "run", "args": {"command": [1, {}], "name": "x"}}, {"verb": "attach", "args": {"name": "one", "cols": -1, "rows": 10**12}},
                        {"verb": "keys", "args": {"name": "one", "keys": "Enter"}}, {"verb": "stop", "args": {"names": "one"}},
                        {"verb": "run", "cwd": 5, "args": {"name": "y", "command": ["a\0b"]}}, {"resize": {"cols": 1}}):
            client = self.connect()
            client.sendall(frame(b"J", json.dumps(request).encode()))
            self.assertTrue(client.recv(5), request)
            client.close()
            self.still_serves(daemon)
        self.assertEqual(set(self.agents()), {"one"})

    def test_half_frames(self):
        self.start("one", "cat")
        daemon = self.daemon_pid()
        whole = frame(b"J", json.dumps({"version": 1, "verb": "ls", "args": {}}).encode())
        for cut in range(len(whole)):
            client = self.connect()
            client.sendall(whole[:cut])
            client.close()
        waiting = [self.connect() for _ in range(20)]
        for client in waiting:
            client.sendall(whole[:7])  # and says no more
        self.still_serves(daemon)
        slow = self.connect()
        for byte in whole:
            slow.sendall(bytes([byte]))
        (length,), kind = struct.unpack("<I", slow.recv(4, socket.MSG_WAITALL)), slow.recv(1)
        self.assertEqual(kind, b"J")
        self.assertEqual(json.loads(slow.recv(length, socket.MSG_WAITALL))["result"]["agents"][0]["name"], "one")

    def test_too_large_a_request(self):
        self.start("one", "cat")
        daemon = self.daemon_pid()
        self.assertIn("256 KiB", self.refused("send", "one", "-", input="x" * (300 << 10)))
        self.assertIn("larger than", self.refused("send", "one", "-", input="x" * (5 << 20)))
        self.still_serves(daemon)

    def test_clients_that_never_read(self):
        self.start("one", "cat")
        daemon = self.daemon_pid()
        deaf = [self.connect() for _ in range(4)]
        for client in deaf[:2]:
            client.sendall(frame(b"J", json.dumps({"verb": "events", "args": {"follow": True}}).encode()))
        self.start("loud", "yes", "a line of output that goes on and on")
        for verb, client in (("logs", deaf[2]), ("attach", deaf[3])):
            client.sendall(frame(b"J", json.dumps({"verb": verb, "args": {"name": "loud", "follow": True}}).encode()))
        flood = frame(b"J", json.dumps({"verb": "keys", "args": {"name": "one", "keys": ["a"] * 10}}).encode())
        asker = self.connect()
        for _ in range(3000):
            asker.sendall(flood)  # every one is three events for the deaf
            (length,) = struct.unpack("<I", asker.recv(4, socket.MSG_WAITALL))
            asker.recv(1 + length, socket.MSG_WAITALL)
        self.still_serves(daemon)
        self.pawl("stop", "loud")
        with open(f"/proc/{daemon}/status", encoding="ascii") as file:
            peak = int(next(line for line in file if line.startswith("VmHWM")).split()[1])
        self.assertLess(peak, 200 << 10, "KiB of memory for four clients that never read")

    def test_a_very_long_line(self):
        size = 10_000_000
        self.start("long", "head", "-c", str(size), "/dev/zero")
        self.start("text", "python3", "-c", f"print('x' * {size} + 'end')")
        self.start("one", "cat")
        self.ended("long", "text")
        self.still_serves(self.daemon_pid())
        self.assertEqual(recorded(self.home, "long"), b"\0" * size)
        self.assertEqual(recorded(self.home, "text"), b"x" * size + b"end\r\n")
        self.assertTrue(self.screen("text").rstrip().endswith("end"))
        self.assertEqual(self.pawl("logs", "text").stdout.strip(), "x" * size + "end")

    def test_garbage_on_a_terminal(self):
        self.start("one", "cat")
        self.sh("garbage", "head -c 2000000 /dev/urandom >copy; stty raw; exec cat copy")
        self.ended("garbage")
        self.still_serves(self.daemon_pid())
        with open(self.folder + "/copy", "rb") as file:
            copy = file.read()
        self.assertEqual(recorded(self.home, "garbage"), copy)
        for words in (["screen"], ["screen", "--ansi"], ["screen", "--json"], ["logs"], ["show"]):
            self.pawl(words[0], "garbage", *words[1:])
        self.assertNotIn("\x1b", self.pawl("logs", "garbage").stdout)
        json.loads(self.pawl("screen", "garbage", "--json").stdout)
        self.kill_daemon()
        self.screen("garbage")


if __name__ == "__main__":
    unittest.main()
