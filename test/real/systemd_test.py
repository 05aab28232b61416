#!/usr/bin/env python3
"""The service under a real systemd: that of a user, in a mount namespace of its own. Needs root, unshare and systemd; else it is skipped."""
import os
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../e2e"))
from fleet import PAWL, FleetCase  # noqa: E402  pylint: disable=wrong-import-position

SYSTEMD = "/lib/systemd/systemd"
# A user's manager wants to see that the machine runs systemd, and a cgroup of its own.
SCRIPT = r"""
mount -t tmpfs none /run && mkdir -p /run/systemd/system
[ ! -d /sys/fs/cgroup/systemd ] || { mkdir -p /sys/fs/cgroup/systemd/pawl-test && echo $$ >/sys/fs/cgroup/systemd/pawl-test/cgroup.procs; }
"$PAWL" install-service --print | sed 's/WatchdogSec=60/WatchdogSec=6/' >"$HOME/.config/systemd/user/pawl.service"
timeout 100 "$SYSTEMD" --user >/dev/null 2>&1 &
for _ in 1 2 3 4 5 6 7 8 9 10; do systemctl --user is-system-running >/dev/null 2>&1 && break; sleep 0.5; done
show() { systemctl --user show pawl.service -p "$1" --value; }
systemctl --user start pawl.service || { echo no-systemd; exit 0; }
echo type $(show Type) $(show ActiveState) $(show OOMPolicy) $(show Delegate)
"$PAWL" run -d a -- sh -c 'cat /proc/self/oom_score_adj; sleep 1000' >/dev/null
sleep 9
echo fed $(show NRestarts)
kill -9 $(show MainPID); sleep 4
echo killed $(show NRestarts) $(show ActiveState)
kill -STOP $(show MainPID); sleep 13
echo watchdog $(show NRestarts) $(show ActiveState)
echo agent $("$PAWL" ls --json | tr -d ' \n' | grep -o '"restarts":[0-9]*')
echo score $("$PAWL" screen a | head -1) $(cat /proc/$(show MainPID)/oom_score_adj)
"$PAWL" down >/dev/null
systemctl --user stop pawl.service
echo stopped $(show ActiveState) $(show Result)
kill %1
"""


@unittest.skipUnless(os.geteuid() == 0 and os.path.exists(SYSTEMD) and shutil.which("unshare") and shutil.which("systemctl"), "no systemd to try")
class Systemd(FleetCase):
    def test_notified_fed_killed_and_watched(self):
        for name in ("runtime", "user/.config/systemd/user"):
            os.makedirs(f"{self.folder}/{name}", mode=0o700)
        environment = {**self.environment, "HOME": self.folder + "/user", "XDG_RUNTIME_DIR": self.folder + "/runtime", "PAWL": PAWL,
                       "SYSTEMD": SYSTEMD}
        environment.pop("XDG_CONFIG_HOME", None)
        done = subprocess.run(["unshare", "-m", "--propagation", "private", "bash", "-c", SCRIPT], env=environment, cwd=self.folder, timeout=120,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False)
        if "no-systemd" in done.stdout:
            self.skipTest("a user's systemd does not come up here: " + done.stdout)
        said = dict(line.split(" ", 1) for line in done.stdout.splitlines() if " " in line)
        self.assertEqual(said["type"], "notify active continue yes", done.stdout)
        self.assertEqual(said["fed"], "0", "the loop feeds the watchdog")
        self.assertEqual(said["killed"], "1 active", "killed, it comes back")
        self.assertEqual(said["watchdog"], "2 active", "and when its loop does not turn")
        self.assertEqual(said["agent"], '"restarts":0', "its agent never noticed")
        agent, daemon = map(int, said["score"].split())
        self.assertEqual(agent, max(daemon, 0) + 100, "agents go first when memory is short")
        self.assertEqual(said["stopped"], "inactive success")


if __name__ == "__main__":
    unittest.main(verbosity=2)
