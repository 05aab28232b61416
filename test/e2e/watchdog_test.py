#!/usr/bin/env python3
"""The watchdog, from outside: agents that die, loop, idle or ask, with a real daemon and the demo agent."""
import os
import signal
import time
import unittest

from fleet import AGENT, until
from sender import SendCase
from toml_text import toml


class Watchdog(SendCase):
    def fleet_of(self, *flags, **keys):
        rows = {"command": [AGENT, *flags], "settle_s": 0.5, "cooldown_s": 1, "human_quiet_s": 1, **keys}
        with open(self.folder + "/pawl.toml", "w", encoding="utf-8") as file:
            file.write("[agent.one]\n" + "".join(f"{key} = {toml(one)}\n" for key, one in rows.items()))
        self.pawl("up")

    def decisions(self, action=None):
        return [event for event in self.events()
                if event["type"] == "decision" and event.get("rule") and action in (None, event["action"])]

    def decided(self, action, count=1, timeout=20):
        until(lambda: f"{count} times {action}: {self.decisions()}\n{self.pawl('why', 'one').stdout}",
              lambda: len(self.decisions(action)) >= count, timeout)
        return self.decisions(action)

    def alerts(self):
        return [event for event in self.events() if event["type"] == "alert"]

    def test_killed_it_comes_back(self):
        self.fleet_of("--speed", "40", restart="fresh")
        self.state("one", "ready")
        before = self.agents()["one"]["pid"]
        os.kill(before, signal.SIGKILL)
        self.decided("restart")
        self.state("one", "ready")
        one = self.agents()["one"]
        self.assertNotEqual(one["pid"], before)
        self.assertEqual(one["restarts"], 1)
        self.assertTrue(any("started again" in alert["text"] and "signal 9" in alert["text"] for alert in self.alerts()))
        self.assert_every_decision_has_one_outcome()

    def test_never_is_never(self):
        self.fleet_of("--speed", "40")
        self.state("one", "ready")
        os.kill(self.agents()["one"]["pid"], signal.SIGKILL)
        self.state("one", "crashed")
        time.sleep(2)
        self.assertEqual(self.decisions(), [])
        self.assertIn("not to be restarted", self.pawl("why", "one").stdout)

    def test_its_env_file_says_yes_and_is_read_anew(self):
        with open(self.folder + "/.env", "w", encoding="utf-8") as file:
            file.write("CC_AUTO_CONTINUE=0\n")
        self.fleet_of("--speed", "40", restart="fresh", env_file=".env", dir=self.folder)
        self.state("one", "ready")
        os.kill(self.agents()["one"]["pid"], signal.SIGKILL)
        self.state("one", "crashed")
        time.sleep(1.5)
        self.assertEqual(self.decisions(), [])
        with open(self.folder + "/.env", "w", encoding="utf-8") as file:
            file.write("CC_AUTO_CONTINUE=yes\n")
        self.decided("restart", timeout=30)  # it is looked at every ten seconds
        self.state("one", "ready")

    def test_stopped_it_stays_so(self):
        self.fleet_of("--speed", "40", restart="fresh")
        self.state("one", "ready")
        self.pawl("stop", "one")
        time.sleep(1.5)
        self.assertEqual(self.decisions(), [])
        self.assertIn("stopped on request", self.pawl("why", "one").stdout)
        self.pawl("start", "one")
        self.state("one", "ready")

    def test_a_crash_loop_is_parked_and_told_once(self):
        self.fleet_of("--scene", "crash", "--speed", "100", restart="fresh", crash_loop={"count": 3, "window_s": 300})
        self.decided("park", timeout=40)
        time.sleep(2)
        self.assertEqual([one["action"] for one in self.decisions()], ["restart"] * 3 + ["park"])
        one = self.agents()["one"]
        self.assertTrue(one["parked"])
        parked = [alert for alert in self.alerts() if "parked" in alert["text"]]
        self.assertEqual(len(parked), 1)
        self.assertTrue(parked[0]["todo"] and parked[0]["severity"] == "error")
        self.pawl("resume", "one")
        self.decided("restart", count=4)

    def test_idle_it_is_nudged_and_then_a_person_told(self):
        self.fleet_of("--speed", "40", prompt="go on with the docs", nudge={"base_s": 1, "factor": 2, "attempts": 2})
        self.prompted(*["go on with the docs"] * 3)  # when it was started, and two nudges
        self.decided("escalate")
        time.sleep(2)
        self.assertEqual([one["action"] for one in self.decisions()], ["wake", "nudge", "nudge", "escalate"])
        self.assert_every_decision_has_one_outcome()
        self.assertEqual({one["how"] for one in self.decisions("nudge")}, {"task-only"})

    def test_modes_and_pause(self):
        self.fleet_of("--speed", "40", prompt="go on", nudge={"base_s": 1}, mode="paused")
        self.state("one", "ready")
        time.sleep(1.5)
        self.assertEqual(self.decisions(), [])
        self.pawl("pause", "one")
        self.pawl("mode", "one", "active")
        time.sleep(1.5)
        self.assertEqual(self.decisions(), [])
        self.assertTrue(self.agents()["one"]["paused"])
        self.pawl("resume", "one")
        self.decided("nudge")
        self.refused("mode", "one", "lazy", code=2)
        self.refused("pause", "nobody", code=1)

    def test_the_file_pause(self):
        self.fleet_of("--speed", "40", prompt="go on", nudge={"base_s": 2})
        self.state("one", "ready")
        path = self.home + "/agents/one/PAUSE"
        with open(path, "w", encoding="utf-8"):
            pass
        until("it is paused", lambda: self.agents()["one"]["paused"], 10)
        time.sleep(3)
        self.assertEqual(self.decisions("nudge"), [])
        os.remove(path)
        until("it is not paused any more", lambda: not self.agents()["one"]["paused"], 10)
        self.decided("nudge")

    def test_a_dry_run_only_writes_down(self):
        self.fleet_of("--speed", "40", prompt="go on", nudge={"base_s": 1, "attempts": 1}, restart="fresh", dry_run=True)
        self.state("one", "ready")
        self.decided("nudge")
        os.kill(self.agents()["one"]["pid"], signal.SIGKILL)
        self.decided("restart")
        time.sleep(1.5)
        self.assertEqual(self.agents()["one"]["state"], "crashed")
        self.assertEqual(self.prompts(), [])
        self.assertTrue(all(one["dry_run"] for one in self.decisions()))
        self.assert_every_decision_has_one_outcome()

    def test_a_dialog_nobody_may_answer_is_told_of_with_the_screen(self):
        self.fleet_of("--scene", "dialog", "--speed", "40")
        self.state("one", "waiting")
        until("a person is told", lambda: [alert for alert in self.alerts() if alert.get("screen")], 10)
        told = [alert for alert in self.alerts() if alert.get("screen")]
        self.assertEqual(len(told), 1)
        self.assertIn("pawl answer one", told[0]["todo"])

    def test_a_queued_text_keeps_no_dialog_from_being_told_of(self):
        self.fleet_of("--scene", "dialog", "--speed", "40")
        self.assertIn("queued", self.pawl("send", "one", "and after that").stdout)
        self.state("one", "waiting")
        until("a person is told", lambda: [alert for alert in self.alerts() if alert.get("screen")], 10)
        self.assertEqual([one["action"] for one in self.decisions()], ["escalate"])
        self.assertEqual(len(self.agents()["one"]["outbox"]), 1)

    def test_an_answer_is_kept_as_a_rule_and_forgotten(self):
        self.fleet_of("--scene", "question", "--speed", "40", "--loop")
        self.state("one", "waiting")
        self.assertIn("nobody has answered", self.pawl("answer", "one", "--keep", code=1).stderr)
        said = self.pawl("answer", "one", "The long").stdout
        self.assertIn("confirmed", said)
        self.assertIn("pawl answer one --keep", said)
        self.assertEqual(self.decisions("answer"), [])
        self.assertIn("kept", self.pawl("answer", "one", "--keep").stdout)
        self.decided("answer")
        self.assertEqual(self.decisions("answer")[0]["how"], "The long way")
        self.assertIn("kept", self.decisions("answer")[0]["because"])
        until("it went the long way twice", lambda: self.pawl("logs", "one").stdout.count("The long one:") >= 2, 10)
        self.pawl("answer", "one", "--forget")
        count = len(self.decisions("answer"))
        self.state("one", "waiting")
        until("a person is told again", lambda: (self.agents()["one"]["matter"] or "").startswith("dialog Which way?"), 10)
        self.assertEqual(len(self.decisions("answer")), count)
        self.assert_every_decision_has_one_outcome()

    def test_a_permission_is_no_rule_to_keep(self):
        self.fleet_of("--scene", "dialog", "--speed", "40")
        self.state("one", "waiting")
        done = self.pawl("answer", "one", "1", "--keep", code=1)
        self.assertIn("confirmed", done.stdout)
        self.assertIn("answer_permissions", done.stderr)

    def test_declared_now_and_started_later(self):
        self.pawl("register", "one", "--restart", "fresh", "--", AGENT, "--speed", "40")
        self.assertEqual(self.agents()["one"]["state"], "unknown")
        self.assertIsNone(self.agents()["one"]["pid"])
        self.pawl("start", "one")
        self.state("one", "ready")
        self.assertIn("running already", self.pawl("register", "one", "--", "true", code=1).stderr)
        self.pawl("register", "two", "--", "/no/such/program")
        self.pawl("start", "two", code=1)
        self.assertIn("two", self.agents(), "what was declared stays so")
        self.assertIn("no permission mode plan", self.pawl("permission", "one", "plan", code=2).stderr)
        self.assertIn("is not known", self.pawl("permission", "two", "plan", code=2).stderr)
        self.assertIn("is not known", self.pawl("run", "-d", "--yolo", "x", "--", "sleep", "9", code=2).stderr)

    def test_a_daemon_that_was_killed_goes_on_where_it_was(self):
        self.fleet_of("--speed", "40", restart="fresh")
        self.state("one", "ready")
        os.kill(self.agents()["one"]["pid"], signal.SIGSTOP)
        pid = self.agents()["one"]["pid"]
        self.kill_daemon()
        os.kill(pid, signal.SIGKILL)
        self.pawl("ls")
        self.decided("restart")
        self.state("one", "ready")
        self.assert_every_decision_has_one_outcome()


if __name__ == "__main__":
    unittest.main()
