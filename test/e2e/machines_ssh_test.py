#!/usr/bin/env python3
"""Other machines by OpenSSH on the loopback interface: what machines_test.py says, and that one connection serves all."""
import os
import shutil
import socket
import subprocess
import time
import unittest

import machines_test
from fleet import until

SSHD = shutil.which("sshd", path=os.environ["PATH"] + ":/usr/sbin")


@unittest.skipUnless(SSHD and shutil.which("ssh") and os.geteuid() == 0, "no sshd here, or not root")
class RealSsh(machines_test.Machines):
    """The same with OpenSSH. Hosts differ by their port; what they do first is in the file that their shell reads."""

    def connect(self):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.folder + "/key"], check=True)
        shutil.copy(self.folder + "/key.pub", self.folder + "/authorized")
        real = shutil.which("ssh")
        self.write("bin/ssh", f"#!/bin/sh\nexec {real} -F {self.folder}/ssh_config \"$@\"\n", 0o755)
        self.write("ssh_config", "")
        os.makedirs("/run/sshd", exist_ok=True)

    def far(self, name, first=""):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        environment = super().far(name, first)
        command = self.write(f"{name}.sh", f'#!/bin/sh\nexport HOME="{self.folder}"\n. "{self.folder}/hosts/{name}"\n'
                                           'exec sh -c "$SSH_ORIGINAL_COMMAND"\n', 0o755)
        config = self.write(f"{name}.sshd", f"""Port {port}
ListenAddress 127.0.0.1
HostKey {self.folder}/key
AuthorizedKeysFile {self.folder}/authorized
StrictModes no
UsePAM no
PasswordAuthentication no
PidFile none
ForceCommand {command}
SetEnv PAWL_HOME={self.folder}/{name} PATH={self.environment['PATH']} PAWL_CONFIG={self.folder}/no.toml
""")
        with open(self.folder + "/ssh_config", "a", encoding="utf-8") as file:
            file.write(f"Host {name}\n  HostName 127.0.0.1\n  Port {port}\n  IdentityFile {self.folder}/key\n  IdentitiesOnly yes\n"
                       f"  User root\n  UserKnownHostsFile {self.folder}/known\n  StrictHostKeyChecking accept-new\n")
        server = subprocess.Popen([SSHD, "-D", "-f", config], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # pylint: disable=consider-using-with

        def end():
            server.terminate()
            server.wait()
        self.addCleanup(end)
        until("sshd listens", lambda: self.listens(port))
        return environment

    @staticmethod
    def listens(port):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    def test_the_others_go_through_the_first_connection(self):
        self.far("gpu")
        self.add("gpu")
        masters = [name for name in os.listdir(self.home + "/machines/gpu") if name.startswith("ssh.")]
        self.assertEqual(len(masters), 1)
        took = []
        for _ in range(5):
            began = time.monotonic()
            self.pawl("events", "--agent", "gpu/none", code=None)
            took.append(time.monotonic() - began)
        self.assertLess(min(took), 1.5)


if __name__ == "__main__":
    unittest.main()
