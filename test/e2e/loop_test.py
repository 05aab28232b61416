#!/usr/bin/env python3
"""The outer loop, from outside: sessions that follow each other, what is looked at before each, and conversations put away."""
import glob
import json
import os
import shutil
import time
import unittest

import stub_claude
from fleet import FleetCase, until
from toml_text import toml

class LoopCase(FleetCase):
    def setUp(self):
        super().setUp()
        self.stub = self.folder + "/stub"
        os.makedirs(self.stub + "/bin")
        shutil.copy(stub_claude.__file__, self.stub + "/bin/claude")
        open(self.stub + "/login", "w", encoding="utf-8").close()
        self.environment["STUB"] = self.stub
        self.environment["PATH"] = self.stub + "/bin:" + self.environment["PATH"]

    def up(self, *plan, **keys):
        with open(self.stub + "/plan", "w", encoding="utf-8") as file:
            file.write("\n".join(json.dumps(step) for step in plan))
        rows = {"runtime": "claude", "strategy": "task-driven", "settle_s": 0.2, "cooldown_s": 0.2, "floor_s": 60,
                "crash_loop": {"count": 50, "window_s": 900}, **keys}
        with open(self.folder + "/pawl.toml", "w", encoding="utf-8") as file:
            file.write("[agent.one]\n" + "".join(f"{key} = {toml(one)}\n" for key, one in rows.items()))
        return self.pawl("up")

    def lines(self, name):
        try:
            with open(f"{self.stub}/{name}", encoding="utf-8") as file:
                return [json.loads(line) for line in file.read().splitlines()]
        except FileNotFoundError:
            return []

    def started(self, count, seconds=30):
        until(lambda: f"{count} starts: {self.lines('starts')}\n{self.pawl('why', 'one').stdout}",
              lambda: len(self.lines("starts")) >= count, seconds)
        return self.lines("starts")[:count]

    def state(self, *states):
        until(lambda: f"{states}: {self.agents()['one']}", lambda: self.agents()["one"]["state"] in states)

    def checks(self, nth=-1):
        """Of the nth look before a start: {check: (ok, text)}."""
        looks = [event for event in self.events() if event["type"] == "preflight"]
        return {one["check"]: (one["ok"], one["text"]) for one in looks[nth]["checks"]}

    def alerts(self):
        return [event["text"] for event in self.events() if event["type"] == "alert"]


class Loop(LoopCase):
    def test_work_starts_the_next_session_in_the_same_conversation(self):
        self.up({"exit": 0})
        first, = self.started(1)
        self.state("exited")
        self.assertIn("waits for work", self.pawl("why", "one").stdout)
        self.pawl("inbox", "add", "one", "--from", "ci", "look at the build")
        second = self.started(2)[1]
        self.assertEqual(second["argv"][second["argv"].index("--resume") + 1], first["id"])
        self.assertEqual({check for check in self.checks()},
                         {"folder", "resume", "transcript", "memory", "disk", "login", "permission"})
        self.assertTrue(all(ok for ok, _ in self.checks().values()), self.checks())
        self.assertEqual(self.checks()["resume"], (True, "conversation " + first["id"]))

    def test_three_crashes_then_a_new_conversation_and_the_old_one_is_kept(self):
        self.up(*[{"exit": 1}] * 4, restart="resume")
        starts = self.started(5)
        ids = [start["id"] for start in starts]
        self.assertEqual(ids[:3], [ids[0]] * 3)
        self.assertNotIn(ids[0], ids[3:])
        self.assertNotEqual(ids[3], ids[4], "stage 3 begins from nothing")
        kept = json.loads(self.pawl("archive", "ls", "one", "--json").stdout)["archived"]
        self.assertEqual([one["origin"] for one in kept], [f"{self.stub}/{ids[0]}.jsonl", f"{self.stub}/{ids[3]}.jsonl"])
        self.assertFalse(os.path.exists(kept[0]["origin"]))
        self.assertIn("is back", self.pawl("archive", "restore", "one", kept[0]["id"]).stdout)
        self.assertTrue(os.path.exists(kept[0]["origin"]))
        with open(self.home + "/agents/one/crash.log", encoding="utf-8") as file:
            log = file.read()
        self.assertEqual(log.count("exit code 1"), 4)
        self.assertIn("memory", log)

    def test_a_transcript_that_is_too_large_is_never_loaded(self):
        self.up({"exit": 0})
        first, = self.started(1)
        self.state("exited")
        os.truncate(f"{self.stub}/{first['id']}.jsonl", 300 << 20)
        self.pawl("inbox", "add", "one", "go on")
        second = self.started(2)[1]
        self.assertNotIn("--resume", second["argv"])
        self.assertFalse(os.path.exists(f"{self.stub}/{first['id']}.jsonl"))
        self.assertIn("300 MB", self.pawl("archive", "ls", "one").stdout)

    def test_nor_when_a_person_restarts_it(self):
        self.up(strategy="once", restart="never")
        first, = self.started(1)
        until("its conversation is known", lambda: self.agents()["one"]["session_id"] == first["id"])
        os.truncate(f"{self.stub}/{first['id']}.jsonl", 300 << 20)
        self.pawl("restart", "one")
        self.assertNotIn("--resume", self.started(2)[1]["argv"])
        self.assertFalse(self.checks()["transcript"][0])

    def test_nothing_to_resume_is_no_crash_loop(self):
        self.up({"exit": 0})
        first, = self.started(1)
        self.state("exited")
        os.remove(f"{self.stub}/{first['id']}.jsonl")
        self.pawl("inbox", "add", "one", "go on")
        self.assertNotIn("--resume", self.started(2)[1]["argv"])
        self.assertEqual(self.checks()["resume"], (False, "its conversation is gone: a new one"))

    def test_a_login_that_does_not_work_is_renewed_before_the_start(self):
        os.remove(self.stub + "/login")
        self.up(recovery={"auth_refresh": ["touch", self.stub + "/login"]})
        self.started(1)
        ok, text = self.checks()["login"]
        self.assertTrue(ok)
        self.assertIn("renewed", text)

    def test_without_a_way_to_renew_it_is_started_and_written_down(self):
        os.remove(self.stub + "/login")
        self.up()
        self.started(1)
        self.assertEqual(self.checks()["login"][0], False)
        self.assertIn("Not logged in", self.checks()["login"][1])

    def test_stopped_while_its_login_is_asked_for(self):
        with open(self.stub + "/bin/claude", "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nsleep 8\n")
        self.up()
        self.pawl("stop", "one")
        self.assertIn(self.agents()["one"]["state"], ("crashed", "exited"))

    def test_permission_by_command_and_by_file(self):
        self.up({"exit": 0})
        self.started(1)
        self.state("exited")
        self.pawl("permission", "one", "acceptEdits")
        self.assertTrue(any("default (by an operator)" in text for text in self.alerts()), self.alerts())
        mode = self.home + "/agents/one/claude_mode.json"
        with open(mode, "w", encoding="utf-8") as file:
            file.write('{"mode": "plan"}')
        until(self.agents, lambda: self.agents()["one"]["permission"] == "plan")
        self.pawl("inbox", "add", "one", "go on")
        argv = self.started(2)[1]["argv"]
        self.assertEqual(argv[argv.index("--permission-mode") + 1], "plan")
        self.assertEqual(self.checks()["permission"], (True, "plan, by claude_mode.json"))
        self.pawl("permission", "one", "bypassPermissions")
        with open(mode, encoding="utf-8") as file:
            self.assertEqual(json.load(file), {"mode": "bypassPermissions"})
        self.pawl("restart", "one")
        self.assertIn("--dangerously-skip-permissions", self.started(3)[2]["argv"])

    def test_a_permission_file_never_allows_more(self):
        self.up({"exit": 0}, permission="plan")
        self.started(1)
        self.state("exited")
        mode = self.home + "/agents/one/claude_mode.json"
        for word in ("bypassPermissions", "default", "dontAsk"):
            with open(mode, "w", encoding="utf-8") as file:
                json.dump({"mode": word}, file)
            told = f"claude_mode.json asks for {word}, which is not less than plan: refused"
            until(self.alerts, lambda: told in self.alerts())
        self.pawl("inbox", "add", "one", "go on")
        argv = self.started(2)[1]["argv"]
        self.assertEqual(argv[argv.index("--permission-mode") + 1], "plan")
        self.assertEqual(self.checks()["permission"], (False, told))
        self.assertEqual(self.agents()["one"]["permission"], "plan")
        self.assertEqual(self.alerts().count(told), 1)
        todo, = [event["todo"] for event in self.events() if event.get("text") == told]
        self.assertIn("pawl permission one dontAsk", todo)

    def test_a_permission_file_that_came_while_no_daemon_ran_allows_no_more(self):
        self.up({"exit": 0}, permission="default")
        self.started(1)
        self.state("exited")
        self.kill_daemon()
        with open(self.home + "/agents/one/claude_mode.json", "w", encoding="utf-8") as file:
            json.dump({"mode": "bypassPermissions"}, file)
        self.pawl("restart", "one")
        self.assertNotIn("--dangerously-skip-permissions", self.started(2)[1]["argv"])
        until(self.alerts, lambda: any("claude_mode.json asks for bypassPermissions" in text for text in self.alerts()))

    def test_a_permission_file_that_makes_no_sense_changes_nothing(self):
        self.up({"exit": 0}, permission="plan")
        self.started(1)
        self.state("exited")
        with open(self.home + "/agents/one/claude_mode.json", "w", encoding="utf-8") as file:
            file.write('{"mode": "root"}')
        until(self.alerts, lambda: any("'root' is not known" in text for text in self.alerts()))
        self.pawl("inbox", "add", "one", "go on")
        argv = self.started(2)[1]["argv"]
        self.assertEqual(argv[argv.index("--permission-mode") + 1], "plan")
        self.assertFalse(self.checks()["permission"][0])

    def test_its_stop_hook_hands_over_what_waits(self):
        self.up({"turn": True, "before": 2}, loop={"stop_hook": True})
        self.started(1)
        for text in ("first thing", "second thing"):
            self.pawl("inbox", "add", "one", "--from", "ci", text)
        until(lambda: self.lines("handed"), lambda: None in self.lines("handed"))
        first, second, last = self.lines("handed")
        self.assertEqual(first["decision"], "block")
        self.assertIn("Work from ci", first["reason"])
        self.assertIn("first thing", first["reason"])
        self.assertIn("second thing", second["reason"])
        self.assertIsNone(last)
        done = glob.glob(self.home + "/agents/one/inbox/done/*")
        self.assertGreaterEqual(len(done), 1)

    def test_a_strategy_nobody_knows_is_repaired_and_shown(self):
        said = self.up(strategy="active")
        self.started(1)
        self.assertIn("interval-poll", said.stdout + said.stderr)
        self.assertEqual(self.agents()["one"]["strategy"], "interval-poll")
        self.assertIn("interval-poll", " ".join(self.agents()["one"]["repairs"]))
        self.assertIn("strategy", self.pawl("ls").stdout)
        self.assertIn("interval-poll", self.pawl("doctor").stdout)
        self.assertTrue(any("strategy" in text for text in self.alerts()))

    def test_paused_nothing_begins_and_resumed_nothing_is_lost(self):
        self.up({"exit": 0})
        self.started(1)
        self.state("exited")
        pause = self.home + "/agents/one/PAUSE"
        open(pause, "w", encoding="utf-8").close()
        until("it is paused", lambda: self.agents()["one"]["paused"])
        self.pawl("inbox", "add", "one", "go on")
        time.sleep(1.5)
        self.assertEqual(len(self.lines("starts")), 1)
        os.remove(pause)
        self.started(2)


if __name__ == "__main__":
    unittest.main()
