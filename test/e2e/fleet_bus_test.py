#!/usr/bin/env python3
"""Machines that meet on NATS: who is there, whose agents there are, verbs from one to another, and work that any of them may run. Each
"machine" is a PAWL_HOME of its own; the server is a real one."""
import json
import os
import signal
import unittest

from bus_server import SERVER, OnABus
from fleet import FleetCase, until


@unittest.skipUnless(SERVER, "no nats-server here")
class FleetOnABus(OnABus, FleetCase):
    def test_who_is_there_and_whose_agents(self):
        self.assertRegex(self.node("lap").stdout, r"^joined as lap: 1 online")
        self.node("gpu", config="[fleet]\nlabels = ['gpu']\n")
        self.assertEqual(self.online("lap", "gpu")["labels"][0], "label=gpu")
        self.at("gpu", "run", "-d", "docs", "--", "sh", "-c", "echo here I am; exec cat")
        until("its agent is in the list", lambda: ("gpu", "docs") in self.rows("lap"), 20)
        self.assertIn("here I am", until("its screen", lambda: self.at("lap", "screen", "gpu/docs", code=None).stdout, 20))
        self.assertEqual(self.at("lap", "stop", "gpu/docs").stdout, "docs stopped\n")
        asked = [event for event in map(json.loads, self.at("gpu", "events", "--json").stdout.splitlines()) if event["type"] == "request"]
        self.assertEqual([(event["verb"], event["by"]["kind"], event["by"]["name"]) for event in asked][-1:], [("stop", "machine", "lap/person")])

    def test_who_leaves_is_gone_at_once_and_may_come_back(self):
        self.node("lap")
        self.node("gpu")
        self.online("lap", "gpu")
        for _ in range(2):
            self.at("gpu", "fleet", "leave")
            until("it is no row any more", lambda: self.seen("lap", "gpu") is None, 3)
            self.assertRegex(self.at("gpu", "fleet", "join", self.bus.url, "--name", "gpu").stdout, "^joined as gpu: ")
            self.online("lap", "gpu")
        self.assertNotIn("not reached any more: not heard", self.at("lap", "events", "--here").stdout)

    def test_a_node_that_is_gone_is_a_row_within_fifteen_seconds(self):
        self.node("lap")
        self.node("gpu")
        self.online("lap", "gpu")
        with open(f"{self.folder}/gpu/daemon.lock", encoding="ascii") as file:
            os.kill(int(file.read()), signal.SIGKILL)
        self.assertTrue(self.online("lap", "gpu", False, 20)["because"])
        self.at("gpu", "ls")  # starts it again
        self.online("lap", "gpu")

    def test_a_task_is_run_by_whoever_has_what_it_needs(self):
        self.node("lap", config="[fleet]\ntasks = 0\n")
        self.node("gpu", config="[fleet]\nlabels = ['gpu']\n")
        self.online("lap", "gpu")
        self.give("lap", "fix", "cat; echo fence $PAWL_FENCE", "--needs", "label=gpu")
        said = self.ended("lap", "fix")
        self.assertEqual(said["machine"], "gpu")
        for name in ("gpu", "lap"):  # by its name alone, from anywhere
            self.assertIn("the prompt", self.at(name, "task", "output", "fix").stdout)
            self.assertEqual(self.at(name, "task", "wait", "fix").stdout, ("gpu/fix" if name == "lap" else "fix") + ": completed: exit code 0\n")
        self.assertIn(f"fence {said['fence']}\n", self.at("gpu", "task", "output", "fix").stdout)

    def test_a_limit_that_one_runs_into_parks_the_account_on_all(self):
        self.node("lap")
        self.node("gpu")
        self.online("lap", "gpu")
        for node, agent, scene, account in (("lap", "docs", "idle", "work"), ("lap", "home", "idle", "home"), ("gpu", "limited", "limit", "work")):
            toml = f"{self.folder}/{agent}.toml"
            with open(toml, "w", encoding="utf-8") as file:
                file.write(f"[agent.{agent}]\ncommand = ['pawl-demo-agent', '--scene', '{scene}']\naccount = '{account}'\nmode = 'active'\n")
            self.at(node, "up", toml, "--trust")
        self.at("gpu", "wait", "limited", "--until", "limited", "--timeout", "60")
        why = lambda agent: self.at("lap", "why", agent).stdout  # noqa: E731
        until(lambda: "it waits for its account: " + why("docs"), lambda: "account work has reached its limit, as gpu says" in why("docs"), 5)
        self.assertNotIn("reached its limit", why("home"))
        self.assertIn("account work is limited until", self.at("lap", "events").stdout)
        self.at("gpu", "stop", "limited")  # that is no proof that it is over
        self.at("lap", "ls")
        self.assertIn("account work has reached its limit, as gpu says", why("docs"))
        self.at("lap", "fleet", "leave")
        until("who left goes by nothing of it", lambda: "reached its limit" not in why("docs"), 10)

    def test_clean_takes_the_one_that_is_named(self):
        self.node("lap", config="[fleet]\ntasks = 0\n")
        self.node("gpu")
        self.online("lap", "gpu")
        self.give("lap", "fix", "echo of the fleet")
        self.ended("lap", "fix")
        self.assertIn("pawl task clean gpu/fix", self.at("lap", "task", "clean", "-f", "fix", code=1).stderr)
        self.at("lap", "task", "start", "mine", "--", "true", input="x\n")
        self.at("gpu", "task", "start", "mine", "--", "true", input="x\n")
        for name in ("lap", "gpu"):
            self.at(name, "task", "wait", "mine")
        self.assertEqual(self.at("lap", "task", "clean", "-f", "gpu/mine").stdout, "gpu/mine removed\n")
        self.assertEqual(self.status("lap", "mine")["status"], "completed", "it was another one")
        self.assertIn("no task named", self.at("gpu", "task", "status", "mine", code=1).stderr)

    def test_work_for_a_queue(self):
        toy = "[runtime.toy]\ntask = ['cat']\n[defaults]\nruntime = 'toy'\n[fleet]\nqueues = "
        self.node("lap", config=toy + "['default']\n")
        self.node("gpu", config=toy + "['nightly']\n")
        self.online("lap", "gpu")
        said = self.at("lap", "inbox", "add", "--fleet", "nightly", "the links are dead").stdout
        self.assertRegex(said, r"\Anightly-\d{8}t\d{6}-\w{4} waits for a machine that takes from nightly: pawl task status nightly-\S+\n\Z")
        name = said.split()[0]
        self.assertEqual(self.ended("lap", name)["machine"], "gpu")
        self.assertEqual(self.at("lap", "task", "output", name).stdout.strip(), "the links are dead")
        for words in (("--fleet", "Nightly", "x"), ("--fleet", "nightly", "docs", "x"), ("--fleet", "nightly", "--from", "ci", "x"), ("x",)):
            self.at("lap", "inbox", "add", *words, code=2)

    def test_nobody_has_what_it_needs_and_it_is_said(self):
        self.node("lap")
        self.give("lap", "fix", "true", "--needs", "label=gpu")
        self.assertEqual(self.status("lap", "fix")["status"], "waiting")
        self.assertIn("gpu", self.status("lap", "fix")["detail"] or "")
        self.assertIn("fix   waiting", self.at("lap", "task", "ls").stdout)
        self.assertNotIn("fix", self.at("lap", "task", "ls", "--here").stdout)
        self.assertIn("has not begun", self.at("lap", "task", "output", "fix", code=1).stderr)
        self.at("lap", "task", "wait", "fix", "--timeout", "0.2", code=124)
        self.at("lap", "task", "cancel", "fix")
        self.assertEqual(self.status("lap", "fix")["status"], "cancelled")
        self.at("lap", "task", "wait", "fix", code=5)

    def test_the_work_of_a_dead_node_is_taken_over(self):
        self.node("lap", config="[fleet]\ntasks = 0\n")
        self.node("gpu")
        self.online("lap", "gpu")
        log = self.folder + "/log"
        self.give("lap", "fix", f"echo begin $PAWL_FENCE >>{log}; while [ ! -e {self.folder}/go ]; do sleep 0.1; echo tick $PAWL_FENCE >>{log}; done; echo end $PAWL_FENCE >>{log}")
        until("it runs", lambda: os.path.exists(log), 30)
        with open(f"{self.folder}/gpu/daemon.lock", encoding="ascii") as file:
            os.kill(int(file.read()), signal.SIGKILL)
        self.node("pod")  # somebody else, who has room
        until("it is begun again", lambda: self.lines(log, "begin") == 2, 90)
        with open(self.folder + "/go", "w", encoding="ascii"):
            pass
        self.assertEqual(self.ended("lap", "fix")["machine"], "pod")
        with open(log, encoding="ascii") as file:
            fences = [int(line.split()[1]) for line in file]
        self.assertEqual(fences, sorted(fences), "the first one had ended before the second began")
        self.assertEqual(self.lines(log, "end"), 1)

    @staticmethod
    def lines(path, word):
        with open(path, encoding="ascii") as file:
            return sum(line.startswith(word) for line in file)

    def test_without_a_bus_everybody_works_on_and_it_is_said(self):
        self.node("lap")
        self.node("gpu")
        self.online("lap", "gpu")
        self.bus.kill()
        self.at("lap", "run", "-d", "mine", "--", "sleep", "600")
        until("it is said", lambda: "not in touch" in self.at("lap", "fleet", "ls").stdout, 20)
        self.assertEqual(self.at("lap", "stop", "mine").stdout, "mine stopped\n")
        self.bus.start()
        self.online("gpu", "lap")

    def test_bad_input(self):
        self.assertIn("is not the address", self.refused("fleet", "join", "bus", code=2))
        self.assertIn("no fleet", self.refused("fleet", "leave"))
        self.assertIn("no fleet", self.refused("task", "start", "x", "--on", "any", "--", "true", input="p"))
        self.assertIn("--needs", self.refused("task", "start", "x", "--on", "any", "--needs", "gpu", "--", "true", input="p", code=2))
        self.assertIn("cannot read", self.refused("fleet", "join", self.bus.url, "--creds", "/none", code=2))
        self.node("lap")
        self.assertIn("lap", self.at("lap", "fleet", "ls").stdout)
        self.at("lap", "fleet", "leave")
        self.assertIn("not in a fleet", self.at("lap", "fleet", "ls").stdout)


if __name__ == "__main__":
    unittest.main()
