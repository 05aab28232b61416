#!/usr/bin/env python3
"""pawl serve as it has to work: links, cookies and roles, every route, verbs and who asked for them, what it says of itself."""
import json
import os
import re
import shutil
import ssl
import subprocess
import unittest

from fleet import until
from web import Events, WebCase, WebSocket, need_curl

COOKIE = r"\A(?P<name>(?:__Host-)?pawl-\d+)=(?P<value>[\w.-]+); Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict(?P<secure>; Secure)?\Z"


class Entering(WebCase):
    def me(self, *headers):
        return self.ask("GET", "/api/v1/me", *headers)

    def test_a_link_sets_the_cookie_and_leads_to_the_page(self):
        for tls in (False, True):
            with self.subTest(tls=tls):
                self.pawl("serve", "--stop")  # --no-tls holds until then
                self.serve(tls=tls)
                reply = self.ask("GET", self.login_path())
                self.assertEqual((reply.status, reply.header("location")), (303, "/"))
                cookie = re.match(COOKIE, reply.header("set-cookie"))
                self.assertTrue(cookie, reply)
                self.assertEqual((bool(cookie["secure"]), cookie["name"].startswith("__Host-")), (tls, tls))
                pair = f"Cookie: {cookie['name']}={cookie['value']}"
                self.assertEqual(self.me(pair).json()["role"], "operator")
                self.assertIn(b"<!doctype html>", self.ask("GET", "/").body.lower())
                self.assertEqual(self.ask("GET", "/login/used-up", pair).status, 303)  # who is in is shown the page

    def test_roles(self):
        self.serve()
        reader = "Cookie: " + self.login("--read-only")
        self.assertEqual(self.me(reader).json()["role"], "reader")
        self.assertEqual((self.me(reader).json()["control"], self.get("/api/v1/me").json()["control"]), (False, True))
        me = self.get("/api/v1/me").json()
        self.assertEqual((me["version"], me["role"], me["healthy"], me["trouble"]), (1, "operator", True, None))

    def test_logging_out(self):
        self.sh("one", "echo welcome; exec cat")
        self.on_screen("one", "welcome")
        for tls in (False, True):
            with self.subTest(tls=tls):
                self.pawl("serve", "--stop")
                self.serve(tls=tls)
                cookie, other = self.login(), "Cookie: " + self.login()
                mine = (f"Cookie: {cookie}", f"Origin: {self.origin}")
                terminal = WebSocket(self, "/api/v1/agents/one/terminal?control=1", *mine)
                terminal.shows(b"welcome")
                stream, theirs = Events(self, "", *mine), Events(self, "", other)
                self.assertEqual([stream.next()["event"], theirs.next()["event"]], ["hello", "hello"])
                reply = self.post("/api/v1/logout", headers=mine)
                self.assertEqual(reply.status, 200)
                self.assertRegex(reply.header("set-cookie"), r"\A(__Host-)?pawl-\d+=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict(; Secure)?\Z")
                # The cookie opens nothing any more, and what was open with it ends.
                terminal.type(b"too late")
                self.assertEqual(terminal.close_code(), 1008)
                self.assertEqual(stream.wire.chunk(), b"")
                self.assertEqual(self.me(mine[0]).status, 401)
                self.assertEqual(WebSocket(self, "/api/v1/agents/one/terminal", *mine).reply.status, 401)
                self.assertNotIn("too late", self.screen("one"))
                # Another browser's is untouched; a restart changes nothing.
                self.pawl("pause" if tls else "resume", "one")
                self.assertEqual(self.me(other).status, 200)
                self.kill_daemon()
                self.pawl("ls")
                until("it listens again", lambda other=other: self.works(other))
                self.assertEqual(self.me(mine[0]).status, 401)

    def test_logging_out_ends_events_over_http2(self):
        self.serve(tls=True)
        cookie = self.login()
        mine = (f"Cookie: {cookie}", f"Origin: {self.origin}")
        words = [need_curl(self), "-skN", "--http2", "--max-time", "30", "-H", mine[0], f"https://{self.host}/api/v1/events"]
        with subprocess.Popen(words, stdout=subprocess.PIPE) as events:
            self.assertIn(b"hello", events.stdout.readline())
            self.post("/api/v1/logout", headers=mine)
            self.assertEqual(events.wait(40), 0, "it ends as a stream should")

    def test_it_comes_back_with_the_daemon(self):
        self.start("one", "cat")
        self.serve()
        cookie = "Cookie: " + self.login()
        self.kill_daemon()
        self.assertEqual(set(self.agents()), {"one"})  # another daemon
        until("it listens again", lambda: self.works(cookie))
        self.assertEqual(self.get("/api/v1/me").status, 200)
        self.pawl("daemon", "--stop")
        self.pawl("ls")
        until("and again", lambda: self.works(cookie))

    def works(self, cookie):
        try:
            return self.me(cookie).status == 200
        except OSError:
            return False

    def test_new_tokens_void_everything(self):
        self.serve()
        link, cookie, old = self.login_path(), "Cookie: " + self.login(), (self.token, self.reader)
        self.pawl("serve", "--new-token")
        self.assertEqual([self.me(*self.bearer(token)).status for token in old], [401, 401])
        self.assertEqual([self.me(cookie).status, self.ask("GET", link).status], [401, 403])
        self.read_tokens()
        self.assertEqual([self.me(*self.bearer(token)).status for token in (self.token, self.reader)], [200, 200])
        self.assertFalse({self.token, self.reader} & set(old))

    def test_stopping(self):
        self.serve()
        self.pawl("serve", "--stop")
        with self.assertRaises(ConnectionRefusedError):
            self.wire()
        self.kill_daemon()
        self.pawl("ls")
        self.assertFalse(os.path.exists(self.home + "/serve.json"))
        with self.assertRaises(ConnectionRefusedError):
            self.wire()

    def test_tls_by_default(self):
        view = json.loads(self.pawl("serve", "--listen", "127.0.0.1:0", "--json").stdout)
        self.assertTrue(view["tls"])
        self.assertTrue(view["url"].startswith("https://localhost:"))
        self.serve(tls=True)
        for offered, agreed in ((("h2", "http/1.1"), "h2"), (("http/1.1",), "http/1.1"), (("h2",), "h2")):
            wire = self.wire(alpn=offered)
            self.assertEqual(wire.socket.selected_alpn_protocol(), agreed)
            self.assertIn(wire.socket.version(), ("TLSv1.2", "TLSv1.3"))
        self.assertEqual(self.get("/api/v1/me").status, 200)
        reply = self.curl("-H", self.bearer()[0], target="/api/v1/me")
        self.assertEqual((reply.status, reply.json()["role"]), (200, "operator"))
        self.assertEqual(self.wire().socket.getpeercert(True), self.wire().socket.getpeercert(True))

    @unittest.skipUnless(shutil.which("openssl"), "there is no openssl")
    def test_a_certificate_of_ones_own(self):
        pem, key = self.folder + "/my.pem", self.folder + "/my.key"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
                        "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", pem], check=True, capture_output=True)
        self.serve("--cert", pem, "--key", key, tls=True)
        context = ssl.create_default_context(cafile=pem)  # this one and no other
        with context.wrap_socket(self.wire(tls=False).socket, server_hostname="localhost") as secured:
            self.assertEqual(secured.getpeercert()["subject"], ((("commonName", "localhost"),),))


class Routes(WebCase):
    def setUp(self):
        super().setUp()
        self.start("one", "cat")
        self.serve()

    def asked(self, agent="one"):
        return [(event["verb"], event["by"]["name"]) for event in self.events()
                if event["type"] == "request" and event["agent"] == agent and event["by"]["kind"] == "web"]

    def test_every_look_answers(self):
        self.pawl("send", "one", "--now", "hello")
        for path in self.looking_routes():
            if path.endswith(("/events", "/terminal")):
                continue
            with self.subTest(path):
                reply = self.get(path.replace("{name}", "one"), self.reader)
                if "/tasks/{name}" in path or path.endswith("/archive"):
                    self.assertIn(reply.status, (200, 404))  # it is no task
                    continue
                self.assertEqual(reply.status, 200, reply)
                if path.endswith("/log"):
                    self.assertEqual(reply.header("content-type"), "text/plain; charset=utf-8")
                    continue
                self.assertEqual(reply.header("content-type"), "application/json")
                self.assertEqual(reply.json()["version"], 1)

    def test_looks_say_what_the_command_line_says(self):
        def same(reply, words):
            ours = json.loads(self.pawl(*words, "--json").stdout)
            theirs = reply.json()
            for value in (ours, theirs):
                for moving in ("last_alive", "now", "at", "tokens"):
                    for item in [value, *value.get("agents", [])]:
                        item.pop(moving, None)
            return [{key: item.get(key) for key in ("name", "state", "pid", "command")} for item in ours.get("agents", [ours])] == \
                   [{key: item.get(key) for key in ("name", "state", "pid", "command")} for item in theirs.get("agents", [theirs])]
        self.assertTrue(same(self.get("/api/v1/agents"), ["ls"]))
        self.pawl("send", "one", "--now", "a word")
        self.on_screen("one", "a word")
        self.assertIn("a word", self.get("/api/v1/agents/one/screen").json()["screen"])
        until("the log has it", lambda: b"a word" in self.get("/api/v1/agents/one/log").body)
        self.assertIn(b"a word", self.get("/api/v1/agents/one/log?lines=2").body)

    def test_acts_do_what_the_verbs_do(self):
        by = "operator (token) from 127.0.0.1"
        run = self.post("/api/v1/agents", {"name": "two", "dir": self.folder, "command": ["sh", "-c", "echo started; exec cat"]})
        self.assertEqual(run.status, 201, run)
        self.on_screen("two", "started")
        at = "/api/v1/agents/two/"
        first = self.agents()["two"]["pid"]
        self.assertEqual(self.post(at + "pause").status, 200)
        self.assertTrue(self.agents()["two"]["paused"])
        self.assertEqual(self.post(at + "resume").status, 200)
        self.assertFalse(self.agents()["two"]["paused"])
        self.assertEqual(self.post(at + "keys", {"keys": ["x", "y", "Enter"]}).status, 200)
        self.on_screen("two", "^xy$")
        self.assertEqual(self.post(at + "send", {"text": "by hand", "now": True}).status, 200)
        self.on_screen("two", "by hand")
        self.assertEqual(self.post(at + "restart").status, 200)
        until("another process", lambda: self.agents()["two"]["pid"] not in (None, first))
        self.assertEqual(self.post(at + "inbox", {"text": "later"}).status, 200)
        self.assertEqual(self.post(at + "mode", {"mode": "active"}).status, 200)
        self.assertEqual(self.agents()["two"]["mode"], "active")
        self.assertEqual(self.post(at + "stop").status, 200)
        self.ended("two")
        self.assertEqual(self.post(at + "start").status, 200)
        until("it runs", lambda: self.agents()["two"]["pid"])
        self.assertEqual(self.post(at + "rm", {"force": True}).status, 200)
        self.assertEqual(set(self.agents()), {"one"})
        asked = self.asked(None) + self.asked("two")  # of one that is not there yet the verb tells the name
        self.assertEqual([verb for verb, _ in asked], ["run two", "pause", "resume", "keys", "send", "restart", "inbox add", "mode", "stop", "start", "rm"])
        self.assertEqual({who for _, who in asked}, {by})
        self.assert_every_decision_has_one_outcome()

    def test_the_journal_names_the_browser(self):
        shown = (f"Cookie: {self.login()}", f"Origin: {self.origin}")
        self.assertEqual(self.post("/api/v1/agents/one/pause", headers=shown).status, 200)
        ((verb, by),) = self.asked()
        self.assertEqual(verb, "pause")
        self.assertRegex(by, r"\Aoperator \(browser [0-9a-f]{6}\) from 127\.0\.0\.1\Z")

    def test_errors_say_what_to_do(self):
        cases = ((404, "GET", "/api/v1/agents/nobody", None), (404, "POST", "/api/v1/agents/nobody/stop", {}), (405, "DELETE", "/api/v1/agents/one", None),
                 (400, "POST", "/api/v1/agents/one/send", {"txet": "x"}), (409, "POST", "/api/v1/agents/one/answer", {"row": "1"}),
                 (409, "POST", "/api/v1/agents", {"name": "one", "command": ["true"]}), (400, "POST", "/api/v1/agents/one/keys", {}))
        for status, method, path, value in cases:
            with self.subTest(f"{method} {path} {value}"):
                body = None if value is None else json.dumps(value).encode()
                reply = self.ask(method, path, "Content-Type: application/json", *self.bearer(), body=body)
                self.assertEqual(reply.status, status, reply)
                error = reply.json()["error"]
                self.assertEqual((reply.json()["version"], set(error)), (1, {"what", "fix", "exit_code"}))
                self.assertTrue(error["what"])
        self.assertIn("did you mean 'text'?", self.post("/api/v1/agents/one/send", {"txet": "x"}).json()["error"]["fix"])
        self.assertNotIn("one", {event["agent"] for event in self.events() if event["type"] == "decision" and event["action"] != "start"})

    def test_openapi_lists_what_is_there(self):
        api = self.get("/openapi.json").json()
        self.assertTrue(api["openapi"].startswith("3.1"))
        for path, item in api["paths"].items():
            at = path.replace("{name}", "one")
            for method in ("get", "post"):
                with self.subTest(f"{method} {path}"):
                    if method in item:
                        self.assertIn("responses", item[method])
                        self.assertEqual(self.ask("DELETE", at, *self.bearer()).status, 405)
                    else:
                        body = b"{}" if method == "post" else None
                        self.assertEqual(self.ask(method.upper(), at, "Content-Type: application/json", *self.bearer(), body=body).status, 405)
                    for key, schema in item.get("post", {}).get("requestBody", {}).get("content", {}).get("application/json", {}).items():
                        self.assertEqual((key, schema["additionalProperties"]), ("schema", False))

    def test_health_tells_nothing(self):
        for _ in range(2):
            reply = self.ask("GET", "/healthz")
            self.assertEqual((reply.status, reply.json()), (200, {"ok": True}))

    def test_metrics_are_prometheus_text(self):
        self.get("/api/v1/agents")
        reply = self.get("/metrics", self.reader)
        self.assertTrue(reply.header("content-type").startswith("text/plain; version=0.0.4"))
        metrics = prometheus(reply.body.decode())
        self.assertIn("pawl_http_connections", metrics)
        self.assertGreater(metrics["process_resident_memory_bytes"][0][1], 1 << 20)
        self.assertEqual(sum(value for _, value in metrics["pawl_agents"]), 1)
        self.assertEqual([labels["agent"] for labels, _ in metrics["pawl_agent_state"]], ["one"])
        self.post("/api/v1/agents/one/pause")
        self.assertIn(({"verb": "pause"}, 1), prometheus(self.get("/metrics").body.decode())["pawl_requests_total"])

    def test_the_page_is_cached_and_checked(self):
        page = self.ask("GET", "/")
        again = self.ask("GET", "/", f"If-None-Match: {page.header('etag')}")
        self.assertEqual((page.status, again.status, again.body), (200, 304, b""))
        zipped = self.ask("GET", "/", "Accept-Encoding: br, gzip")
        self.assertEqual(zipped.header("content-encoding"), "gzip")
        self.assertLess(len(zipped.body), len(page.body))
        head = self.ask("HEAD", "/")
        self.assertEqual(head.header("content-length"), str(len(page.body)))


def prometheus(text):
    """The text format, strictly: HELP, TYPE, then the samples of that name; histograms add up."""
    out, kinds, current = {}, {}, None
    assert text.endswith("\n")
    for line in text.splitlines():
        if line.startswith("#"):
            word, name, rest = re.fullmatch(r"# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.+)", line).groups()
            assert word == "HELP" or rest in ("counter", "gauge", "histogram", "untyped"), line
            assert (name in kinds) == (word == "TYPE") and (word == "HELP" or kinds[name] is None), f"out of order: {line}"
            kinds[name] = rest if word == "TYPE" else None
            current = name
            continue
        name, labels, value = re.fullmatch(r"([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)", line).groups()
        base = re.sub(r"_(bucket|sum|count)$", "", name) if kinds.get(current) == "histogram" else name
        assert base == current and kinds[current], f"not where it belongs: {line}"
        assert kinds[current] != "counter" or name.endswith("_total"), line
        pairs = re.findall(r'([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)', labels or "")
        assert ",".join(f'{key}="{text}"' for key, text in pairs) == (labels or "").rstrip(","), line
        sample = (dict(pairs), float(value))
        assert all(sample[0] != labels for labels, _ in out.get(name, [])), f"twice: {line}"
        out.setdefault(name, []).append(sample)
    for name, kind in kinds.items():
        if kind == "histogram":
            counts = [value for labels, value in out[name + "_bucket"]]
            assert counts == sorted(counts) and out[name + "_bucket"][-1][0]["le"] == "+Inf"
            assert counts[-1] == out[name + "_count"][0][1]
    return out


if __name__ == "__main__":
    unittest.main()
