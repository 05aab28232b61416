#!/usr/bin/env python3
"""How tasks without records are watched: silence, questions on their terminal, and what is no text in what they print."""
import json
import os
import unittest

from fleet import until
from task_test import TaskCase

QUESTION = "printf 'Overwrite it? [y/N] '; read x </dev/tty; echo got $x"


class Health(TaskCase):
    def log(self, name="t"):
        with open(os.path.join(self.task(name)["tmpdir"], "output.log"), "rb") as file:
            return file.read()

    def events(self, name="t"):  # pylint: disable=arguments-differ
        lines = self.pawl("task", "events", name, "--since", "1h", "--json").stdout.splitlines()
        return [json.loads(line) for line in lines]

    def test_silence_is_no_hang(self):
        self.give("x", command=("sh", "-c", "sleep 9; echo finally"))
        task = self.wait()
        self.assertEqual((task["status"], task["retry_count"]), ("completed", 0))
        self.assertEqual(self.log(), b"finally\n")

    def test_stale_makes_it_one(self):
        self.environment["MONITOR_MAX_INTERVAL"] = "1"
        self.give("x", command=("sleep", "100"), options=("--stale", "3s", "--retries", "1"))
        task = self.wait(code=5, timeout="60")
        self.assertEqual((task["status"], task["abandon_reason"]), ("abandoned", "max_retries_exceeded"))
        self.assertEqual(task["detail"], "gave up after 1 try: it hung: no output and no CPU for 3s")
        self.assertEqual([event["event"] for event in self.events()], ["started", "hung", "abandoned"])

    def test_work_in_silence_is_not_stale(self):
        busy = "i=0; end=$(($(date +%s) + 10)); while [ $(date +%s) -lt $end ]; do i=$((i + 1)); done; echo counted"
        self.give("x", command=("sh", "-c", busy), options=("--stale", "3s", "--retries", "0"))
        moves = "n=0; while [ $n -lt 20 ]; do sleep 0.5; n=$((n + 1)); done; echo moved"
        self.give("x", name="children", command=("sh", "-c", moves), options=("--stale", "3s", "--retries", "0"))
        for name, said in (("t", b"counted\n"), ("children", b"moved\n")):
            self.assertEqual(self.wait(name)["status"], "completed", name)
            self.assertEqual(self.log(name), said)

    def test_a_bad_time_is_an_error(self):
        for time in ("soon", "0.2"):
            self.assertIn("stale" if time == "0.2" else time, self.give("x", command=("true",), options=("--stale", time), code=2).stderr)

    def test_a_question_on_its_terminal_is_given_up(self):
        self.environment["MONITOR_BASE_INTERVAL"] = "3"
        self.give("x", command=("sh", "-c", QUESTION))
        until("it is seen to ask", lambda: self.task()["pane_state"] == "waiting_for_input", 20)
        self.assertEqual(self.manifest()["pane_state"], "waiting_for_input")
        task = self.wait(code=3)
        self.assertEqual((task["status"], task["abandon_reason"]), ("abandoned", "waiting_for_input"))
        self.assertIn("Overwrite it? [y/N]", task["detail"])
        waiting = [event for event in self.events() if event["event"] == "waiting"]
        self.assertEqual(len(waiting), 1)
        self.assertIn("Overwrite it? [y/N]", waiting[0]["detail"])
        until("nothing is left", lambda: not self.of_this_fleet(), 10)

    def test_a_password_is_a_question(self):
        self.give("x", command=("python3", "-c", "import getpass; getpass.getpass()"))
        self.assertEqual(self.wait(code=3)["abandon_reason"], "waiting_for_input")

    def test_what_only_looks_like_one_is_left_alone(self):
        computes = "end=$(($(date +%s) + 8)); while [ $(date +%s) -lt $end ]; do :; done; echo; echo done"
        self.give("x", command=("sh", "-c", "printf 'really? '; " + computes))
        self.give("x", name="waits", command=("sh", "-c", "printf 'really? [y/N] '; sleep 8; echo; echo done"))
        for name in ("t", "waits"):
            self.assertEqual(self.wait(name)["status"], "completed")
            self.assertNotIn("waiting", [event["event"] for event in self.events(name)], name)

    def test_what_is_no_text_is_a_word(self):
        print_it = "import sys; sys.stdout.buffer.write(b'before\\n' + bytes(range(128, 140)) + b'\\nafter\\n')"
        self.give("x", command=("python3", "-c", print_it))
        self.wait()
        self.assertEqual(self.log(), b"before\n[12 bytes that are not text]\nafter\n")
        large = "head -c 3000000 /dev/urandom; echo; echo the end"
        self.give("x", name="large", command=("sh", "-c", large))
        self.wait("large")
        self.assertTrue(self.log("large").endswith(b"the end\n"), self.log("large")[-200:])
        self.assertLess(len(self.log("large")), 60000)

    def test_what_a_killed_run_had_streamed_is_there(self):
        self.give([{"say": "one"}, {"stream": ["half a ", "sentence"]}, {"die": 9}], [{"say": "two"}])
        self.assertEqual(self.wait()["retry_count"], 1)
        self.assertEqual(self.log(), b"one\nhalf a sentence\ntwo\n")

    def test_short_names_of_models_are_full_ones(self):
        self.give([{"say": "x"}], options=("--model", "opus"))
        self.assertRegex(self.task()["model"], r"^claude-opus-\d")
        self.configure('[models]\nopus = "claude-opus-4-6"\n')
        self.give([{"say": "x"}], name="mine", options=("--model", "opus"))
        self.assertEqual(self.task("mine")["model"], "claude-opus-4-6")
        said = self.give([{"say": "x"}], name="none", options=("--model", "opsu"), code=2).stderr
        self.assertIn("sonnet (claude-sonnet-", said)
        checks = json.loads(self.pawl("doctor", "--json").stdout)["checks"]
        self.assertTrue(any(check["name"] == "models" and "claude of 20" in check["found"] for check in checks), checks)


if __name__ == "__main__":
    unittest.main()
