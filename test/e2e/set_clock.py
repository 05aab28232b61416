"""A clock that is set while programs run: theirs, not the machine's (set_clock.c)."""
import mmap
import os
import shutil
import struct
import subprocess
import time

from fleet import PAWL

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "set_clock.c")
STEPS = 4000


def missing():
    """Why no clock can be set here; nothing: it can."""
    if not shutil.which("cc"):
        return "there is no cc"
    with open(PAWL, "rb") as file:
        program = file.read()
    if b"__asan_init" in program or b"__tsan_init" in program:
        return "a sanitizer wants to be loaded first"
    return "" if b"/ld-" in program[:4096] else "pawl is a static program"  # else it names who loads it


def next_tick():
    """Of the clock that files are written by, which moves a few hundred times a second."""
    coarse = lambda: time.clock_gettime_ns(5)  # CLOCK_REALTIME_COARSE
    before = now = coarse()
    while now == before:
        now = coarse()
    return now


class SetClock:
    def __init__(self, folder):
        library, path = folder + "/set_clock.so", folder + "/set_clock"
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library, SOURCE], check=True)
        with open(path, "wb+") as file:
            file.truncate(8 + 16 * STEPS)
            self.steps = mmap.mmap(file.fileno(), 0)
        self.environment = {"LD_PRELOAD": library, "SET_CLOCK": path}
        self.count, self.ahead = 0, 0.0

    def set(self, by):
        """By so many seconds."""
        self.ahead += by
        struct.pack_into("qq", self.steps, 8 + 16 * self.count, next_tick(), int(self.ahead * 1e9))
        self.count += 1
        struct.pack_into("q", self.steps, 0, self.count)

    def now(self):
        return time.time() + self.ahead
