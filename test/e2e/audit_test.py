#!/usr/bin/env python3
"""pawl audit: everything somebody asked for, in a chain; what is changed, taken out or cut off is found."""
import json
import os
import sqlite3
import unittest

from fleet import FleetCase


class Audit(FleetCase):
    def entries(self):
        return [json.loads(line) for line in self.pawl("audit", "--json").stdout.splitlines()]

    def verify(self, *words, code=0):
        done = self.pawl("audit", "--verify", *words, code=code)
        return done.stdout + done.stderr

    def change(self, sql):
        with sqlite3.connect(self.home + "/journal.db") as db:
            db.execute(sql)
        db.close()

    def test_who_asked_for_what(self):
        self.start("one", "cat")
        secret = "my password is 4711"
        self.pawl("send", "one", secret)
        self.pawl("serve", "--listen", "127.0.0.1:0", "--no-tls", "--json")
        self.pawl("serve", "--stop")
        self.pawl("stop", "one")
        kept = {entry["verb"]: entry for entry in self.entries()}
        self.assertEqual({"run", "send", "serve", "stop"} - set(kept), set())
        self.assertEqual(kept["send"]["by"]["kind"], "person")
        self.assertEqual((kept["send"]["agent"], kept["send"]["args"]["text"]["bytes"]), ("one", len(secret)))
        self.assertNotIn(secret, json.dumps(self.entries()))
        self.assertNotIn(secret, self.pawl("events", "--json", "--since", "1h").stdout)
        shown = self.pawl("audit").stdout
        self.assertIn("send one", shown)
        self.assertIn("by a person (pid", shown)
        self.assertEqual([entry["verb"] for entry in self.entries() if entry["agent"] == "one"],
                         [json.loads(line)["verb"] for line in self.pawl("audit", "--json", "--agent", "one").stdout.splitlines()])
        self.assertIn("nobody asked", self.pawl("audit", "--refused").stdout)
        self.assertIn("each goes on from the one before", self.verify())

    def test_what_is_changed_or_cut_is_found(self):
        self.start("one", "cat")
        for text in "abc":
            self.pawl("send", "one", text)
        self.pawl("stop", "one")
        export = self.folder + "/audit.jsonl"
        self.assertIn("each goes on", self.pawl("audit", "--export", export).stdout)
        self.assertIn("is there already", self.pawl("audit", "--export", export, code=1).stderr)
        self.assertIn("each goes on", self.verify("--file", export))
        with open(export, encoding="utf-8") as file:
            text = file.read()
        for changed, said in ((text[:-7], "not whole: it was cut"), ("", "nobody has asked")):
            with open(export, "w", encoding="utf-8") as file:
                file.write(changed)
            self.assertIn(said, self.verify("--file", export))
        with open(export, "w", encoding="utf-8") as file:
            file.write(text.replace('"verb":"send"', '"verb":"show"', 1))
        self.assertIn("one of the two was changed", self.verify("--file", export, code=1))
        self.pawl("daemon", "--stop")
        last = self.entries()[-1]["n"]
        self.change(f"DELETE FROM audit WHERE n={last}")
        self.assertIn(f"its end is cut off: the last entry is {last - 1} of {last}", self.verify(code=1))
        self.change("UPDATE audit SET entry=replace(entry,'send','show') WHERE n=2")
        self.assertIn("entry 2 was changed", self.verify(code=1))
        self.assertIn("not whole", self.pawl("audit", code=1).stderr, "also who only looks is told")

    def test_it_goes_on_when_the_daemon_is_killed(self):
        self.start("one", "cat")
        for words in (("send", "one", "x"), ("stop", "one")):
            self.kill_daemon()
            self.agents()  # a look is asked again when it met the dying one's socket, an act is not
            self.pawl(*words)
        self.assertEqual([entry["verb"] for entry in self.entries()], ["run", "send", "stop"])
        self.verify()

    def test_bad_input(self):
        self.assertIn("pawl doctor", self.pawl("audit", code=1).stderr)
        self.assertFalse(os.path.exists(self.home + "/journal.db"), "nothing is made by looking")
        self.start("one", "cat")
        self.assertIn("is not a time", self.pawl("audit", "--since", "yesterdayish", code=2).stderr)
        self.assertIn("none.jsonl", self.pawl("audit", "--verify", "--file", self.folder + "/none.jsonl", code=1).stderr)
        with open(self.folder + "/x", "wb") as file:
            file.write(b"\xff\x00garbage\n")
        self.assertIn("is no entry", self.pawl("audit", "--verify", "--file", self.folder + "/x", code=1).stderr)


if __name__ == "__main__":
    unittest.main()
