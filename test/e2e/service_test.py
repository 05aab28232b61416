#!/usr/bin/env python3
"""pawl install-service: the unit it writes, whom it tells, and what it leaves alone. systemctl and loginctl are stand-ins that write
down what they are asked; `systemctl enable --now` starts what the unit says, as systemd would."""
import os
import shlex
import shutil
import signal
import subprocess
import unittest

from fleet import PAWL, FleetCase, alive, until

SYSTEMCTL = r"""#!/bin/sh
echo "systemctl $*" >>"$ASKED"
case "$*" in *"$REFUSE"*) echo "Failed to connect to bus: no medium"; exit 1;; esac
case "$*" in *"enable --now"*) grep -o '"[^"]*" daemon$' "$UNIT" >"$ASKED.start";; esac
exit 0
"""
LOGINCTL = '#!/bin/sh\necho "loginctl $*" >>"$ASKED"\nexit $LINGER\n'


class Service(FleetCase):
    def setUp(self):
        super().setUp()
        os.mkdir(self.folder + "/bin")
        for name, text in (("systemctl", SYSTEMCTL), ("loginctl", LOGINCTL)):
            with open(f"{self.folder}/bin/{name}", "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(f"{self.folder}/bin/{name}", 0o755)
        self.unit = self.folder + "/config/systemd/user/pawl.service"
        self.environment.update(PATH=f"{self.folder}/bin:{os.environ['PATH']}", XDG_CONFIG_HOME=self.folder + "/config",
                                ASKED=self.folder + "/asked", UNIT=self.unit, REFUSE="nothing at all", LINGER="0")

    def asked(self):
        """What systemd and logind were asked since the last time."""
        if not os.path.exists(self.folder + "/asked"):
            return []
        with open(self.folder + "/asked", encoding="utf-8") as file:
            lines = file.read().splitlines()
        os.remove(self.folder + "/asked")
        return lines

    def lock(self):
        with open(self.home + "/daemon.lock", encoding="ascii") as file:
            return file.read().strip()

    def text(self):
        with open(self.unit, encoding="utf-8") as file:
            return file.read()

    def change(self, text):
        with open(self.unit, "w", encoding="utf-8") as file:
            file.write(text)

    def test_installed_and_removed(self):
        said = self.pawl("install-service").stdout
        self.assertIn("wrote " + self.unit, said)
        self.assertIn("starts at boot", said)
        self.assertEqual(self.asked(), ["systemctl --user daemon-reload", "systemctl --user enable --now pawl.service",
                                        "loginctl enable-linger"])
        for line in (f'ExecStart="{os.path.realpath(PAWL)}" daemon', f'Environment="PAWL_HOME={self.home}"', "KillMode=process",
                     "Restart=always", "WantedBy=default.target"):
            self.assertIn(line + "\n", self.text())
        self.assertIn("removed " + self.unit, self.pawl("install-service", "--remove").stdout)
        self.assertFalse(os.path.exists(self.unit))
        self.assertEqual(self.asked(), ["systemctl --user disable --now pawl.service", "systemctl --user daemon-reload"])
        self.assertIn("no service is installed", self.refused("install-service", "--remove"))

    def test_only_shown(self):
        shown = self.pawl("install-service", "--print").stdout
        self.assertFalse(os.path.exists(self.unit))
        self.assertEqual(self.asked(), [])
        self.pawl("install-service")
        self.assertEqual(self.text(), shown)

    def test_odd_names_mean_themselves(self):
        self.environment["PAWL_HOME"] = self.folder + '/a "b" 50% \\c'
        shown = self.pawl("install-service", "--print").stdout
        self.assertIn(f'Environment="PAWL_HOME={self.folder}/a \\"b\\" 50%% \\\\c"\n', shown)

    def test_what_a_person_changed_is_kept(self):
        self.pawl("install-service")
        changed = self.text().replace("RestartSec=2", "RestartSec=9")
        self.assertNotEqual(changed, self.text())
        self.change(changed)
        self.asked()
        message = self.refused("install-service")
        self.assertIn("changed by hand", message)
        self.assertIn("--force", message)
        self.assertEqual((self.text(), self.asked()), (changed, []))
        self.pawl("install-service", "--force")
        self.assertIn("RestartSec=2\n", self.text())
        self.change("[Service]\nExecStart=/bin/true\n")
        self.refused("install-service")

    def test_what_we_wrote_ourselves_is_replaced(self):
        self.pawl("install-service")
        before = self.text()
        self.environment["PATH"] += ":/somewhere/else"
        self.pawl("install-service")
        self.assertNotEqual(self.text(), before)
        self.assertIn(":/somewhere/else", self.text())

    def test_without_systemd_it_says_what_to_do(self):
        self.pawl("ls")
        daemon = self.daemon_pid()
        self.environment["REFUSE"] = "daemon-reload"
        done = self.pawl("install-service", code=1)
        self.assertIn("no medium", done.stderr)
        self.assertIn("systemctl --user enable --now pawl.service", done.stderr)
        self.assertTrue(os.path.exists(self.unit))
        self.assertTrue(alive(daemon), "the one there is stays")

    def test_without_lingering_it_says_so(self):
        self.environment["LINGER"] = "1"
        self.assertIn("sudo loginctl enable-linger", self.pawl("install-service").stdout)

    def test_the_one_a_command_started_makes_room(self):
        self.sh("one", "exec sleep 1000")
        before, pid = self.daemon_pid(), self.agents()["one"]["pid"]
        self.pawl("install-service")
        until("the one before is gone", lambda: not alive(before))
        with open(self.folder + "/asked.start", encoding="utf-8") as file:
            command = shlex.split(file.read())
        service = subprocess.Popen(command, env=self.environment)
        self.addCleanup(service.wait)
        self.addCleanup(service.terminate)
        until("it has the lock, before a command of ours starts another", lambda: self.lock() == str(service.pid))
        self.assertEqual(self.agents()["one"]["pid"], pid)
        service.send_signal(signal.SIGTERM)
        self.assertEqual(service.wait(timeout=10), 0)
        self.assertTrue(alive(pid), "KillMode=process: agents outlive it")

    @unittest.skipUnless(shutil.which("systemd-analyze"), "no systemd here")
    def test_systemd_understands_it(self):
        self.pawl("install-service")
        done = subprocess.run(["systemd-analyze", "--user", "verify", "--man=no", self.unit], encoding="utf-8",
                              env={**self.environment, "XDG_RUNTIME_DIR": self.folder}, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.change(self.text().replace("KillMode=process", "KillMode=some"))
        done = subprocess.run(["systemd-analyze", "--user", "verify", "--man=no", self.unit], encoding="utf-8",
                              env={**self.environment, "XDG_RUNTIME_DIR": self.folder}, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        self.assertIn("kill mode", done.stdout, "it does look")


if __name__ == "__main__":
    unittest.main()
