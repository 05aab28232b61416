#!/usr/bin/env python3
"""Strangers who ask for much and read nothing: the daemon does not grow, and who is known is served meanwhile."""
import os
import struct
import unittest

import http2
from fleet import until
from http2 import GOAWAY, HEADERS, RST_STREAM
from web import WebCase, resident

BIGGEST = "/terminal.js"
CONNECTIONS, STREAMS = 20, 60
MOST = 30 << 10  # KiB that strangers may cost


class Http2Wire:
    def __init__(self, case, window=0):
        self.wire, self.host = case.wire(alpn=("h2",)), case.host
        self.wire.send(http2.preface(window))

    def ask(self, stream, path, *headers):
        self.wire.send(http2.get(stream, self.host, path, *headers))

    def frames(self, enough):
        """Reads frames until `enough` says so of all so far: (kind, stream, payload)."""
        got = []
        while not enough(got):
            length, kind, _, stream = struct.unpack(">IBBI", b"\0" + self.wire.take(9))
            got.append((kind, stream, self.wire.take(length)))
        return got


class Memory(WebCase):
    def grown(self, before, what):
        """KiB since then, when everything asked for is there."""
        self.assertEqual(self.get("/api/v1/me").status, 200)  # it has read what came before, and serves who is known
        grown = resident(self.daemon_pid()) - before
        print(f"{what}: {grown} KiB more", flush=True)
        return grown

    def begin(self, tls):
        self.serve(tls=tls)
        self.assertEqual(self.ask("GET", BIGGEST).status, 200)
        return resident(self.daemon_pid())

    def test_streams_with_a_closed_window(self):
        before = self.begin(tls=True)
        wires = []
        for _ in range(CONNECTIONS):
            wires.append(Http2Wire(self))
            for n in range(STREAMS):
                wires[-1].ask(2 * n + 1, BIGGEST)
        for wire in wires:  # each was answered: by its head, or by a refusal
            wire.frames(lambda got: len({stream for kind, stream, _ in got if kind in (HEADERS, RST_STREAM)} - {0}) >= STREAMS)
        self.assertLess(self.grown(before, f"{CONNECTIONS} × {STREAMS} streams with a closed window"), MOST)

    def test_clients_of_http1_that_do_not_read(self):
        before = self.begin(tls=False)
        wires = [self.wire() for _ in range(300)]
        for wire in wires:
            wire.send(self.bytes_of("GET", BIGGEST) * 30)
        self.assertLess(self.grown(before, f"{len(wires)} clients that do not read"), MOST)
        for wire in wires:
            wire.close()
        until("places are given back", lambda: self.ask("GET", BIGGEST).status == 200)

    def test_a_page_is_whole_however_it_is_asked_for(self):
        """Also in pieces, at a small window, and by many at once."""
        self.serve(tls=True)
        with open(os.environ["PAWL_SOURCE_DIR"] + "/web/dist" + BIGGEST, "rb") as file:
            whole = file.read()
        self.assertEqual(self.ask("GET", BIGGEST).body, whole)
        wire = self.wire().send(self.bytes_of("GET", BIGGEST) * 3)
        self.assertEqual([wire.reply().body for _ in range(3)], [whole] * 3)
        two = Http2Wire(self, window=1 << 20)
        two.wire.send(http2.frame(8, 0, 0, struct.pack(">I", 1 << 24)))
        for n in range(8):
            two.ask(2 * n + 1, BIGGEST)
        got = two.frames(lambda got: sum(len(data) for kind, _, data in got if kind == 0) >= 8 * len(whole))
        for n in range(8):
            self.assertEqual(b"".join(data for kind, stream, data in got if kind == 0 and stream == 2 * n + 1), whole)

    def test_who_is_known_has_all_streams(self):
        self.serve(tls=True)
        token = ("authorization", self.bearer()[0].partition(": ")[2])
        wire = Http2Wire(self)
        for n in range(STREAMS):
            wire.ask(2 * n + 1, "/api/v1/me", token)
        got = wire.frames(lambda got: len({stream for kind, stream, _ in got if kind in (HEADERS, RST_STREAM)}) >= STREAMS)
        self.assertEqual([kind for kind, _, _ in got if kind in (RST_STREAM, GOAWAY)], [])


if __name__ == "__main__":
    unittest.main()
