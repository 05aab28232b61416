#!/usr/bin/env python3
"""Assigned work, from outside: files in an inbox, a folder or a command's lines, each given once and done when its turn is over."""
import json
import os
import signal
import time
import unittest

from fleet import AGENT, until
from sender import SendCase
from toml_text import toml


class Inbox(SendCase):
    def up(self, *flags, **keys):
        rows = {"command": [AGENT, *(flags or ("--speed", "40"))], "settle_s": 0.2, "cooldown_s": 0.2, "human_quiet_s": 1,
                "mode": "active", "strategy": "task-driven", **keys}
        with open(self.folder + "/pawl.toml", "w", encoding="utf-8") as file:
            file.write("[agent.one]\n" + "".join(f"{key} = {toml(one)}\n" for key, one in rows.items()))
        self.pawl("up")
        self.state("one", "ready")

    @property
    def inbox(self):
        return self.home + "/agents/one/inbox"

    def put(self, name, text, folder=None):
        with open(f"{folder or self.inbox}/{name}", "w", encoding="utf-8") as file:
            file.write(text)

    def there(self, where=""):
        try:
            return sorted(name for name in os.listdir(self.inbox + "/" + where) if name not in ("claimed", "done"))
        except FileNotFoundError:
            return []

    def told(self, *parts):
        """Every prompt so far, in order, has its part."""
        until(lambda: f"{parts} in {self.prompts()}\n{self.pawl('why', 'one').stdout}", lambda: len(self.prompts()) >= len(parts))
        self.assertEqual(len(self.prompts()), len(parts), self.prompts())
        for part, prompt in zip(parts, self.prompts()):
            self.assertIn(part, prompt)

    def done(self, *names):
        until(lambda: f"{names} in {self.there('done')}, {self.there('claimed')}", lambda: self.there("done") == sorted(names))

    def test_added_told_and_done(self):
        self.up()
        added = json.loads(self.pawl("inbox", "add", "one", "--from", "ci", "the build is red", "--json").stdout)
        self.told("the build is red")
        self.assertIn("Work from ci", self.prompts()[0])
        self.assertIn("You are the agent 'one'", self.prompts()[0], "the first thing of a session says where it stands")
        self.done(added["id"])
        self.assertEqual((self.there(), self.there("claimed")), ([], []))
        self.assertIn("nothing waits", self.pawl("inbox", "ls", "one").stdout)
        second = json.loads(self.pawl("inbox", "add", "one", "and now green", "--json").stdout)
        self.told("the build is red", "and now green")
        self.assertNotIn("You are the agent", self.prompts()[1])
        self.done(added["id"], second["id"])
        self.assert_every_decision_has_one_outcome()

    def test_files_of_other_programs(self):
        self.up()
        self.put("a.md.part", "half")
        time.sleep(0.5)
        self.assertEqual(self.prompts(), [])
        self.put("a.md.part", "from: bob\npriority: high\n\nwhole")
        os.rename(self.inbox + "/a.md.part", self.inbox + "/a.md")
        self.told("whole")
        self.assertIn("Work from bob", self.prompts()[0])
        self.assertNotIn("priority", self.prompts()[0])
        self.done("a.md")

    def test_what_matters_most_goes_first(self):
        self.up("--speed", "5")
        self.pawl("pause", "one")
        for name, priority in (("b", "low"), ("c", "normal"), ("a", "high")):
            self.pawl("inbox", "add", "one", "--priority", priority, "piece " + name)
        states = [(item["state"], item["priority"]) for item in json.loads(self.pawl("inbox", "ls", "one", "--json").stdout)["items"]]
        self.assertEqual(states, [("waiting", "high"), ("waiting", "normal"), ("waiting", "low")])
        self.pawl("resume", "one")
        self.told("piece a", "piece c", "piece b")

    def test_killed_in_its_turn_it_gets_it_again_and_is_told(self):
        self.up("--speed", "0.5")
        self.pawl("inbox", "add", "one", "slow work")
        self.told("slow work")
        self.state("one", "busy")
        os.kill(self.agents()["one"]["pid"], signal.SIGTERM)
        self.told("slow work", "slow work")
        self.assertIn("may have been given this before", self.prompts()[1])
        self.assertNotIn("may have been", self.prompts()[0])

    def test_the_daemon_is_killed_in_between(self):
        self.up("--speed", "2")
        self.pawl("inbox", "add", "one", "steady work")
        until("it is claimed", lambda: self.there("claimed"))
        self.kill_daemon()
        self.pawl("ls")
        until(lambda: f"{self.there('done')} {self.prompts()}", lambda: len(self.there("done")) == 1, 70)
        self.assertLessEqual(len(self.prompts()), 2, "at least once, and told when twice")
        if len(self.prompts()) == 2:
            self.assertIn("may have been given", self.prompts()[1])

    def test_a_folder_and_its_ledger(self):
        tickets = self.folder + "/tickets"
        os.makedirs(tickets)
        self.put("17.md", "ticket seventeen", tickets)
        self.up(work={"folders": ["tickets"]})
        self.told("ticket seventeen")
        self.rested(1)
        seen = self.home + "/agents/one/seen_pending_work"

        def ledger():
            try:
                with open(seen, encoding="utf-8") as file:
                    return file.read()
            except FileNotFoundError:
                return ""
        until(ledger, lambda: ledger().startswith(tickets + "/17.md:"))
        self.put("18.md", "ticket eighteen", tickets)
        self.told("seventeen", "eighteen")
        self.rested(2)
        self.assertTrue(os.path.exists(tickets + "/17.md"), "nobody moves it")
        until("both turns are over", lambda: sum(event.get("what") == "done" for event in self.events()) == 2)
        os.remove(seen)
        self.told("seventeen", "eighteen", "teen", "teen")

    def test_a_command_lists_work(self):
        with open(self.folder + "/list", "w", encoding="utf-8") as file:
            file.write("issue 7: it is slow\n")
        self.up(work={"command": ["sh", "-c", "echo noise >&2; cat list"], "every_s": 1})
        self.told("issue 7: it is slow")
        time.sleep(2.5)
        with open(self.folder + "/list", "a", encoding="utf-8") as file:
            file.write("issue 8: it is wrong\n")
        self.told("issue 7", "issue 8")

    def test_a_command_that_fails_is_told_once(self):
        self.up(work={"command": ["sh", "-c", "echo nothing; exit 3"], "every_s": 1})
        time.sleep(3)
        alerts = [event["text"] for event in self.events() if event["type"] == "alert"]
        self.assertEqual(alerts, ["the command that lists its work failed: exit code 3: nothing"])
        self.assertEqual(self.prompts(), [])

    def test_one_task_one_conversation(self):
        self.up(loop={"one_task": True})
        self.pawl("inbox", "add", "one", "first")
        self.told("first")
        before = self.agents()["one"]["pid"]
        self.pawl("inbox", "add", "one", "second")
        self.told("first", "second")
        self.assertNotEqual(self.agents()["one"]["pid"], before)
        self.assertIn("session 2", self.prompts()[1])

    def test_removed_what_waits_is_kept(self):
        self.up()
        self.pawl("pause", "one")
        added = json.loads(self.pawl("inbox", "add", "one", "later", "--json").stdout)
        self.pawl("rm", "-f", "one")
        with open(f"{self.home}/archive/one.inbox/{added['id']}", encoding="utf-8") as file:
            self.assertIn("later", file.read())

    def test_wrong_words(self):
        self.up()
        self.assertIn("no agent named 'two'", self.refused("inbox", "add", "two", "x"))
        self.assertIn("priority", self.refused("inbox", "add", "one", "x", "--priority", "urgent", code=2))
        self.refused("inbox", "add", "one", code=2)
        self.assertIn("nosuch", self.refused("inbox", "done", "nosuch"))
        self.assertIn("nosuch", self.refused("archive", "restore", "one", "nosuch"))

    def test_done_by_somebody_else(self):
        self.up()
        self.pawl("pause", "one")
        added = json.loads(self.pawl("inbox", "add", "one", "later", "--json").stdout)
        self.assertIn("is done", self.pawl("inbox", "done", added["id"]).stdout)
        self.pawl("resume", "one")
        time.sleep(1)
        self.assertEqual(self.prompts(), [])
        self.done(added["id"])


if __name__ == "__main__":
    unittest.main()
