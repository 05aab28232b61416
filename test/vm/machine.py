"""The first program of the machine that tools/vm starts: installs the package, plays the tests as a user and as root, ends it all."""
import os
import shutil
import subprocess
import sys
import traceback

from said import PATIENCE, become, holds, run, until

REPORT = "/dev/virtio-ports/pawl.report"
HERE = os.path.dirname(os.path.realpath(__file__))
REBOOTED = "/var/lib/pawl-rebooted"
BOX = "/sys/fs/cgroup/box"
USER = "tester"
HOME = "/home/" + USER
# A cgroup of its own that looks like the whole, as in a container.
BOXED = f"echo $$ >{BOX}/cgroup.procs; exec unshare --cgroup --mount sh -c 'mount --bind {BOX} /sys/fs/cgroup && exec pawl daemon'"


def play(script, *words, user=USER, pawl_home=None):
    home = HOME if user == USER else "/root"
    environment = {"HOME": home, "USER": user, "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
    if user == USER:
        environment["XDG_RUNTIME_DIR"] = "/run/user/1000"
    if pawl_home:
        environment["PAWL_HOME"] = f"{home}/{pawl_home}"
    as_user = [] if user == "root" else ["runuser", "-u", user, "--"]
    done = subprocess.run([*as_user, "python3", f"{HERE}/{script}.py", *words], env=environment, cwd=home, stdin=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        sys.exit(f"{script}.py {' '.join(words)}: it ended with {done.returncode}")


def first():
    run("dpkg", "-i", "/opt/pawl/pawl.deb")
    holds("the package is installed", shutil.which("pawl") == "/usr/bin/pawl", run("pawl", "--version").strip())
    run("loginctl", "enable-linger", USER)
    become("the systemd of a user runs without a login",
           lambda: run("systemctl", "is-active", "user@1000.service", code=None) == "active\n" and os.path.exists("/run/user/1000/systemd/private"))
    play("service")
    play("beside")
    play("kept", "in a scope of systemd's", "systemd-run", "--user", "--scope", "-q", "-p", "Delegate=yes", "-p", "MemoryMax=300M",
         "pawl", "daemon", pawl_home="scope")
    os.mkdir(BOX)
    with open(BOX + "/memory.max", "w", encoding="ascii") as file:
        file.write("300M")
    play("kept", "in a cgroup as a container has it", "sh", "-c", BOXED, user="root", pawl_home="box")
    play("reboot")


def main():
    if os.path.exists(REBOOTED):
        play("rebooted")
        print("vm: all of it is true", flush=True)
        run("systemctl", "poweroff")
    else:
        first()
        open(REBOOTED, "w", encoding="ascii").close()
        run("systemctl", "reboot")


if __name__ == "__main__":
    report = os.open(until("its report can be written", lambda: os.path.exists(REPORT) and REPORT, PATIENCE), os.O_WRONLY)
    os.dup2(report, 1)
    os.dup2(report, 2)
    try:
        main()
    finally:
        if sys.exc_info()[0]:
            traceback.print_exc()
            subprocess.run(["systemctl", "poweroff"], check=False)
