"""Strangers at `pawl serve`, for bench/serve_soak: each does one kind of harm over and over, as fast as the server's answers let it,
on one connection at a time. Each has an address of its own; with --beside a third of them comes from 127.0.0.1, as honest clients do."""
import os
import select
import socket
import struct
import sys
import threading
import time

from serve_fleet import KEY, ROOT, tls_context

sys.path.append(ROOT + "/test/e2e")
import http2  # pylint: disable=wrong-import-position

BIGGEST = "/terminal.js"
STREAMS = 60
PATIENCE = 60  # seconds; the server lets everybody go who does nothing, earlier than that
NEVER_READS = 35  # … and who does not read; the other end cannot see it
BATCH = 50  # frames of a flood, between two answers
RESET_ON_CLOSE = struct.pack("ii", 1, 0)  # leaves no TIME_WAIT behind: we would run out of ports before the server is hurt


class Stranger:
    beside = False

    def __init__(self, fleet, kind, number):
        self.kind, self.number, self.port, self.host = kind, number, fleet.port, fleet.host
        self.address = "127.0.0.1" if self.beside and number % 3 == 0 else f"127.0.1.{number + 1}"
        self.one, self.two = tls_context("http/1.1"), tls_context("h2")
        self.done = 0

    def tcp(self, receive_buffer=0):
        sock = socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.IPPROTO_IP, 24, 1)  # IP_BIND_ADDRESS_NO_PORT
        if receive_buffer:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        sock.settimeout(PATIENCE)
        sock.bind((self.address, 0))
        sock.connect(("127.0.0.1", self.port))
        return sock

    def tls(self, **how):
        return self.one.wrap_socket(self.tcp(**how))

    def http2(self, window=65535):
        sock = self.two.wrap_socket(self.tcp())
        sock.sendall(http2.preface(window))
        return sock

    def request(self, target, *headers, method="GET", host=None):
        lines = (f"{method} {target} HTTP/1.1", f"Host: {host or self.host}", *headers)
        return "\r\n".join(lines).encode() + b"\r\n\r\n"

    def asks(self, make):
        """One request after the other, until the server hangs up."""
        with self.tls() as sock:
            while True:
                sock.sendall(make(self.done))
                if not sock.recv(65536):
                    return
                self.done += 1

    def run(self):
        while True:
            try:
                KINDS[self.kind](self)
            except OSError:  # it is not let in, or was let go: that is what the server is for
                time.sleep(0.001)


def handshake(it):
    with it.tls():
        it.done += 1


def idle(it):
    with it.tls() as sock:
        it.done += 1
        sock.recv(1)


def token(it):
    it.asks(lambda n: it.request("/api/v1/agents", f"Authorization: Bearer guess{n}"))


def cookie(it):
    it.asks(lambda n: it.request("/api/v1/agents", f"Cookie: __Host-pawl-{it.port}=operator.{1 << 40}.guess{n}.{'x' * 43}"))


def link(it):
    it.asks(lambda n: it.request(f"/login/guess{n}"))


def foreign(it):
    it.asks(lambda n: it.request("/api/v1/agents", "Origin: https://evil.example", host="evil.example" if n % 2 else None))


def websocket(it):
    it.asks(lambda n: it.request("/api/v1/agents/a0/terminal", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
                                 "Sec-WebSocket-Key: " + KEY))


def big(it):
    """Heads just below and above the limit of 16 KiB."""
    it.asks(lambda n: it.request("/", "X-Big: " + "x" * (20000 if n % 2 else 15000)))


def plain(it):
    with it.tcp() as sock:
        sock.sendall(it.request("/"))
        sock.recv(65536)
        it.done += 1


def churn(it):
    with it.tcp():
        it.done += 1


def window(it):
    """Streams of the largest file, none of which may be sent."""
    with it.http2(window=0) as sock:
        open_streams(it, sock)
        it.done += 1
        while sock.recv(65536):
            pass


def open_streams(it, sock):
    sock.sendall(b"".join(http2.get(2 * n + 1, it.host, BIGGEST) for n in range(STREAMS)))


def reset(it):
    """Rapid reset: streams that are taken back at once."""
    back = struct.pack(">I", 8)
    with it.http2() as sock:
        for first in range(1, 1 << 30, 2 * BATCH):
            streams = range(first, first + 2 * BATCH, 2)
            frames = b"".join(http2.get(n, it.host, BIGGEST) + http2.frame(http2.RST_STREAM, 0, n, back) for n in streams)
            sock.sendall(frames + http2.frame(http2.PING, 0, 0, b"12345678"))
            if not sock.recv(65536):
                return
            it.done += BATCH


def flood(it):
    """Each of these wants an answer."""
    frames = (http2.frame(http2.SETTINGS, 0, 0) + http2.frame(http2.PING, 0, 0, b"12345678")) * (BATCH // 2)
    with it.http2() as sock:
        while True:
            sock.sendall(frames)
            if not sock.recv(65536):
                return
            it.done += BATCH


def drip(it, begin, piece):
    """A beginning, then a piece each second for as long as it is listened to."""
    with it.tls() as sock:
        sock.sendall(begin)
        it.done += 1
        sock.settimeout(1)
        while True:
            try:
                if not sock.recv(65536):
                    return
            except TimeoutError:
                sock.sendall(piece)


def head(it):
    drip(it, it.request("/")[:-2], b"X: y\r\n")


def body(it):
    drip(it, it.request("/api/v1/agents", "Content-Type: application/json", "Content-Length: 100000", method="POST"), b"{")


def unread(it):
    with it.tls(receive_buffer=4096) as sock:
        sock.sendall(it.request(BIGGEST) * 30)
        it.done += 1
        poll = select.poll()
        poll.register(sock, select.POLLRDHUP)
        poll.poll(NEVER_READS * 1000)


KINDS = {each.__name__: each for each in (handshake, token, idle, cookie, window, link, head, reset, foreign, unread, flood, websocket, big,
                                          body, plain, churn)}


def attack(pipe, fleet, kinds, numbers):
    """The process: says what was done so far, by kind, whenever it is asked."""
    os.nice(19)
    strangers = [Stranger(fleet, kinds[number % len(kinds)], number) for number in numbers]
    for stranger in strangers:
        threading.Thread(target=stranger.run, daemon=True).start()
    while pipe.recv():
        pipe.send({kind: sum(it.done for it in strangers if it.kind == kind) for kind in kinds})
    os._exit(0)


def ballast(pipe, share):
    """Uses as much CPU as strangers did, and harms nobody."""
    os.nice(19)
    began, cpu = time.monotonic(), time.process_time()
    while not pipe.poll():
        if time.process_time() - cpu < share * (time.monotonic() - began):
            until = time.process_time() + 0.001
            while time.process_time() < until:
                pass
        else:
            time.sleep(0.001)
