#!/usr/bin/env python3
"""Those who have no business at the server: no credential, a wrong one, another site's page, somebody who may only look.

Each is refused with the status that says why; afterwards the server serves, and no agent has noticed anything.
"""
import base64
import glob
import hmac
import json
import time
import unittest

from web import KEY, WebCase, WebSocket

JSON = "Content-Type: application/json"
PAUSE = "/api/v1/agents/one/pause"
SAFE = {"content-security-policy": "default-src 'none'", "x-content-type-options": "nosniff", "x-frame-options": "DENY",
        "referrer-policy": "no-referrer", "cross-origin-resource-policy": "same-origin"}


class Door(WebCase):
    def setUp(self):
        super().setUp()
        self.start("one", "cat")
        self.serve()
        self.before = self.acts()

    def tearDown(self):
        """Whatever was tried: nothing was done, and whoever may is served."""
        self.assertEqual(self.acts(), self.before)
        self.assertEqual(self.get("/api/v1/agents").json()["agents"][0]["name"], "one")

    def check(self, reply):
        """What every answer has, and what none has."""
        for name, begin in SAFE.items():
            self.assertTrue((reply.header(name) or "").startswith(begin), (name, reply))
        self.assertEqual([name for name, _ in reply.headers if name.startswith("access-control-") or name == "server"], [])
        for secret in (self.token, self.reader):
            self.assertNotIn(secret.encode(), reply.body)
            self.assertNotIn(secret, str(reply.headers))

    def refused(self, name, status, method, target, *headers, what="", **more):  # pylint: disable=arguments-differ
        with self.subTest(name):
            reply = self.ask(method, target, *headers, **more)
            self.assertEqual(reply.status, status, reply)
            self.assertIn(what, reply.what() if method != "HEAD" else what)
            self.check(reply)
            return reply
        return None

    def filled(self, path):
        return path.replace("{name}", "one")

    # Nobody

    def test_no_credential_on_any_route(self):
        for path in [*self.looking_routes(), "/metrics", "/openapi.json", "/api/v1/no/such"]:
            path = self.filled(path if path.startswith("/") else "/" + path)
            self.refused("GET " + path, 401, "GET", path, what="a credential is needed")
            self.refused("HEAD " + path, 401, "HEAD", path)
        for method, path in self.acting_routes():
            self.refused(f"{method} {path}", 401, method, self.filled(path), JSON, body=b"{}", what="a credential is needed")
        self.refused("logout", 401, "POST", "/api/v1/logout", JSON, body=b"{}")
        self.refused("terminal", 401, "GET", "/api/v1/agents/one/terminal", "Connection: Upgrade", "Upgrade: websocket",
                     "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: " + KEY)
        for path in ("/", "/healthz"):
            reply = self.ask("GET", path)
            self.check(reply)
            self.assertEqual(reply.status, 200)
            self.assertNotIn(b"one", reply.body if path != "/" else b"")

    def test_wrong_credentials(self):
        ask = ("GET", "/api/v1/agents")
        token = self.token
        # No more than ten of them at a time: see the next test.
        for name, line in {"empty bearer": "Authorization: Bearer ", "truncated token": "Authorization: Bearer " + token[:-1],
                           "token and more": f"Authorization: Bearer {token}x", "two tokens": f"Authorization: Bearer {token} {token}",
                           "oversized token": "Authorization: Bearer " + token * 200, "basic auth": "Authorization: Basic " + token,
                           "no scheme": "Authorization: " + token, "other case": "Authorization: Bearer " + token.swapcase(),
                           "a star": "Authorization: Bearer *"}.items():
            self.refused(name, 401, *ask, line, what="this credential is not valid")
        self.refused("two Authorization headers", 400, *ask, *self.bearer(), *self.bearer(), what="one credential")
        self.refused("right, then wrong", 400, *ask, *self.bearer(), "Authorization: Bearer x")
        self.refused("token in the query", 401, "GET", "/api/v1/agents?token=" + token)
        self.refused("access_token in the query", 401, "GET", "/api/v1/agents?access_token=" + token)
        self.refused("token twice", 400, "GET", "/api/v1/agents?token=" + token, *self.bearer(), what="no place in a URL")
        self.refused("token in a cookie", 401, *ask, f"Cookie: pawl-{self.port}={token}")
        self.refused("proxy credential", 401, *ask, "Proxy-" + self.bearer()[0])
        self.refused("token as a password", 400, "GET", f"http://x:{token}@{self.host}/api/v1/agents")

    def test_guessing_is_slowed_and_locks_nobody_out(self):
        replies = [self.ask("GET", "/api/v1/me", f"Authorization: Bearer guess{n}") for n in range(14)]
        self.assertEqual([reply.status for reply in replies], [401] * 10 + [429] * 4)
        self.assertTrue(0 < int(replies[-1].header("retry-after")) <= 60)
        self.check(replies[-1])
        self.assertEqual(self.get("/api/v1/me").json()["role"], "operator")
        self.assertEqual(self.get("/api/v1/me", self.reader).json()["role"], "reader")
        self.assertEqual(self.ask("GET", "/api/v1/me").status, 401)  # nothing shown is no guess
        # Any page could have made those guesses in the operator's browser.
        self.assertEqual(self.ask("GET", "/api/v1/me", "Cookie: " + self.login()).status, 200)

    def signed(self, text, key=None):
        """As the server does it, so that only the reason we mean is left for a refusal."""
        mac = hmac.digest((key or self.token + self.reader).encode(), f"cookie {text}".encode(), "sha256")
        return f"{text}.{base64.urlsafe_b64encode(mac).decode().rstrip('=')}"

    def test_forged_cookies(self):
        name, _, value = self.login("--read-only").partition("=")
        role, end, who, signature = value.split(".")
        self.assertEqual(role, "reader")
        now = int(time.time())
        forged = {"other role": f"operator.{end}.{who}.{signature}", "longer life": f"{role}.{int(end) + 9}.{who}.{signature}",
                  "other name": f"{role}.{end}.root.{signature}", "no signature": f"{role}.{end}.{who}.",
                  "expired": self.signed(f"operator.{now - 1}.{who}"), "other key": self.signed(f"operator.{now + 9}.{who}", "x"),
                  "cut signature": value[:-1], "empty": "",
                  "five parts": value + ".x"}
        for case, text in forged.items():
            self.refused(case, 401, "GET", "/api/v1/me", f"Cookie: {name}={text}", what="not valid")
        self.refused("huge", 401, "GET", "/api/v1/me", f"Cookie: {name}={value}{'x' * 9000}")
        self.refused("the cookie of another port", 401, "GET", "/api/v1/me", f"Cookie: pawl-1={value}", what="is needed")
        self.refused("the name for TLS", 401, "GET", "/api/v1/me", f"Cookie: __Host-{name}={value}", what="is needed")
        self.refused("twice in one header", 401, "GET", "/api/v1/me", f"Cookie: {name}={value}; {name}={value}")
        self.refused("twenty headers", 400, "GET", "/api/v1/me", *[f"Cookie: a{n}=b" for n in range(20)])
        # Ten wrong ones so far: this one is slowed.
        self.refused("wrong bearer beside it", 429, "GET", "/api/v1/me", f"Cookie: {name}={value}", "Authorization: Bearer x")
        self.assertEqual(self.ask("GET", "/api/v1/me", f"Cookie: a=1; {name}={value}; b=2").json()["role"], "reader")
        fresh = self.signed(f"operator.{now + 99}.{who}")
        self.assertEqual(self.ask("GET", "/api/v1/me", f"Cookie: {name}={fresh}").json()["role"], "operator", "our signature is right")

    # Readers, and servers that only show

    def test_a_reader_acts_nowhere(self):
        routes = self.acting_routes()
        self.assertGreater(len(routes), 15)
        cookie = ("Cookie: " + self.login("--read-only"), "Origin: " + self.origin)
        for method, path in routes:
            for kind, shown in {"token": self.bearer(self.reader), "cookie": cookie}.items():
                self.refused(f"{method} {path} by {kind}", 403, method, self.filled(path), JSON, *shown, body=b"{}",
                             what="may only look")
        self.refused("method override", 405, "GET", PAUSE, "X-HTTP-Method-Override: POST", *self.bearer(self.reader))
        self.refused("new agent", 403, "POST", "/api/v1/agents", JSON, *self.bearer(self.reader), body=b'{"command":["id"]}')

    def test_a_server_without_control(self):
        routes = self.acting_routes()
        self.serve("--no-control", "--listen", f"127.0.0.1:{self.port}")
        self.assertEqual(self.acting_routes(), [])
        self.assertFalse(self.get("/api/v1/me").json()["control"])
        for method, path in routes:
            self.refused(f"{method} {path}", 403, method, self.filled(path), JSON, *self.bearer(), body=b"{}", what="only shows")
        terminal = WebSocket(self, "/api/v1/agents/one/terminal?control=1", *self.bearer())
        terminal.type(b"typed\r")
        self.assertEqual(terminal.hears(lambda it: "control" in it), {"control": False})
        terminal.say({"control": True})
        terminal.hears(lambda it: "error" in it)
        terminal.type(b"typed\r")
        self.assertNotIn("typed", self.screen("one"))

    def test_internal_verbs_are_nowhere(self):
        for verb in ("hook", "shutdown", "abandon", "attach", "serve", "adopt", "up", "down", "daemon", "reload", "no-such", "%70ause%00"):
            for path in (f"/api/v1/{verb}", f"/api/v1/agents/one/{verb}", f"/api/v1/tasks/one/{verb}"):
                status = 400 if "%00" in verb else 404
                self.refused(f"POST {path}", status, "POST", path, JSON, *self.bearer(), body=b"{}")

    # Other names, other sites

    def test_names_that_are_not_ours(self):
        port, bearer = self.port, self.bearer()
        for host in ("evil.example", f"evil.example:{port}", f"localhost.evil.example:{port}", f"192.0.2.7:{port}", f"127.0.0.2:{port}",
                     f"x@localhost:{port}", f"localhost:{port}@evil.example", "localhost:", f"localhost:{port}0000", f"[::ffff:7f00:1]:{port}",
                     f"2130706433:{port}", f"0x7f.1:{port}", f"localhost.:{port}", "127.0.0.1:1", f"localhost,evil:{port}"):
            self.refused(f"Host {host}", 403, "GET", "/api/v1/me", *bearer, host=host, what="not the name of this server")
            self.refused(f"Host {host}, page", 403, "GET", "/", host=host)
        self.refused("no Host", 400, "GET", "/api/v1/me", *bearer, host="", what="one Host")
        self.refused("empty Host", 403, "GET", "/api/v1/me", "Host: ", *bearer, host="")
        self.refused("two Hosts", 400, "GET", "/api/v1/me", f"Host: {self.host}", *bearer, what="one Host")
        self.refused("absolute target of another", 400, "GET", "http://evil.example/api/v1/me", *bearer, what="no path")
        self.refused("absolute target of ours", 400, "GET", f"http://{self.host}/api/v1/me", *bearer, what="no path")
        self.refused("X-Forwarded-Host does not help", 403, "GET", "/api/v1/me", f"X-Forwarded-Host: {self.host}", *bearer, host="evil.example")
        for host in (self.host, f"LocalHost:{port}", f"127.0.0.1:{port}"):
            self.assertEqual(self.ask("GET", "/api/v1/me", *bearer, host=host).status, 200)

    def test_pages_of_other_sites(self):
        cookie, port = "Cookie: " + self.login(), self.port
        origins = {"foreign": "http://evil.example", "null": "null", "empty": "", "another port": "http://localhost:1",
                   "no port": "http://localhost", "https for http": f"https://localhost:{port}", "subdomain": f"http://x.localhost:{port}",
                   "our other name": f"http://127.0.0.1:{port}", "with a path": f"{self.origin}/x", "userinfo": f"http://localhost:{port}@evil.example",
                   "suffix": f"http://localhost:{port}.evil.example", "two in one": f"{self.origin} http://evil.example", "file": "file://"}
        for name, origin in origins.items():
            for kind, shown in {"cookie": cookie, "token": self.bearer()[0]}.items():
                self.refused(f"{name} origin by {kind}", 403, "POST", PAUSE, JSON, shown, "Origin: " + origin, body=b"{}", what="another site")
            self.refused(f"{name} origin, look", 403, "GET", "/api/v1/agents", cookie, "Origin: " + origin)
        self.refused("two Origins", 403, "POST", PAUSE, JSON, cookie, f"Origin: {self.origin}", f"Origin: {self.origin}", body=b"{}")
        for site in ("cross-site", "same-site", "Cross-Site", ""):
            self.refused(f"Sec-Fetch-Site {site}", 403, "GET", "/api/v1/agents", cookie, f"Sec-Fetch-Site: {site}")
            self.refused(f"Sec-Fetch-Site {site}, act", 403, "POST", PAUSE, JSON, cookie, f"Sec-Fetch-Site: {site}",
                         "Origin: " + self.origin, body=b"{}")
        self.refused("metrics of another site", 403, "GET", "/metrics", cookie, "Origin: http://evil.example")
        self.refused("no Origin", 403, "POST", PAUSE, JSON, cookie, body=b"{}", what="needs its Origin")
        self.refused("Referer is no Origin", 403, "POST", PAUSE, JSON, cookie, f"Referer: {self.origin}/", body=b"{}")

    def test_the_name_of_a_proxy_lets_nobody_else_in(self):
        self.serve("--listen", f"127.0.0.1:{self.port}", "--name", "proxy.example")
        cookie = "Cookie: " + self.login()
        act = ("POST", "/api/v1/me", JSON, cookie)  # 405: it came that far
        for host, origin, status in (("proxy.example", "https://proxy.example", 405), ("proxy.example", "http://proxy.example", 405),
                                     (self.host, self.origin, 405), (self.host, "https://proxy.example", 403),
                                     ("proxy.example", self.origin, 403), ("proxy.example", "https://x.proxy.example", 403),
                                     (self.host, f"https://{self.host}", 403), ("proxy.example", "https://proxy.example:444", 403),
                                     ("proxy.example.evil.example", "https://proxy.example", 403)):
            self.refused(f"{origin} at {host}", status, *act, "Origin: " + origin, body=b"{}", host=host)

    def test_forms_and_preflights(self):
        ours = ("Cookie: " + self.login(), "Origin: " + self.origin)
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonx",
                     "text/plain; application/json", "application/json-patch+json", ""):
            self.refused(f"POST of {kind!r}", 415, "POST", PAUSE, f"Content-Type: {kind}", *ours, body=b"{}", what="only JSON")
        self.refused("no type", 415, "POST", PAUSE, *ours, body=b"{}")
        self.refused("no type, no body", 415, "POST", PAUSE, *ours)
        self.refused("a form with the token", 415, "POST", PAUSE, "Content-Type: text/plain", *self.bearer(), body=b"{}")
        for target in ("/", PAUSE, "/api/v1/agents", "/metrics", "/healthz", "/login/x"):
            for origin in ("http://evil.example", self.origin):
                with self.subTest(f"preflight {target} from {origin}"):
                    reply = self.ask("OPTIONS", target, "Origin: " + origin, "Access-Control-Request-Method: POST",
                                     "Access-Control-Request-Headers: authorization, content-type", "Access-Control-Request-Private-Network: true")
                    self.assertIn(reply.status, (401, 403, 405))
                    self.check(reply)

    # The link

    def test_a_link_works_once(self):
        path = self.login_path()
        self.assertEqual(self.ask("HEAD", path).status, 200)  # whoever only looks at it does not use it up
        self.refused("POST", 405, "POST", path, JSON, body=b"{}")
        self.refused("by another name", 403, "GET", path, host="evil.example")
        self.refused("another case", 403, "GET", path.swapcase().replace("/LOGIN", "/login"))
        self.refused("cut", 403, "GET", path[:-1])
        self.refused("longer", 404, "GET", path + "/x")
        reply = self.ask("GET", path)
        self.assertEqual(reply.status, 303)
        self.check(reply)
        self.assertEqual(self.refused("again", 403, "GET", path).values("set-cookie"), [])

    def test_guessed_links(self):
        path = self.login_path()
        replies = [self.ask("GET", f"/login/guess{n}") for n in range(14)]
        self.assertEqual([reply.status for reply in replies], [403] * 10 + [429] * 4)
        self.assertEqual(replies[-1].header("retry-after"), "60")
        # A page that asks for such addresses ten times must not keep the operator out.
        self.assertEqual(self.ask("GET", path).status, 303)

    def test_secrets_are_written_nowhere(self):
        path, cookie = self.login_path(), self.login()
        self.ask("GET", path)
        self.ask("GET", path)
        self.ask("GET", "/api/v1/agents?token=" + self.token, *self.bearer())
        self.assertEqual(self.post("/api/v1/agents/one/no-such", {}, headers=(f"Cookie: {cookie}", f"Origin: {self.origin}")).status, 404)
        self.get("/api/v1/agents/" + self.token)
        told = json.dumps(self.events()) + self.get("/metrics").body.decode() + self.get("/openapi.json").body.decode()
        for name in glob.glob(self.home + "/**", recursive=True):
            if name.endswith((".log", ".db", ".db-wal", ".json", ".cast")):
                with open(name, "rb") as file:
                    told += file.read().decode("latin-1")
        for kind, secret in {"token": self.token, "reader's": self.reader, "link": path.rpartition("/")[2], "cookie": cookie.partition("=")[2],
                             "signature": cookie.rpartition(".")[2]}.items():
            with self.subTest(kind):
                self.assertNotIn(secret, told)


if __name__ == "__main__":
    unittest.main()
