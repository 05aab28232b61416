#!/usr/bin/env python3
"""The operator's token, read by an agent: over HTTP, too, a process inside an agent is that agent, however it connects. A person's own
programs on the same machine use it as before."""
import json
import os
import subprocess
import sys
import unittest

from fleet import until
from web import WebCase, WebSocket

# What runs inside the agent: rows of (name, how it is sent, method, path, body); writes what came back, by name.
PROGRAM = r'''
import array, json, os, socket, ssl, sys, threading, time
port, token, rows, out = int(sys.argv[1]), sys.argv[2], json.load(open(sys.argv[3])), sys.argv[4]
def connect(host="127.0.0.1"):
    return socket.create_connection((host, port), timeout=20)
def read(end):
    text = b""
    while b"\r\n\r\n" not in text:
        got = end.recv(65536)
        if not got: return "closed: " + text.decode("latin-1")
        text += got
    head, _, body = text.partition(b"\r\n\r\n")
    size = next((int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0)
    while len(body) < size:
        body += end.recv(65536)
    return head.split(b" ")[1].decode() + " " + body.decode("latin-1")
def request(method, path, body, more=()):
    lines = [f"{method} {path} HTTP/1.1", f"Host: localhost:{port}", f"Authorization: Bearer {token}", *more]
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return ("\r\n".join(lines) + "\r\n\r\n" + (body or "")).encode()
def plainly(end, data):
    end.sendall(data)
    return read(end)
def from_another_address(end, data):
    other = socket.socket(); other.bind(("127.0.0.9", 0)); other.settimeout(20); other.connect(("127.0.0.1", port))
    return plainly(other, data)
def send_and_close(end, data):
    end.sendall(data); end.close()
    return "sent"
def half_closed(end, data):
    end.sendall(data); end.shutdown(socket.SHUT_WR)
    return read(end)
def in_flight(end, data):
    a, b = socket.socketpair()
    a.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [end.fileno()]))])
    end.sendall(data); end.close(); time.sleep(0.5)
    _, found, *_ = b.recvmsg(1, socket.CMSG_LEN(4))
    return read(socket.socket(fileno=array.array("i", found[0][2])[0]))
def by_a_child(end, data):
    if os.fork() == 0:
        open(out + ".child", "w").write(plainly(end, data)); os._exit(0)
    end.close(); os.wait()
    return open(out + ".child").read()
def by_an_orphan(end, data):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.environ.clear()
            said = plainly(end, data)
            open(out + ".new", "w").write(said); os.rename(out + ".new", out + ".orphan")
        os._exit(0)
    end.close(); os.wait()
    while not os.path.exists(out + ".orphan"): time.sleep(0.02)
    return open(out + ".orphan").read()
def by_a_thread(end, data):
    said = []
    one = threading.Thread(target=lambda: said.append(plainly(end, data))); one.start(); one.join()
    return said[0]
def hidden_from_sight(end, data):
    import ctypes
    ctypes.CDLL(None).prctl(4, 0)  # PR_SET_DUMPABLE
    try: return plainly(end, data)
    finally: ctypes.CDLL(None).prctl(4, 1)
def a_byte_at_a_time(end, data):
    for at in range(0, len(data), 40): end.sendall(data[at:at + 40]); time.sleep(0.01)
    return read(end)
def after_a_look(end, data):
    plainly(end, request("GET", "/api/v1/me", None))
    return plainly(end, data)
ways = {name.replace("_", " "): way for name, way in list(globals().items()) if callable(way) and getattr(way, "__code__", None) and way.__code__.co_varnames[:2] == ("end", "data")}
said = {}
for name, way, method, path, body, more in rows:
    try:
        said[name] = ways[way](connect(), request(method, path, body, more))
    except Exception as error:
        said[name] = f"{type(error).__name__}: {error}"
    try: os.remove(out + ".orphan")
    except OSError: pass
open(out + ".new", "w").write(json.dumps(said)); os.rename(out + ".new", out)
'''
WAYS = ("plainly", "from another address", "half closed", "in flight", "by a child", "by an orphan", "by a thread", "hidden from sight",
        "a byte at a time", "after a look")
ACTS = {"answer": ("agents/other/answer", {"row": "1", "dialog": "x"}), "keys": ("agents/other/keys", {"keys": ["x", "Enter"]}),
        "stop": ("agents/other/stop", {}), "restart": ("agents/other/restart", {}), "permission": ("agents/other/permission", {"mode": "bypassPermissions"}),
        "pause": ("agents/other/pause", {}), "remove": ("agents/other/rm", {}), "discard": ("agents/other/send", {"drop": True}),
        "own keys": ("agents/worker/keys", {"keys": ["Enter"]}), "cancel": ("tasks/ours/cancel", {}),
        "new agent": ("agents", {"name": "fresh", "command": ["sleep", "9"]}), "sign out": ("sessions/all/revoke", {})}


class StolenToken(WebCase):
    def rows(self):
        rows = [[f"{act}, {way}", way, "POST", "/api/v1/" + path, json.dumps(body), []] for act, (path, body) in ACTS.items()
                for way in (WAYS if act == "keys" else ("plainly", "by an orphan"))]
        socket = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: c2l4dGVlbiBieXRlcyBvaw=="]
        rows += [[f"terminal{query}", "plainly", "GET", "/api/v1/agents/other/terminal" + query, None, socket] for query in ("", "?control=1")]
        return rows + [["browsers", "plainly", "GET", "/api/v1/sessions", None, []]]

    def inside(self, rows):
        """What the agent hears."""
        for name, text in (("program.py", PROGRAM), ("rows.json", json.dumps(rows))):
            with open(f"{self.folder}/{name}", "w", encoding="utf-8") as file:
                file.write(text)
        out = self.folder + "/said.json"
        self.pawl("send", "worker", f"{sys.executable} {self.folder}/program.py {self.port} $(cat $PAWL_HOME/token) {self.folder}/rows.json {out} >{out}.log 2>&1")
        until(lambda: self.screen("worker"), lambda: os.path.exists(out), 120)
        with open(out, encoding="utf-8") as file:
            return json.load(file)

    def setUp(self):
        super().setUp()
        self.start("worker", "sh")
        self.sh("other", "while read x; do echo got $x; done")
        self.serve()

    def test_an_agent_is_that_agent_over_http_too(self):
        before = self.agents()["other"]
        cookie = "Cookie: " + self.login()
        self.assertEqual(self.ask("GET", "/api/v1/me", cookie).status, 200)
        rows = self.rows()
        said = self.inside([*rows, ["sent and gone", "send and close", "POST", "/api/v1/agents/other/keys", '{"keys": ["x", "Enter"]}', []]])
        for name, *_ in rows:
            with self.subTest(name):
                self.assertRegex(said[name], r'^(403|404|closed:) ', name)
                if said[name].startswith("403"):
                    self.assertIn('"exit_code":6', said[name])
                else:
                    self.assertRegex(name, "cancel|half closed")  # there is no such task; who closes its end is not answered
        self.assertGreaterEqual(len(rows), 30)
        self.assertIn("inside agent worker", said["keys, plainly"])
        agents = self.agents()
        self.assertEqual(sorted(agents), ["other", "worker"])
        self.assertEqual(agents["other"]["pid"], before["pid"])
        self.assertNotIn("got", self.screen("other"))
        self.assertEqual(self.ask("GET", "/api/v1/me", cookie).status, 200)  # nobody was signed out
        refused = [event for event in self.events() if event["type"] == "request" and event.get("refused")]
        self.assertIn(("agent", "worker"), {(event["by"]["kind"], event["by"]["name"]) for event in refused})
        self.assertFalse([event for event in self.events() if event["type"] == "decision" and event["agent"] == "other" and event["action"] != "start"])
        self.assertRegex(self.pawl("audit").stdout, "keys")

    def test_it_may_look_and_talk(self):
        said = self.inside([["me", "plainly", "GET", "/api/v1/me", None, []], ["list", "by an orphan", "GET", "/api/v1/agents", None, []],
                            ["send", "plainly", "POST", "/api/v1/agents/other/send", '{"text": "hello"}', []]])
        for name, text in said.items():
            self.assertRegex(text, "^20[0-9] ", name)
        self.on_screen("other", "got hello")
        sent, = [event for event in self.events() if event["type"] == "decision" and event["action"] == "send" and event["agent"] == "other"]
        self.assertEqual((sent["by"]["kind"], sent["by"]["name"]), ("agent", "worker"))

    def test_a_persons_programs_beside_them_are_the_persons(self):
        self.assertEqual(self.post("/api/v1/agents/other/keys", {"keys": ["y", "Enter"]}).status, 200)
        self.on_screen("other", "got y")
        script = f"import os, sys, urllib.request as u\nif os.fork(): sys.exit()\nos.setsid()\nr = u.Request('http://localhost:{self.port}/api/v1/agents/other/keys', b'{{\"keys\": [\"z\", \"Enter\"]}}', {{'Authorization': 'Bearer {self.token}', 'Content-Type': 'application/json'}})\nu.urlopen(r)"
        subprocess.run([sys.executable, "-c", script], check=True, env={"PATH": os.environ["PATH"], "no_proxy": "*"})
        self.on_screen("other", "got z")
        self.assertEqual(WebSocket(self, "/api/v1/agents/other/terminal?control=1", *self.bearer()).reply.status, 101)

    def test_its_configuration_may_allow_it(self):
        self.pawl("rm", "-f", "worker")
        with open(self.folder + "/pawl.toml", "w", encoding="utf-8") as file:
            file.write('[agent.worker]\ncommand = ["sh"]\nmay = ["keys"]\n')
        self.pawl("up", "--trust")
        said = self.inside([[verb, "plainly", "POST", f"/api/v1/agents/other/{verb}", body, []] for verb, body in (("keys", '{"keys": ["x", "Enter"]}'), ("stop", "{}"))])
        self.assertRegex(said["keys"], "^200")
        self.assertRegex(said["stop"], "^403")
        self.on_screen("other", "got x")


if __name__ == "__main__":
    unittest.main()
