"""What the tests of `pawl serve` share: requests byte by byte, a WebSocket, server-sent events, the login. No browser, no library."""
import base64
import contextlib
import json
import os
import select
import shutil
import socket
import ssl
import subprocess
import time

from fleet import FleetCase, PATIENCE

KEY = base64.b64encode(b"sixteen bytes ok").decode()
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
# What changes an agent, or says that somebody did.
ACTS = {"decision", "outcome", "human", "request"}


class Reply:
    def __init__(self, head, body=b""):
        first, *lines = head.decode("latin-1").split("\r\n")
        self.version, status, self.reason = (first + "  ").split(" ", 2)
        self.status = int(status)
        self.headers = [(name.lower(), value.strip()) for name, _, value in (line.partition(":") for line in lines if line)]
        self.body = body

    def values(self, name):
        return [value for key, value in self.headers if key == name]

    def header(self, name):
        return next(iter(self.values(name)), None)

    def json(self):
        return json.loads(self.body)

    def what(self):
        """Of an error: what went wrong. Of anything else: nothing."""
        with contextlib.suppress(ValueError, KeyError, TypeError):
            return self.json()["error"]["what"]
        return ""

    def __repr__(self):
        return f"{self.status} {self.headers} {self.body[:300]}"


class Wire:
    """One connection: bytes out, and what comes back."""

    def __init__(self, case, tls=None, alpn=("http/1.1",), address="127.0.0.1"):
        raw = socket.create_connection((address, case.port), timeout=PATIENCE)
        self.socket = raw
        if case.tls if tls is None else tls:
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            context.set_alpn_protocols(list(alpn))
            self.socket = context.wrap_socket(raw, server_hostname="localhost")
        case.addCleanup(self.close)
        self.buffer = b""

    def close(self):
        self.socket.close()

    def send(self, data):
        with contextlib.suppress(BrokenPipeError, ConnectionResetError, ssl.SSLError):  # it may have hung up in the middle
            self.socket.sendall(data)
        return self

    def more(self, seconds=PATIENCE):
        """Reads on; false at the end. Nobody waits longer than this."""
        self.socket.settimeout(seconds)
        try:
            got = self.socket.recv(65536)
        except (ConnectionResetError, ssl.SSLError) as error:
            if isinstance(error, TimeoutError):
                raise
            return False
        self.buffer += got
        return bool(got)

    def take(self, length):
        while len(self.buffer) < length:
            if not self.more():
                raise AssertionError(f"it hung up after {self.buffer!r}")
        out, self.buffer = self.buffer[:length], self.buffer[length:]
        return out

    def until(self, mark):
        while mark not in self.buffer:
            if not self.more():
                raise AssertionError(f"it hung up after {self.buffer!r}")
        out, _, self.buffer = self.buffer.partition(mark)
        return out

    def head(self):
        return Reply(self.until(b"\r\n\r\n"))

    def chunk(self):
        return self.take(int(self.until(b"\r\n"), 16) + 2)[:-2]

    def reply(self, bodiless=False):
        reply = self.head()
        if bodiless or reply.status in (101, 304):
            return reply
        reply.body = self.take(int(reply.header("content-length")))
        return reply

    def ended(self, seconds=PATIENCE):
        """Whether it hangs up without another word."""
        return not self.buffer and not self.more(seconds) and not self.buffer


class WebSocket:
    def __init__(self, case, path, *headers, key=KEY, version="13", host=None):
        self.wire = Wire(case)
        lines = ["Connection: Upgrade", "Upgrade: websocket"]
        lines += [f"Sec-WebSocket-Key: {key}"] if key is not None else []
        lines += [f"Sec-WebSocket-Version: {version}"] if version is not None else []
        self.wire.send(case.bytes_of("GET", path, *lines, *headers, host=host))
        self.reply = self.wire.head()
        if self.reply.status != 101:
            self.reply.body = self.wire.take(int(self.reply.header("content-length")))
        self.heard, self.shown = [], b""  # JSON so far; bytes for the terminal so far

    def frame(self, opcode, payload=b"", last=True, masked=True, reserved=0, length=None):
        length = len(payload) if length is None else length
        head = bytes([(0x80 if last else 0) | reserved << 4 | opcode])
        bit = 0x80 if masked else 0
        if length < 126:
            head += bytes([bit | length])
        else:
            head += bytes([bit | 126]) + length.to_bytes(2, "big") if length < 65536 else bytes([bit | 127]) + length.to_bytes(8, "big")
        mask = b"mask" if masked else b""
        body = bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload)) if masked else payload
        self.wire.send(head + mask + body)

    def say(self, value):
        self.frame(TEXT, json.dumps(value).encode())

    def type(self, keys):
        self.frame(BINARY, keys)

    def next(self):
        """One frame: its kind and payload. The server's are never masked, and never in pieces."""
        first, second = self.wire.take(2)
        assert first & 0xf0 == 0x80 and second < 0x80, (first, second)
        length = second if second < 126 else int.from_bytes(self.wire.take(2 if second == 126 else 8), "big")
        payload = self.wire.take(length)
        if first & 15 == TEXT:
            self.heard.append(json.loads(payload))
        elif first & 15 == BINARY:
            self.shown += payload
        return first & 15, payload

    def hears(self, condition):
        """Listens until a JSON message fits; gives it."""
        while not any(map(condition, self.heard)):
            kind, payload = self.next()
            assert kind != CLOSE, payload
        return next(filter(condition, self.heard))

    def shows(self, mark):
        """Listens until these bytes were for the screen."""
        while mark not in self.shown:
            kind, payload = self.next()
            assert kind != CLOSE, payload

    def close_code(self):
        """Of the close it ends with; then it hangs up."""
        while True:
            kind, payload = self.next()
            if kind == CLOSE:
                assert self.wire.ended(), "it goes on after its close"
                return int.from_bytes(payload[:2], "big")


class Events:
    """Server-sent events, taken apart as a browser does."""

    def __init__(self, case, query="", *headers):
        self.wire = Wire(case)
        self.wire.send(case.bytes_of("GET", "/api/v1/events" + query, *(headers or case.bearer())))
        self.reply, self.text = self.wire.head(), b""
        if self.reply.status != 200:
            self.reply.body = self.wire.take(int(self.reply.header("content-length")))

    def next(self):
        while b"\n\n" not in self.text:
            self.text += self.wire.chunk()
        message, _, self.text = self.text.partition(b"\n\n")
        return sse_message(message)

    def until(self, condition):
        """All up to the first that fits, and that one."""
        got = []
        while not got or not condition(got[-1]):
            got.append(self.next())
        return got


def sse_message(text):
    fields = dict(line.split(": ", 1) for line in text.decode().split("\n"))
    return {"event": fields.get("event", "message"), "id": fields.get("id"), "data": json.loads(fields["data"])}


class WebCase(FleetCase):
    tls, port = False, 0

    def serve(self, *words, tls=False):
        """A server on a free port, and what it says about itself."""
        if "--listen" not in words:
            words = ("--listen", "127.0.0.1:0", *words)
        view = json.loads(self.pawl("serve", *words, *([] if tls else ["--no-tls"]), "--json").stdout)
        self.tls, self.port = view["tls"], int(view["listening"].rpartition(":")[2])
        self.host = f"localhost:{self.port}"
        self.origin = f"{'https' if tls else 'http'}://{self.host}"
        self.read_tokens()
        return view

    def read_tokens(self):
        with open(self.home + "/token", encoding="ascii") as file:
            self.token = file.read().strip()
        with open(self.home + "/token.read", encoding="ascii") as file:
            self.reader = file.read().strip()

    def bearer(self, token=None):
        return (f"Authorization: Bearer {token or self.token}",)

    def bytes_of(self, method, target, *headers, body=None, host=None):
        """A request as it goes over the wire. `host`: "" for none."""
        lines = [f"{method} {target} HTTP/1.1"]
        lines += [f"Host: {self.host if host is None else host}"] if host != "" else []
        lines += headers
        if body is not None:
            lines.append(f"Content-Length: {len(body)}")
        return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + (body or b"")

    def wire(self, **how):
        return Wire(self, **how)

    def ask(self, method, target, *headers, **more):
        """One request on a connection of its own."""
        wire = self.wire().send(self.bytes_of(method, target, *headers, **more))
        reply = wire.reply(bodiless=method == "HEAD")
        wire.close()
        return reply

    def get(self, path, token=None):
        return self.ask("GET", path, *self.bearer(token))

    def post(self, path, value=None, token=None, headers=None):
        headers = self.bearer(token) if headers is None else headers
        return self.ask("POST", path, "Content-Type: application/json", *headers, body=json.dumps(value or {}).encode())

    def login_path(self, *words):
        return "/login/" + json.loads(self.pawl("serve", "--url", "--json", *words).stdout)["url"].rpartition("/")[2]

    def login(self, *words):
        """A cookie as a browser would keep it: NAME=VALUE."""
        reply = self.ask("GET", self.login_path(*words))
        self.assertEqual((reply.status, reply.header("location")), (303, "/"), reply)
        return reply.header("set-cookie").partition(";")[0]

    def acting_routes(self):
        """Method and path of everything that changes something, as the server itself describes it."""
        paths = self.get("/openapi.json").json()["paths"]
        return [(method.upper(), path) for path, item in paths.items() for method, row in item.items()
                if row["x-pawl-role"] == "operator"]

    def looking_routes(self):
        paths = self.get("/openapi.json").json()["paths"]
        return [path for path, item in paths.items() if item.get("get", {}).get("x-pawl-role") == "reader"]

    def acts(self):
        """What was done to agents, or asked for over the network. What the test itself asks at the local socket is not meant."""
        return [event for event in self.events() if event["type"] in ACTS and (event["type"] != "request" or event["by"]["kind"] == "web")]

    def curl(self, *words, target="", input=None):
        """A request over HTTP/2, by curl: the reply, or what it failed with."""
        if "HTTP2" not in subprocess.run([need_curl(self), "--version"], capture_output=True, text=True, check=True).stdout:
            self.skipTest("this curl has no HTTP/2")
        done = subprocess.run(["curl", "-sSki", "--http2", "--path-as-is", "--max-time", str(PATIENCE), *words,
                               f"https://{self.host}{target}"], capture_output=True, input=input, check=False)
        if done.returncode != 0:
            return done.stderr.decode()
        head, _, body = done.stdout.partition(b"\r\n\r\n")
        reply = Reply(head, body)
        self.assertEqual(reply.version, "HTTP/2")
        return reply

    def curl_events(self, query, *headers, enough):
        """Server-sent events over HTTP/2 until there are enough of them."""
        words = [need_curl(self), "-skN", "--http2", *(word for line in headers for word in ("-H", line)),
                 f"https://{self.host}/api/v1/events{query}"]
        with subprocess.Popen(words, stdout=subprocess.PIPE) as curl:
            try:
                text, got, deadline = b"", [], time.monotonic() + PATIENCE
                while not enough(got) and time.monotonic() < deadline:
                    if select.select([curl.stdout], [], [], 0.1)[0]:
                        text += os.read(curl.stdout.fileno(), 65536)
                    *whole, text = text.split(b"\n\n")
                    got += map(sse_message, whole)
                return got
            finally:
                curl.kill()


def resident(pid):
    """KiB of memory a process has; 0 with a sanitizer, whose numbers mean something else."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        sizes = dict(line.split(":", 1) for line in file)
    kib = {key: int(sizes[key].split()[0]) for key in ("VmPeak", "VmRSS")}
    return kib["VmRSS"] if kib["VmPeak"] < 1 << 30 else 0


def need_curl(case):
    path = shutil.which("curl")
    if not path:
        case.skipTest("there is no curl")
    return path
