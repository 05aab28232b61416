#!/usr/bin/env python3
"""A folder on a mount whose server is gone: whoever looks at it hangs for ever, and the daemon does not. With a real mount, of which
nobody is the server, in a mount namespace of this test's own; where the kernel allows none, there is nothing to be seen."""
import ctypes
import os
import time
import unittest

from fleet import FleetCase, until

CLONE_NEWNS, CLONE_NEWUSER = 0x00020000, 0x10000000
MS_REC_PRIVATE, MNT_DETACH = 0x4000 | 0x40000, 2
LIBC = ctypes.CDLL(None, use_errno=True)


def own_mounts():
    """Only this process and its children see what it mounts from now on."""
    uid, gid = os.getuid(), os.getgid()
    if LIBC.unshare(CLONE_NEWNS if uid == 0 else CLONE_NEWNS | CLONE_NEWUSER) != 0:
        return False
    if uid != 0:
        for name, text in (("uid_map", f"0 {uid} 1"), ("setgroups", "deny"), ("gid_map", f"0 {gid} 1")):
            with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
                file.write(text)
    return LIBC.mount(b"none", b"/", None, MS_REC_PRIVATE, None) == 0


class HungMount(FleetCase):
    def setUp(self):
        super().setUp()
        self.place = self.folder + "/place"
        os.makedirs(self.place + "/work")
        self.server = None

    def tearDown(self):
        self.comes_back()
        super().tearDown()

    def hangs(self):
        self.server = os.open("/dev/fuse", os.O_RDWR | os.O_CLOEXEC)
        options = f"fd={self.server},rootmode=40000,user_id={os.getuid()},group_id={os.getgid()}"
        self.assertEqual(LIBC.mount(b"gone", self.place.encode(), b"fuse", 0, options.encode()), 0, ctypes.get_errno())

    def comes_back(self):
        if self.server is None:
            return
        os.close(self.server)  # who waits there is let go
        LIBC.umount2(self.place.encode(), MNT_DETACH)
        self.server = None

    def quick(self, *words, **more):
        began = time.monotonic()
        done = self.pawl(*words, timeout=30, **more)
        self.assertLess(time.monotonic() - began, 20, words)
        return done

    def alerts(self, name):
        return [event["text"] for event in self.events() if event["type"] == "alert" and event["agent"] == name]

    def told(self, name, text):
        until(lambda: f"{text!r} in {self.alerts(name)}", lambda: any(text in one for one in self.alerts(name)))

    def up(self):
        with open(self.folder + "/pawl.toml", "w", encoding="utf-8") as file:
            file.write(f'[agent.far]\ncommand = ["sh", "-c", "echo here; exec cat"]\ndir = "{self.place}"\n'
                       f'work = {{ folders = ["{self.place}/work"] }}\n[agent.near]\ncommand = ["sh", "-c", "echo here; exec cat"]\n')
        self.pawl("up")
        for name in ("far", "near"):
            self.on_screen(name, "here")

    def test_the_fleet_goes_on_and_its_agent_says_so(self):
        self.up()
        self.hangs()
        self.quick("pause", "far")
        self.quick("resume", "far")
        self.told("far", f"{self.place} does not answer: the disk or server it is on hangs")
        self.assertIn("near", self.quick("ls").stdout)
        self.quick("keys", "near", "x", "y", "Enter")
        self.on_screen("near", "xy\nxy")
        refused = self.quick("run", "-d", "more", "--dir", self.place, "--", "true", code=1)
        self.assertIn("does not answer", refused.stderr)

    def test_a_daemon_that_starts_meanwhile(self):
        self.up()
        self.hangs()
        self.kill_daemon()
        self.assertIn("far", self.quick("ls").stdout)
        self.told("far", "does not answer")
        self.comes_back()
        until("it is there again", lambda: self.pawl("run", "-d", "again", "--dir", self.place, "--", "true", code=None).returncode == 0)
        with open(os.path.join(self.place, "work", "todo.md"), "w", encoding="utf-8") as file:
            file.write("look at it\n")
        until("its work is found", lambda: any(event["type"] == "work" and event["agent"] == "far" for event in self.events()))


if __name__ == "__main__":
    if not os.access("/dev/fuse", os.R_OK | os.W_OK) or not own_mounts():
        print("this kernel lets nobody mount: skipped")
    else:
        unittest.main()
