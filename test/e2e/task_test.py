#!/usr/bin/env python3
"""Tasks, from outside: a prompt goes in, a truthful result comes out, whatever dies in between. The agent is a scripted one."""
import contextlib
import json
import os
import signal
import subprocess
import time
import unittest

import scripted_claude
from fleet import FleetCase, alive, processes, read_proc, until

SCRIPTED = os.path.abspath(scripted_claude.__file__)
QUICK = {"MONITOR_BASE_INTERVAL": "1", "MONITOR_GRACE_PERIOD": "1", "MONITOR_DISPATCH_WAIT": "1"}


class TaskCase(FleetCase):
    def setUp(self):
        super().setUp()
        for name in ("bin", "store", "project"):
            os.mkdir(f"{self.folder}/{name}")
        os.symlink(SCRIPTED, self.folder + "/bin/claude")
        self.project = self.folder + "/project"
        self.environment.update(QUICK, SCRIPTED_STORE=self.folder + "/store",
                                PATH=self.folder + "/bin:" + self.environment["PATH"],
                                PAWL_CONFIG=self.folder + "/user.toml")
        self.configure("[defaults]\nlimit = { margin_s = 1 }\nstop_grace_s = 2\n")

    def configure(self, text):
        with open(self.folder + "/user.toml", "w", encoding="utf-8") as file:
            file.write(text)

    def give(self, *runs, name="t", options=(), code=0, command=()):
        prompt = runs[0] if command else json.dumps(list(runs))
        words = ["task", "start", name, "--dir", self.project, "--json", *options, *(["--", *command] if command else [])]
        done = self.pawl(*words, input=prompt, code=code)
        return json.loads(done.stdout) if code == 0 else done

    def task(self, name="t"):
        return json.loads(self.pawl("task", "status", name, "--json").stdout)

    def wait(self, name="t", code=0, timeout="40"):
        done = self.pawl("task", "wait", name, "--timeout", timeout, "--json", code=None)
        self.assertEqual(done.returncode, code, f"{done.stdout}{done.stderr}{self.story(name)}")
        return self.task(name)

    def file(self, name, task="t"):
        with open(os.path.join(self.task(task)["tmpdir"], name), encoding="utf-8") as file:
            return file.read()

    def manifest(self, task="t"):
        return dict(line.split("=", 1) for line in self.file("manifest", task).splitlines())

    def has(self, name, task="t"):
        return os.path.exists(os.path.join(self.task(task)["tmpdir"], name))

    def story(self, task="t"):
        return self.file("monitor.log", task) + self.file("output.log", task) + self.file("manifest", task)

    def conversation(self, task="t"):
        with open(f"{self.folder}/store/{self.task(task)['session_id']}.json", encoding="utf-8") as file:
            return json.load(file)


class Tasks(TaskCase):
    def test_a_result(self):
        given = self.give([{"say": "hello"}, {"sleep": 0.5}, {"say": "world"}])
        self.assertEqual(given["task_name"], "t")
        self.assertEqual(given["session_name"], "claude-t")
        self.assertEqual(given["status"], "running")
        self.assertEqual(os.stat(given["tmpdir"]).st_mode & 0o777, 0o700)
        task = self.wait()
        self.assertEqual((task["status"], task["exit_code"], task["retry_count"]), ("completed", 0, 0))
        self.assertEqual(self.file("output.log"), "hello\nworld\n")
        self.assertEqual(self.file("exit_code"), "0\n")
        self.assertTrue(self.has("done"))
        self.assertFalse(self.has("pid"))
        manifest = self.manifest()
        self.assertEqual((manifest["status"], manifest["session_id"]), ("completed", task["session_id"]))
        for name in os.listdir(task["tmpdir"]):
            self.assertEqual(os.stat(f"{task['tmpdir']}/{name}").st_mode & 0o777, 0o600, name)
        self.assertEqual(self.pawl("task", "output", "t").stdout, "hello\nworld\n")
        self.assertEqual(task["tokens"], 15)
        self.assert_every_decision_has_one_outcome()

    def test_the_prompt_is_nobodys_to_see(self):
        secret = "zebra-crossing-4711"
        self.give([{"say": secret}, {"sleep": 1.5}])
        seen, end = set(), time.monotonic() + 1.2
        while time.monotonic() < end:
            for pid in processes():
                if pid != os.getpid() and any(secret.encode() in read_proc(pid, name) for name in ("cmdline", "environ")):
                    seen.add(pid)
        self.assertEqual(seen, set())
        self.wait()
        self.assertIn(secret, self.file("output.log"))
        self.assertNotIn(secret, self.pawl("events", "--json").stdout)

    def test_killed_it_goes_on_with_its_conversation(self):
        self.give([{"say": "one"}, {"die": signal.SIGKILL}], [{"say": "two"}])
        task = self.wait()
        self.assertEqual((task["status"], task["retry_count"]), ("completed", 1))
        self.assertEqual(self.file("output.log"), "one\ntwo\n")
        self.assertEqual(self.conversation()["run"], 2)
        self.assertIn("Go on with your task", self.conversation()["prompts"][1])
        self.assertEqual(len(os.listdir(self.folder + "/store")), 1, "one conversation only")

    def test_an_exit_without_a_result_is_none(self):
        self.give([{"say": "one"}, {"exit": 0}], [{"say": "two"}])
        self.assertEqual(self.wait()["retry_count"], 1)

    def test_it_hangs_and_is_helped(self):
        self.give([{"say": "one"}, {"spawn": 300}, {"hang": 1}], [{"say": "two"}])
        pid = self.task()["pid"]
        until("it is found out", lambda: self.manifest()["status"] == "hung" or self.task()["retry_count"] == 1, 20)
        task = self.wait()
        self.assertEqual((task["status"], task["retry_count"]), ("completed", 1))
        self.assertFalse(alive(pid))
        self.assertIn("it hangs", self.file("monitor.log"))
        until("nothing is left", lambda: not self.of_this_fleet(), 10)

    def test_refused_something_is_no_success(self):
        self.give([{"deny": "Bash"}, {"say": "could not"}])
        task = self.wait(code=1)
        self.assertEqual(task["status"], "completed-with-denials")
        self.assertIn("Bash", task["reason"])
        self.assertTrue(self.has("done"))

    def test_a_limit_is_waited_for(self):
        self.give([{"fail": "You've hit your limit", "status": 429, "reset": 4}], [{"say": "on it"}])
        until("it waits", lambda: self.task()["status"] == "limited", 15)
        self.assertTrue(self.task()["limited_until"])
        until("it goes on", lambda: self.task()["status"] != "limited", 15)
        task = self.wait()
        self.assertEqual((task["status"], task["retry_count"]), ("completed", 0))

    def test_a_login_is_renewed(self):
        self.configure("[defaults]\nrecovery = { auth_refresh = [\"touch\", \"%s/renewed\"] }\n" % self.folder)
        self.give([{"fail": "invalid x-api-key", "status": 401}], [{"say": "fine"}])
        self.assertEqual(self.wait()["retry_count"], 0)
        self.assertTrue(os.path.exists(self.folder + "/renewed"))

    def test_a_login_that_fails_is_said(self):
        self.give([{"fail": "invalid x-api-key", "status": 401}])
        task = self.wait(code=1)
        self.assertEqual(task["status"], "failed")
        self.assertIn("login", task["reason"])

    def test_a_full_context_is_left_behind(self):
        self.give([{"fail": "prompt is too long: 210000 tokens", "terminal_reason": "prompt_too_long"}])
        task = self.wait(code=1)
        self.assertEqual(len(os.listdir(self.folder + "/store")), 3, "two fresh ones")
        self.assertIn("context", task["reason"])

    def test_it_fails_and_says_why(self):
        self.give([{"say": "hm"}, {"fail": "I cannot do that", "status": None}])
        task = self.wait(code=1)
        self.assertEqual((task["status"], task["reason"], task["exit_code"]), ("failed", "I cannot do that", 1))

    def test_what_cannot_be_run_is_said_soon(self):
        with open(self.folder + "/bin/codex", "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho 'unknown option' >&2\nexit 2\n")
        os.chmod(self.folder + "/bin/codex", 0o755)
        self.pawl("task", "start", "t", "--runtime", "codex", "--dir", self.project, input="x")
        task = self.wait(code=1)
        self.assertEqual((task["status"], task["reason"]), ("failed", "it cannot be run: unknown option"))

    def test_tried_often_enough(self):
        self.environment["MONITOR_MAX_RETRIES"] = "1"
        self.give([{"die": signal.SIGSEGV}])
        task = self.wait(code=5)
        self.assertEqual((task["status"], task["abandon_reason"]), ("abandoned", "max_retries_exceeded"))
        self.assertFalse(self.has("done"))
        self.assertEqual(self.manifest()["abandon_reason"], "max_retries_exceeded")

    def test_its_time_is_over(self):
        self.give([{"spawn": 300}, {"say": "x"}, {"sleep": 300}], options=("--deadline", "3"))
        task = self.wait(code=5)
        self.assertEqual(task["abandon_reason"], "deadline")
        until("nothing is left", lambda: not self.of_this_fleet(), 10)

    def test_what_it_may_cost(self):
        self.give([*({"say": f"{n}", "sleep": 0.2} for n in range(200))], options=("--max-tokens", "30"))
        task = self.wait(code=5)
        self.assertEqual((task["status"], task["abandon_reason"]), ("abandoned", "max_tokens_exceeded"))
        self.assertLess(30, task["tokens"])
        self.assertLess(task["tokens"], 1000, "looked at every ten seconds")
        dear = [[{"say": "a word"}, {"fail": "You've hit your limit", "status": 429, "reset": 1}]] * 9
        self.give(*dear, name="dear", options=("--max-cost", "0.025"))
        until("its limits and its money are used up", lambda: self.task("dear")["final"], 40)  # waiting would say 4 at each limit
        task = self.wait("dear", code=5)
        self.assertEqual((task["status"], task["abandon_reason"]), ("abandoned", "max_cost_exceeded"))
        self.assertAlmostEqual(task["cost_usd"], 0.03)
        until("nothing is left", lambda: not self.of_this_fleet(), 10)

    def test_a_project_that_is_deleted(self):
        self.give([{"say": "one"}, {"sleep": 2}, {"say": "two"}])
        self.give([{"say": "one"}, {"sleep": 1}, {"die": signal.SIGKILL}], [{"say": "two"}], name="killed", options=("--retries", "2"))
        until("they speak", lambda: all("one" in self.pawl("task", "output", name).stdout for name in ("t", "killed")))
        os.rmdir(self.project)
        self.assertEqual(self.wait()["status"], "completed", "who runs goes on")
        task = self.wait("killed", code=5)
        self.assertEqual(task["status"], "abandoned")
        self.assertIn("no such directory", self.file("monitor.log", "killed"))
        os.mkdir(self.project)
        self.pawl("task", "resume", "killed")
        self.assertEqual(self.wait("killed")["status"], "completed")
        self.assertEqual(self.file("output.log", "killed"), "one\ntwo\n")

    def test_cancelled(self):
        self.give([{"spawn": 300}, {"sleep": 300}])
        self.pawl("task", "cancel", "t")
        task = self.wait(code=5)
        self.assertEqual(task["status"], "cancelled")
        until("nothing is left", lambda: not self.of_this_fleet(), 10)
        self.pawl("task", "cancel", "t")

    def test_stopped_it_is_given_up_and_can_be_gone_on_with(self):
        self.give([{"say": "one"}, {"sleep": 300}], [{"say": "two"}])
        until("it speaks", lambda: "one" in self.pawl("task", "output", "t").stdout)
        self.pawl("down")
        self.assertEqual(self.wait(code=5)["status"], "abandoned")
        with open(self.task()["tmpdir"] + "/resume", "w", encoding="utf-8"):
            pass
        until("it goes on", lambda: self.task()["status"] == "completed", 15)
        self.assertEqual(self.file("output.log"), "one\ntwo\n")
        self.assertFalse(self.has("resume"))

    def test_who_stops_the_daemon_ends_its_tasks(self):
        self.give([{"say": "one"}, {"sleep": 300}], [{"say": "two"}])
        self.give([{"say": "whole"}], name="whole")
        until("they speak", lambda: "one" in self.pawl("task", "output", "t").stdout and self.task("whole")["final"])
        folder = self.task()["tmpdir"]
        said = self.pawl("daemon", "--stop").stdout
        self.assertIn("task t is abandoned; go on with it: pawl task resume t\n", said)
        self.assertIn("no agents were running", said)
        self.assertNotIn("whole", said)
        with open(folder + "/manifest", encoding="utf-8") as manifest:
            lines = manifest.read().splitlines()
        self.assertIn("status=abandoned", lines)
        self.assertIn("abandon_reason=daemon_stopped", lines)
        self.assertEqual(self.of_this_fleet(), [])
        self.pawl("task", "resume", "t")
        self.assertEqual(self.wait()["status"], "completed")
        self.assertEqual(self.file("output.log"), "one\ntwo\n")

    def test_a_new_daemon_may_go_on_with_them(self):
        self.give([{"say": "one"}, {"sleep": 3}, {"say": "two"}])
        until("it speaks", lambda: "one" in self.pawl("task", "output", "t").stdout)
        self.assertIn("1 agent keeps running", self.pawl("daemon", "--stop", "--keep-tasks").stdout)
        task = self.wait()
        self.assertEqual((task["status"], task["retry_count"]), ("completed", 0))

    def test_a_killed_daemon_costs_nothing(self):
        self.give([*({"say": f"line {n}", "sleep": 0.1} for n in range(40))])
        for _ in range(3):
            time.sleep(0.7)
            self.kill_daemon()
            self.pawl("task", "ls")
        task = self.wait()
        self.assertEqual((task["status"], task["retry_count"]), ("completed", 0))
        self.assertEqual(self.file("output.log"), "".join(f"line {n}\n" for n in range(40)))

    def test_in_a_tmux_of_its_own(self):
        """Which keeps nothing that is printed while no daemon is there: the result is asked for again then."""
        self.give([{"say": "hello"}, {"sleep": 1}, {"say": "world"}], options=("--backend", "tmux"))
        self.assertEqual(self.agents()["claude-t"]["backend"], "tmux")
        self.assertEqual((self.wait()["status"], self.file("output.log")), ("completed", "hello\nworld\n"))
        self.give([{"say": "before"}, {"sleep": 3}, {"say": "after"}], name="u", options=("--backend", "tmux"))
        until("it speaks", lambda: "before" in self.file("output.log", "u"))
        self.kill_daemon()
        task = self.wait("u")
        self.assertEqual((task["status"], task["retry_count"]), ("completed", 0))
        self.assertEqual(self.file("output.log", "u"), "before\nafter\n")
        self.give([{"say": "away"}, {"sleep": 3}], [{"say": "again"}], name="v", options=("--backend", "tmux"))
        until("it speaks", lambda: "away" in self.file("output.log", "v"))
        self.kill_daemon()
        time.sleep(4)
        task = self.wait("v")
        self.assertEqual((task["status"], task["retry_count"]), ("completed", 1), self.story("v"))
        self.assertIn("exit code 0", self.file("monitor.log", "v"))  # which tmux kept

    def test_a_killed_holder_costs_a_try(self):
        self.give([{"say": "one"}, {"sleep": 300}], [{"say": "two"}])
        until("it speaks", lambda: "one" in self.pawl("task", "output", "t").stdout)
        for pid in self.holders():
            os.kill(pid, signal.SIGKILL)
        task = self.wait()
        self.assertEqual((task["status"], task["retry_count"]), ("completed", 1))
        self.assertEqual(self.conversation()["run"], 2)

    def test_after_a_reboot_it_goes_on(self):
        self.give([{"say": "one"}, {"sleep": 300}], [{"say": "two"}])
        self.give([{"say": "one"}], name="whole")
        until("both speak", lambda: all("one" in self.pawl("task", "output", name).stdout for name in ("t", "whole")))
        self.kill_daemon()
        for pid in [*self.holders(), *self.of_this_fleet()]:
            with contextlib.suppress(ProcessLookupError):  # what its holder's end took with it
                os.kill(pid, signal.SIGKILL)
        self.pawl("task", "ls")
        self.assertEqual(self.wait()["status"], "completed")
        self.assertEqual(self.file("output.log"), "one\ntwo\n")
        self.assertEqual(self.wait("whole")["status"], "completed")

    def test_it_ended_while_nobody_was_there(self):
        self.give([{"say": "one"}, {"sleep": 1}, {"say": "two"}])
        self.kill_daemon()
        time.sleep(2)
        self.assertEqual(self.wait()["status"], "completed")
        self.assertEqual(self.file("output.log"), "one\ntwo\n")

    def test_an_agent_with_an_interface(self):
        given = json.loads(self.pawl("task", "start", "t", "--interactive", "--runtime", "demo", "--dir", self.project, "--json",
                                     input="explain the queue").stdout)
        self.assertEqual(given["session_name"], "demo-t")
        task = self.wait()
        self.assertEqual((task["status"], task["retry_count"]), ("completed", 0))
        self.assertIn("What you asked for is on line 7", self.file("output.log"))
        self.assertTrue(self.has("done"))
        until("nothing is left", lambda: not self.of_this_fleet(), 10)
        self.assert_every_decision_has_one_outcome()

    def test_an_interface_that_asks_is_given_up(self):
        self.pawl("task", "start", "t", "--interactive", "--runtime", "demo", "--dir", self.project, input="remove the old build")
        task = self.wait(code=3)
        self.assertEqual((task["status"], task["abandon_reason"]), ("abandoned", "waiting_for_input"))
        until("nothing is left", lambda: not self.of_this_fleet(), 10)

    def test_a_program_of_ones_own(self):
        self.give("to the cat\n", command=("cat",))
        self.assertEqual(self.wait()["status"], "completed")
        self.assertEqual(self.file("output.log"), "to the cat\n")
        self.give("x", name="bad", command=("sh", "-c", "printf '\\033[31mred\\033[0m\\r\\n'; exit 3"))
        task = self.wait("bad", code=1)
        self.assertEqual((task["status"], task["exit_code"], task["reason"]), ("failed", 3, "exit code 3"))
        self.assertEqual(self.file("output.log", "bad"), "red\n")

    def test_output_is_followed(self):
        self.give([{"say": "one"}, {"sleep": 1}, {"say": "two"}])
        self.assertEqual(self.pawl("task", "output", "t", "-f").stdout, "one\ntwo\n")
        self.assertEqual(self.pawl("task", "output", "t", "-n", "1").stdout, "two\n")

    def test_any_of_several(self):
        self.give([{"sleep": 30}], name="slow")
        self.give([{"say": "x"}], name="quick")
        done = self.pawl("task", "wait", "slow", "quick", "--any", "--timeout", "20")
        self.assertEqual(done.stdout, "quick: completed: it came to its end\n")
        self.pawl("task", "wait", "slow", "--timeout", "1", code=124)
        self.assertIn("slow", self.pawl("task", "ls").stdout)

    def test_clean_asks_before_it_loses_something(self):
        folder = self.give([{"sleep": 30}])["tmpdir"]
        self.assertIn("is not over", self.pawl("task", "clean", "t", code=1).stderr)
        self.pawl("task", "cancel", "t")
        self.assertIn("never read", self.pawl("task", "clean", "t", code=1).stderr)
        self.assertEqual(self.pawl("task", "clean").stdout, "nothing to clean\n")
        self.pawl("task", "output", "t")
        self.assertEqual(self.pawl("task", "clean").stdout, "t removed\n")
        self.assertFalse(os.path.exists(folder))
        self.assertEqual(json.loads(self.pawl("task", "ls", "--json").stdout)["tasks"], [])

    def test_a_worktree_of_its_own(self):
        git = lambda *words: subprocess.run(["git", "-C", self.project, "-c", "user.name=x", "-c", "user.email=x@y", *words],
                                            check=True, capture_output=True)
        git("init", "-q")
        git("commit", "-q", "--allow-empty", "-m", "x")
        task = self.give("x", options=("--worktree",), command=("sh", "-c", "echo hi >new; pwd"))
        self.wait()
        self.assertEqual(self.file("output.log").strip(), task["worktree"])
        self.assertFalse(os.path.exists(self.project + "/new"))
        self.assertIn("not committed", self.pawl("task", "clean", "-f", "t").stderr)
        self.assertTrue(os.path.exists(task["worktree"] + "/new"), "unsaved work stays")

    def test_mistakes_are_said(self):
        for words, hint in ((("Bad",), "lowercase letters"), (("t", "--model", "opsu"), "table"), (("t", "--runtime", "nonsense"), "nonsense"),
                            (("t", "--deadline", "soon"), "time span"), (("t", "--dir", "/no/such"), "no such"),
                            (("t", "--permission", "none"), "permission")):
            done = self.pawl("task", "start", *words, input="x", code=None)
            self.assertIn(done.returncode, (1, 2), words)
            self.assertIn(hint, done.stderr, words)
        self.assertIn("no program 'gemini'", self.pawl("task", "start", "t", "--runtime", "gemini", input="x", code=1,
                                                       env={**self.environment, "PATH": self.folder + "/bin:/usr/bin:/bin"}).stderr)
        self.assertIn("task start", self.pawl("task", code=2).stderr)
        self.assertIn("empty", self.pawl("task", "start", "t", input="", code=2).stderr)
        self.assertIn("no task", self.refused("task", "wait", "nobody"))
        self.give([{"say": "x"}])
        self.assertIn("already", self.give([{"say": "x"}], code=1).stderr)
        self.assertEqual(len(os.listdir(self.home + "/tasks")), 1, "nothing is left of those that were refused")


if __name__ == "__main__":
    unittest.main()
