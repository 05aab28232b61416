#!/usr/bin/env python3
"""The processes that hold the terminals: one that is killed or stopped is named, what it means for its agents is said, and nobody
waits for it for ever. Programs that the journal does not know are listed, can be ended, and no second copy is started beside them."""
import json
import os
import signal
import time
import unittest

from fleet import FleetCase, alive, gone, until


class HolderCase(FleetCase):
    def alerts(self):
        return [event for event in self.events() if event["type"] == "alert"]

    def alert(self, words):
        """Waits for the one alert with these words."""
        found = until(lambda: f"an alert with {words!r}: {self.alerts()}",
                      lambda: [one for one in self.alerts() if words in one["text"]])
        self.assertEqual(len(found), 1, found)
        return found[0]

    def holder(self):
        found = self.holders()
        self.assertEqual(len(found), 1)
        return found[0]

    def doctor(self, name, code=None):
        """The rows of this name: grade, what was found, and what to do."""
        rows = self.pawl("doctor", "--json", code=code).stdout
        return [(row["grade"], row["found"], row["fix"]) for row in json.loads(rows)["checks"] if row["name"] == name]


class Killed(HolderCase):
    def test_a_killed_holder_is_named_and_its_agents_say_so(self):
        for name in ("one", "two"):
            self.start(name, "cat")
        self.start("back", "cat", options=("--restart", "fresh"))
        before = self.agents()["back"]["pid"]
        pid = self.holder()
        os.kill(pid, signal.SIGKILL)
        alert = self.alert(f"the holder (pid {pid}) was killed")
        self.assertIsNone(alert["agent"])
        self.assertEqual(alert["severity"], "error")
        self.assertIn("it held 3 agents (one, two, back)", alert["text"])
        self.assertIn("pawl restart", alert["todo"])
        agents = self.agents()
        for name in ("one", "two"):
            self.assertEqual((agents[name]["state"], agents[name]["because"]), ("crashed", f"its holder (pid {pid}) was killed"))
        until("it is restarted", lambda: self.agents()["back"]["pid"] not in (None, before))
        why = [event for event in self.events() if event["type"] == "decision" and event["action"] == "restart"]
        self.assertEqual([one["because"] for one in why], [f"it ended: its holder (pid {pid}) was killed"])

    def test_one_that_held_nothing_is_nobody_s_matter(self):
        self.start("one", "true")
        self.ended("one")
        os.kill(self.holder(), signal.SIGKILL)
        self.start("two", "cat")
        self.assertEqual(self.alerts(), [])


class Stopped(HolderCase):
    def stop_holder(self):
        pid = self.holder()
        os.kill(pid, signal.SIGSTOP)
        self.addCleanup(self.go_on, pid)
        return pid

    def go_on(self, pid):
        if alive(pid):
            os.kill(pid, signal.SIGCONT)

    def assert_it_lives(self, name, text):
        self.pawl("send", "--no-enter", name, text)
        self.on_screen(name, text)

    def test_another_holder_takes_what_is_started(self):
        self.start("one", "cat")
        pid = self.stop_holder()
        begun = time.monotonic()
        self.start("two", "cat")
        self.assertLess(time.monotonic() - begun, 5)
        self.assertEqual(len(self.holders()), 2)
        self.assert_it_lives("two", "hello")
        alert = self.alert(f"the holder (pid {pid}) is stopped")
        self.assertIn("1 agent (one) can be neither seen nor written to", alert["text"])
        self.assertEqual((alert["severity"], alert["todo"]), ("error", f"let it go on: kill -CONT {pid}"))
        self.assertEqual([(row[0], row[2]) for row in self.doctor("holders", code=1)], [("bad", f"let it go on: kill -CONT {pid}")])
        self.assertIn(f"its holder (pid {pid}) is stopped", self.pawl("why", "one").stdout)
        self.go_on(pid)
        self.alert(f"the holder (pid {pid}) answers again")
        self.assertNotIn("is stopped", self.pawl("why", "one").stdout)
        self.assertEqual([row[0] for row in self.doctor("holders", code=0)], ["ok"])
        self.assert_it_lives("one", "there")

    def test_nothing_is_said_to_be_written_that_was_not(self):
        self.start("one", "cat")
        pid = self.stop_holder()
        words = f"nothing was done: its holder (pid {pid}) is stopped: let it go on: kill -CONT {pid}\n"
        for verb in (["send", "--no-enter", "one", "lost"], ["send", "one", "lost"], ["keys", "one", "Enter"], ["stop", "one"], ["restart", "one"], ["rm", "-f", "one"]):
            with self.subTest(" ".join(verb)):
                begun = time.monotonic()
                self.assertIn(words, self.refused(*verb))
                self.assertLess(time.monotonic() - begun, 5)
        self.go_on(pid)
        self.assert_it_lives("one", "there")
        self.assertNotIn("lost", self.screen("one"))

    def test_a_daemon_that_comes_meanwhile_takes_nobody_for_dead(self):
        self.start("one", "cat", options=("--restart", "fresh"))
        before = self.agents()["one"]["pid"]
        pid = self.stop_holder()
        self.kill_daemon()
        agent = self.agents()["one"]
        self.assertEqual((agent["pid"], agent["state"]), (before, "unknown"))
        self.alert(f"the holder (pid {pid}) is stopped")
        self.go_on(pid)
        self.alert(f"the holder (pid {pid}) answers again")
        self.assert_it_lives("one", "there")
        self.assertEqual([event for event in self.events() if event["type"] == "decision" and event["action"] == "restart"], [])
        os.kill(before, signal.SIGKILL)
        until("its end is seen", lambda: "signal 9" in json.dumps(self.events()))

    def test_one_that_is_killed_after_that(self):
        self.start("one", "cat")
        pid = self.stop_holder()
        self.kill_daemon()
        self.alert(f"the holder (pid {pid}) is stopped")
        os.kill(pid, signal.SIGKILL)
        self.alert(f"the holder (pid {pid}) was killed; it held 1 agent (one)")
        self.assertEqual(self.agents()["one"]["state"], "crashed")


class Unknown(HolderCase):
    """The journal was lost while agents ran."""

    def setUp(self):
        super().setUp()
        for name in ("one", "two"):
            self.start(name, "cat")
        self.pids = {name: agent["pid"] for name, agent in self.agents().items()}
        self.pawl("daemon", "--stop")

    def break_journal(self):
        with open(self.home + "/journal.db", "r+b") as file:
            file.write(b"\0" * 4096)

    def move_journal(self, to):
        for name in os.listdir(self.home):
            if name.startswith("journal.db"):
                os.rename(f"{self.home}/{name}", f"{to}/{name}")

    def strangers(self):
        return {one["name"]: one["pid"] for one in json.loads(self.pawl("ls", "--json").stdout).get("strangers", [])}

    def test_the_advice_for_a_broken_journal_works(self):
        self.break_journal()
        (grade, found, fix), = self.doctor("journal", code=1)
        self.assertEqual(grade, "bad")
        self.assertIn("journal.db", found)
        self.assertIn("pawl stop NAME", fix)
        self.assertIn("pawl stop NAME", self.pawl("ls", code=1).stderr)
        os.mkdir(self.folder + "/away")
        self.move_journal(self.folder + "/away")
        self.assertEqual(self.strangers(), self.pids)
        self.assertIn(f"one runs (pid {self.pids['one']}), but is not in the journal: end it with  pawl stop one", self.pawl("ls").stdout)
        self.assertIn("2 running programs are not in this journal: one, two", self.alert("not in this journal")["text"])
        rows = self.doctor("agents", code=1)
        self.assertEqual([(grade, fix.split(",")[0]) for grade, _, fix in rows], [("bad", "end it with: pawl stop one"), ("bad", "end it with: pawl stop two")])

    def test_no_second_copy_is_started(self):
        os.mkdir(self.folder + "/away")
        self.move_journal(self.folder + "/away")
        words = f"'one' runs already (pid {self.pids['one']}), but is not in this journal: end it first with: pawl stop one"
        self.assertIn(words, self.refused("run", "-d", "one", "--", "cat"))
        with open(self.folder + "/pawl.toml", "w", encoding="utf-8") as file:
            file.write('[agent.one]\ncommand = ["cat"]\n[agent.three]\ncommand = ["cat"]\n')
        self.assertIn(words, self.pawl("up", code=1).stderr)
        self.assertEqual(set(self.agents()), {"three"})
        self.pawl("stop", "one")
        self.assertTrue(gone(self.pids["one"]))
        self.assertEqual(set(self.strangers()), {"two"})
        self.start("one", "cat")
        self.pawl("send", "--no-enter", "one", "typed")
        self.on_screen("one", "typed")
        self.kill_daemon()
        self.assertEqual(set(self.strangers()), {"two"})
        self.assertIn("two stopped\n", self.pawl("down").stdout)
        self.assertTrue(gone(self.pids["two"]))
        self.assertEqual(self.strangers(), {})

    def test_the_old_journal_knows_them_again(self):
        os.mkdir(self.folder + "/away")
        self.move_journal(self.folder + "/away")
        self.assertEqual(self.strangers(), self.pids)
        self.pawl("daemon", "--stop")
        os.mkdir(self.folder + "/other")
        self.move_journal(self.folder + "/other")
        for name in os.listdir(self.folder + "/away"):
            os.rename(f"{self.folder}/away/{name}", f"{self.home}/{name}")
        self.assertEqual({name: agent["pid"] for name, agent in self.agents().items()}, self.pids)
        self.assertEqual(self.strangers(), {})


class Doctor(HolderCase):
    def test_it_looks_at_the_journal_the_socket_the_handles_and_the_holders(self):
        self.assertEqual(self.doctor("journal", code=0), [("ok", "not created yet", None)])
        self.assertEqual(self.doctor("holders", code=0), [("ok", "none; the first agent starts one", None)])
        self.start("one", "cat")
        (grade, found, _), = self.doctor("journal", code=0)
        self.assertRegex(f"{grade} {found}", r"\Aok \d+ events\Z")
        self.assertEqual(self.doctor("socket", code=0), [("ok", f"answered by pid {self.daemon_pid()}", None)])
        (grade, found, _), = self.doctor("handles", code=0)
        self.assertRegex(f"{grade} {found}", r"\Aok \d+ of \d+ used by the daemon\Z")
        self.assertEqual(self.doctor("holders", code=0), [("ok", f"running: pid {self.holder()}", None)])


if __name__ == "__main__":
    unittest.main()
