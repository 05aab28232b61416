#!/usr/bin/env python3
"""What happens to tasks, told to programs: in order, at once, each event once, whatever goes down meanwhile."""
import json
import os
import signal
import unittest

from fleet import until
from receiver import Receiver
from task_test import TaskCase


class Push(TaskCase):
    def setUp(self):
        super().setUp()
        self.receiver = Receiver()
        self.addCleanup(self.receiver.stop)

    def push(self, *targets):
        self.configure(f"[defaults]\nstop_grace_s = 2\n[tasks]\npush = {json.dumps(targets)}\n")

    def got(self, path="/hook"):
        return [json.loads(request["body"]) for request in self.receiver.at(path)]

    def told(self, *words):
        return [json.loads(line) for line in self.pawl("task", "events", "--json", *words).stdout.splitlines()]

    @staticmethod
    def stories(events, *tasks):
        return [(event["task"], event["event"]) for event in events if not tasks or event["task"] in tasks]

    def test_a_webhook_hears_everything_in_order(self):
        self.push(self.receiver.url and f"webhook:{self.receiver.url}/hook")
        self.give([{"say": "one"}, {"die": signal.SIGKILL}], [{"say": "two"}], name="crashes")
        self.wait("crashes")
        self.give("x", name="long", command=("sleep", "300"))
        self.pawl("task", "cancel", "long")
        self.pawl("task", "output", "crashes")
        wanted = [("crashes", "started"), ("crashes", "crashed"), ("crashes", "resumed"), ("crashes", "completed"), ("long", "started"),
                  ("long", "cancelled"), ("crashes", "read")]
        until(lambda: f"it hears {wanted}, not {self.stories(self.got())}", lambda: set(wanted) <= set(self.stories(self.got())))
        events = self.got()
        self.assertEqual([event["seq"] for event in events], sorted({event["seq"] for event in events}), "in order, each once")
        self.assertEqual([each for each in self.stories(events, "crashes")], [each for each in wanted if each[0] == "crashes"])
        ended = next(event for event in events if event["event"] == "completed")
        self.assertEqual((ended["exit_code"], ended["agent"], ended["tmpdir"]), (0, "claude-crashes", self.task("crashes")["tmpdir"]))
        self.assertEqual(self.told(), events, "pawl task events says the same")
        self.assertEqual(self.stories(self.told("long")), [each for each in wanted if each[0] == "long"])
        self.assertEqual(self.told("--since", str(ended["seq"])), [event for event in events if event["seq"] > ended["seq"]])

    def test_what_happens_without_a_daemon_is_told_later(self):
        self.push(f"webhook:{self.receiver.url}/hook")
        go = self.folder + "/go"
        self.give("x", command=("sh", "-c", f"until [ -e {go} ]; do sleep 0.1; done"))
        until("its start is told", lambda: self.stories(self.got()) == [("t", "started")])
        self.kill_daemon()
        with open(go, "w", encoding="utf-8"):
            pass
        self.wait()
        until("its end is told", lambda: ("t", "completed") in self.stories(self.got()))
        self.assertEqual(self.stories(self.got()), [("t", "started"), ("t", "completed")], "each once")

    def test_one_that_fails_is_tried_again_and_one_that_hangs_stops_nobody(self):
        told = self.folder + "/told"
        os.mkdir(self.folder + "/hooks")
        with open(self.folder + "/hooks/tell", "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\ncat >>{told}\n")
        os.chmod(self.folder + "/hooks/tell", 0o755)
        self.push(f"webhook:{self.receiver.url}/broken", f"webhook:{self.receiver.url}/hang", f"exec:{self.folder}/hooks/tell", "exec:/none/such")
        self.give("x", command=("true",))
        self.wait()
        wanted = [("t", "started"), ("t", "completed")]

        def lines():
            with open(told, encoding="utf-8") as file:
                return [json.loads(line) for line in file]
        until("the program hears it", lambda: os.path.exists(told) and self.stories(lines()) == wanted)
        until("so does the one that was broken", lambda: self.stories(self.got("/broken"))[-1:] == wanted[1:])
        self.assertEqual(self.stories(self.got("/broken")), [wanted[0]] * 3 + [wanted[1]], "tried again, in order")

    def test_what_is_not_taken_is_kept_and_somebody_is_told(self):
        self.push("exec:/bin/false")
        self.give("x", command=("true",))
        self.wait()
        dead = self.home + "/push/dead.jsonl"
        until("it is given up", lambda: os.path.exists(dead), 200)
        with open(dead, encoding="utf-8") as file:
            line = json.loads(file.readline())
        self.assertEqual((line["to"], line["why"], line["event"]["event"]), ("exec:/bin/false", "exit code 1", "started"))
        until("somebody is told", lambda: "cannot be pushed to exec:/bin/false: exit code 1" in self.pawl("alerts").stdout)

    def test_a_bad_target_is_said(self):
        self.configure('[tasks]\npush = ["ntfy:https://ntfy.sh/x", "what"]\nnotpush = 1\n')
        said = self.pawl("config", "check", self.folder + "/user.toml", code=None)
        self.assertIn("for people, not for programs", said.stdout + said.stderr)
        self.assertIn("notpush", said.stdout + said.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
