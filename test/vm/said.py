"""What the tests inside the machine share. Each says one line for each thing that is true, and ends at the first that is not."""
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../e2e"))
from fleet import alive, gone, read_proc, until  # noqa: E402,F401  pylint: disable=wrong-import-position,unused-import

PATIENCE = 120  # seconds; an emulated machine is slow
SHORTAGE = 600  # … and one that is short of memory may hardly move for minutes
BALLAST = "x=bytearray(300<<20); import time; time.sleep(600)"
KERNEL = "cgroups are delegated (memory, cpu): the kernel keeps all limits"
HOG = "x=[]\nwhile 1: x.append(bytearray(8<<20))"


def holds(what, true, seen=""):
    print("true " if true else "FALSE", what + (f": {seen}" if seen != "" else ""), flush=True)
    if not true:
        sys.exit(1)


def become(what, condition, seconds=PATIENCE):
    """It gets true in time."""
    try:
        found = until(what, condition, seconds)
    except AssertionError as error:
        holds(what, False, error)
    holds(what, True)
    return found


def run(*words, code=0, **more):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace", timeout=SHORTAGE,
                          check=False, **{"stdin": subprocess.DEVNULL, **more})
    if code is not None and done.returncode != code:
        holds(" ".join(words), False, f"exit code {done.returncode}: {done.stdout}")
    return done.stdout


def pawl(*words, code=0):
    return run("pawl", *words, code=code)


def give(name, *command, options=(), code=0):
    done = subprocess.run(["pawl", "task", "start", name, *options, "--", *command], input="do it\n", stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, encoding="utf-8", timeout=PATIENCE, check=False)
    if done.returncode != code:
        holds("pawl task start " + name, False, done.stdout)
    return done.stdout


def detail(name):
    """How a task that was given up ended."""
    pawl("task", "wait", name, "--timeout", "240", code=5)
    return json.loads(pawl("task", "status", name, "--json"))["detail"]


def agents():
    return {agent["name"]: agent for agent in json.loads(pawl("ls", "--json"))["agents"]}


def of_task(name):
    return agents()["task-" + name]["pid"]


def limits():
    """What doctor says of them."""
    return [one for one in json.loads(pawl("doctor", "--json", code=None))["checks"] if one["name"] == "limits"][0]["found"]


def group_of(pid):
    found = re.search(r"^0::(\S+)", read_proc(pid, "cgroup").decode(), re.M)
    return "/sys/fs/cgroup" + found[1] if found else ""


def number_in(path, key=""):
    with open(path, encoding="ascii") as file:
        return int(re.search(rf"^{key} ?(\d+)$", file.read(), re.M)[1])


def with_words(*words):
    line = "\0".join(words).encode() + b"\0"
    return [int(pid) for pid in os.listdir("/proc") if pid.isdigit() and read_proc(pid, "cmdline") == line and alive(pid)]


def processes_called(name):
    return [int(pid) for pid in os.listdir("/proc") if pid.isdigit() and read_proc(pid, "cmdline").startswith(name.encode() + b"\0") and alive(pid)]
