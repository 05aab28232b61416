#!/usr/bin/env python3
"""The server with TLS: the same refusals over HTTP/2, plain requests to a port that speaks TLS, and wishes of `pawl serve` that
would open the door."""
import json
import os
import shutil
import ssl
import stat
import subprocess
import unittest
import warnings

from web import Reply, WebCase

JSON = ("-H", "content-type: application/json")
PAUSE = "/api/v1/agents/one/pause"


class TlsCase(WebCase):
    def setUp(self):
        super().setUp()
        self.start("one", "cat")
        self.serve(tls=True)
        self.before = self.acts()

    def tearDown(self):
        self.assertEqual(self.acts(), self.before)
        self.assertEqual(self.get("/api/v1/agents").json()["agents"][0]["name"], "one")


class Http2(TlsCase):
    def refused(self, name, status, target, *words, what="", bearer=True, **more):  # pylint: disable=arguments-differ
        with self.subTest(name):
            shown = ("-H", self.bearer()[0]) if bearer else ()
            reply = self.curl(*shown, *words, target=target, **more)
            self.assertIsInstance(reply, Reply, reply)
            self.assertEqual(reply.status, status, reply)
            self.assertIn(what, reply.what())
            self.assertEqual(reply.header("x-content-type-options"), "nosniff")
            self.assertEqual([key for key, _ in reply.headers if key.startswith("access-control-") or key == "server"], [])

    def test_the_door(self):
        port = self.port
        self.refused("no credential", 401, "/api/v1/agents", bearer=False, what="is needed")
        self.refused("no credential, act", 401, PAUSE, *JSON, "-d", "{}", bearer=False)
        self.refused("wrong token", 401, "/api/v1/agents", "-H", "authorization: Bearer x", bearer=False)
        for host in ("evil.example", f"evil.example:{port}", f"192.0.2.7:{port}", f"localhost.evil.example:{port}"):
            self.refused(f"authority {host}", 403, "/api/v1/me", "-H", f"host: {host}", what="not the name")
        reader = ("-H", self.bearer(self.reader)[0])
        for method, path in self.acting_routes():
            self.refused(f"a reader: {path}", 403, path.replace("{name}", "one"), "-X", method, *JSON, *reader, "-d", "{}", bearer=False)
        self.refused("foreign Origin", 403, PAUSE, *JSON, "-H", "origin: https://evil.example", "-d", "{}")
        self.refused("http for https", 403, PAUSE, *JSON, "-H", f"origin: http://localhost:{port}", "-d", "{}")
        self.refused("cross-site", 403, "/api/v1/me", "-H", "sec-fetch-site: cross-site")
        self.refused("a form", 415, PAUSE, "-d", "{}")
        cookie = self.login()
        self.assertTrue(cookie.startswith("__Host-"))
        self.refused("a cookie without Origin", 403, PAUSE, *JSON, "-H", f"cookie: {cookie}", "-d", "{}", bearer=False)
        self.refused("the cookie under its plain name", 401, "/api/v1/me", "-H", f"cookie: {cookie[len('__Host-'):]}", bearer=False)
        self.refused("two credentials", 400, "/api/v1/me", "-H", self.bearer()[0], what="one credential")
        self.refused("a preflight", 405, PAUSE, "-X", "OPTIONS", "-H", f"origin: {self.origin}", "-H", "access-control-request-method: POST")

    def test_its_form(self):
        for path in ("/../token", "/%2e%2e/token", "/..%2ftoken", "/api/v1/agents/%2e%2e/log", "/api/v1/agents/one%00", "//x", "/a\\b"):
            self.refused(f"path {path}", 400, path, what="no path")
        for verb in ("hook", "shutdown", "attach", "serve"):
            self.refused(f"the verb {verb}", 404, f"/api/v1/agents/one/{verb}", *JSON, "-d", "{}")
        self.refused("a big header", 431, "/api/v1/me", "-H", "x-big: " + "a" * 20000)
        self.refused("many headers", 431, "/api/v1/me", *(word for n in range(80) for word in ("-H", f"x{n}: a")))
        self.refused("a big body", 413, PAUSE, *JSON, "--data-binary", "@-", input=b" " * (3 << 20))
        self.refused("a body that is no JSON", 400, PAUSE, *JSON, "-d", "{")
        self.refused("PUT", 405, "/api/v1/agents/one", "-X", "PUT")
        self.refused("TRACE", 405, "/", "-X", "TRACE")
        self.refused("an unknown method", 405, "/api/v1/agents/one", "-X", "HACK")
        self.refused("no WebSocket here", 426, "/api/v1/agents/one/terminal")
        with self.subTest("HEAD"):
            reply = self.curl("-I", "-H", self.bearer()[0], target="/api/v1/me")
            self.assertEqual((reply.status, reply.body), (200, b""))
        with self.subTest("HEAD does not use a link up"):
            path = self.login_path()
            self.assertEqual([self.curl("-I", target=path).status, self.curl(target=path).status, self.curl(target=path).status], [200, 303, 403])


class PlainAtATlsPort(TlsCase):
    def test_it_is_only_told_where_to_go(self):
        def plain(data):
            wire = self.wire(tls=False).send(data)
            reply = wire.reply()
            self.assertTrue(wire.ended(), wire.buffer)
            return reply

        bearer = self.bearer()
        for name, data in {"page": self.bytes_of("GET", "/"), "API": self.bytes_of("GET", "/api/v1/agents?x=1", *bearer),
                           "act": self.bytes_of("POST", PAUSE, "Content-Type: application/json", *bearer, body=b"{}"),
                           "link": self.bytes_of("GET", self.login_path())}.items():
            with self.subTest(name):
                reply = plain(data)
                self.assertEqual(reply.status, 308)
                self.assertEqual(reply.header("location"), f"https://{self.host}{data.split()[1].decode()}")
                self.assertEqual(reply.values("set-cookie"), [])
                self.assertNotIn(b"one", reply.body)
        for name, data in {"another name": self.bytes_of("GET", "/", host="evil.example"), "no name": self.bytes_of("GET", "/", host=""),
                           "no path": self.bytes_of("GET", "//evil.example/"), "absolute": self.bytes_of("GET", "http://evil.example/")}.items():
            with self.subTest(name):
                reply = plain(data)
                self.assertEqual((reply.status, reply.values("location")), (400, []))

    def test_old_versions_of_tls(self):
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # we know
            context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
        context.set_ciphers("ALL:@SECLEVEL=0")
        raw = self.wire(tls=False)
        with self.assertRaises((ssl.SSLError, ConnectionError)):
            context.wrap_socket(raw.socket)

    def test_suites_of_tls_1_2(self):
        """A fresh key for each connection, and encryption that notices every change; nothing else."""
        def agreed(suites):
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            context.maximum_version = ssl.TLSVersion.TLSv1_2
            context.set_ciphers(suites + ":@SECLEVEL=0")
            with self.wire(tls=False).socket as raw, context.wrap_socket(raw) as secured:
                return secured.cipher()[0]

        for suite in ("ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305"):
            self.assertEqual(agreed(suite), suite)
        for suite in ("ECDHE-ECDSA-AES128-SHA", "ECDHE-ECDSA-AES256-SHA", "ECDHE-ECDSA-AES128-SHA256", "ECDHE-ECDSA-AES256-SHA384",
                      "ECDHE-ECDSA-AES128-CCM", "DHE-RSA-AES128-GCM-SHA256", "AES128-GCM-SHA256", "AES128-SHA", "PSK", "aNULL"):
            with self.subTest(suite), self.assertRaises((ssl.SSLError, ConnectionError)):
                agreed(suite)


class Wishes(TlsCase):
    def test_what_is_refused(self):
        """… with a word about what to do; the server that runs goes on."""
        pems = self.certificates()
        old = (self.token, self.reader)
        for name, words, says in (
                ("everywhere without TLS", ["--listen", "0.0.0.0:0", "--no-tls"], "everybody on the network"),
                ("everywhere by a star", ["--listen", "*:0", "--no-tls"], "everybody on the network"),
                ("every IPv6 address", ["--listen", "[::]:0", "--no-tls"], "everybody on the network"),
                ("another address without TLS", ["--listen", "192.0.2.7:0", "--no-tls"], "everybody on the network"),
                ("no port", ["--listen", "127.0.0.1:"], "no address to listen at"),
                ("a port beyond", ["--listen", "127.0.0.1:65536"], "no address to listen at"),
                ("a name", ["--listen", "evil.example:1"], "no address to listen at"),
                ("a negative port", ["--listen", "127.0.0.1:-1"], "no address to listen at"),
                ("half an IPv6 address", ["--listen", "::1:80"], "no address to listen at"),
                ("an address of others", ["--listen", "192.0.2.7:0"], "192.0.2.7"),
                ("a certificate without key", ["--cert", self.folder + "/no.pem"], "belong together"),
                ("a key without certificate", ["--key", self.folder + "/no.pem"], "belong together"),
                ("a certificate that is not there", ["--cert", self.folder + "/no.pem", "--key", self.folder + "/no.pem"], "no.pem"),
                ("a certificate for nothing", ["--no-tls", "--cert", "a", "--key", "b"], "no use for a certificate"),
                ("other tokens, and nowhere to listen", ["--new-token", "--listen", "192.0.2.7:0"], "192.0.2.7"),
                ("other tokens, and no certificate", ["--new-token", "--cert", "a", "--key", "b"], "certificate"),
                ("a name with a space", ["--name", "a b"], "no host name"),
                *pems):
            with self.subTest(name):
                done = self.pawl("serve", *words, code=None)
                self.assertNotEqual(done.returncode, 0)
                self.assertEqual(done.stdout, "")
                self.assertRegex(done.stderr, r"\Apawl: [^\n]+: [^\n]+\n\Z")
                self.assertIn(says, done.stderr)
                self.assertEqual(self.get("/api/v1/me").status, 200)
        self.read_tokens()
        self.assertEqual((self.token, self.reader), old)
        with open(self.home + "/serve.json", encoding="utf-8") as file:
            self.assertEqual(json.load(file)["listen"], f"127.0.0.1:{self.port}")

    def certificates(self):
        """Wishes with pairs that are none."""
        if not shutil.which("openssl"):
            return []
        for name in ("one", "other"):
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1", "-subj",
                            "/CN=localhost", "-keyout", f"{self.folder}/{name}.key", "-out", f"{self.folder}/{name}.pem"], check=True, capture_output=True)
        with open(self.folder + "/nonsense.pem", "w", encoding="ascii") as file:
            file.write("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
        at = self.folder
        return [("a key of another certificate", ["--cert", at + "/one.pem", "--key", at + "/other.key"], "other.key"),
                ("a certificate that is none", ["--cert", at + "/nonsense.pem", "--key", at + "/one.key"], "nonsense.pem"),
                ("a key that is a certificate", ["--cert", at + "/one.pem", "--key", at + "/one.pem"], "one.pem")]

    def test_files_that_only_we_may_read(self):
        for name in ("token", "token.read", "serve.json", "tls/ca.key", "tls/ca.crt", "tls/key.pem", "tls/certificate.pem"):
            with self.subTest(name):
                self.assertEqual(stat.S_IMODE(os.stat(f"{self.home}/{name}").st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(os.stat(self.home + "/tls").st_mode), 0o700)
        self.assertGreaterEqual(len(self.token), 43)  # 32 bytes
        self.assertNotEqual(self.token, self.reader)


if __name__ == "__main__":
    unittest.main()
