"""Honest clients of `pawl serve`, for bench/serve_soak: each has a credential, asks, waits a while, and writes down how long it took."""
import collections
import http.client
import os
import random
import threading
import time

PAUSE = 0.1  # seconds between two requests, on average; a new connection is four times as rare
PATIENCE = 20
FOLLOWS = 3  # seconds, then it comes back; less than from one hello to the next
PATHS = {"agents": "/api/v1/agents", "agent": "/api/v1/agents/a0", "screen": "/api/v1/agents/a0/screen", "page": "/", "asset": "/app.js"}


class Client:
    def __init__(self, fleet, number):
        self.fleet, self.dice = fleet, random.Random(number)
        self.headers = {"Authorization": "Bearer " + (fleet.reader if number % 2 else fleet.token)}
        self.live = [self.keep] * 12 + [self.come_again] * 5 + [self.follow] * 3
        self.live = self.live[number % len(self.live)]
        self.took = collections.defaultdict(list)  # milliseconds, by kind
        self.failures = []

    def run(self):
        while True:
            try:
                self.live()
            except (OSError, http.client.HTTPException) as error:
                self.failures.append(f"{self.live.__name__}: {error!r}")
                time.sleep(PAUSE)

    def connection(self):
        return http.client.HTTPSConnection("127.0.0.1", self.fleet.port, context=self.fleet.tls, timeout=PATIENCE)

    def get(self, connection, path):
        connection.request("GET", path, headers=self.headers)
        reply = connection.getresponse()
        if reply.status != 200:
            raise http.client.HTTPException(f"{reply.status} for {path}")
        return reply

    def rest(self, times=1):
        time.sleep(self.dice.uniform(0, 2 * PAUSE * times))

    def ask(self, connection, kind, path):
        began = time.monotonic()
        self.get(connection, path).read()
        self.took[kind].append((time.monotonic() - began) * 1000)

    def keep(self):
        connection = self.connection()
        while True:
            self.rest()
            kind = self.dice.choice(list(PATHS))
            self.ask(connection, kind, PATHS[kind])

    def come_again(self):
        self.rest(4)
        connection = self.connection()
        self.ask(connection, "new connection", self.dice.choice(list(PATHS.values())))
        connection.close()

    def follow(self):
        """Until the first event is there; then it listens, and must not be let go."""
        self.rest(4)
        connection, began = self.connection(), time.monotonic()
        reply = self.get(connection, "/api/v1/events?views=1")
        while line := reply.readline():
            if line == b"event: hello\n":
                self.took["events"].append((time.monotonic() - began) * 1000)
            if time.monotonic() - began > FOLLOWS:
                break
        else:
            raise http.client.HTTPException("the events ended")
        connection.close()


def look(pipe, fleet, count):
    """The process: gives what was measured since it was last asked."""
    clients = [Client(fleet, number) for number in range(count)]
    for client in clients:
        threading.Thread(target=client.run, daemon=True).start()
    while pipe.recv():
        took, failures = collections.defaultdict(list), []
        for client in clients:
            for kind in list(client.took):
                took[kind] += client.took.pop(kind)
            mine, client.failures = client.failures, []
            failures += mine
        pipe.send((dict(took), failures))
    os._exit(0)
