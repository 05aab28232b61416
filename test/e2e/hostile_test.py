#!/usr/bin/env python3
"""Clients and programs that behave badly: the daemon lives, everybody else is served, nothing is lost."""
import json
import random
import re
import socket
import struct
import time
import unittest

from fleet import FleetCase, alive, recorded, until

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
        bad = [dice.randbytes(100_000), b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\0" * 1000, frame(b"X", b"{}"),
               frame(b"J", b"not json"), frame(b"J", b"[1, 2]"), frame(b"J", b'"text"'), frame(b"O", b"x"), b"\xff" * 5,
               frame(b"J", b'{"verb":' + b"[" * 100_000),
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
        for request in ({}, {"verb": "no-such"}, {"verb": 7}, {"verb": "show", "args": []},
                        {"verb": "show", "args": {"name": {"a": 1}}},
                        {"verb": "run", "args": {"command": [1, {}], "name": "x"}},
                        {"verb": "attach", "args": {"name": "one", "cols": -1, "rows": 10**12}},
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

    def test_too_large_a_text(self):
        self.start("one", "cat")
        daemon = self.daemon_pid()
        self.assertIn("256 KiB", self.refused("send", "one", "-", input="x" * (300 << 10)))
        self.still_serves(daemon)

    # The daemon says "larger than 4194304 bytes" and hangs up; the client is still sending and says "the daemon has gone".
    def test_too_large_a_request(self):
        self.start("one", "cat")
        self.assertIn("larger than", self.refused("send", "one", "-", input="x" * (5 << 20)))

    def ask_often(self, times, deaf_verb, **args):
        """Others ask while two clients want a stream and never read it; all of it happens in time and in little memory."""
        self.start("one", "cat")
        self.start("loud", "yes", "a line of output that goes on and on")
        daemon = self.daemon_pid()
        for deaf in (self.connect(), self.connect()):
            deaf.sendall(frame(b"J", json.dumps({"verb": deaf_verb, "args": args}).encode()))
        asker = self.connect()
        asker.settimeout(SOON)
        request = frame(b"J", json.dumps({"verb": "keys", "args": {"name": "one", "keys": ["a"]}}).encode())
        for _ in range(times):
            asker.sendall(request)  # each is two events
            (length,) = struct.unpack("<I", asker.recv(4, socket.MSG_WAITALL))
            self.assertTrue(json.loads(asker.recv(1 + length, socket.MSG_WAITALL)[1:])["ok"])
        self.still_serves(daemon)
        self.pawl("stop", "loud", timeout=SOON)
        with open(f"/proc/{daemon}/status", encoding="ascii") as file:
            sizes = {key: int(value.split()[0]) for key, value in re.findall(r"(?m)^(Vm\w+):\s+(\d+ kB)", file.read())}
        if sizes["VmPeak"] < 1 << 30:  # more than a TiB of addresses is a sanitizer's
            self.assertLess(sizes["VmHWM"], 100 << 10, "KiB of memory")

    def test_nobody_reads_the_events(self):
        self.ask_often(3000, "events", follow=True)

    def test_nobody_reads_an_attached_screen(self):
        self.ask_often(500, "attach", name="loud", cols=80, rows=24)

    # The daemon stops serving: a log stream whose client's queue is full keeps a deadline in the past, and a timer of 0 ms
    # started again inside its own callback never lets libuv look at a descriptor (also: pawl logs loud -f | sleep 60).
    def test_nobody_reads_the_logs(self):
        self.ask_often(500, "logs", name="loud", follow=True)

    def test_a_program_that_never_reads(self):
        self.start("one", "sleep", "1000")
        daemon = self.daemon_pid()
        lines = ("x" * 1000 + "\n") * 200
        for _ in range(20):
            self.assertIn("unverified", self.pawl("send", "one", "-", input=lines).stdout)
        self.still_serves(daemon)
        alerts = until("somebody is told", lambda: [e for e in self.events() if e["type"] == "alert"], 10)
        self.assertIn("did not arrive", alerts[0]["text"])
        self.pawl("stop", "one")

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
        self.sh("garbage", "head -c 2000000 /dev/urandom >copy; stty raw -echo; exec cat copy")
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
