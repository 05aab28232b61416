#!/usr/bin/env python3
"""Forty tries of strangers, readers and foreign pages at approval links and at browsers' sessions, each with a name: none of them presses a
key, signs somebody out or learns more than its own link shows. And answers through links to dialogs that change under them."""
import base64
import concurrent.futures
import hmac
import json
import random
import time
import unittest

from approval_links_test import FORM, LinkCase
from approvals_test import claude
from fleet import until

EVIL = "Origin: https://evil.example"


def changed(link, part, value):
    """The link with another signature (0), end (1), place (2), channel (3), dialog (4) or agent (5)."""
    head, _, code = link.rpartition("/")
    parts = code.split(".", 5)
    parts[part] = value(parts[part]) if callable(value) else value
    return f"{head}/{'.'.join(parts)}"


class Hostile(LinkCase):
    def tries(self):
        """Name → (method, path, headers, body), and which answers are fine."""
        link, cookie, reader, ours = self.link(), "Cookie: " + self.login(), "Cookie: " + self.login("--read-only"), f"Origin: {self.origin}"
        self.cookie = cookie
        self.assertEqual(self.ask("GET", "/api/v1/me", cookie).status, 200)
        self.ident = self.ask("GET", "/api/v1/sessions", cookie).json()["sessions"][0]["id"]
        yes, out, name = b"row=1", f"/api/v1/sessions/{self.ident}/revoke", f"/api/v1/sessions/{self.ident}/name"
        json_type = "Content-Type: application/json"
        links = {
            "permit without anything": ("POST", link, [FORM, ours], yes),
            "permit always": ("POST", link, [FORM, ours], b"row=2"),
            "permit as a reader": ("POST", link, [FORM, ours, reader], yes),
            "permit with the reader's token": ("POST", link, [FORM, ours, *self.bearer(self.reader)], yes),
            "permit with a code where none is taken": ("POST", link, [FORM, ours], b"row=1&code=1234-5678"),
            "a foreign page uses the operator's cookie": ("POST", link, [FORM, EVIL, cookie], yes),
            "a foreign page says no origin": ("POST", link, [FORM, "Origin: null", cookie], yes),
            "a page without origin": ("POST", link, [FORM, cookie], yes),
            "cross-site by its fetch metadata": ("POST", link, [FORM, ours, "Sec-Fetch-Site: cross-site", cookie], yes),
            "two origins": ("POST", link, [FORM, ours, EVIL, cookie], yes),
            "another host's name": ("POST", link, [FORM, ours, cookie, "X-Forwarded-Host: localhost"], yes, "evil.example"),
            "by GET": ("GET", link + "?row=1", [cookie, ours], None),
            "by HEAD": ("HEAD", link + "?row=3", [cookie, ours], None),
            "refuse by GET": ("GET", link + "/refuse", [cookie, ours], None),
            "method override": ("GET", link + "?_method=POST&row=3", ["X-HTTP-Method-Override: POST", ours], None),
            "permit at the path that refuses": ("POST", link + "/permit", [FORM, ours, cookie], yes),
            "a row in the path": ("POST", link + "/1", [FORM, ours, cookie], b""),
            "up the path": ("POST", link + "/../refuse", [FORM, ours, cookie], b""),
            "another signature": ("POST", changed(link, 0, "A" * 24), [FORM, ours, cookie], b"row=3"),
            "no signature": ("POST", changed(link, 0, ""), [FORM, ours, cookie], b"row=3"),
            "a later end": ("POST", changed(link, 1, lambda old: str(int(old) + 86400)), [FORM, ours, cookie], b"row=3"),
            "an end before time": ("POST", changed(link, 1, "-1"), [FORM, ours, cookie], b"row=3"),
            "an end that is no number": ("POST", changed(link, 1, "9e99"), [FORM, ours, cookie], b"row=3"),
            "another channel": ("POST", changed(link, 3, "slack"), [FORM, ours, cookie], b"row=3"),
            "another dialog": ("POST", changed(link, 4, lambda old: old[::-1]), [FORM, ours, cookie], b"row=3"),
            "another agent": ("POST", changed(link, 5, "other"), [FORM, ours, cookie], b"row=3"),
            "a longer name": ("POST", changed(link, 5, lambda old: old + ".x"), [FORM, ours, cookie], b"row=3"),
            "a link in other letters": ("POST", link.upper(), [FORM, ours, cookie], b"row=3"),
            "a row beyond the last": ("POST", link, [FORM, ours, cookie], b"row=4"),
            "row nought": ("POST", link, [FORM, ours, cookie], b"row=0"),
            "a row by its words": ("POST", link, [FORM, ours, cookie], b"row=Yes"),
            "a row of digits without end": ("POST", link, [FORM, ours, cookie], b"row=" + b"9" * 99),
            "two rows": ("POST", link, [FORM, ours, cookie], b"row=3&row=1"),
            "a megabyte of form": ("POST", link, [FORM, ours], b"row=3&x=" + b"a" * (1 << 20)),
        }
        sessions = {
            "sign out, without anything": ("POST", out, [json_type], b"{}"),
            "sign out, as a reader": ("POST", out, [json_type, ours, reader], b"{}"),
            "sign all out, as a reader": ("POST", "/api/v1/sessions/all/revoke", [json_type, ours, reader], b"{}"),
            "sign out, from a foreign page": ("POST", out, [json_type, EVIL, cookie], b"{}"),
            "sign out, by a form": ("POST", out, [FORM, ours, cookie], b""),
            "sign out, by a link": ("GET", out, [cookie], None),
            "log somebody out, from a foreign page": ("POST", "/api/v1/logout", [json_type, EVIL, cookie], b"{}"),
            "rename, as a reader": ("POST", name, [json_type, ours, reader], b'{"name": "x"}'),
            "rename to a screen's command": ("POST", name, [json_type, ours, cookie], b'{"name": "\\u001b[2J"}'),
            "list, as a stranger": ("GET", "/api/v1/sessions", [], None),
            "list, as a reader": ("GET", "/api/v1/sessions", [reader], None),
            "a cookie of another role": ("GET", "/api/v1/sessions", [reader.replace("reader.", "operator.")], None),
            "a cookie that lasts longer": ("GET", "/api/v1/me", [cookie.replace("operator.1", "operator.9")], None),
            "a cookie without its signature": ("GET", "/api/v1/me", [cookie.rpartition(".")[0] + "."], None),
            "the browser's id as a cookie": ("GET", "/api/v1/me", [f"{cookie.partition('=')[0]}={self.ident}"], None),
            "an approval link as a login": ("GET", link.replace("/approve/", "/login/"), [], None),
            "an approval link as a token": ("GET", "/api/v1/me", [f"Authorization: Bearer {link.rpartition('/')[2]}"], None),
        }
        return links | sessions

    def test_none_of_forty_tries_does_anything(self):
        self.asks()
        tries = self.tries()
        self.assertGreaterEqual(len(tries), 40)
        for name, (method, path, headers, body, *host) in tries.items():
            with self.subTest(name):
                reply = self.ask(method, path, *headers, body=body, host=host[0] if host else None)
                looks = method in ("GET", "HEAD") and path.startswith("/approve/")
                self.assertTrue(looks and reply.status == 200 or 400 <= reply.status < 500, reply)
                self.assertEqual(self.keys(), [])
        self.assertEqual(self.requests(), [])
        mine = self.ask("GET", "/api/v1/sessions", self.cookie).json()["sessions"]
        self.assertIn((self.ident, True), [(one["id"], one["this"]) for one in mine])
        self.assertNotIn("\x1b", str(mine))
        self.assertEqual(self.choose(self.link(), 3).status, 200)  # it works all the same
        self.assertEqual(self.chosen(), [3])

    def made(self, dialog):
        """A link to this dialog, as Pawl signs it: messages come three in a minute only."""
        text = f"{int(time.time()) + 3600}.0.ntfy.{dialog}.asker"
        signature = hmac.new((self.token + self.reader).encode(), b"approval " + text.encode(), "sha256").digest()[:18]
        return f"/approve/{base64.urlsafe_b64encode(signature).decode()}.{text}"

    def racing(self, link, row, cookie, other, chance):
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            done = pool.submit(lambda: self.choose(link, row, cookie).status)
            time.sleep(chance.random() * 0.1)
            self.show(other)
            return done.result()

    def test_no_link_answers_another_dialog_than_its_own(self):
        chance, wrong, answered = random.Random(time.time_ns() % 10**6), [], 0
        self.asks(about="make 0")
        cookie, seen = f"Cookie: {self.login()}", 0
        for number in range(1, 31):
            mine, other = ({**claude("bash", f"make {n} && true"), "n": n} for n in (2 * number, 2 * number + 1))
            self.show({"n": 0})
            until("it works", lambda: "at work" in self.screen("asker"))
            self.show(mine)
            until(lambda: self.pawl("show", "asker").stdout, lambda number=number: f"make {2 * number} " in self.pawl("show", "asker").stdout)
            link = self.made(json.loads(self.pawl("show", "asker", "--json").stdout)["agent"]["dialog"]["id"])
            change = chance.choice(("still", "before", "on the way", "at the first key"))
            if change == "before":
                self.show(other)
                until("it is drawn", lambda number=number: f"make {2 * number + 1} " in self.screen("asker"))
            if change == "at the first key":
                self.show({**mine, "then": other})
            row = chance.choice((1, 3))
            done = self.choose(link, row, cookie).status if change != "on the way" else self.racing(link, row, cookie, other, chance)
            pressed, seen = self.keys()[seen:], len(self.keys())
            wrong += [(number, change, key) for key in pressed if key[0] != 2 * number and not key[3]]
            if change == "still":
                self.assertEqual((done, [key[2] for key in pressed if key[1] == "Enter"]), (200, [row]), (number, pressed))
            answered += done == 200
        self.assertEqual(wrong, [])
        self.assertGreater(answered, 0)


if __name__ == "__main__":
    unittest.main()
