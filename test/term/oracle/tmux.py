#!/usr/bin/env python3
"""What a private tmux server shows at 20 instants of every recording, as a golden file on stdout.

  tmux.py CORPUS [RECORDING ...] > tmux.golden
  tmux.py CORPUS --show claude/idle 12345        the rows at one instant

One pane of the exact size per recording runs this file again as a writer: it switches the pane's line discipline
to raw, writes the bytes up to an instant, waits until tmux has read them, says so on a pipe and waits for the next.
The user's own tmux is never touched: own socket name, no configuration file.
"""
import fcntl
import glob
import json
import os
import shlex
import struct
import subprocess
import sys
import tempfile
import termios
import time
import tty

INSTANTS = 20
SERVER = f"pawl-oracle-{os.getpid()}"


def load(root, name):
    with open(os.path.join(root, name + ".cast"), encoding="utf-8") as f:
        head, *events = [json.loads(line) for line in f if line.strip()]
    return head["width"], head["height"], [e[2].encode() for e in events if e[1] == "o"]


def instants(chunks):
    wanted = {-(-len(chunks) * i // INSTANTS) for i in range(1, INSTANTS + 1)}
    out, offset = [], 0
    for i, chunk in enumerate(chunks, 1):
        offset += len(chunk)
        if i in wanted and offset not in out:
            out.append(offset)
    return out


def fnv(text):
    h = 0xCBF29CE484222325
    for b in text.encode():
        h = ((h ^ b) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return f"{h:016x}"


def tmux(*args):
    return subprocess.run(["tmux", "-u", "-L", SERVER, "-f", "/dev/null", *args],
                          stdout=subprocess.PIPE, check=True).stdout.decode("utf-8", "replace")


def look(cols, rows):
    out = tmux("display-message", "-p", "-t", "=o:", "#{cursor_x} #{cursor_y}", ";",
               "capture-pane", "-p", "-N", "-t", "=o:").split("\n")
    col, row = map(int, out[0].split())
    lines = [line.rstrip(" ") for line in out[1:rows + 1]]
    lines += [""] * (rows - len(lines))
    return "\n".join(lines), min(col, cols - 1), row


def replay(root, name, at, visit):
    cols, rows, chunks = load(root, name)
    offsets = at or instants(chunks)
    with tempfile.TemporaryDirectory() as folder:
        data, go, done = (os.path.join(folder, n) for n in ("data", "go", "done"))
        with open(data, "wb") as f:
            f.write(b"".join(chunks))
        os.mkfifo(go), os.mkfifo(done)
        command = shlex.join([sys.executable, os.path.abspath(__file__), "--write", data, go, done])
        tmux("new-session", "-d", "-s", "o", "-x", str(cols), "-y", str(rows), command, ";",
             "set", "-g", "status", "off", ";", "resize-window", "-t", "=o:", "-x", str(cols), "-y", str(rows))
        with open(go, "w") as ask, open(done) as answer:
            for offset in offsets:
                print(offset, file=ask, flush=True)
                answer.readline()
                visit(offset, *look(cols, rows))
            tmux("kill-session", "-t", "=o")
    return cols, rows


def write_pane(data, go, done):
    tty.setraw(1)
    with open(data, "rb") as f:
        content = f.read()
    at = 0
    with open(go) as ask, open(done, "w") as answer:
        for line in ask:
            offset = int(line)
            while at < offset:
                at += os.write(1, content[at:min(offset, at + 4096)])
            while struct.unpack("i", fcntl.ioctl(1, termios.TIOCOUTQ, b"\0" * 4))[0] > 0:
                time.sleep(0.001)
            print(offset, file=answer, flush=True)


def main(root, *args):
    tmux("new-session", "-d", "-s", "keep", "sleep", "100000")
    try:
        if args and args[0] == "--show":
            replay(root, args[1], [int(args[2])], lambda o, t, c, r: print(f"{t}\ncursor {c} {r}"))
            return
        names = args or sorted(os.path.relpath(p, root)[:-5] for p in glob.glob(f"{root}/*/*.cast"))
        for name in names:
            lines = []
            size = replay(root, name, None, lambda o, t, c, r: lines.append(f"{o} {fnv(t)} {c} {r}"))
            print(f"R {name} {size[0]} {size[1]}", *lines, sep="\n", flush=True)
    finally:
        subprocess.run(["tmux", "-L", SERVER, "kill-server"], check=False)


if __name__ == "__main__":
    if sys.argv[1] == "--write":
        write_pane(*sys.argv[2:])
    else:
        main(*sys.argv[1:])
