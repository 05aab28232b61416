#!/usr/bin/env python3
"""Links in messages that answer one dialog: what they show, who may do what with them, that they work once, and that they end."""
import concurrent.futures
import json
import os
import re
import sys
import unittest
import urllib.parse

import dialog_agent
from approvals_test import claude
from fleet import until
from receiver import Receiver
from web import WebCase

AGENT = [sys.executable, os.path.abspath(dialog_agent.__file__)]
FORM = "Content-Type: application/x-www-form-urlencoded"


class LinkCase(WebCase):
    def setUp(self):
        super().setUp()
        self.inbox = Receiver()
        self.addCleanup(self.inbox.stop)
        self.environment.update(no_proxy="*", NO_PROXY="*")

    def show(self, scene, name="asker"):
        path = f"{self.folder}/{name}.scene"
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump(scene, file)
        os.rename(path + ".new", path)

    def asks(self, *channels, name="asker", about="make <all> && echo \"1\"", approvals=None):
        """An agent that asks something, and the messages about it by channel."""
        self.serve(*(["--approvals", approvals] if approvals else []))
        words = [f"{kind}:{self.inbox.url}/{kind}" for kind in channels or ("ntfy",)]
        self.show({"n": 0}, name)
        with open(self.folder + "/pawl.toml", "w", encoding="utf-8") as file:
            file.write(f"[agent.{name}]\nruntime = 'claude'\ncommand = {json.dumps([*AGENT, f'{self.folder}/{name}'])}\nhooks = false\n"
                       f"notify = {json.dumps(words)}\n")
        self.pawl("up", "--trust")
        self.show({**claude("bash", about), "n": 1}, name)
        for kind in channels or ("ntfy",):
            until(lambda: f"a message with a link by {kind}: {self.inbox.got} {self.events()[-5:]}", lambda kind=kind: self.links(kind))
        return name

    def links(self, kind):
        bodies = [request["body"] for request in self.inbox.at("/" + kind)]
        return [urllib.parse.urlparse(found).path for body in bodies for found in re.findall(r"http[^\s\"\\;,]*/approve/[^\s\"\\;,]*", body)]

    def link(self, kind="ntfy"):
        return next(path for path in self.links(kind) if not path.endswith("/refuse"))

    def choose(self, path, row, *headers, code=""):
        return self.ask("POST", path, FORM, f"Origin: {self.origin}", *headers, body=urllib.parse.urlencode({"row": row, "code": code}).encode())

    def keys(self, name="asker"):
        try:
            with open(f"{self.folder}/{name}.keys", encoding="utf-8") as file:
                return [json.loads(line) for line in file]
        except FileNotFoundError:
            return []

    def chosen(self, name="asker"):
        return [key[2] for key in self.keys(name) if key[1] == "Enter"]

    def requests(self):
        return [event for event in self.events() if event["type"] == "request" and event["verb"] == "answer" and event["by"]["kind"] == "web"]


class Links(LinkCase):
    def test_its_page_shows_the_question_and_nothing_else(self):
        self.asks()
        page = self.ask("GET", self.link())
        self.assertEqual((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"), page)
        text = page.body.decode()
        for part in ("asker asks: Do you want to proceed?", "make &lt;all&gt; &amp;&amp; echo &quot;1&quot;", "refuses it", "allows this once", "works once"):
            self.assertIn(part, text)
        self.assertNotIn("<script", text)
        self.assertIn("form-action 'self'", page.header("content-security-policy"))
        self.assertEqual(page.header("referrer-policy"), "same-origin")
        self.assertEqual(page.header("cache-control"), "no-store")
        for _ in range(5):  # chat programs fetch links by themselves
            self.assertEqual(self.ask("GET", self.link()).status, 200)
            self.assertEqual(self.ask("HEAD", self.link()).status, 200)
        self.assertEqual((self.keys(), self.requests()), ([], []))

    def test_refusing_needs_the_link_alone_and_works_once(self):
        self.asks()
        link = self.link()
        done = self.choose(link, 3)
        self.assertEqual(done.status, 200, done)
        self.assertIn("Answered with “No”", done.body.decode())
        self.assertEqual(self.chosen(), [3])
        again = self.choose(link, 3)
        self.assertEqual(again.status, 409, again)
        self.assertIn("Answered with “No”", self.ask("GET", link).body.decode())
        self.assertEqual(self.chosen(), [3])
        asked, = self.requests()
        self.assertEqual(asked["by"]["name"], "approval link sent by ntfy from 127.0.0.1")
        audit = self.pawl("audit").stdout
        self.assertIn("approval link for asker sent by ntfy:http://127.0.0.1", audit)
        self.assertIn("approval link sent by ntfy from 127.0.0.1", audit)

    def test_the_button_of_a_message_refuses(self):
        self.asks()
        actions = self.inbox.at("/ntfy")[0]["headers"]["Actions"]
        self.assertRegex(actions, r"^view, Answer, http\S+/approve/\S+, clear=true; http, Refuse, http\S+/refuse, method=POST, clear=true$")
        done = self.ask("POST", self.link() + "/refuse", body=b"")
        self.assertEqual(done.status, 200, done)
        self.assertEqual(self.chosen(), [3])

    def test_permitting_needs_an_operator(self):
        self.asks()
        link, cookie = self.link(), self.login()
        for row in (1, 2):
            for headers in ((), (f"Cookie: {self.login('--read-only')}",), self.bearer(self.reader), ("Cookie: pawl=1",)):
                refused = self.choose(link, row, *headers, code="1234-5678")
                self.assertEqual(refused.status, 403, refused)
                self.assertIn("signed in as operator", refused.body.decode())
        self.assertEqual(self.ask("POST", link, FORM, f"Cookie: {cookie}", body=b"row=1").status, 403)  # no Origin
        self.assertEqual(self.ask("POST", link, FORM, f"Cookie: {cookie}", "Origin: http://evil.example", body=b"row=1").status, 403)
        self.assertEqual(self.keys(), [])
        self.assertNotIn("code", self.ask("GET", link).body.decode().replace("<code", ""))
        done = self.choose(link, 1, f"Cookie: {cookie}")
        self.assertEqual(done.status, 200, done)
        self.assertEqual(self.chosen(), [1])
        self.assertRegex(self.requests()[0]["by"]["name"], r"^operator \(browser \w+\), approval link sent by ntfy from 127.0.0.1$")

    def test_the_code_is_in_the_message_of_another_channel(self):
        self.asks("ntfy", "slack", "webhook", approvals="code")
        told = {kind: until(f"{kind}", lambda kind=kind: self.inbox.at("/" + kind))[0]["body"] for kind in ("ntfy", "slack", "webhook")}
        code = re.compile(r"Code for the link in the (\w+) message: (\d{4}-\d{4})")
        self.assertEqual(code.search(told["slack"])[1], "ntfy")
        self.assertEqual(json.loads(told["webhook"])["approve"]["code_for"], "slack")
        self.assertEqual(code.search(told["ntfy"])[1], "webhook")
        right = code.search(told["slack"])[2]
        own = code.search(told["ntfy"])[2]
        link = self.link("ntfy")
        self.assertIn("Code, to permit something", self.ask("GET", link).body.decode())
        self.assertEqual(self.choose(link, 1, code=own).status, 403)  # what this channel's reader has
        self.assertEqual(self.keys(), [])
        done = self.choose(link, 1, code=right.replace("-", " "))
        self.assertEqual(done.status, 200, done)
        self.assertEqual(self.chosen(), [1])
        self.assertEqual(self.requests()[0]["by"]["name"], "approval link and code sent by ntfy from 127.0.0.1")
        self.assertEqual(self.choose(self.link("slack"), 3).status, 409)  # the others were used with it
        buttons = json.loads(told["slack"])["blocks"][1]["elements"]
        self.assertEqual(urllib.parse.urlparse(buttons[0]["url"]).path, self.link("slack"))

    def test_after_five_wrong_codes_it_takes_none_but_still_refuses(self):
        self.asks("ntfy", "slack", approvals="code")
        right = re.search(r"message: (\d{4}-\d{4})", until("slack", lambda: self.inbox.at("/slack"))[0]["body"])[1]
        link = self.link("ntfy")
        for guess in range(5):
            self.assertEqual(self.choose(link, 1, code=f"{guess:08}").status, 403)
        self.assertEqual(self.choose(link, 1, code=right).status, 403)
        self.pawl("daemon", "--stop")
        self.pawl("ls")
        self.assertEqual(self.choose(link, 1, code=right).status, 403)  # a restart forgets nothing
        self.assertIn("wrong code for an approval link", self.pawl("audit").stdout)
        self.assertEqual(self.keys(), [])
        self.assertEqual(self.choose(link, 3).status, 200)
        self.assertEqual(self.chosen(), [3])

    def test_another_dialog_is_not_answered(self):
        self.asks(about="make first")
        link = self.link()
        self.show({**claude("bash", "rm -rf everything"), "n": 2})
        until(lambda: self.pawl("show", "asker").stdout, lambda: "rm -rf" in self.pawl("show", "asker").stdout)
        page = self.ask("GET", link)
        self.assertIn("It does not ask this any more", page.body.decode())
        self.assertNotIn("rm -rf", page.body.decode())
        for row in (1, 3):
            self.assertEqual(self.choose(link, row, f"Cookie: {self.login()}").status, 409)
        self.assertEqual(self.keys(), [])

    def test_used_links_stay_used_and_open_ones_open_over_a_restart(self):
        self.asks()
        link = self.link()
        self.pawl("daemon", "--stop")
        self.pawl("ls")
        until("it asks again", lambda: "asks" in self.ask("GET", link).body.decode())
        self.assertEqual(self.choose(link, 3).status, 200)
        self.pawl("daemon", "--stop")
        self.pawl("ls")
        self.assertIn("was used", self.ask("GET", link).body.decode())
        self.assertEqual(self.choose(link, 3).status, 409)
        self.assertEqual(self.chosen(), [3])

    def test_other_tokens_end_every_link(self):
        self.asks()
        link = self.link()
        self.serve("--new-token")
        self.assertEqual(self.ask("GET", link).status, 403)
        self.assertEqual(self.choose(link, 3).status, 403)
        self.assertEqual(self.keys(), [])

    def test_what_is_not_a_link_of_ours(self):
        self.asks()
        good = self.link()
        code = good.rpartition("/")[2]
        signature, until_, place, via, dialog, agent = code.split(".", 5)
        wrong = ["", "x", code[:-1], code + "x", code.replace("asker", "other"), code[::-1], signature,
                 ".".join((signature, str(int(until_) + 9999), place, via, dialog, agent)), ".".join((signature, until_, "7", via, dialog, agent)),
                 ".".join((signature, until_, place, via, "0" * len(dialog), agent)), ".".join(("A" * len(signature), until_, place, via, dialog, agent)),
                 ".".join(("", until_, place, via, dialog, agent)), "." * 5, code + "/refuse/3", code + "/permit", "%00" + code, "A" * 5000]
        for one in wrong[:9]:
            self.assertIn(self.ask("POST", "/approve/" + one, body=b"row=3").status, (400, 403, 404, 405, 413, 429), one)
        self.assertEqual(self.ask("GET", "/approve/" + wrong[9]).status, 403)
        locked = [self.ask("GET", "/approve/" + one).status for one in wrong]
        self.assertIn(429, locked)
        self.assertEqual(self.keys(), [])
        self.assertEqual(self.ask("GET", good).status, 200)  # who has the right one is never locked out
        for method in ("PUT", "DELETE", "PATCH"):
            self.assertEqual(self.ask(method, good).status, 405)
        for body in (b"", b"row=", b"row=0", b"row=4", b"row=-1", b"row=1e0", b"row=3&row=1", b"row=%zz", b"x" * 5000, b"\xff\xfe", b"{\"row\": 3}"):
            self.assertIn(self.ask("POST", good, FORM, f"Origin: {self.origin}", body=body).status, (400, 403, 413), body)
        self.assertEqual(self.keys(), [])

    def test_many_at_once_answer_it_once(self):
        self.asks()
        link = self.link()
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            statuses = list(pool.map(lambda _: self.choose(link, 3).status, range(64)))
        self.assertEqual(statuses.count(200), 1, statuses)
        self.assertEqual(set(statuses), {200, 409})
        self.assertEqual(self.chosen(), [3])

    def test_it_can_be_switched_off_and_narrowed(self):
        self.asks(approvals="refuse")
        link = self.link()
        page = self.ask("GET", link).body.decode()
        self.assertEqual(re.findall(r"name=\"row\" value=\"(\d)\"", page), ["3"])
        self.assertEqual(self.choose(link, 1, f"Cookie: {self.login()}").status, 403)
        self.serve("--approvals", "off")
        self.assertEqual(self.ask("GET", link).status, 404)
        self.assertEqual(self.choose(link, 3).status, 404)
        self.serve("--approvals", "login", "--no-control")
        self.assertEqual(self.choose(link, 3).status, 404)
        self.assertEqual(self.keys(), [])
        bad = self.pawl("serve", "--approvals", "yes", code=2)
        self.assertIn("off, refuse, login", bad.stderr)
        for url in ("pawl.example", "https://", "https://pawl.example/path", "ftp://x", "https://a b"):
            self.assertIn("--public-url", self.pawl("serve", "--public-url", url, code=2).stderr)

    def test_a_proxys_address(self):
        self.serve("--public-url", "https://pawl.example/")
        self.asks()
        self.assertIn("https://pawl.example/approve/", self.inbox.at("/ntfy")[0]["body"])
        self.assertEqual(self.ask("GET", self.link(), host="pawl.example").status, 200)
        body = urllib.parse.urlencode({"row": 3}).encode()
        self.assertEqual(self.ask("POST", self.link(), FORM, "Origin: https://pawl.example", host="pawl.example", body=body).status, 200)
        self.assertEqual(self.chosen(), [3])


if __name__ == "__main__":
    unittest.main()
