"""kept.py WHERE COMMAND...: limits that the kernel keeps. COMMAND is `pawl daemon` in a cgroup that is Pawl's alone, and has a limit itself."""
import json
import os
import re
import signal
import subprocess
import sys
import time

from said import BALLAST, HOG, KERNEL, alive, become, detail, give, group_of, holds, limits, number_in, of_task, pawl, with_words

SECONDS = 5
# Two generations away from its parent, its terminal and its environment.
NEST = ("(env -i setsid sh -c 'sleep 801 & sleep 801 & exec sleep 801' </dev/null >/dev/null 2>&1 &); exec sleep 802")


def daemon():
    with open(os.environ["PAWL_HOME"] + "/daemon.lock", encoding="ascii") as file:
        return int(file.read())


def memory():
    give("big", "python3", "-c", BALLAST, options=("--memory", "100M", "--retries", "1"))
    said = detail("big")
    holds("too much memory ends a task, by the kernel's count", re.search(r"killed for memory \(peak (99|100)(\.\d)? MiB of 100 MiB\)$", said), said)
    give("small", "python3", "-c", "x=bytearray(20<<20)", options=("--memory", "200M"))
    pawl("task", "wait", "small", "--timeout", "120")
    holds("a small one is left alone", json.loads(pawl("task", "status", "small", "--json"))["status"] == "completed")


def all_of_it():
    give("all", "python3", "-c", HOG, options=("--retries", "0"))
    said = detail("all")
    holds("a task without a limit that takes all that Pawl has is named", re.search(r"killed for memory \(peak \d+(\.\d)? MiB\)$", said), said)


def cpu():
    give("half", "sh", "-c", "while :; do :; done", options=("--cpu", "50%"))
    stat = group_of(of_task("half")) + "/cpu.stat"
    before, begun = number_in(stat, "usage_usec"), time.monotonic()
    become(f"{SECONDS} s pass", lambda: time.monotonic() > begun + SECONDS)
    share = (number_in(stat, "usage_usec") - before) / 1e4 / (time.monotonic() - begun)
    holds("a task with half a processor has that and no more", 20 < share < 60, f"{share:.0f} %")
    pawl("task", "cancel", "half")


def nest():
    give("nest", "sh", "-c", NEST)
    become("three have left their task", lambda: len(with_words("sleep", "801")) == 3)
    group = group_of(of_task("nest"))
    holds("all are in its cgroup", {group_of(pid) for pid in with_words("sleep", "801")} == {group}, os.path.basename(group))
    pawl("task", "cancel", "nest")
    become("nobody is left of it", lambda: not with_words("sleep", "801") and not with_words("sleep", "802"))
    become("nor its cgroup", lambda: not os.path.isdir(group))


def without_daemon():
    script = "import os, time\nwhile not os.path.exists('go'): time.sleep(0.1)\n" + BALLAST
    give("late", "python3", "-c", script, options=("--memory", "100M", "--retries", "0"))
    pid = of_task("late")
    os.kill(daemon(), signal.SIGKILL)
    with open("go", "w", encoding="ascii"):
        pass
    become("the limit is kept while no daemon runs", lambda: not alive(pid))
    os.remove("go")


def main(where, command):
    with subprocess.Popen(command, stdin=subprocess.DEVNULL):
        become(f"a daemon runs {where}", lambda: os.path.exists(os.environ["PAWL_HOME"] + "/pawl.sock"))
        holds("its limits are the kernel's", limits().startswith(KERNEL), limits())
        memory()
        all_of_it()
        cpu()
        nest()
        without_daemon()
    pawl("daemon", "--stop", code=None)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
