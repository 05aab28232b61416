#!/usr/bin/env python3
"""Requests that are none, nearly one, two at once, or far too large. They all come with the right token: what is refused here is
refused for its form. Afterwards the server serves, and no agent has noticed anything."""
import json
import resource
import socket
import time
import unittest

from fleet import alive, until
from web import WebCase, resident

JSON = "Content-Type: application/json"
PAUSE = "/api/v1/agents/one/pause"
MOST_BODY = 2 << 20
SLOW = 10  # seconds for a request that does not come (src/serve/connection.h)


class Bytes(WebCase):
    def setUp(self):
        super().setUp()
        self.start("one", "cat")
        self.serve()
        self.before, self.daemon = self.acts(), self.daemon_pid()

    def tearDown(self):
        self.assertEqual(self.acts(), self.before)
        self.assertEqual(self.get("/api/v1/agents").json()["agents"][0]["name"], "one")
        self.assertEqual(self.daemon_pid(), self.daemon)
        self.assertTrue(alive(self.daemon))

    def broken(self, name, data, status=400, what=""):
        """Answered once, then it hangs up: whatever follows is not looked at."""
        with self.subTest(name):
            trap = self.bytes_of("POST", PAUSE, JSON, *self.bearer(), body=b"{}")
            wire = self.wire().send(data).send(trap)
            reply = wire.reply()
            self.assertEqual(reply.status, status, reply)
            self.assertIn(what, reply.what())
            self.assertEqual(reply.header("connection"), "close")
            self.assertTrue(wire.ended(), wire.buffer)
            wire.close()

    def lines(self, *lines, first="GET /api/v1/me HTTP/1.1", end="\r\n"):
        return end.join([first, f"Host: {self.host}", *self.bearer(), *lines, "", ""]).encode("latin-1")

    def refused(self, name, status, method, target, value=None, what="", body=None):  # pylint: disable=arguments-differ
        with self.subTest(name):
            body = json.dumps(value).encode() if value is not None else body
            reply = self.ask(method, target, *([JSON] if body is not None else []), *self.bearer(), body=body)
            self.assertEqual(reply.status, status, reply)
            self.assertIn(what, reply.what())

    def test_two_ways_to_read_one_request(self):
        post = f"POST {PAUSE} HTTP/1.1"
        chunks = b"2\r\n{}\r\n0\r\n\r\n"
        for name, lines, body, status in (
                ("two lengths", ["Content-Length: 2", "Content-Length: 2"], b"{}", 400),
                ("two different lengths", ["Content-Length: 2", "Content-Length: 30"], b"{}", 400),
                ("length and chunks", ["Content-Length: 2", "Transfer-Encoding: chunked"], chunks, 400),
                ("chunks and length", ["Transfer-Encoding: chunked", "Content-Length: 2"], chunks, 400),
                ("chunks", ["Transfer-Encoding: chunked"], chunks, 411),
                ("chunks twice", ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"], chunks, 411),
                ("chunks and more", ["Transfer-Encoding: x, chunked"], chunks, 411),
                ("chunks in capitals", ["TRANSFER-ENCODING: CHUNKED"], chunks, 411),
                ("not chunks at the end", ["Transfer-Encoding: chunked, x"], chunks, 411),
                ("nearly chunks", ["Transfer-Encoding: xchunked"], chunks, 411),
                ("another coding", ["Transfer-Encoding: gzip"], chunks, 411),
                ("identity", ["Transfer-Encoding: identity", "Content-Length: 2"], b"{}", 400),
                ("a bad chunk size", ["Transfer-Encoding: chunked"], b"zz\r\n{}\r\n0\r\n\r\n", 411),
                ("a chunk without its end", ["Transfer-Encoding: chunked"], b"2\r\n{}xx0\r\n\r\n", 411),
                ("a chunk extension with a line", ["Transfer-Encoding: chunked"], b"2;a\nxx\r\n{}\r\n0\r\n\r\n", 411),
                ("a length with a sign", ["Content-Length: +2"], b"{}", 400),
                ("a negative length", ["Content-Length: -2"], b"{}", 400),
                ("a list of lengths", ["Content-Length: 2, 2"], b"{}", 400),
                ("a hexadecimal length", ["Content-Length: 0x2"], b"{}", 400),
                ("an empty length", ["Content-Length: "], b"{}", 400),
                ("a length beyond 64 bits", ["Content-Length: 99999999999999999999999"], b"{}", 400)):
            self.broken(name, self.lines(JSON, *lines, first=post) + body, status)

    def test_a_credential_after_the_body(self):
        head = self.bytes_of("POST", PAUSE, JSON, "Transfer-Encoding: chunked")
        trailer = f"2\r\n{{}}\r\n0\r\n{self.bearer()[0]}\r\n\r\n".encode()
        self.broken("as a trailer", head + trailer, 411)

    def test_malformed_heads(self):
        fine = self.lines()
        self.broken("lines that end with LF", self.lines(end="\n"))
        self.broken("one line that ends with LF", fine.replace(b"Host", b"X: y\nHost"))
        self.broken("a head that ends with LF", fine[:-2] + b"\n")
        self.broken("a head that ends with CR and anything", fine[:-1] + b"X")
        self.broken("a folded header", self.lines("X: a\r\n b"))
        self.broken("a folded credential", fine.replace(b"Bearer ", b"Bearer\r\n "))
        self.broken("folded by a tab", self.lines("X: a\r\n\tb"))
        self.broken("a header that begins the fold", fine.replace(b"\r\nHost", b"\r\n Host"))
        self.broken("NUL in a header", self.lines("X: a\0b"))
        self.broken("NUL in a name", self.lines("X\0: a"))
        self.broken("a control character", self.lines("X: a\x01b"))
        self.broken("CR in a header", self.lines("X: a\rb"))
        self.broken("a space before the colon", self.lines("X : a"))
        self.broken("no name", self.lines(": a"))
        self.broken("no colon", self.lines("Xab"))
        self.broken("a name with brackets", self.lines("X(a): b"))
        self.broken("HTTP/1.0 without Host", b"GET / HTTP/1.0\r\n\r\n", what="one Host header")
        self.broken("HTTP/1.0 with two", self.lines("Host: evil.example", first="GET / HTTP/1.0"), what="one Host header")
        self.broken("HTTP/1.0 for another", b"GET / HTTP/1.0\r\nHost: evil.example\r\n\r\n", 403, what="not the name")
        self.broken("HTTP/1.0 to an absolute target", self.lines(first="GET http://evil.example/ HTTP/1.0"), what="no path")
        self.broken("HTTP/1.0 with chunks", self.lines(JSON, "Transfer-Encoding: chunked", first=f"POST {PAUSE} HTTP/1.0") + b"0\r\n\r\n", 411)
        self.broken("HTTP/1.0 with two lengths", self.lines(JSON, "Content-Length: 2", "Content-Length: 2", first=f"POST {PAUSE} HTTP/1.0") + b"{}")
        self.broken("HTTP/1.0 that upgrades", self.lines("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
                                                         "Sec-WebSocket-Key: c2l4dGVlbiBieXRlcyBvaw==", first="GET /api/v1/agents/one/terminal HTTP/1.0"), 426)
        self.broken("HTTP/1.0 is one request", self.lines("Connection: keep-alive", first="GET /api/v1/me HTTP/1.0"), 200)
        self.broken("HTTP/0.9", b"GET /\r\n\r\n")
        self.broken("HTTP/2.0 in words", self.lines(first="GET / HTTP/2.0"))
        self.broken("HTTP/1.2", self.lines(first="GET / HTTP/1.2"), what="only HTTP/1.0, HTTP/1.1")
        self.broken("http in small letters", self.lines(first="GET / http/1.1"))
        self.broken("HTTP/2 without TLS", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0")
        self.broken("tabs", self.lines(first="GET\t/\tHTTP/1.1"))
        self.broken("a space in the target", self.lines(first="GET /api /v1 HTTP/1.1"))
        self.broken("NUL in the target", self.lines(first="GET /api\0/v1 HTTP/1.1"))
        self.broken("TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 50)
        self.broken("another protocol", b"SSH-2.0-OpenSSH_9.2\r\n")

    # A line end in the middle of a word is skipped when it comes in a packet of its own.
    def test_a_line_end_inside_the_method(self):
        wire = self.wire().send(b"GET")
        until("the first part was read", lambda: self.get("/api/v1/me").status == 200)
        wire.send(b"\r\n /api/v1/me HTTP/1.1\r\nHost: x\r\n\r\n")
        self.assertEqual(wire.reply().status, 400)
        self.assertTrue(wire.ended())

    def test_methods(self):
        for method in ("PUT", "DELETE", "PATCH", "TRACE", "OPTIONS", "PROPFIND", "PURGE"):
            self.refused(f"{method} on an agent", 405, method, "/api/v1/agents/one")
            self.refused(f"{method} on the page", 405, method, "/")
        self.refused("POST on the page", 405, "POST", "/", {})
        self.refused("POST on metrics", 405, "POST", "/metrics", {})
        self.refused("GET on an act", 405, "GET", PAUSE)
        self.refused("POST on a look", 405, "POST", "/api/v1/me", {})
        self.refused("CONNECT", 400, "CONNECT", "localhost:22")
        self.refused("OPTIONS *", 400, "OPTIONS", "*")
        for method in ("HACK", "get", "G", "GETT", "\x01"):
            self.broken(f"the method {method!r}", self.lines(first=f"{method} / HTTP/1.1"))
        for name in ("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"):
            with self.subTest(name):
                self.assertEqual(self.ask("GET", PAUSE, f"{name}: POST", *self.bearer()).status, 405)
                self.assertEqual(self.ask("POST", "/api/v1/me", JSON, f"{name}: GET", *self.bearer(), body=b"{}").status, 405)
        self.refused("in the query", 405, "GET", PAUSE + "?_method=POST")

    def test_paths_that_lead_elsewhere(self):
        for path in ("/../token", "/..", "/%2e%2e/token", "/%2E%2E%2ftoken", "/..%2ftoken", "/..%5ctoken", "/..\\token", "/.%2e/token",
                     "/./token", "//token", "/api//v1/me", "/api/v1/", "/api/v1/agents/../me", "/api/v1/agents/..%2f..%2ftoken/screen",
                     "/api/v1/agents/%2e%2e/log", "/api/v1/agents/one%00/log", "/api/v1/agents/one%0a/log", "/api/v1/agents/%2fetc%2fpasswd",
                     "/api/v1/agents/one%", "/api/v1/agents/one%4", "/api/v1/agents/%zz", "/index.html%00.js", "/a#b", "/api/v1/me?a=%00",
                     "/api/v1/me?a=1&a=2", "/api/v1/me?a=%", "/api/v1/me?" + "&".join(f"a{n}=1" for n in range(20))):
            self.refused(path[:50], 400, "GET", path, what="no path")
        for path in ("/%252e%252e%252ftoken", "/token", "/token.read", "/serve.json", "/home/token", "/etc/passwd", "/assets.cpp", "/metrics/x",
                     "/openapi.json/x", "/healthz/x", "/INDEX.HTML", "/login", "/login/a/b", "/api", "/api/v1", "/api/v2/agents",
                     "/api/v1/agents/%252e%252e/log", "/api/v1/agents/two", "/api/v1/agents/one/two", "/api/v1/agents/ONE/log",
                     "/api/v1/agents/one%20/log", "/api/v1/agents/%ff/log", "/api/v1/agents/" + "n" * 3000 + "/log", "/api/v1/agents/*/log"):
            self.refused(path[:50], 404, "GET", path)

    def test_far_too_large(self):
        self.broken("a head of 20 KB", self.lines("X: " + "a" * 20000), 431)
        self.broken("a name of 20 KB", self.lines("a" * 20000 + ": x"), 431)
        self.broken("a target of 20 KB", self.lines(first=f"GET /{'a' * 20000} HTTP/1.1"), 431)
        self.broken("a hundred headers", self.lines(*["X: a"] * 100), 431)
        self.broken("a body of 3 MB", self.lines(JSON, "Content-Length: 3000000", first=f"POST {PAUSE} HTTP/1.1"), 413)
        self.broken("a body of 1 TB", self.lines(JSON, "Content-Length: 1000000000000", first=f"POST {PAUSE} HTTP/1.1"), 413)
        self.refused("the largest body, with nothing in it", 400, "POST", PAUSE, body=b" " * MOST_BODY)
        self.refused("a text beyond its limit", 409, "POST", "/api/v1/agents/one/send", {"text": "x" * (300 << 10)})
        self.before = [*self.before, *[event for event in self.acts() if event["type"] == "request"]]  # it was asked, and refused

    # Two megabytes for each of thousands of connections, of people who could never be let in.
    def test_bodies_of_strangers_are_not_waited_for(self):
        before = resident(self.daemon)
        head = self.bytes_of("POST", PAUSE, JSON, "Content-Length: 2000000")
        strangers = [self.wire().send(head + b" " * 1_500_000) for _ in range(50)]
        self.assertLess(resident(self.daemon) - before, 20 << 10, "KiB")
        wire = self.wire().send(head)
        self.assertEqual((wire.reply().status, wire.ended()), (401, True))
        for wire in strangers:
            wire.close()
        known = self.wire().send(self.bytes_of("POST", "/api/v1/me", JSON, *self.bearer(), "Content-Length: 2"))
        until("somebody else is served", lambda: self.get("/api/v1/me").status == 200)
        self.assertEqual(known.send(b"{}").reply().status, 405)

    def test_bodies_that_are_no_arguments(self):
        deep = 100_000
        for name, body in {"no JSON": b"pause", "half an object": b'{"a":', "a list": b"[]", "a text": b'"x"', "a number": b"7", "null": b"null",
                           "two objects": b"{}{}", "NUL": b"{}\0", "NUL before more": b'{"text":"x"}\0{}', "not UTF-8": b'{"text":"\xff"}', "lone surrogate": b'{"text":"\\ud800"}',
                           "deep lists": b"[" * deep, "deep objects": b'{"a":' * deep, "a comment": b"{/* */}", "NaN": b'{"text":NaN}',
                           "a BOM": b"\xef\xbb\xbf[]", "single quotes": b"{'a':1}", "trailing comma": b'{"text":"x",}',
                           "deep and whole": b'{"text":' + b"[" * deep + b"]" * deep + b"}", "form": b"text=x"}.items():
            self.refused(name, 400, "POST", "/api/v1/agents/one/send", body=body)
        send = "/api/v1/agents/one/send"
        for name, value in {"an unknown key": {"text": "x", "txet": 1}, "name from the path, twice": {"name": "two", "text": "x"},
                            "a file here": {"file": "/etc/passwd"}, "text is a list": {"text": ["x"]}, "text is an object": {"text": {}},
                            "text is true": {"text": True}, "now is a word": {"text": "x", "now": "perhaps"}, "now is 7": {"text": "x", "now": 7},
                            "an empty key": {"": 1}, "a key of 10 KB": {"k" * 10000: 1}, "by": {"text": "x", "by": "root"},
                            "json": {"text": "x", "json": True}, "verb": {"verb": "shutdown"}}.items():
            self.refused(name, 400, "POST", send, value)
        self.refused("all agents at once", 400, "POST", "/api/v1/agents/one/stop", {"all": True})
        self.refused("other agents", 400, "POST", "/api/v1/agents/one/stop", {"names": ["one"]})
        self.refused("arguments of an act in the query", 400, "POST", PAUSE + "?all=1", {})
        self.refused("keys that are no list of texts", 400, "POST", "/api/v1/agents/one/keys", {"keys": [1, {}]})
        self.refused("a huge number", 400, "GET", "/api/v1/agents/one/log?lines=" + "9" * 400)
        self.refused("a negative number", 400, "GET", "/api/v1/agents/one/log?lines=-1")
        self.refused("an event number beyond 64 bits", 400, "GET", "/api/v1/events?since=" + "9" * 30)
        self.refused("an age beyond all clocks", 400, "GET", "/api/v1/events?since=99999999999999d")
        self.refused("no number at all", 400, "GET", "/api/v1/events?since=nan")
        self.refused("nonsense for a time", 400, "GET", "/api/v1/events?since=yesterdayish")
        self.refused("an unknown filter", 400, "GET", "/api/v1/events?agents=one")
        self.refused("a body on a GET", 400, "GET", "/api/v1/agents", {})

    def test_names_for_new_agents(self):
        for name, text in {"dots": "..", "a slash": "a/b", "a path": "../../token", "a control character": "a\nb", "an escape": "\x1b[2J", "NUL": "a\0b",
                           "a space": "a b", "an option": "--force", "too long": "n" * 300, "not ASCII": "\u202eagent", "a dot": "."}.items():
            self.refused(name, 400, "POST", "/api/v1/agents", {"name": text, "command": ["true"]})
        self.assertEqual(set(self.agents()), {"one"})
        self.before = [*self.before, *[event for event in self.acts() if event["type"] == "request"]]

    def test_what_follows_a_body_is_a_request_of_its_own(self):
        """… judged by its own credential, not by that of the one before."""
        extra = self.bytes_of("GET", "/api/v1/me")
        wire = self.wire().send(self.bytes_of("GET", "/api/v1/me", *self.bearer()) + extra + self.bytes_of("GET", "/api/v1/me", *self.bearer(self.reader)))
        replies = [wire.reply() for _ in range(3)]
        self.assertEqual([reply.status for reply in replies], [200, 401, 200])
        self.assertEqual([replies[0].json()["role"], replies[2].json()["role"]], ["operator", "reader"])
        longer = self.bytes_of("GET", "/api/v1/agents", *self.bearer()) + b"rest of a body\r\n\r\n"
        wire = self.wire().send(longer)
        self.assertEqual([wire.reply().status, wire.reply().status, wire.ended()], [200, 400, True])

    def test_half_requests_and_many_idle_clients(self):
        began = time.monotonic()
        half = [self.wire().send(part) for part in (b"", b"G", b"GET / HT", self.lines()[:-2], b"\r\n\r\n",
                                                    self.lines(JSON, "Content-Length: 9", first=f"POST {PAUSE} HTTP/1.1") + b"{")]
        idle = [socket.create_connection(("127.0.0.1", self.port)) for _ in range(300)]
        for one in idle:
            self.addCleanup(one.close)
        asked = time.monotonic()
        self.assertEqual(self.get("/api/v1/me").status, 200)
        self.assertLess(time.monotonic() - asked, 2)
        drip = self.wire().send(self.bytes_of("GET", "/api/v1/me", *self.bearer()))
        self.assertEqual(drip.reply().status, 200)
        ends = {}
        for n, wire in enumerate(half[:4] + half[5:]):
            self.assertTrue(wire.ended(SLOW * 3))
            ends[n] = time.monotonic() - began
        self.assertGreater(min(ends.values()), SLOW / 2, "somebody with a slow line was thrown out")
        self.assertLess(max(ends.values()), SLOW * 3)


class FewDescriptors(WebCase):
    # Strangers who only connected took every descriptor: nobody got an answer for ten seconds, and the daemon spun.
    def test_idle_clients_leave_some_for_us(self):
        most = 200
        self.pawl("run", "-d", "one", "--", "cat", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most)))
        self.serve()
        for _ in range(most + 50):
            self.addCleanup(socket.create_connection(("127.0.0.1", self.port)).close)
        began = time.monotonic()
        self.assertEqual(self.get("/api/v1/me").status, 200)
        self.start("two", "cat")
        self.assertEqual(set(self.agents()), {"one", "two"})
        self.assertLess(time.monotonic() - began, SLOW / 2)


if __name__ == "__main__":
    unittest.main()
