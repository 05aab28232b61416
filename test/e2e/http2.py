"""Frames of HTTP/2 by hand: no library opens a window of 0, or breaks the rules. For tests and bench/serve_soak."""
import struct

HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY = 1, 3, 4, 6, 7
ACK = 1


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def preface(window):
    """What a client says first: every stream has a window of so many bytes."""
    return b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(SETTINGS, 0, 0, struct.pack(">HI", 4, window))


def literal(name, value):
    """A header that is not put into the table (RFC 7541, 6.2.2)."""
    return b"\0" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()


def get(stream, host, path, *headers):
    """A whole request."""
    fields = ((":method", "GET"), (":scheme", "https"), (":authority", host), (":path", path), *headers)
    return frame(HEADERS, 5, stream, b"".join(literal(*field) for field in fields))
