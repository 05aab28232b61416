"""The service of an ordinary user who is not logged in, under the systemd of a whole machine."""
import json
import os
import signal
import time

from said import BALLAST, agents, alive, become, detail, give, group_of, holds, limits, pawl, run

UNIT = "pawl.service"
SHORTENED = os.path.expanduser("~/.config/systemd/user/pawl.service.d/short.conf")
WATCHDOG = 6  # seconds, in place of a minute
GROUPED = os.path.join(os.path.dirname(os.path.realpath(__file__)), "grouped.sh")


def shown(name, unit=UNIT):
    return run("systemctl", "--user", "show", unit, "-p", name, "--value").strip()


def main_pid():
    return int(shown("MainPID"))


def came_back(what, before, restarts):
    become(what, lambda: (shown("NRestarts"), shown("ActiveState")) == (str(restarts), "active") and main_pid() not in (0, before))


def installed():
    pawl("install-service")
    seen = " ".join(shown(name) for name in ("ActiveState", "Type", "OOMPolicy", "Delegate", "KillMode"))
    holds("install-service starts a service", seen == "active notify continue yes process", seen)
    linger = run("loginctl", "show-user", "tester", "-p", "Linger", "-p", "Sessions")
    holds("it runs without a login", sorted(linger.split()) == ["Linger=yes", "Sessions="], linger.split())


def watched():
    os.makedirs(os.path.dirname(SHORTENED))
    with open(SHORTENED, "w", encoding="ascii") as file:
        file.write(f"[Service]\nWatchdogSec={WATCHDOG}\n")
    run("systemctl", "--user", "daemon-reload")
    run("systemctl", "--user", "restart", UNIT)
    pawl("run", "-d", "calm", "--", "sleep", "1000")
    calm, begun = agents()["calm"]["pid"], time.monotonic()
    become("three watchdog periods pass", lambda: time.monotonic() > begun + 3 * WATCHDOG)
    holds("the watchdog was fed", (shown("NRestarts"), shown("ActiveState")) == ("0", "active"))
    daemon = main_pid()
    os.kill(daemon, signal.SIGKILL)
    came_back("killed, it comes back", daemon, 1)
    daemon = main_pid()
    os.kill(daemon, signal.SIGSTOP)
    came_back("stopped, the watchdog brings another", daemon, 2)
    agent = agents()["calm"]
    holds("its agent never noticed", (agent["pid"], agent["restarts"]) == (calm, 0) and alive(calm), agent["state"])
    scores = [int(open(f"/proc/{pid}/oom_score_adj", encoding="ascii").read()) for pid in (main_pid(), calm)]
    holds("agents go first when memory is short", scores[1] == max(scores[0], 0) + 100, scores)


def limited():
    holds("doctor says what a service cannot do", "systemd could not restart a service whose cgroup has limits in it" in limits(), limits())
    give("big", "python3", "-c", BALLAST, options=("--memory", "100M", "--retries", "0"))
    said = detail("big")
    holds("too much memory is seen and ended", "killed for memory (" in said and "of 100 MiB; looked at every 2 s)" in said, said)
    said = give("half", "true", options=("--cpu", "50%"), code=1).strip()
    holds("a CPU limit is refused with a reason", "a CPU limit cannot be kept here: systemd could not restart" in said, said)


def controllers_in_a_service(controllers, restarts):
    """Whether systemd starts it again: it has to put the next process into the group above."""
    unit = "grouped.service"
    run("systemd-run", "--user", "-q", "--unit", unit, "-p", "Delegate=yes", "-p", "Restart=always", "-p", "RestartSec=200ms",
        "-p", "KillMode=process", "-p", "StartLimitIntervalSec=0", "sh", GROUPED, controllers)
    become("another service runs in a leaf of its cgroup" + (" beside controllers" if controllers else ""),
           lambda: group_of(shown("MainPID", unit)).endswith("/leaf"))
    first = int(shown("MainPID", unit))
    os.kill(first, signal.SIGKILL)
    if restarts:
        become("without them systemd starts it again", lambda: int(shown("MainPID", unit)) not in (0, first))
    else:
        become("with them systemd does not: status 219 (CGROUP)", lambda: shown("ExecMainStatus", unit) == "219" and int(shown("NRestarts", unit)) > 1)
    above = f"/sys/fs/cgroup{run('systemctl', '--user', 'show', 'app.slice', '-p', 'ControlGroup', '--value').strip()}/{unit}"
    run("systemctl", "--user", "stop", unit)
    run("sh", "-c", f"echo 1 >{above}/cgroup.kill", code=None)
    become("it has left", lambda: not os.path.isdir(above))


def before_the_reboot():
    """Also: a watchdog of seconds would end a daemon that the shortage of memory holds up."""
    os.remove(SHORTENED)
    with open("pawl.toml", "w", encoding="ascii") as file:
        file.write('[agent.back]\nrestart = "fresh"\ncommand = ["sleep", "1000"]\n')
    pawl("up", "--trust")
    with open("before.json", "w", encoding="ascii") as file:
        json.dump({"daemon": main_pid(), "boot": open("/proc/sys/kernel/random/boot_id", encoding="ascii").read()}, file)


if __name__ == "__main__":
    installed()
    watched()
    limited()
    controllers_in_a_service("", True)
    controllers_in_a_service("+memory", False)
    before_the_reboot()
