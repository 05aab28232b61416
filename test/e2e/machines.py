"""Other machines for tests: each is a PAWL_HOME of its own, and ssh is a script that runs what it is told with that home."""
import json
import os

from fleet import until
from web import WebCase

# Its last words are the host and what is to be run there. What a host does first is in a file of its name.
SSH = """#!/bin/bash
host=${@: -2:1} command=${@: -1}
[ -e "%(folder)s/hosts/$host" ] || { echo "ssh: Could not resolve hostname $host: Name or service not known" >&2; exit 255; }
export PAWL_HOME="%(folder)s/$host" HOME="%(folder)s"
. "%(folder)s/hosts/$host"
exec sh -c "$command"
"""


class MachinesCase(WebCase):
    def setUp(self):
        super().setUp()
        os.makedirs(self.folder + "/bin")
        os.makedirs(self.folder + "/hosts")
        self.environment["PATH"] = f"{self.folder}/bin:{self.environment['PATH']}"
        self.connect()

    def connect(self):
        self.write("bin/ssh", SSH % {"folder": self.folder}, 0o755)

    def write(self, name, text, mode=0o644):
        path = f"{self.folder}/{name}"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def far(self, name, first=""):
        """A machine of that name, which does this first whenever it is called."""
        self.write("hosts/" + name, first + "\n")
        environment = {**self.environment, "PAWL_HOME": f"{self.folder}/{name}"}
        self.addCleanup(self.clear_away, f"{self.folder}/{name}", environment)
        return environment

    def add(self, name, code=0, **more):
        return self.pawl("machine", "add", name, f"ssh://{name}", code=code, **more)

    def machine(self, name):
        return {one["name"]: one for one in json.loads(self.pawl("machine", "ls", "--json").stdout)["machines"]}[name]

    def rows(self, *words):
        return [(agent["machine"], agent["name"]) for agent in json.loads(self.pawl("ls", "--json", *words).stdout)["agents"]]

    def reached(self, name, wanted=True):
        return until(f"{name} online: {wanted}", lambda: self.machine(name)["online"] == wanted and self.machine(name), 40)

    def relays(self, name):
        mark = f"PAWL_HOME={self.folder}/{name}".encode()
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as line, open(f"/proc/{pid}/environ", "rb") as environment:
                    if b"__relay" in line.read() and mark in environment.read().split(b"\0"):
                        found.append(int(pid))
            except OSError:
                pass
        return found
