#!/usr/bin/env python3
"""Finished parts of recordings are compressed, and everybody reads them as before; `pawl export` gives a plain asciicast."""
import datetime
import glob
import json
import os
import shutil
import subprocess
import time
import unittest

from fleet import AGENT, FleetCase, recorded, recorded_in, until
from web import WebCase

SIZE = 9_000_000  # a part has 8 MiB


class Recordings(WebCase):
    def parts(self, ending=""):
        return sorted(glob.glob(f"{self.home}/agents/one/rec/*.cast{ending}"))

    def printed(self):
        """An agent whose recording has two parts, and which has ended."""
        self.start("one", AGENT, "--print", str(SIZE), "--seed", "4")
        self.ended("one")
        until("the end is recorded", lambda: b', "x", "' in self.end_of(self.parts()[-1]))
        self.assertGreater(len(self.parts()), 1)
        with open(self.parts()[0], encoding="utf-8") as file:
            begin = datetime.datetime.fromtimestamp(json.loads(next(file))["pawl"]["start_us"] / 1e6 + 0.05, datetime.timezone.utc)
        self.began = begin.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def end_of(self, path):
        with open(path, "rb") as file:
            file.seek(max(0, os.path.getsize(path) - 2_000_000))
            return file.read()

    def compressed(self):
        """They were written a while ago, and a daemon begins: it looks at all recordings."""
        for path in self.parts():
            os.utime(path, (time.time() - 3600,) * 2)
        self.pawl("daemon", "--stop")
        self.pawl("ls")
        until(lambda: f"compressed: {self.parts('*')}", lambda: not self.parts())
        self.assertFalse(glob.glob(f"{self.home}/agents/one/rec/*.packing*"))

    def looks(self):
        """What every reader says of it."""
        begin, end = (json.loads(self.pawl("screen", "one", "--at", at, "--json").stdout) for at in (self.began, "0s"))
        export = self.pawl("export", "one", "-", text=False).stdout
        return {"raw": self.pawl("logs", "one", "--raw", text=False).stdout, "text": self.pawl("logs", "one").stdout,
                "tail": self.pawl("logs", "one", "-n", "20").stdout, "begin": begin, "end": end, "export": export,
                "screen": self.pawl("screen", "one").stdout}

    def test_readers_do_not_notice(self):
        self.printed()
        wanted, before = recorded(self.home, "one"), self.looks()
        classified = [self.pawl("classify", path).stdout for path in self.parts()]
        self.assertTrue(before["raw"] == wanted)
        plain = sum(map(os.path.getsize, self.parts()))
        ages = [os.path.getmtime(path) for path in self.parts()]
        self.compressed()
        self.assertLess(sum(map(os.path.getsize, self.parts(".zst"))), plain)
        self.assertLess(max(os.path.getmtime(path) for path in self.parts(".zst")), max(ages))
        after = self.looks()
        for what, said in before.items():
            self.assertTrue(after[what] == said, what)
        self.assertEqual([self.pawl("classify", path).stdout for path in self.parts(".zst")], classified)
        self.assertTrue(recorded(self.home, "one") == wanted, "as zstd unpacks it")

    def test_an_agent_goes_on_beside_its_compressed_past(self):
        self.printed()
        self.compressed()
        self.pawl("restart", "one")
        self.ended("one")
        self.assertEqual(len(self.pawl("logs", "one", "--raw", text=False).stdout), len(recorded(self.home, "one")))
        self.assertTrue(self.parts())

    def test_a_kill_between_making_one_and_removing_the_other(self):
        self.printed()
        wanted = recorded(self.home, "one")
        kept = self.folder + "/kept"
        shutil.copytree(f"{self.home}/agents/one/rec", kept)
        self.compressed()
        self.kill_daemon()
        for name in os.listdir(kept):
            shutil.copy2(f"{kept}/{name}", f"{self.home}/agents/one/rec/{name}")
            os.utime(f"{self.home}/agents/one/rec/{name}", (time.time() - 3600,) * 2)
        with open(self.parts(".zst")[0], "wb") as file:
            file.write(b"half of it")
        self.assertTrue(self.pawl("logs", "one", "--raw", text=False).stdout == wanted)
        until("they are compressed again", lambda: not self.parts())
        self.assertTrue(self.pawl("logs", "one", "--raw", text=False).stdout == wanted)

    def test_cut_in_the_middle(self):
        self.printed()
        self.compressed()
        wanted = self.looks()
        first = self.parts(".zst")[0]
        size = os.path.getsize(first)
        os.truncate(first, size // 2)
        name = os.path.basename(first)
        for words in (("logs", "one", "--raw"), ("logs", "one"), ("screen", "one", "--at", self.began)):
            done = self.pawl(*words, text=False)
            if words[0] == "logs":
                self.assertRegex(done.stderr.decode(), rf"pawl: .*{name} is cut off: its first [0-9]{{6,}} bytes could be read")
        self.serve()
        reply = self.get("/api/v1/agents/one/log")
        self.assertEqual(reply.status, 200)
        self.assertIn(f"{name} is cut off: its first ", reply.header("pawl-notice") or "")
        raw = self.pawl("logs", "one", "--raw", text=False).stdout
        last = recorded_in(self.parts(".zst")[1:])
        self.assertTrue(raw.endswith(last), "the other parts are whole")
        begin = raw[:len(raw) - len(last)]
        self.assertGreater(len(begin), 2_000_000)
        self.assertTrue(wanted["raw"].startswith(begin))
        self.assertEqual(os.path.getsize(first), size // 2, "nothing is taken away from it")
        path = self.folder + "/x.cast"
        self.assertIn("is cut off", self.pawl("export", "one", path, code=1).stderr)
        self.assertGreater(os.path.getsize(path), 2_000_000)
        self.assertIn("is cut off: what came before was read", self.pawl("classify", first, code=1).stderr)


class Tasks(FleetCase):
    def test_of_a_task_that_is_over(self):
        with open(self.folder + "/prompt", "w", encoding="ascii") as file:
            file.write("say hello")
        self.pawl("task", "start", "t", "--dir", self.folder, "--prompt-file", self.folder + "/prompt",
                  "--", "sh", "-c", "cat >/dev/null; echo hello")
        self.pawl("task", "wait", "t", "--timeout", "60")
        agent = json.loads(self.pawl("task", "status", "t", "--json").stdout)["session_name"]
        until("it is filed", lambda: agent not in self.agents())
        wanted = self.pawl("logs", agent, "--raw").stdout
        parts = lambda ending: glob.glob(f"{self.home}/agents/{agent}/rec/*.cast{ending}")
        for path in parts(""):
            os.utime(path, (time.time() - 3600,) * 2)
        self.pawl("daemon", "--stop")
        self.assertEqual(self.pawl("logs", agent, "--raw").stdout, wanted)
        until("it is compressed", lambda: parts(".zst") and not parts(""))
        self.assertEqual(self.pawl("logs", agent, "--raw").stdout, wanted)
        self.assertIn("hello", self.pawl("screen", agent).stdout)
        self.assertIn("hello", self.pawl("export", agent, "-").stdout)


class Export(FleetCase):
    def test_a_file_that_others_play(self):
        self.sh("one", r"printf '\033[1mhello\033[0m naïve 端末\n'; exit 3")
        self.ended("one")
        path = self.folder + "/one.cast"
        self.assertEqual(self.pawl("export", "one", path).stdout, "")
        with open(path, encoding="utf-8") as file:
            header, *events = map(json.loads, file)
        self.assertEqual((header["version"], header["width"], header["height"]), (2, 120, 40))
        self.assertNotIn("pawl", header)
        self.assertLessEqual({code for _, code, _ in events}, {"o", "r", "m"})
        self.assertEqual("".join(data for _, code, data in events if code == "o").encode(), recorded(self.home, "one"))
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        if shutil.which("asciinema"):
            played = subprocess.run(["script", "-qec", f"asciinema cat {path}", "/dev/null"], stdout=subprocess.PIPE,
                                    env={**self.environment, "ASCIINEMA_CONFIG_HOME": self.folder}, check=True).stdout
            self.assertIn("naïve 端末".encode(), played)

    def test_files_are_not_lost(self):
        self.sh("one", "echo hello")
        self.ended("one")
        path = self.folder + "/one.cast"
        with open(path, "w", encoding="ascii") as file:
            file.write("mine")
        self.assertIn("exists", self.refused("export", "one", path, code=2))
        with open(path, encoding="ascii") as file:
            self.assertEqual(file.read(), "mine")
        self.pawl("export", "one", path, "--force")
        with open(path, encoding="utf-8") as file:
            self.assertIn("hello", file.read())
        self.assertIn("is a folder", self.refused("export", "one", self.folder, "--force", code=2))
        self.assertIn("no agent named 'two'", self.refused("export", "two", self.folder + "/two.cast"))
        self.assertEqual(glob.glob(self.folder + "/*.part"), [])

    def test_all_sessions_or_the_last(self):
        self.sh("one", "echo life $$")
        self.ended("one")
        self.pawl("restart", "one")
        self.ended("one")
        last, whole = (self.pawl("export", "one", "-", *more).stdout for more in ((), ("--all",)))
        self.assertEqual((last.count("life"), whole.count("life")), (1, 2))
        self.assertEqual(whole.count('"version"'), 1)
        times = [json.loads(line)[0] for line in whole.splitlines()[1:]]
        self.assertEqual(times, sorted(times))


if __name__ == "__main__":
    unittest.main()
