"""A person for the tests: somebody who runs pawl on a terminal, types, and sees what is shown."""
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


class Person:
    """A command on a terminal of its own, whose output is collected."""

    def __init__(self, case, *words, size=(30, 100)):
        self.master, self.slave = pty.openpty()
        self.resize(*size)
        self.before = termios.tcgetattr(self.slave)
        self.process = subprocess.Popen([PAWL, *words], env={**case.environment, "TERM": "xterm-256color"}, cwd=case.folder,
                                        stdin=self.slave, stdout=self.slave, stderr=self.slave, start_new_session=True,
                                        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        self.output = b""
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
            self.output += os.read(self.master, 65536)
            seconds = 0

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
