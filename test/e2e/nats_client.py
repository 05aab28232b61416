"""A program outside of Pawl that speaks NATS: as little of the protocol as is needed to say and to ask."""
import json
import socket
import uuid


class Nats:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self.file = self.socket.makefile("rwb")
        self.file.readline()  # INFO
        self.say(b'CONNECT {"verbose":false,"headers":true}\r\nPING\r\n')
        self.until(b"PONG")

    def say(self, data):
        self.file.write(data)
        self.file.flush()

    def until(self, word):
        while True:
            line = self.file.readline()
            if not line:
                raise AssertionError("the server hung up")
            if line.startswith(b"PING"):
                self.say(b"PONG\r\n")
            if line.startswith(word) or line.startswith(b"-ERR"):
                return line

    def publish(self, subject, value=b""):
        self.say(b"PUB %s %d\r\n%s\r\nPING\r\n" % (subject.encode(), len(value), value))
        return self.until(b"PONG")

    def ask(self, subject, value=b""):
        """As JSON."""
        inbox = "_INBOX." + uuid.uuid4().hex
        self.say(b"SUB %s 1\r\nUNSUB 1 1\r\nPUB %s %s %d\r\n%s\r\n" % (inbox.encode(), subject.encode(), inbox.encode(), len(value), value))
        size = int(self.until(b"MSG").split()[-1])
        return json.loads(self.file.read(size + 2))

    def close(self):
        self.file.close()
        self.socket.close()
