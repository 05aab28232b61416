#!/usr/bin/env python3
"""The CA of this machine: what it signs is trusted by whoever has it, `pawl serve --ca` gives it away and nothing else does its key,
and what is wrong with its file is said, not mended behind anybody's back."""
import hashlib
import json
import os
import pty
import select
import shutil
import socket
import ssl
import subprocess
import unittest

from fleet import PATIENCE, PAWL, until
from web import Reply, WebCase, Wire, sse_message


class CertificateCase(WebCase):
    def path(self, name):
        return f"{self.home}/tls/{name}"

    def read(self, name):
        with open(self.path(name), encoding="ascii") as file:
            return file.read()

    def write(self, name, text):
        with open(self.path(name), "w", encoding="ascii") as file:
            file.write(text)

    def ca(self):
        return self.pawl("serve", "--ca").stdout

    def shown(self, ca, name="localhost", check=True):
        """The certificate that a client gets who trusts this CA alone; an error when it does not trust it."""
        context = ssl.create_default_context(cadata=ca)
        context.check_hostname = check
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as raw, context.wrap_socket(raw, server_hostname=name) as secured:
            return secured.getpeercert(binary_form=True)

    def stop_daemon(self):
        self.pawl("daemon", "--stop")

    def alerts(self):
        return [alert["text"] for alert in json.loads(self.pawl("alerts", "--json").stdout)["alerts"]]


class Trust(CertificateCase):
    def setUp(self):
        super().setUp()
        self.serve(tls=True)

    def test_a_client_with_the_ca_trusts_the_server(self):
        ca = self.ca()
        for name in ("localhost", "127.0.0.1", "::1", socket.gethostname()):
            with self.subTest(name):
                self.assertTrue(self.shown(ca, name))
        with self.assertRaises(ssl.SSLCertVerificationError):
            self.shown(ca, "example.org")
        other = self.home
        self.use_home(self.folder + "/other")
        self.serve(tls=True)
        with self.assertRaises(ssl.SSLCertVerificationError):
            self.shown(ca)
        self.use_home(other)

    def test_what_it_may_sign(self):
        """Whoever steals its key can pretend to be this machine, and nobody else."""
        if not shutil.which("openssl"):
            self.skipTest("there is no openssl")
        text = subprocess.run(["openssl", "x509", "-noout", "-text"], input=self.ca(), capture_output=True, text=True, check=True).stdout
        for part in ("CA:TRUE, pathlen:0", "Name Constraints: critical", "DNS:localhost", "IP:192.168.0.0/255.255.0.0", "Certificate Sign"):
            self.assertIn(part, text)
        key, out = self.path("ca.key"), self.folder + "/stolen"
        with open(out + ".cnf", "w", encoding="ascii") as file:
            file.write("subjectAltName=DNS:bank.example\n")
        for words in (["req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=x", "-keyout", out + ".key", "-out", out + ".csr"],
                      ["x509", "-req", "-in", out + ".csr", "-CA", self.path("ca.crt"), "-CAkey", key, "-set_serial", "1", "-days", "1", "-extfile", out + ".cnf", "-out", out]):
            subprocess.run(["openssl", *words], capture_output=True, check=True)
        verified = subprocess.run(["openssl", "verify", "-CAfile", self.path("ca.crt"), out], capture_output=True, text=True, check=False)
        self.assertNotEqual(verified.returncode, 0)
        self.assertIn("permitted subtree violation", verified.stdout + verified.stderr)

    def test_it_is_printed(self):
        ca = self.ca()
        self.assertEqual(ca, self.read("ca.crt"))
        self.assertEqual((ca.count("BEGIN"), "PRIVATE" in ca), (1, False))
        told = json.loads(self.pawl("serve", "--ca", "--json").stdout)
        self.assertEqual(told["ca"], ca)
        self.assertEqual(told["fingerprint"], hashlib.sha256(ssl.PEM_cert_to_DER_cert(ca)).hexdigest())
        self.assertEqual((told["url"], told["others"]), (f"http://127.0.0.1:{self.port}/ca.crt", False))
        self.assertIn("pawl serve --ca", self.pawl("serve").stdout)

    def on_a_terminal(self, *words):
        ours, theirs = pty.openpty()
        with subprocess.Popen([PAWL, *words], env={**self.environment, "TERM": "xterm-256color"}, stdin=theirs, stdout=theirs, stderr=theirs) as child:
            os.close(theirs)
            text = b""
            while select.select([ours], [], [], PATIENCE)[0]:
                try:
                    text += os.read(ours, 65536)
                except OSError:
                    break
            self.assertEqual(child.wait(PATIENCE), 0)
        os.close(ours)
        return text.decode()

    def test_a_person_is_told_how_to_install_it(self):
        mark = hashlib.sha256(ssl.PEM_cert_to_DER_cert(self.ca())).hexdigest().upper()
        text = self.on_a_terminal("serve", "--ca")
        self.assertIn(":".join(mark[i:i + 2] for i in range(0, 32, 2)), text)
        self.assertIn("update-ca-certificates", text)
        self.assertIn("Only this machine can reach", text)
        self.assertNotIn("▀", text)
        self.serve("--listen", "*:0", tls=True)
        text = self.on_a_terminal("serve", "--ca")
        self.assertIn("/ca.crt", text)
        self.assertIn("▀", text)

    def test_anybody_gets_it_and_nothing_else(self):
        ca = self.ca().encode()
        for tls in (True, False):
            with self.subTest(tls=tls):
                reply = self.wire(tls=tls).send(self.bytes_of("GET", "/ca.crt")).reply()
                self.assertEqual((reply.status, reply.header("content-type"), reply.body), (200, "application/x-x509-ca-cert", ca))
        with self.subTest("HTTP/2"):
            reply = self.curl(target="/ca.crt")
            self.assertEqual((reply.status, reply.body), (200, ca))
        for method, path in (("POST", "/ca.crt"), ("GET", "/ca.key"), ("GET", "/ca.crt?a=1"), ("GET", "/tls/ca.key")):
            with self.subTest(path):
                self.assertEqual(self.wire(tls=False).send(self.bytes_of(method, path)).reply().status, 308)
                self.assertIn(self.wire(tls=True).send(self.bytes_of(method, path)).reply().status, (404, 405))
        self.assertEqual(self.wire(tls=False).send(self.bytes_of("GET", "/ca.crt", host="evil.example")).reply().status, 400)

    def test_it_stays_over_restarts(self):
        ca, leaf = self.ca(), self.shown(self.ca())
        self.stop_daemon()
        self.pawl("ls")
        self.assertEqual((self.ca(), self.shown(ca)), (ca, leaf))
        self.stop_daemon()
        self.write("key.pem", "torn")
        os.unlink(self.path("ca.crt"))
        self.pawl("ls")
        self.assertEqual(self.ca(), ca)
        self.assertNotEqual(self.shown(ca), leaf)
        self.assertEqual(self.alerts(), [])

    def test_where_there_is_none(self):
        for words, says in ((("--no-tls",), "without TLS"), (("--tls", "--cert", self.path("certificate.pem"), "--key", self.path("key.pem")), "certificate of yours")):
            with self.subTest(says):
                self.pawl("serve", *words)
                self.assertIn(says, self.pawl("serve", "--ca", code=1).stderr)

    def test_a_name_that_it_may_not_sign_for(self):
        ca = self.ca()
        done = self.pawl("serve", "--name", "box.example.org")
        self.assertIn("may not sign for box.example.org", done.stderr)
        self.assertEqual(self.ca(), ca)
        self.assertTrue(self.shown(ca))
        done = self.pawl("serve", "--new-ca")
        self.assertIn("install it again", done.stderr)
        self.assertNotEqual(self.ca(), ca)
        self.assertTrue(self.shown(self.ca(), "box.example.org"))
        self.assertIn(ca, self.read("ca.key.old"))
        with self.assertRaises(ssl.SSLCertVerificationError):
            self.shown(ca)


class Wrong(CertificateCase):
    def setUp(self):
        super().setUp()
        self.serve(tls=True)
        self.trusted, self.good = self.ca(), self.read("ca.key")

    def refused(self, says):
        """What runs goes on; nothing about the file is changed; and so it is at the next start, where an alert says it."""
        path = self.path("ca.key")
        before = (os.lstat(path), self.read("ca.key"))
        done = self.pawl("serve", "--control", code=1)
        self.assertIn(says, done.stderr)
        self.assertIn("pawl serve --new-ca", done.stderr)
        self.assertRegex(done.stderr, r"\Apawl: [^\n]+: [^\n]+\n\Z")
        self.assertTrue(self.shown(self.trusted), "what runs goes on")
        self.stop_daemon()
        self.pawl("ls")
        until("the alert", lambda: any("the dashboard is not there" in text and says in text for text in self.alerts()))
        after = os.lstat(path)
        self.assertEqual((after.st_mode, after.st_uid, after.st_ino, self.read("ca.key")), (before[0].st_mode, before[0].st_uid, before[0].st_ino, before[1]))
        self.assertEqual(self.read("ca.crt"), self.trusted)

    def mended(self):
        self.serve(tls=True)
        self.assertEqual(self.ca(), self.trusted)
        self.assertTrue(self.shown(self.trusted))

    def test_of_another_user(self):
        if os.geteuid() != 0:
            self.skipTest("only root can give a file away")
        os.chown(self.path("ca.key"), 4711, 4711)
        self.refused("belongs to another user (uid 4711)")
        os.chown(self.path("ca.key"), 0, 0)
        self.mended()

    def test_that_others_may_read(self):
        os.chmod(self.path("ca.key"), 0o644)
        self.refused("other users may read")
        os.chmod(self.path("ca.key"), 0o600)
        self.mended()

    def test_torn(self):
        self.write("ca.key", self.good[:400])
        self.refused("holds no certificate")
        self.write("ca.key", self.good)
        self.mended()

    def test_another_key(self):
        self.write("ca.key", self.read("key.pem") + self.trusted)
        self.refused("not that of its certificate")
        done = self.pawl("serve", "--new-ca")
        self.assertIn("install it again", done.stderr)
        self.assertNotEqual(self.ca(), self.trusted)
        self.assertIn(self.trusted, self.read("ca.key.old"))

    def test_a_link(self):
        os.rename(self.path("ca.key"), self.folder + "/elsewhere")
        os.symlink(self.folder + "/elsewhere", self.path("ca.key"))
        self.refused("is a link")

    def test_lost(self):
        os.unlink(self.path("ca.key"))
        done = self.pawl("serve", "--control", code=1)
        self.assertIn("is gone", done.stderr)
        self.assertEqual(self.read("ca.crt"), self.trusted)
        self.assertTrue(self.shown(self.trusted), "what runs goes on")
        self.pawl("serve", "--new-ca")
        self.assertTrue(self.shown(self.ca()))

    def test_a_home_with_a_certificate_that_signed_itself(self):
        if not shutil.which("openssl"):
            self.skipTest("there is no openssl")
        self.stop_daemon()
        for name in ("ca.key", "ca.crt"):
            os.unlink(self.path(name))
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1825", "-subj",
                        "/CN=pawl on this machine", "-keyout", self.path("key.pem"), "-out", self.path("certificate.pem")], check=True, capture_output=True)
        self.pawl("ls")
        until("the alert", lambda: any("signed itself is replaced" in text and "pawl serve --ca" in text for text in self.alerts()))
        self.assertTrue(self.shown(self.ca()))


class Http10(CertificateCase):
    def test_it_is_served(self):
        self.start("one", "cat")
        self.serve()
        wire = self.wire().send(f"GET /api/v1/agents HTTP/1.0\r\nHost: {self.host}\r\n{self.bearer()[0]}\r\n\r\n".encode())
        reply = wire.reply()
        self.assertEqual((reply.status, reply.header("connection"), reply.json()["agents"][0]["name"]), (200, "close", "one"))
        self.assertTrue(wire.ended())
        body = b"{}"
        wire = self.wire().send(f"POST /api/v1/agents/one/pause HTTP/1.0\r\nHost: {self.host}\r\n{self.bearer()[0]}\r\nContent-Type: application/json\r\n"
                                f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
        self.assertEqual(wire.reply().status, 200)

    def test_events_end_with_the_connection(self):
        self.start("one", "cat")
        self.serve()
        wire = Wire(self).send(f"GET /api/v1/events?since=0 HTTP/1.0\r\nHost: {self.host}\r\n{self.bearer()[0]}\r\n\r\n".encode())
        head = wire.head()
        self.assertIsInstance(head, Reply)
        self.assertEqual((head.status, head.header("transfer-encoding"), head.header("content-length")), (200, None, None))
        seen = [sse_message(wire.until(b"\n\n")) for _ in range(2)]
        self.assertEqual([one["event"] for one in seen], ["hello", "message"])
        self.stop_daemon()
        while wire.more():
            pass


if __name__ == "__main__":
    unittest.main()
