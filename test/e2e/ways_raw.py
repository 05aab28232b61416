"""The words in which ways_table.py says what a process tries: the local socket by hand, and other processes that use it. Each gives the
daemon's reply. Run inside an agent by ways_inside.py; ways_self.py has more of them."""
import ctypes
import json
import os
import signal
import socket
import struct
import sys
import threading
import time

PATIENCE = 20  # seconds for one row
BIG = 4 << 20  # src/api/frame.h
CLONE_PARENT, CLONE_FS, SYS_CLONE = 0x8000, 0x200, {"x86_64": 56, "aarch64": 220}
FACTS = {}
HOME = os.environ.get("PAWL_HOME", "")
SOCKET = HOME + "/pawl.sock"
STOP = ("stop", {"names": ["other"]})
libc = ctypes.CDLL(None, use_errno=True)


# The local socket, as src/api/frame.h has it.
def frame(payload, kind=b"J"):
    data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return struct.pack("<I", len(data)) + kind + data


def request(verb, args, **more):
    return {"version": 1, "verb": verb, "args": args, "cwd": FACTS.get("folder", "/"), **more}


def connect(path=None, bind=None):
    sock = socket.socket(socket.AF_UNIX)
    sock.settimeout(PATIENCE)
    if bind is not None:
        sock.bind(bind)
    sock.connect(path or SOCKET)
    return sock


def taken(descriptor):
    sock = socket.socket(fileno=descriptor)
    sock.settimeout(PATIENCE)
    return sock


def exactly(sock, size):
    data = b""
    while len(data) < size:
        more = sock.recv(size - len(data))
        if not more:
            return None
        data += more
    return data


def reply(sock):
    """The next answer; nothing when there is none any more."""
    try:
        while head := exactly(sock, 5):
            body = exactly(sock, struct.unpack("<I", head[:4])[0])
            if head[4:] == b"J" and body is not None and "ok" in (found := json.loads(body)):
                return found
    except (ConnectionError, TimeoutError):
        pass
    return None


def ask(verb=STOP[0], args=None, sock=None, **more):
    sock = sock or connect()
    sock.sendall(frame(request(verb, STOP[1] if args is None else args, **more)))
    return reply(sock)


def raw(*frames, answers=1):
    """Sends these bytes, and gives the last of so many answers."""
    sock = connect()
    try:
        sock.sendall(b"".join(frames))
    except ConnectionError:
        pass
    return [reply(sock) for _ in range(answers)][-1]


def worst(replies):
    """Of several answers the one that is least refused."""
    return min(replies, key=code_of)


def code_of(answer):
    if answer is None:
        return 99  # hung up
    return 0 if answer.get("ok") else answer["error"]["exit_code"]


def no_code(code=6, what="this runs inside: nobody says so, what became of it counts"):
    return {"ok": False, "error": {"exit_code": code, "what": what}}


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def link(path, name):
    """Another name for it, in a folder that is everybody's here."""
    where = f"{FACTS['folder']}/link-{os.getpid()}-{name}"
    os.symlink(path, where)
    return where


def hard_link():
    where = f"{HOME}/link-{os.getpid()}"
    os.link(SOCKET, where)
    try:
        return connect(where)
    finally:
        os.remove(where)


def from_folder(folder, path):
    os.chdir(folder)
    return connect(path)


def credentials(pid):
    """Says in SCM_CREDENTIALS that it is another process, as only root can."""
    sock = connect()
    sock.sendmsg([frame(request(*STOP))], [(socket.SOL_SOCKET, socket.SCM_CREDENTIALS, struct.pack("iII", pid, os.getuid(), os.getgid()))])
    return reply(sock)


# Other processes that do it.
def tell(end, work):
    with os.fdopen(end, "w", encoding="utf-8") as pipe:
        try:
            json.dump(work(), pipe)
        except Exception as error:  # pylint: disable=broad-except
            json.dump(no_code(98, repr(error)), pipe)


def heard(end):
    with os.fdopen(end, encoding="utf-8") as pipe:
        return json.loads(pipe.read())


def child(work, depth=1, apart=False, fork=os.fork):
    """Gives what a process `depth` below us says of it; those between wait, unless they set it apart."""
    ours, theirs = os.pipe()
    pid = fork()
    if pid == 0:
        os.close(ours)
        for _ in range(depth - 1):
            if apart:
                os.setsid()
            below = os.fork()
            if below:
                os.close(theirs)
                if not apart:
                    os.waitpid(below, 0)
                os._exit(0)
        tell(theirs, work)
        os._exit(0)
    os.close(theirs)
    if apart:
        os.waitpid(pid, 0)
    found = heard(ours)
    if not apart:
        try:
            os.waitpid(pid, 0)
        except ChildProcessError:
            pass
    return found


def detached(work):
    return child(work, 3, True)


def thread(work):
    found = []
    one = threading.Thread(target=lambda: found.append(work()))
    one.start()
    one.join()
    return found[0]


def sibling_of(work):
    """A child of our parent, not of ours (CLONE_PARENT)."""
    number = SYS_CLONE[os.uname().machine]
    return child(work, fork=lambda: libc.syscall(number, CLONE_PARENT | signal.SIGCHLD, 0, 0, 0, 0))


def handed_on(to, early=False):
    """A socket that we opened, passed on through SCM_RIGHTS to somebody who asks there."""
    sock, (ours, theirs) = connect(), socket.socketpair()
    if early:
        sock.sendall(frame(request("ls", {})))
        reply(sock)
    give(ours, sock)
    sock.close()

    def take():
        return ask(sock=taken(socket.recv_fds(theirs, 1, 1)[1][0]))
    return to(take)


def handed_back(from_, asks=True, reap=True, stopped=False, meanwhile=lambda pid: None):
    """A socket that a child opened and gave to us; it ends before we ask, or before the daemon looks."""
    ours, theirs = socket.socketpair()
    if stopped:
        os.kill(FACTS["daemon"], signal.SIGSTOP)
    try:
        pid = os.fork()
        if pid == 0:
            from_(lambda: give(theirs, early(asks)))
            os._exit(0)
        theirs.close()
        sock = taken(socket.recv_fds(ours, 1, 1)[1][0])
        os.waitid(os.P_PID, pid, os.WEXITED | (0 if reap else os.WNOWAIT))
        meanwhile(pid)
    finally:
        if stopped:
            os.kill(FACTS["daemon"], signal.SIGCONT)
    return reply(sock) if asks else ask(sock=sock)


def number_of_a_person():
    """Its number is a person's by the time the daemon looks; the test sees to that."""
    def wait(pid):
        write(FACTS["folder"] + "/number.part", str(pid))
        os.rename(FACTS["folder"] + "/number.part", FACTS["folder"] + "/number")
        wait_for(lambda: os.path.exists(FACTS["folder"] + "/taken"))
    return handed_back(lambda work: work(), stopped=True, meanwhile=wait)


def give(way, sock):
    socket.send_fds(way, [b"x"], [sock.fileno()])


def early(asks):
    sock = connect()
    if asks:
        sock.sendall(frame(request(*STOP)))
    return sock


def parent_ends():
    """Connects, forks and ends; the child writes when it is an orphan."""
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.setsid()
        sock, parent = connect(), os.getpid()
        if os.fork() == 0:
            wait_for(lambda: os.getppid() != parent)
            tell(theirs, lambda: ask(sock=sock))
        os._exit(0)
    os.close(theirs)
    os.waitpid(pid, 0)
    return heard(ours)


def becomes(*words):
    """Connects, and then runs another program in its place, which asks at descriptor 9."""
    def work():
        sock = connect()
        os.dup2(sock.fileno(), 9)
        code = "import sys; sys.path.insert(0, %r); import ways_raw as w; w.from_nine()" % os.path.dirname(os.path.abspath(__file__))
        os.execvp(words[0], [*words, sys.executable, "-c", code])
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.dup2(theirs, 8)
        work()
    os.close(theirs)
    found = heard(ours)
    os.waitpid(pid, 0)
    return found


def from_nine():
    tell(8, lambda: ask(sock=taken(9)))


def wait_for(condition, seconds=PATIENCE):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.002)
    return condition()
