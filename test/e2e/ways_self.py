"""More words for ways_table.py: what a process can make of itself, a holder's socket, and hooks. See ways_raw.py."""
import ctypes
import fcntl
import glob
import json
import os
import pty
import signal
import struct
import termios
import time

from ways_raw import FACTS, HOME, PATIENCE, STOP, ask, child, code_of, connect, detached, frame, heard, libc, no_code, reply, request, tell, wait_for, write

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NAME, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 4, 15, 36, 38
RESERVED = 300  # numbers below do not come again (kernel/pid.c)


# What a process can make of itself.
def prctl(*numbers):
    libc.prctl(*numbers, 0, 0, 0)


def named(name):
    prctl(PR_SET_NAME, ctypes.c_char_p(name.encode()))


def first(*steps, then=ask):
    """Does the steps, in a process of its own, and then asks."""
    def work():
        for step in steps:
            step()
        return then()
    return child(work)


def own_terminal(work):
    """In another terminal than the agent's."""
    ours, theirs = os.pipe()
    pid, master = pty.fork()
    if pid == 0:
        tell(theirs, work)
        os._exit(0)
    os.close(theirs)
    found = heard(ours)
    os.waitpid(pid, 0)
    os.close(master)
    return found


def leave_terminal():
    with open("/dev/tty", "rb", buffering=0) as terminal:
        fcntl.ioctl(terminal, termios.TIOCNOTTY)


def keeper():
    """The process that has everything this agent leaves behind."""
    pid = os.getpid()
    while pid > 1:
        text = open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace").read()
        if "(pawl-keeper)" in text:
            return pid
        pid = int(text.rpartition(") ")[2].split()[1])
    raise LookupError("no keeper above us")


def holder_killed(work):
    """Asks when nothing of Pawl's is above it any more. Those that held it end with all their agents: that is no secret."""
    first_of_us = keeper()
    holder = int(open(f"/proc/{first_of_us}/stat", encoding="utf-8").read().rpartition(") ")[2].split()[1])

    def late():
        os.kill(first_of_us, signal.SIGKILL)
        os.kill(holder, signal.SIGKILL)
        wait_for(lambda: not os.path.exists(f"/proc/{holder}"), 5)
        return work()
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    return detached(late)


def orphaned(signal_number, who):
    """Ends what is above it, waits until it has another parent, and asks."""
    def work():
        parent = os.getppid()
        os.kill(who(), signal_number)
        wait_for(lambda: os.getppid() != parent, 2)
        return ask()
    return child(work, 2)


def short_lived(count=200):
    """A line of parents that end one after the other while the last one asks, again and again."""
    ours, theirs = os.pipe()
    for _ in range(count):
        pid = os.fork()
        if pid == 0:
            sock = connect()
            sock.sendall(frame(request(*STOP)))
            if os.fork() == 0:
                os.write(theirs, struct.pack("i", code_of(reply(sock))))
            os._exit(0)
        os.waitpid(pid, 0)
    codes = [struct.unpack("i", os.read(ours, 4))[0] for _ in range(count)]
    return no_code(min(codes), f"this runs inside, {codes.count(6)} times")


def numbers_come_again():
    """Where few numbers are: forks until its own child's comes again, which then asks."""
    write("/proc/sys/kernel/pid_max", str(RESERVED + 100))
    ours, theirs = os.pipe()
    begun = time.monotonic()
    seen = None
    while time.monotonic() < begun + PATIENCE:
        pid = os.fork()
        if pid == 0:
            if os.getpid() == seen:
                tell(theirs, ask)
            os._exit(0)
        os.waitpid(pid, 0)
        if pid == seen:
            os.close(theirs)
            return heard(ours)
        if pid > RESERVED:
            seen = seen or pid
    raise TimeoutError("the number did not come again")


# A holder's own socket, as doc/holder.md has it: whoever says hello there takes the daemon's place.
def holder_frame(kind, session, payload=b""):
    return struct.pack("<IHHQ", len(payload), kind, 0, session) + payload


def to_holder(kind, payload=b""):
    for path in glob.glob(HOME + "/holders/*.sock"):
        sock = connect(path)
        hello = holder_frame(1, 0, struct.pack("<IHHII", 0x4C574150, 1, 1, os.getpid(), 0))
        try:
            sock.sendall(hello + holder_frame(kind, FACTS["session"], payload))
            sock.recv(1)
        except (ConnectionError, TimeoutError):
            pass
    return no_code()


# What hooks say.
def last_hook():
    return ask("show", {"name": "victim"})["result"]["agent"]["hook"]


def hook(session=None, secret=None, more=(), wait=False, **said):
    """Says of another agent what was not said of it last. A hook is not told whether it was believed: it is looked up."""
    before = last_hook()
    event = "Stop" if before == "UserPromptSubmit" else "UserPromptSubmit"
    args = {"runtime": "claude", "agent": "victim", "session": FACTS["victim_cookie"] if session is None else session,
            "secret": FACTS["victim_secret"] if secret is None else secret, "wait": wait,
            "json": json.dumps({"session_id": "forged", "hook_event_name": event, "transcript_path": "/t/forged.jsonl", **said})}
    ask("hook", args, **dict(more))
    after = last_hook()
    return no_code() if after == before else {"ok": True, "result": f"it was believed: {before}, now {after}"}
