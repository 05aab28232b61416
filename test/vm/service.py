"""The service of an ordinary user who is not logged in, under the systemd of a whole machine."""
import os
import signal
import time

from said import agents, alive, become, group_of, holds, pawl, run

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


if __name__ == "__main__":
    installed()
    watched()
    controllers_in_a_service("", True)
    controllers_in_a_service("+memory", False)
    os.remove(SHORTENED)  # a watchdog of seconds would end a daemon that a shortage of memory holds up
    run("systemctl", "--user", "daemon-reload")
    run("systemctl", "--user", "restart", UNIT)
