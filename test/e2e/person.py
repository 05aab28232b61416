"""A person for the tests: somebody who runs pawl on a terminal, types, and sees what is shown."""
import base64
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

from fleet import PAWL, PATIENCE, processes, status_of, until


STATUS_QUERY = b"\x1b]7501;?\x1b\\"
ATTRIBUTES_QUERY = b"\x1b[c"


class Person:
    """A command on a terminal of its own, whose output is collected. `answer`: what the terminal says when it is asked whether
    it reads program status (OSC 7501); nothing when it does not know the question."""

    def __init__(self, case, *words, size=(30, 100), answer=b""):
        self.master, self.slave = pty.openpty()
        self.resize(*size)
        self.before = termios.tcgetattr(self.slave)
        self.process = subprocess.Popen([PAWL, *words], env={**case.environment, "TERM": "xterm-256color"}, cwd=case.folder,
                                        stdin=self.slave, stdout=self.slave, stderr=self.slave, start_new_session=True,
                                        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        self.output = self.everything = b""
        self.answer, self.asked = answer, False
        case.addCleanup(self.leave)

    def leave(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        for fd in (self.master, self.slave):
            if fd is not None:
                os.close(fd)

    def resize(self, rows, cols):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))

    def type(self, text):
        os.write(self.master, text.encode())

    def read(self, seconds=0.05):
        while select.select([self.master], [], [], seconds)[0]:
            shown = os.read(self.master, 65536)
            self.output += shown
            self.everything += shown
            seconds = 0
            if not self.asked and STATUS_QUERY + ATTRIBUTES_QUERY in self.everything:
                self.asked = True
                os.write(self.master, self.answer)

    def shows(self, pattern, seconds=PATIENCE):
        """Reads until the pattern was shown."""
        deadline = time.monotonic() + seconds
        while not (match := re.search(pattern.encode(), self.output)):
            if time.monotonic() > deadline:
                raise AssertionError(f"{pattern!r} not within {seconds} s in {self.output!r}")
            self.read()
        return match

    def sees(self, pattern, seconds=PATIENCE):
        """The same, and forgets what came up to its end."""
        seen = self.shows(pattern, seconds)
        self.output = self.output[seen.end():]

    def reports(self):
        """The program status records it was told, as a terminal keeps them: {id: {state: …, title: …}}."""
        records = {}
        for text in re.findall(rb"\x1b\]7501;([^\x1b\x07]*)\x1b\\", self.everything):
            pairs = dict(pair.split("=", 1) for pair in text.decode().split(":") if "=" in pair)
            if not pairs:
                continue
            for key in ("title", "msg"):
                if key in pairs:
                    pairs[key] = base64.b64decode(pairs[key], validate=True).decode()
            name = pairs.pop("id", "")
            if pairs["state"] != "clear":
                records[name] = pairs
            elif name:
                records.pop(name, None)
            else:
                records.clear()
        return records

    def is_told(self, name, **wanted):
        """Reads until the record of that id says this."""
        def told():
            self.read(0.02)
            record = self.reports().get(name, {})
            return all(record.get(key) == value for key, value in wanted.items())
        until(lambda: f"{name!r} is {wanted} in {self.reports()}", told)

    def raw(self):
        return not termios.tcgetattr(self.slave)[3] & termios.ICANON

    def working_process(self):
        """The child that has the terminal; its parent only repairs it."""
        return until("the working process", lambda: [pid for pid in processes()
                                                     if (status_of(pid) or (0, 0))[1] == self.process.pid])[0]

    def ended(self, seconds=PATIENCE):
        """Reads to the end; gives the exit code and everything shown since the last sees()."""
        def over():
            self.read()
            return self.process.poll() is not None
        until(lambda: f"it ends: {self.output!r}", over, seconds)
        self.read()
        return self.process.returncode, self.output
