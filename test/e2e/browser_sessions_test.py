#!/usr/bin/env python3
"""Browsers that are signed in: listed, named, signed out one by one or all, from the command line and over HTTP; what they have open ends."""
import json
import os
import unittest

from fleet import until
from web import Events, WebCase, WebSocket

CHROME = "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"


class Sessions(WebCase):
    def setUp(self):
        super().setUp()
        self.sh("worker", "while read x; do echo got $x; done")
        self.serve()

    def browser(self, *words, agent=CHROME):
        """A cookie that was used once, as a header, and its id."""
        cookie = "Cookie: " + self.login(*words)
        before = {one["id"] for one in self.sessions()}
        self.assertEqual(self.ask("GET", "/api/v1/me", cookie, agent).status, 200)
        new, = [one["id"] for one in self.sessions() if one["id"] not in before]
        return cookie, new

    def sessions(self):
        return json.loads(self.pawl("serve", "--sessions", "--json").stdout)["sessions"]

    def get_me(self, cookie):
        return self.ask("GET", "/api/v1/me", cookie).status

    def change(self, path, cookie, value=None):
        return self.post("/api/v1/" + path, value, headers=(cookie, f"Origin: {self.origin}"))

    def test_they_are_listed_and_named(self):
        self.assertIn("no browser is signed in", self.pawl("serve", "--sessions").stdout)
        cookie, ident = self.browser()
        self.browser("--read-only", agent="User-Agent: <b>\xff\xfe")
        first, second = sorted(self.sessions(), key=lambda one: one["made"])
        self.assertEqual((first["id"], first["role"], first["address"], first["name"]), (ident, "operator", "127.0.0.1", "Chrome on Linux"))
        self.assertEqual(second["role"], "reader")
        self.pawl("serve", "--rename", f"{ident}=my phone")
        said = self.pawl("serve", "--sessions").stdout
        self.assertRegex(said, rf"{ident} +my phone +operator +127.0.0.1 +\d+\w+ ago")
        self.assertNotIn("\x1b", said)
        listed = self.ask("GET", "/api/v1/sessions", cookie).json()["sessions"]
        self.assertEqual([one["this"] for one in listed if one["id"] == ident], [True])
        self.assertNotIn(cookie.rpartition(".")[2], json.dumps(listed) + said)
        for path in ("browsers.json", "signed-out"):
            if os.path.exists(f"{self.home}/{path}"):
                self.assertEqual(os.stat(f"{self.home}/{path}").st_mode & 0o777, 0o600)

    def test_one_is_signed_out_with_what_it_has_open(self):
        cookie, ident = self.browser()
        other, _ = self.browser()
        events = Events(self, "", cookie)
        events.next()
        terminal = WebSocket(self, "/api/v1/agents/worker/terminal?control=1", cookie, f"Origin: {self.origin}")
        self.assertEqual(terminal.reply.status, 101)
        terminal.next()
        stays = Events(self, "", other)
        self.assertIn("signed out: 1", self.pawl("serve", "--revoke", ident).stdout)
        self.assertEqual((self.get_me(cookie), self.get_me(other)), (401, 200))
        until("its terminal is closed", lambda: not terminal.wire.more() or b"\x88" in terminal.wire.buffer)
        with self.assertRaises(AssertionError):  # it hangs up
            while True:
                events.next()
        stays.until(lambda message: message["event"] == "hello")
        self.assertEqual([one["id"] for one in self.sessions()].count(ident), 0)
        self.pawl("daemon", "--stop")
        self.pawl("ls")
        self.assertEqual((self.get_me(cookie), self.get_me(other)), (401, 200))  # also by the next daemon
        self.assertRegex(self.pawl("audit").stdout, rf"serve.*revoke.*{ident}")

    def test_all_others(self):
        mine, ident = self.browser()
        others = [self.browser(*words)[0] for words in ((), ("--read-only",), ())]
        done = self.change("sessions/all/revoke", mine)
        self.assertEqual((done.status, done.json()["revoked"]), (200, 3), done)
        self.assertEqual([self.get_me(cookie) for cookie in (mine, *others)], [200, 401, 401, 401])
        self.assertIn("sign out of browser all", self.pawl("audit").stdout)
        self.assertIn("signed out: 1", self.pawl("serve", "--revoke", "all").stdout)
        self.assertEqual(self.get_me(mine), 401)
        self.assertEqual(self.sessions(), [], ident)

    def test_signing_out_signs_out(self):
        cookie, _ = self.browser()
        events = Events(self, "", cookie)
        events.next()
        self.assertEqual(self.change("logout", cookie).status, 200)
        self.assertEqual(self.get_me(cookie), 401)
        self.assertEqual(WebSocket(self, "/api/v1/agents/worker/terminal", cookie, f"Origin: {self.origin}").reply.status, 401)
        with self.assertRaises(AssertionError):
            while True:
                events.next()

    def test_who_may(self):
        mine, ident = self.browser()
        reader, _ = self.browser("--read-only")
        self.assertEqual(self.ask("GET", "/api/v1/sessions").status, 401)
        for headers in ((reader,), self.bearer(self.reader)):
            self.assertEqual(self.ask("GET", "/api/v1/sessions", *headers).status, 403)
        for path in (f"sessions/{ident}/revoke", "sessions/all/revoke", f"sessions/{ident}/name"):
            self.assertEqual(self.change(path, reader, {"name": "x"} if path.endswith("name") else None).status, 403)
            self.assertEqual(self.post("/api/v1/" + path, headers=(mine,)).status, 403)  # no Origin
            self.assertEqual(self.post("/api/v1/" + path, headers=(mine, "Origin: http://evil.example")).status, 403)
            self.assertEqual(self.ask("POST", "/api/v1/" + path, mine, f"Origin: {self.origin}", "Content-Type: text/plain", body=b"{}").status, 415)
            self.assertEqual(self.ask("GET", "/api/v1/" + path, mine).status, 405)
        self.assertEqual(self.get_me(mine), 200)
        self.serve("--no-control", "--listen", f"127.0.0.1:{self.port}")  # who only shows may still send browsers away
        self.assertEqual(self.change("sessions/all/revoke", mine).status, 200)
        self.assertEqual(self.get_me(reader), 401)

    def test_bad_wishes(self):
        mine, ident = self.browser()
        for wish, word in ((("--revoke", "nobody"), "no browser 'nobody'"), (("--rename", "x"), "ID=NAME"), (("--rename", "x=y"), "no browser 'x'"),
                           (("--rename", f"{ident}="), "name"), (("--rename", f"{ident}=" + "a" * 99), "name")):
            said = self.pawl("serve", *wish, code=None)
            self.assertNotEqual(said.returncode, 0, wish)
            self.assertIn(word, said.stderr)
        self.assertEqual(self.change("sessions/nobody/revoke", mine).status, 404)
        for value in ({}, {"name": ""}, {"name": 7}, {"name": "a" * 99}):
            self.assertEqual(self.change(f"sessions/{ident}/name", mine, value).status, 400, value)
        self.assertEqual(self.change(f"sessions/{ident}/name", mine, {"name": "work laptop"}).status, 200)
        self.assertEqual(self.sessions()[0]["name"], "work laptop")
        self.pawl("serve", "--stop")
        self.assertIn("nothing is served", self.pawl("serve", "--sessions", code=1).stderr)

    def test_a_file_that_was_removed_or_broken(self):
        cookie, ident = self.browser()
        other, gone = self.browser()
        self.pawl("serve", "--revoke", gone)
        self.pawl("daemon", "--stop")
        for text in (None, "", "{", "[]", '{"browsers": 7}'):
            os.remove(self.home + "/browsers.json") if text is None else self.write("browsers.json", text)
            self.pawl("ls")
            self.assertEqual((self.get_me(cookie), self.get_me(other)), (200, 401), text)
            self.assertEqual([one["id"] for one in self.sessions()], [ident])
            self.pawl("daemon", "--stop")
        self.pawl("ls")

    def write(self, name, text):
        with open(f"{self.home}/{name}", "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(f"{self.home}/{name}", 0o600)


if __name__ == "__main__":
    unittest.main()
