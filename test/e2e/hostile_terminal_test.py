#!/usr/bin/env python3
"""Terminals over the network: WebSockets that break the rules, keys of those who may not type, and programs that print what a
browser or somebody's terminal must never see."""
import base64
import json
import unittest

from fleet import until
from web import BINARY, CLOSE, PING, PONG, TEXT, Events, WebCase, WebSocket, resident

TERMINAL = "/api/v1/agents/one/terminal"
# What an agent may print to reach whoever looks. Each has a word in it that could be found again.
POISON = {
    "clipboard (OSC 52)": "\x1b]52;c;Q0xJUA==\x07", "link (OSC 8)": "\x1b]8;;http://evil.example/LINK\x1b\\shown\x1b]8;;\x1b\\",
    "title": "\x1b]0;TITLE\x1b[31m\x01\x07", "sixel": "\x1bPq#0;2;0;0;0SIXEL\x1b\\", "DCS": "\x1bP+q544e\x1b\\", "APC": "\x1b_GAPC\x1b\\",
    "PM": "\x1b^PM\x1b\\", "iTerm picture": "\x1b]1337;File=inline=1:SU1H\x07", "notification": "\x1b]9;NOTE\x07", "8-bit CSI": "\x9b31m",
    "answerback": "\x05", "device report": "\x1b[c\x1b[6n\x1b[>q", "palette": "\x1b]4;1;?\x07", "window": "\x1b[21t\x1b[3;0;0t", "print": "\x1b[5i",
    "unfinished OSC": "\x1b]52;c;"}
NEVER = (b"\x1b]52", b"\x1b]8;", b"\x1b]0;", b"\x1b]1337", b"\x1b]9;", b"\x1b]4;", b"\x1bP", b"\x1b_", b"\x1b^", b"\x9b", b"\x05", b"\x1b[c", b"\x1b[6n",
         b"\x1b[>q", b"\x1b[21t", b"\x1b[5i", b"Q0xJUA", b"evil.example", b"SIXEL")


class Terminals(WebCase):
    def setUp(self):
        super().setUp()
        self.start("one", "cat")
        self.serve()

    def typed(self):
        return [event for event in self.events() if event["type"] == "human"]

    def test_handshakes_that_are_refused(self):
        before = self.acts()
        bearer, cookie = self.bearer(), "Cookie: " + self.login()
        for name, status, path, headers, how in (
                ("no credential", 401, TERMINAL, (), {}),
                ("foreign Origin", 403, TERMINAL, (cookie, "Origin: http://evil.example"), {}),
                ("foreign Origin with the token", 403, TERMINAL, (*bearer, "Origin: http://evil.example"), {}),
                ("Origin null", 403, TERMINAL, (cookie, "Origin: null"), {}),
                ("another port's Origin", 403, TERMINAL, (cookie, "Origin: http://localhost:1"), {}),
                ("a cookie without Origin", 403, TERMINAL, (cookie,), {}),
                ("cross-site", 403, TERMINAL, (cookie, "Origin: " + self.origin, "Sec-Fetch-Site: cross-site"), {}),
                ("another Host", 403, TERMINAL, bearer, {"host": "evil.example"}),
                ("no key", 400, TERMINAL, bearer, {"key": None}),
                ("an empty key", 400, TERMINAL, bearer, {"key": ""}),
                ("a short key", 400, TERMINAL, bearer, {"key": base64.b64encode(b"short").decode()}),
                ("a key that is no base64", 400, TERMINAL, bearer, {"key": "!" * 24}),
                ("no version", 400, TERMINAL, bearer, {"version": None}),
                ("version 8", 400, TERMINAL, bearer, {"version": "8"}),
                ("version 13 and more", 400, TERMINAL, bearer, {"version": "13, 8"}),
                ("an agent that is not there", 404, "/api/v1/agents/two/terminal", bearer, {}),
                ("the events", 404, "/api/v1/events", bearer, {}),
                ("the list", 404, "/api/v1/agents", bearer, {}),
                ("the page", 404, "/", bearer, {}),
                ("the token in the query", 400, TERMINAL + "?token=x", bearer, {}),
                ("the token as a protocol", 401, TERMINAL, ("Sec-WebSocket-Protocol: pawl.terminal, " + self.token,), {})):
            with self.subTest(name):
                reply = WebSocket(self, path, *headers, **how).reply
                self.assertEqual(reply.status, status, reply)
                self.assertEqual(reply.values("sec-websocket-accept"), [])
        with self.subTest("POST"):
            lines = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", *bearer)
            self.assertEqual(self.ask("POST", TERMINAL, *lines).status, 404)
        with self.subTest("Upgrade without Connection"):
            self.assertEqual(self.ask("GET", TERMINAL, *lines[1:]).status, 426)
        with self.subTest("another protocol"):
            self.assertEqual(self.ask("GET", TERMINAL, "Connection: Upgrade", "Upgrade: h2c", *bearer).status, 426)
        self.assertEqual(self.acts(), before)

    def test_frames_that_break_the_rules(self):
        bad = {
            "unmasked": (1002, lambda it: it.frame(TEXT, b"{}", masked=False)),
            "a reserved bit": (1002, lambda it: it.frame(TEXT, b"{}", reserved=4)),
            "all reserved bits": (1002, lambda it: it.frame(BINARY, b"x", reserved=7)),
            "an unknown opcode": (1002, lambda it: it.frame(3, b"x")),
            "an unknown control opcode": (1002, lambda it: it.frame(11, b"x")),
            "a ping in pieces": (1002, lambda it: it.frame(PING, b"x", last=False)),
            "a large ping": (1002, lambda it: it.frame(PING, b"x" * 126)),
            "a large close": (1002, lambda it: it.frame(CLOSE, b"x" * 200)),
            "a piece of nothing": (1002, lambda it: it.frame(0, b"x")),
            "a message inside a message": (1002, lambda it: (it.frame(BINARY, b"x", last=False), it.frame(TEXT, b"{}"))),
            "a frame of 64 KB and one": (1009, lambda it: it.frame(BINARY, b"x" * 65537)),
            "a frame of 2^63": (1009, lambda it: it.frame(BINARY, b"x", length=2**63)),
            "a frame of 2^64 - 1": (1009, lambda it: it.frame(BINARY, b"x", length=2**64 - 1)),
            "pieces of 128 KB": (1009, lambda it: (it.frame(BINARY, b"x" * 40000, last=False), it.frame(0, b"x" * 40000))),
            "not UTF-8": (1007, lambda it: it.frame(TEXT, b"\xff\xfe")),
            "half of a character": (1007, lambda it: it.frame(TEXT, b'"\xc3')),
            "an overlong form": (1007, lambda it: it.frame(TEXT, b"\xc0\xaf")),
            "a surrogate": (1007, lambda it: it.frame(TEXT, b"\xed\xa0\x80")),
            "no JSON": (1008, lambda it: it.frame(TEXT, b"let me in")),
            "another message": (1008, lambda it: it.say({"resize": {"cols": 1}})),
            "a verb": (1008, lambda it: it.say({"verb": "shutdown", "args": {}})),
            "control as a word": (1008, lambda it: it.say({"control": "yes"})),
            "deep JSON": (1008, lambda it: it.frame(TEXT, b"[" * 60000)),
        }
        for name, (code, breaks) in bad.items():
            with self.subTest(name):
                terminal = WebSocket(self, TERMINAL + "?control=1", *self.bearer())
                breaks(terminal)
                self.assertEqual(terminal.close_code(), code)
        self.assertEqual(self.typed(), [])
        with self.subTest("nothing counts after a close"):
            terminal = WebSocket(self, TERMINAL + "?control=1", *self.bearer())
            terminal.frame(CLOSE, b"\x03\xe8")
            terminal.type(b"late\r")
            self.assertEqual(terminal.close_code(), 1000)
        with self.subTest("a ping is answered"):
            terminal = WebSocket(self, TERMINAL, *self.bearer())
            terminal.frame(PING, b"hello")
            self.assertEqual(next(payload for kind, payload in iter(terminal.next, None) if kind == PONG), b"hello")
        self.assertNotIn("late", self.screen("one"))

    def answered(self, terminal):
        """Everything sent so far was read: the server answers in order."""
        terminal.frame(PING, b"mark")
        while terminal.next() != (PONG, b"mark"):
            pass

    def test_who_may_not_type(self):
        before = self.acts()
        cases = {"an operator without control": (TERMINAL, self.bearer(), False), "control=0": (TERMINAL + "?control=0", self.bearer(), False),
                 "control=true": (TERMINAL + "?control=true", self.bearer(), False),
                 "a reader": (TERMINAL, self.bearer(self.reader), True), "a reader with control=1": (TERMINAL + "?control=1", self.bearer(self.reader), True),
                 "a reader's page": (TERMINAL + "?control=1", ("Cookie: " + self.login("--read-only"), "Origin: " + self.origin), True)}
        for name, (path, headers, asks) in cases.items():
            with self.subTest(name):
                terminal = WebSocket(self, path, *headers)
                if asks:
                    terminal.say({"control": True})
                    self.assertIn("only look", terminal.hears(lambda it: "error" in it)["error"]["what"])
                    self.assertFalse(terminal.hears(lambda it: "control" in it)["control"])
                terminal.type(b"secret\r")
                self.answered(terminal)
        self.assertEqual(self.acts(), before)
        self.assertNotIn("secret", self.screen("one"))
        with self.subTest("control given back"):
            terminal = WebSocket(self, TERMINAL + "?control=1", *self.bearer())
            terminal.say({"control": False})
            terminal.type(b"secret\r")
            self.answered(terminal)
            self.assertNotIn("secret", self.screen("one"))
            self.assertEqual(self.typed(), [])

    # The answers were kept for a reader who never read: half a gigabyte in five seconds.
    def test_a_reader_who_asks_and_does_not_read(self):
        for kind, payload in ((PING, b"x" * 125), (TEXT, b'{"control":true}')):
            with self.subTest(payload[:10]):
                before = resident(self.daemon_pid())
                terminal = WebSocket(self, TERMINAL, *self.bearer(self.reader))
                plain = bytes([0x80 | kind, 0x80 | len(payload)]) + b"\0\0\0\0" + payload  # masked with nothing
                for _ in range(40_000_000 // 500_000):
                    terminal.wire.send(plain * (500_000 // len(plain)))
                self.assertEqual(self.get("/api/v1/me").status, 200)
                self.assertLess(resident(self.daemon_pid()) - before, 20 << 10, "KiB")
                terminal.wire.close()

    def test_what_agents_print_reaches_nobody(self):
        with open(self.folder + "/poison", "w", encoding="latin-1") as file:
            file.write("".join(f"{text}\r\n" for text in POISON.values()) + "\x07\x1b\\")
        events = Events(self, "?since=0&views=1")
        self.sh("bad", "cat poison; echo the end; exec cat")
        self.on_screen("bad", "the end")
        terminal = WebSocket(self, "/api/v1/agents/bad/terminal", *self.bearer())
        terminal.shows(b"the end")
        until("it was flushed", lambda: b"the end" in self.get("/api/v1/agents/bad/log").body)
        seen = b""
        for message in events.until(lambda it: it["event"] == "view" and "the end" in json.dumps(it["data"])):
            seen += json.dumps(message, ensure_ascii=False).encode()
        asked = {path: self.get("/api/v1/agents/bad" + path) for path in ("", "/screen", "/screen?ansi=1", "/log", "/why", "/inbox")}
        self.assertEqual(self.get("/api/v1/agents/bad/log?raw=1").status, 400)
        self.assertEqual(asked["/log"].header("content-type"), "text/plain; charset=utf-8")
        places = {"WebSocket": terminal.shown + json.dumps(terminal.heard, ensure_ascii=False).encode(), "server-sent events": seen,
                  "pawl screen": self.pawl("screen", "bad", text=False).stdout, "pawl screen --ansi": self.pawl("screen", "bad", "--ansi", text=False).stdout,
                  "metrics": self.get("/metrics").body, "list": self.get("/api/v1/agents").body}
        for path, reply in asked.items():
            self.assertEqual(reply.status, 200, path)
            text = reply.body
            if path != "/log":
                text = json.dumps(reply.json(), ensure_ascii=False).encode() + "".join(strings_in(reply.json())).encode()
            places["GET " + (path or "/")] = text
        for place, text in places.items():
            for mark in NEVER:
                with self.subTest(place, mark=mark):
                    self.assertNotIn(mark if mark != b"\x9b" else "\x9b".encode(), text)
        for place in ("GET /log", "GET /screen", "pawl screen", "server-sent events", "metrics"):
            with self.subTest(f"no escapes at all: {place}"):
                self.assertNotRegex(places[place].decode(), r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def strings_in(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from strings_in(item)


if __name__ == "__main__":
    unittest.main()
