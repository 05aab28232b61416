#!/usr/bin/env python3
"""tools/setup asks for what is missing and for nothing else. The package tools are stand-ins that only write down."""
import os
import subprocess
import tempfile
import unittest

SETUP = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "tools", "setup")
DPKG = """#!/bin/sh
# Knows every package but those in $MISSING; those in $REMOVED are known and not installed.
shift 3; code=0
for name; do
  case " $MISSING " in *" $name "*) code=1; continue;; esac
  case " $REMOVED " in *" $name "*) echo "config-files $name"; continue;; esac
  echo "installed $name"
done
exit $code
"""
APT = '#!/bin/sh\necho "apt $DEBIAN_FRONTEND $*" >>"$LOG"\ncase "$*" in *install*) exit ${APT_RESULT:-0};; esac\n'
SUDO = '#!/bin/sh\necho sudo >>"$LOG"\nexec "$@"\n'


class Setup(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.bin = folder.name
        self.log = os.path.join(folder.name, "log")
        for tool in ("bash", "sed", "grep", "env", "sh"):
            os.symlink(os.path.join("/usr/bin", tool), os.path.join(self.bin, tool))

    def tool(self, name, text):
        path = os.path.join(self.bin, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755)

    def run_setup(self, *groups, **environment):
        done = subprocess.run(["/bin/bash", SETUP, *groups], stdin=subprocess.DEVNULL, text=True,
                              capture_output=True, env={"PATH": self.bin, "LOG": self.log, **environment})
        log = ""
        if os.path.exists(self.log):
            with open(self.log, encoding="utf-8") as file:
                log = file.read()
        return done.returncode, log, done.stdout + done.stderr

    def debian(self):
        self.tool("dpkg-query", DPKG)
        self.tool("apt-get", APT)
        self.tool("sudo", SUDO)

    def test_nothing_missing_touches_nothing(self):
        self.debian()
        self.assertEqual(self.run_setup("build", "test", "bench", "fuzz", "lint", "deb", "real"), (0, "", ""))

    def test_only_what_is_missing_is_installed(self):
        self.debian()
        code, log, _ = self.run_setup("build", "test", MISSING="libuv1-dev", REMOVED="tmux")
        self.assertEqual(code, 0)
        lines = [line for line in log.splitlines() if line != "sudo"]
        self.assertEqual(lines, ["apt noninteractive -q update",
                                 "apt noninteractive -q install -y --no-install-recommends libuv1-dev tmux"])
        self.assertEqual("sudo" in log, os.geteuid() != 0)

    def test_other_groups_are_left_alone(self):
        self.debian()
        self.assertEqual(self.run_setup("build", MISSING="libtsm-dev afl++ clang-tidy"), (0, "", ""))

    def test_apt_fails(self):
        self.debian()
        code, _, said = self.run_setup("build", MISSING="cmake", APT_RESULT="100")
        self.assertEqual(code, 1)
        self.assertIn("apt-get could not install: cmake", said)

    def test_not_debian(self):
        code, _, said = self.run_setup("build")
        self.assertEqual(code, 1)
        self.assertIn("not a Debian-like system", said)
        self.assertIn("libuv1-dev", said)
        self.assertEqual(self.run_setup("build", PAWL_NO_SETUP="1")[0], 0)

    def test_unknown_group(self):
        self.debian()
        code, _, said = self.run_setup("biuld")
        self.assertEqual(code, 1)
        self.assertIn("no such group: biuld", said)

    @unittest.skipIf(os.geteuid() == 0, "root needs no sudo")
    def test_no_sudo(self):
        self.tool("dpkg-query", DPKG)
        self.tool("apt-get", APT)
        code, _, said = self.run_setup("build", MISSING="cmake")
        self.assertEqual(code, 1)
        self.assertIn("apt-get install cmake", said)


if __name__ == "__main__":
    unittest.main()
