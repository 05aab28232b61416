"""Limits of tasks of a service: in a scope beside it, which systemd makes when the daemon begins, and removes with the last that runs there."""
import glob
import json
import os
import re
import signal

import kept
from said import (BALLAST, KERNEL, PATIENCE, agents, alive, become, detail, give, group_of, holds, limits, of_task, pawl, processes_called, run,
                  until, with_words)
from service import SHORTENED, UNIT, came_back, main_pid, shown

BIN = os.path.expanduser("~/bin")
SCOPES = "/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice/pawl-*.scope"
MANY = 40


def scopes():
    return {os.path.basename(path) for path in glob.glob(SCOPES)}


def scope_of(pid):
    return os.path.basename(os.path.dirname(group_of(pid)))


def mine():
    """The scope that this daemon has, as soon as systemd has answered."""
    return until("the kernel keeps all limits", lambda: re.search(re.escape(KERNEL) + r", in (pawl-\S+\.scope)$", limits()), PATIENCE)[1]


def restart():
    before = main_pid()
    run("systemctl", "--user", "restart", UNIT)
    holds("systemd starts the service again", shown("ActiveState") == "active" and main_pid() not in (0, before))


def kept_here():
    holds("the kernel keeps all limits of a service, in a scope beside it", mine() and group_of(main_pid()).endswith("/" + UNIT), limits())
    holds("there is one scope", scopes() == {mine()})
    kept.memory()
    kept.cpu()
    kept.nest()


def many():
    for number in range(MANY):
        give(f"many{number}", "sleep", "1000", options=("--memory", "50M"))
    pids = [of_task(f"many{number}") for number in range(MANY)]
    groups = {group_of(pid) for pid in pids}
    holds(f"{MANY} tasks have a cgroup each, in one scope", len(groups) == MANY and {scope_of(pid) for pid in pids} == {mine()})
    for number in range(MANY):
        pawl("task", "cancel", f"many{number}")
    become("none is left", lambda: not any(map(os.path.isdir, groups)))


def outlived():
    script = "import os, time\nwhile not os.path.exists('go'): time.sleep(0.1)\n" + BALLAST
    give("late", "python3", "-c", script, options=("--memory", "100M", "--cpu", "50%", "--retries", "0"))
    pawl("run", "-d", "calm3", "--", "sleep", "1000")
    late, calm, first = of_task("late"), agents()["calm3"]["pid"], mine()
    restart()
    second = mine()
    holds("the next daemon has a scope of its own, beside that of the task", second != first and scopes() == {first, second}, scopes())
    daemon = main_pid()
    os.kill(daemon, signal.SIGKILL)
    came_back("killed, the service comes back", daemon, 1)
    third = mine()
    become("a scope goes with the last that runs in it", lambda: scopes() == {first, third})
    run("systemctl", "--user", "stop", UNIT)
    become("stopped, it leaves the task alone", lambda: shown("ActiveState") == "inactive" and scopes() == {first})
    holds("… and the agent", alive(late) and alive(calm))
    with open("go", "w", encoding="ascii"):
        pass
    become("its limit is kept while no daemon runs", lambda: not alive(late))
    os.remove("go")
    become("and nothing is left of it", lambda: not scopes())
    run("systemctl", "--user", "start", UNIT)
    become("the next daemon knows its end", lambda: json.loads(pawl("task", "status", "late", "--json"))["status"] == "abandoned")
    agent = agents()["calm3"]
    holds("the agent never noticed", (agent["pid"], agent["restarts"]) == (calm, 0), agent["state"])


def orphaned():
    """Its holder dies while no daemon runs: nobody of the task is left that anybody knows, but its cgroup is there."""
    give("nest2", "sh", "-c", "trap '' HUP; (env -i setsid sleep 803 </dev/null &); exec sleep 804", options=("--retries", "0"))
    group = group_of(of_task("nest2"))
    run("systemctl", "--user", "stop", UNIT)
    for pid in processes_called("pawl-holder"):
        os.kill(pid, signal.SIGKILL)
    holds("somebody of it is left", with_words("sleep", "803"))
    run("systemctl", "--user", "start", UNIT)
    become("the next daemon finds it in the scope of the one before", lambda: not with_words("sleep", "803") and not os.path.isdir(group))
    become("and one scope is left", lambda: scopes() == {mine()})


def ended_by_hand():
    give("there", "sleep", "1000", options=("--memory", "100M", "--retries", "2"))
    first, pid = mine(), of_task("there")
    run("systemctl", "--user", "stop", first)
    holds("a scope that is stopped ends its tasks", not alive(pid))
    become("they are tried again", lambda: (of_task("there") or 0) not in (0, pid))
    pawl("task", "cancel", "there")


def by_looking(why):
    become("doctor says why there is no scope", lambda: why in limits(), 30)
    give("big2", "python3", "-c", BALLAST, options=("--memory", "100M", "--retries", "0"))
    said = detail("big2")
    holds("too much memory is seen and ended", "killed for memory (" in said and "of 100 MiB; looked at every 2 s)" in said, said)
    said = give("half2", "true", options=("--cpu", "50%"), code=1).strip()
    holds("a CPU limit is refused with the reason", "a CPU limit cannot be kept here: systemd could not restart" in said and why in said, said)
    pawl("task", "clean", "--force", "big2")


def with_option(text):
    with open(SHORTENED, "w", encoding="ascii") as file:
        file.write("[Service]\n" + text + "\n")
    run("systemctl", "--user", "daemon-reload")
    restart()


def hanging():
    """systemd-run stands for a systemd that does not answer."""
    os.makedirs(BIN)
    with open(BIN + "/systemd-run", "w", encoding="ascii") as file:
        file.write("#!/bin/sh\nexec sleep 1000\n")
    os.chmod(BIN + "/systemd-run", 0o755)
    with_option(f"Environment=PATH={BIN}:/usr/bin:/bin")
    pawl("run", "-d", "calm4", "--", "sleep", "1000")
    holds("agents start while systemd does not answer", alive(agents()["calm4"]["pid"]) and "it is asked for a scope beside it" in limits(), limits())
    said = give("soon", "true", options=("--cpu", "50%"), code=1).strip()
    holds("a task that waited for the answer hears why it does not run", "systemd did not answer within 10 s" in said, said)
    by_looking("systemd did not answer within 10 s")


def limited_itself():
    with_option("MemoryMax=400M")
    by_looking("the service has limits of its own (memory.max)")


if __name__ == "__main__":
    kept_here()
    many()
    outlived()
    orphaned()
    ended_by_hand()
    hanging()
    limited_itself()
    os.remove(SHORTENED)
    run("systemctl", "--user", "daemon-reload")
    restart()
    holds("without all that it has a scope again", mine())
    for agent in ("calm3", "calm4"):
        pawl("stop", agent, code=None)
