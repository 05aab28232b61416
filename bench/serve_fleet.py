"""What the benchmarks of `pawl serve` share: a daemon that serves, what it costs, and the table of measured / target."""
import json
import os
import re
import socket
import ssl
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
KEY = "dGhlIHNhbXBsZSBub25jZQ=="


def tls_context(*protocols):
    """Trusts everybody: what is measured is the server."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols(list(protocols or ("http/1.1",)))
    return context


class Table:
    def __init__(self):
        self.fine = True
        print(f"{'':55} {'measured':>14} {'target':>14}")

    def row(self, what, measured, target, fine, unsure=False):
        """`unsure`: something else disturbed it; this is no verdict, and not fine."""
        self.fine = self.fine and fine and not unsure
        verdict = "UNSURE, others used the machine" if unsure else "ok" if fine else "MISSED"
        print(f"{what:55} {measured:>14} {target:>14}  {verdict}", flush=True)

    def note(self, what, measured):
        print(f"{what:55} {measured:>14}", flush=True)


class Fleet:
    """A daemon that serves, with a home of its own. `agents`: name -> command."""

    def __init__(self, bin_dir, agents, plain=False):
        self.plain = plain
        self.folder = tempfile.mkdtemp(prefix="pawl-bench")
        self.home = self.folder + "/home"
        self.environment = {"PATH": bin_dir + ":" + os.environ["PATH"], "HOME": self.folder, "PAWL_HOME": self.home,
                            "LANG": "C.UTF-8"}
        with open(self.folder + "/pawl.toml", "w") as file:
            for name, command in agents.items():
                file.write(f'[agent.{name}]\ncommand = {json.dumps(command)}\ndir = "/"\n')
        try:
            self.begin()
        except BaseException:
            self.end()
            raise

    def begin(self):
        self.pawl("up", "--trust", self.folder + "/pawl.toml")
        served = json.loads(self.pawl("serve", "--listen", "127.0.0.1:0", "--json", *(["--no-tls"] if self.plain else [])))
        self.port = int(served["listening"].rsplit(":", 1)[1])
        with open(self.home + "/token") as file:
            self.token = file.read().strip()
        with open(self.home + "/token.read") as file:
            self.reader = file.read().strip()
        with open(self.home + "/daemon.lock") as file:
            self.pid = int(file.read())
        self.host = f"127.0.0.1:{self.port}"
        self.tls = None if self.plain else tls_context()

    def pawl(self, *words):
        return subprocess.run(["pawl", *words], env=self.environment, check=True, stdout=subprocess.PIPE).stdout

    def end(self):
        self.pawl("stop", "--all")
        self.pawl("daemon", "--stop")
        subprocess.run(["rm", "-rf", self.folder], check=True)

    def connect(self, request, receive_buffer=0):
        raw = socket.socket()
        if receive_buffer:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        raw.connect(("127.0.0.1", self.port))
        sock = self.tls.wrap_socket(raw) if self.tls else raw
        sock.sendall((request + f" HTTP/1.1\r\nHost: {self.host}\r\nAuthorization: Bearer {self.token}\r\n").encode())
        return sock

    def events(self, more="", **how):
        sock = self.connect("GET /api/v1/events?views=1", **how)
        sock.sendall((more + "\r\n").encode())
        return sock

    def terminal(self, agent, query="", **how):
        sock = self.connect(f"GET /api/v1/agents/{agent}/terminal{query}", **how)
        sock.sendall((f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {KEY}\r\n\r\n").encode())
        return sock

    def get(self, path):
        sock = self.connect("GET " + path)
        sock.sendall(b"Connection: close\r\n\r\n")
        text = b""
        while piece := sock.recv(65536):
            text += piece
        sock.close()
        return text.partition(b"\r\n\r\n")[2].decode()

    def lag(self):
        found = re.findall(r'pawl_loop_lag_seconds_bucket\{le="([^"]+)"\} (\d+)', self.get("/metrics"))
        return {float(bound): int(count) for bound, count in found}

    def counter(self, name):
        return float(re.search(rf"^{name} (\S+)$", self.get("/metrics"), re.M)[1])
