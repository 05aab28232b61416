#!/usr/bin/env python3
"""What goes on over pawl serve: server-sent events that resume without gap or repeat, and terminals in a browser."""
import json
import random
import unittest

from fleet import until
from web import CLOSE, Events, WebCase, WebSocket


def ids(messages):
    return [int(message["id"]) for message in messages if message["id"]]


class Happenings(WebCase):
    def setUp(self):
        super().setUp()
        self.start("one", "cat")

    def last(self):
        return self.events()[-1]["seq"]

    def reaches(self, seq):
        return lambda message: message["id"] is not None and int(message["id"]) >= seq

    def test_they_begin_with_hello_and_go_on_with_what_is_new(self):
        self.serve()
        stream, last = Events(self), self.last()
        self.assertEqual(stream.reply.header("content-type"), "text/event-stream; charset=utf-8")
        self.assertEqual(stream.reply.header("cache-control"), "no-store")
        hello = stream.next()
        self.assertEqual((hello["event"], hello["id"], hello["data"]["last"]), ("hello", None, last))
        self.pawl("pause", "one")
        message = stream.next()
        self.assertEqual((message["event"], int(message["id"]), message["data"]["agent"]), ("message", last + 1, "one"))
        self.assertEqual(message["data"], self.events("--since", str(last))[0])

    def test_all_of_them_are_those_of_the_command_line(self):
        self.serve()
        for query, headers in (("?since=0", ()), ("", ("Last-Event-ID: 0",)), ("?since=1h", ())):
            with self.subTest(query, headers=headers):
                got = Events(self, query, *self.bearer(), *headers).until(self.reaches(self.last()))
                self.assertEqual([message["data"] for message in got if message["id"]], self.events())
        self.start("two", "cat")
        got = Events(self, "?since=0&agent=two").until(self.reaches(self.last()))
        self.assertEqual({message["data"]["agent"] for message in got if message["id"]}, {"two"})
        # The header, which a browser sends when it comes back, goes before the address it first asked for.
        self.assertEqual(ids(Events(self, "?since=0", *self.bearer(), f"Last-Event-ID: {self.last() - 1}").until(self.reaches(self.last()))), [self.last()])

    def resumed(self, listen, dice):
        """Listens in pieces of chance length while things happen; gives every id that came."""
        first = at = self.last()
        got = []
        for _ in range(12):
            for verb in ("pause", "resume") * dice.randint(1, 3):
                self.assertEqual(self.post(f"/api/v1/agents/one/{verb}").status, 200)
            upto = dice.randint(at + 1, self.last())
            piece = ids(listen(at, upto))
            self.assertGreater(len(piece), 0)
            got += piece[:dice.randint(1, len(piece))]  # the rest was lost on the way
            at = got[-1]
        got += ids(listen(at, self.last())) if at < self.last() else []
        self.assertEqual(got, list(range(first + 1, self.last() + 1)))

    def test_resuming_without_gap_or_repeat(self):
        self.serve()
        seed = 11
        with self.subTest(seed=seed):
            self.resumed(lambda at, upto: Events(self, "", *self.bearer(), f"Last-Event-ID: {at}").until(self.reaches(upto)), random.Random(seed))

    def test_resuming_over_http2(self):
        self.serve(tls=True)
        seed = 12

        def listen(at, upto):
            return self.curl_events("", self.bearer()[0], f"Last-Event-ID: {at}", enough=lambda got: got and self.reaches(upto)(got[-1]))
        with self.subTest(seed=seed):
            self.resumed(listen, random.Random(seed))

    def test_resuming_with_another_daemon(self):
        self.serve()
        stream = Events(self, "?since=0")
        before = ids(stream.until(self.reaches(self.last())))
        self.kill_daemon()
        self.assertTrue(stream.wire.ended())
        self.pawl("pause", "one")
        until("it listens again", self.listens)
        after = ids(Events(self, "", *self.bearer(), f"Last-Event-ID: {before[-1]}").until(self.reaches(self.last())))
        self.assertEqual(before + after, list(range(1, self.last() + 1)))
        # A number this journal has not reached yet: another home's. It hears what is new.
        stream = Events(self, "", *self.bearer(), f"Last-Event-ID: {self.last() + 1000}")
        self.assertEqual(stream.next()["event"], "hello")
        last = self.last()
        self.pawl("resume", "one")
        self.assertEqual(int(stream.next()["id"]), last + 1)

    def listens(self):
        try:
            return self.get("/api/v1/me").status == 200
        except OSError:
            return False

    def test_views_and_gone(self):
        self.serve()
        stream = Events(self, "?views=1")
        view = stream.until(lambda it: it["event"] == "view")[-1]
        self.assertIsNone(view["id"])
        listed = self.get("/api/v1/agents").json()["agents"][0]
        self.assertEqual(set(view["data"]), set(listed))
        self.assertEqual((view["data"]["name"], view["data"]["pid"]), ("one", listed["pid"]))
        self.pawl("pause", "one")
        self.assertTrue(stream.until(lambda it: it["event"] == "view")[-1]["data"]["paused"])
        self.pawl("rm", "-f", "one")
        self.assertEqual(stream.until(lambda it: it["event"] == "gone")[-1]["data"], {"name": "one"})
        self.assertEqual({message["event"] for message in Events(self, "?since=0").until(self.reaches(self.last()))}, {"hello", "message"})


class Terminal(WebCase):
    def setUp(self):
        super().setUp()
        self.sh("one", "echo welcome; while read -r line; do echo \"got $line\"; [ \"$line\" = quit ] && exit 7; done")
        self.on_screen("one", "welcome")
        self.serve()

    def open(self, query="", *headers):
        terminal = WebSocket(self, "/api/v1/agents/one/terminal" + query, *(headers or self.bearer()))
        self.assertEqual(terminal.reply.status, 101, terminal.reply)
        return terminal

    def humans(self):
        return [event for event in self.events() if event["type"] == "human"]

    def test_it_shows_the_screen_and_how_large_it_is(self):
        terminal = self.open("", *self.bearer(self.reader), "Sec-WebSocket-Protocol: pawl.terminal")
        self.assertEqual(terminal.reply.header("sec-websocket-protocol"), "pawl.terminal")
        self.assertEqual(terminal.reply.header("sec-websocket-accept"), "sS6+hkHLNmx272H8MGJ53hjxnOA=")  # RFC 6455, of web.KEY
        terminal.shows(b"welcome")
        size = terminal.hears(lambda it: "size" in it)["size"]
        self.assertEqual((size["cols"], size["rows"]), (120, 40))
        self.assertIn("state", terminal.hears(lambda it: "state" in it)["state"])
        self.pawl("keys", "one", "h", "i", "Enter")
        terminal.shows(b"got hi")

    def test_it_takes_keys_in_control_only(self):
        watcher, terminal = self.open("", *self.bearer(self.reader)), self.open()
        terminal.type(b"early\r")
        terminal.say({"control": True})
        self.assertEqual(terminal.hears(lambda it: "control" in it), {"control": True})
        self.assertEqual(self.humans(), [])
        terminal.type(b"hel")
        terminal.type(b"lo\r")
        for each in (terminal, watcher):
            each.shows(b"got hello")
        self.assertNotIn("early", self.screen("one"))
        until("the typing is written down", self.humans)
        self.assertIn("browser: operator (token) from 127.0.0.1", json.dumps(self.humans()[0]))
        self.assertIn(("control", "operator (token) from 127.0.0.1"),
                      [(event["verb"], event["by"]["name"]) for event in self.events() if event["type"] == "request"])
        self.assertTrue(self.agents()["one"]["human_last_seen"])

    def test_control_from_the_first_moment(self):
        cookie = ("Cookie: " + self.login(), "Origin: " + self.origin)
        terminal = self.open("?control=1", *cookie)
        terminal.type(b"at once\r")
        terminal.shows(b"got at once")
        until("the browser is named", lambda: self.humans() and "(browser " in json.dumps(self.humans()[0]))

    def test_its_program_ends_and_begins_again(self):
        terminal = self.open("?control=1")
        terminal.type(b"quit\r")
        terminal.hears(lambda it: it.get("state", {}).get("state") == "crashed")
        terminal.shows(b"got quit")  # the last screen stays
        self.pawl("start", "one")
        until("it runs again", lambda: self.agents()["one"]["pid"])
        terminal.type(b"zebra\r")
        terminal.shows(b"zebra")
        self.pawl("rm", "-f", "one")
        while True:
            kind, payload = terminal.next()
            if kind == CLOSE:
                self.assertEqual(int.from_bytes(payload[:2], "big"), 1011)
                break
        self.assertTrue(terminal.wire.ended())


if __name__ == "__main__":
    unittest.main()
