#!/usr/bin/env python3
"""Tasks that are over are rows of the journal: what still works with them, for whom, and how they are listed and forgotten. And prompts:
every byte of them arrives, or the error says why not."""
import concurrent.futures
import contextlib
import hashlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest

from fleet import PAWL, until
from task_test import TaskCase

MANY = 120


class Filed(TaskCase):
    def filed(self):
        with sqlite3.connect(f"file:{self.home}/journal.db?mode=ro", uri=True) as journal:
            return {row[0] for row in journal.execute("SELECT task FROM tasks")}

    def over(self, name, *command, code=0, options=()):
        """Gives a task and waits until it is filed."""
        self.give("x", name=name, command=command or ("true",), options=options)
        self.wait(name, code=code)
        until(f"{name} is filed", lambda: name in self.filed())

    def listed(self, *words):
        return json.loads(self.pawl("task", "ls", "--json", *words).stdout)

    def names(self, *words):
        return [task["task_name"] for task in self.listed(*words)["tasks"]]

    def test_everything_that_looks_still_works(self):
        self.over("t", "sh", "-c", "echo said; exit 3", code=1)
        self.assertEqual(self.agents(), {}, "pawl ls leaves it out")
        self.assertEqual(self.task()["status"], "failed")
        self.assertEqual(self.pawl("task", "output", "t").stdout, "said\n")
        self.assertTrue(self.task()["read"])
        self.assertEqual(self.pawl("task", "wait", "t", code=1).stdout, "t: failed: exit code 3\n")
        self.assertIn("said", self.pawl("logs", "task-t").stdout)
        self.assertIn("said", self.screen("task-t"))
        self.assertIn("crashed", self.pawl("show", "task-t").stdout)
        self.assertIn("exit code 3", self.pawl("why", "task-t").stdout)
        self.assertIn("failed", self.pawl("events", "--agent", "task-t").stdout)
        self.assertIn("its task is over, failed: exit code 3", self.pawl("report", "--json").stdout)
        self.assertEqual(json.loads(self.pawl("task", "cancel", "t", "--json").stdout)["status"], "failed")
        self.pawl("send", "task-t", "hello", code=1)
        self.assertIn("there is a task 't' already", self.give("x", command=("true",), code=1).stderr)
        self.assertIn("has its result already", self.pawl("task", "resume", "t", code=1).stderr)
        until("it is filed again", lambda: "t" in self.filed())
        self.kill_daemon()
        self.assertEqual(self.task()["status"], "failed")
        self.pawl("task", "clean", "t")
        self.assertIn("no task named 't'", self.pawl("task", "status", "t", code=1).stderr)
        self.assertEqual(os.listdir(self.home + "/tasks"), [])
        self.assertFalse(os.path.exists(self.home + "/agents/task-t"))
        self.over("t")

    def test_one_that_was_given_up_is_gone_on_with(self):
        go = self.folder + "/go"
        self.give("x", command=("sh", "-c", f"[ -e {go} ] || sleep 300; echo went on"))
        self.pawl("task", "cancel", "t")
        until("it is filed", lambda: "t" in self.filed())
        with open(go, "w", encoding="utf-8"):
            pass
        self.kill_daemon()
        self.pawl("task", "resume", "t")
        self.wait()
        self.assertEqual(self.file("output.log"), "went on\n")

    def test_they_are_listed_in_pages(self):
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda n: self.give("x", name=f"t{n}", command=("sh", "-c", f"exit {n % 2}")), range(MANY)))
        for n in range(MANY):
            self.wait(f"t{n}", code=n % 2)
        until("all are filed", lambda: len(self.filed()) == MANY)
        some = self.listed()
        self.assertEqual((len(some["tasks"]), some["more"]), (50, MANY - 50))
        self.assertIn(f"{MANY - 50} more are over: pawl task ls --all", self.pawl("task", "ls").stdout)
        times = [task["finished_at"] for task in self.listed("--all")["tasks"]]
        self.assertEqual(times, sorted(times, reverse=True), "the newest first")
        self.assertEqual(len(times), MANY)
        self.assertEqual(sorted(self.names("--status", "failed", "--limit", "500")), sorted(f"t{n}" for n in range(1, MANY, 2)))
        first = self.listed("--limit", "7")
        rest = self.listed("--limit", "7", "--after", first["next"])
        self.assertEqual(len({task["task_name"] for task in first["tasks"] + rest["tasks"]}), 14)
        self.assertEqual(self.names("--since", "0s"), [])
        for words, said in ((("--status", "dancing"), "is no status of a task"), (("--limit", "x"), "is not a number of tasks"),
                            (("--since", "soon"), "soon"), (("--after", "x"), "is no end of a page")):
            self.assertIn(said, self.pawl("task", "ls", *words, code=2).stderr)
        self.assertEqual(self.pawl("task", "clean").stdout, "nothing to clean\n", "nobody has read them")
        self.pawl("task", "output", "t7")
        self.assertEqual(self.pawl("task", "clean").stdout, "t7 removed\n")
        self.assertEqual(self.pawl("task", "clean", "--force").stdout.count(" removed\n"), MANY - 1)
        self.assertEqual((self.names("--all"), os.listdir(self.home + "/tasks")), ([], []))
        self.assertEqual(self.pawl("task", "ls").stdout, "no tasks: give one with  pawl task start NAME --dir DIR\n")

    def test_an_agent_has_no_more_rights_than_before(self):
        self.over("mine")
        words = ("task clean -f mine", "task resume mine", "task output mine", "task start own -- true </etc/hostname", "task wait own",
                 "task clean -f own")
        asks = "".join(f"{PAWL} {each} >/dev/null 2>&1; echo $? >>{self.folder}/codes; " for each in words)
        self.sh("worker", asks + "sleep 300")

        def codes():
            with contextlib.suppress(FileNotFoundError), open(self.folder + "/codes", encoding="utf-8") as file:
                return file.read().split()
        until("it has asked", lambda: len(codes() or ()) == 6)
        self.assertEqual(codes(), ["6", "6", "0", "0", "0", "0"])
        self.assertIn("mine", self.filed())
        self.assertNotIn("own", self.filed())

    def test_names(self):
        long = "a" * 63
        self.over(long + "b", "echo", "b")
        self.over(long + "c", "echo", "c")
        self.assertEqual([self.pawl("task", "output", long + end).stdout for end in "bc"], ["b\n", "c\n"])
        self.sh("task-foo", "sleep 300")
        self.assertIn("a task 'foo' would be the agent 'task-foo', and there is one already: choose another name",
                      self.give("x", name="foo", command=("true",), code=1).stderr)
        self.over("bar")
        self.assertIn("was the agent of the task 'bar', which is over", self.pawl("run", "-d", "task-bar", "--", "true", code=1).stderr)

    def test_five_at_once_are_one(self):
        with concurrent.futures.ThreadPoolExecutor(5) as pool:
            codes = list(pool.map(lambda _: self.pawl("task", "start", "t", "--dir", self.project, "--", "sleep", "300", input="x",
                                                      code=None).returncode, range(5)))
        self.assertEqual(sorted(codes), [0, 1, 1, 1, 1])
        self.assertEqual(len(os.listdir(self.home + "/tasks")), 1)
        self.assertEqual(self.pawl("task", "cancel", "t").returncode, 0)


class Prompts(TaskCase):
    def start(self, file, name="t", code=0):  # pylint: disable=arguments-differ
        return self.pawl("task", "start", name, "--dir", self.project, "--prompt-file", file, "--", "cat", code=code)

    def test_every_byte_arrives(self):
        for name, bytes_ in (("latin", b"caf\xe9 \xff\xfe\r\nend"), ("zeros", b"a\0b\0"), ("large", os.urandom(1 << 20) * 20)):
            path = f"{self.folder}/{name}"
            with open(path, "wb") as file:
                file.write(bytes_)
            self.pawl("task", "start", name, "--dir", self.project, "--prompt-file", path, "--", "sh", "-c", "sha256sum | cut -c1-64")
            task = self.wait(name)
            digest = hashlib.sha256(bytes_).hexdigest()
            self.assertEqual(task["prompt_sha256"], digest)
            self.assertEqual(self.manifest(name)["prompt_sha256"], digest)
            self.assertEqual(self.pawl("task", "output", name).stdout, digest + "\n")
        self.assertEqual([name for name in os.listdir(self.home + "/tasks") if name.startswith(".")], [])

    def test_what_is_no_prompt_is_refused(self):
        empty, folder, large = (f"{self.folder}/{name}" for name in ("empty", "folder", "large"))
        with open(empty, "w", encoding="utf-8"):
            pass
        os.mkdir(folder)
        with open(large, "wb") as file:
            file.truncate((64 << 20) + 1)
        for file, code, said in ((empty, 2, "the prompt is empty"), (folder, 2, "is a folder: name a file"), (large, 2, "is larger than 64 MiB"),
                                 (self.folder + "/none", 1, "No such file")):
            self.assertIn(said, self.start(file, code=code).stderr)
        self.assertIn("the prompt is empty", self.pawl("task", "start", "t", "--", "cat", code=2, input="").stderr)
        with subprocess.Popen(["sh", "-c", f"head -c {(64 << 20) + 1} /dev/zero | {PAWL} task start t -- cat"], env=self.environment,
                              stderr=subprocess.PIPE) as shell:
            self.assertIn(b"the prompt is larger than 64 MiB", shell.communicate(timeout=60)[1])
        self.assertFalse(os.path.exists(self.home + "/tasks") and os.listdir(self.home + "/tasks"))

    def test_a_bad_number_in_the_environment_is_said(self):
        self.environment["MONITOR_BASE_INTERVAL"] = "abc"
        done = self.give("x", command=("true",), code=2)
        self.assertIn("'abc' in the environment's MONITOR_BASE_INTERVAL is not a number", done.stderr)


class Ends(TaskCase):
    def test_causes_and_results(self):
        self.give([{"say": "first"}, {"say": "last words"}, {"die": signal.SIGKILL}], name="cut", options=("--retries", "0"))
        self.wait("cut", code=5)
        self.assertEqual(self.pawl("task", "output", "cut", "--result").stdout, "last words\n", "what a killed run had said")
        self.give([{"say": "first"}], name="fine")
        self.wait("fine")
        self.assertEqual(self.file("result", "fine"), "the end\n")
        self.assertEqual(self.pawl("task", "output", "fine", "--result").stdout, "the end\n")
        self.give("x", name="plain", command=("echo", "x"))
        self.wait("plain")
        self.assertIn("has no message of an agent", self.pawl("task", "output", "plain", "--result", code=1).stderr)
        self.give("x", name="killed", command=("sh", "-c", "kill -9 $$"), options=("--retries", "1"))
        task = self.wait("killed", code=5)
        self.assertEqual((task["reason"], task["detail"]), ("max_retries_exceeded", "gave up after 1 try: it crashed: signal 9 (Killed)"))
        for words in (("task", "ls"), ("task", "wait", "killed"), ("task", "status", "killed")):
            self.assertIn("gave up after 1 try: it crashed: signal 9 (Killed)", self.pawl(*words, code=None).stdout)
        self.assertEqual(self.manifest("killed")["detail"], task["detail"])

    def test_a_folder_that_is_removed_while_it_runs(self):
        go = self.folder + "/go"
        given = self.give("x", command=("sh", "-c", f"echo one; until [ -e {go} ]; do sleep 0.1; done; echo two"))
        until("it speaks", lambda: "one" in self.pawl("task", "output", "t").stdout)
        shutil.rmtree(given["tmpdir"])
        with open(go, "w", encoding="utf-8"):
            pass
        self.assertEqual(self.wait()["status"], "completed")
        self.assertEqual(self.pawl("task", "output", "t").stdout, "one\ntwo\n")
        self.assertEqual(self.manifest()["status"], "completed")
        self.assertIn("its task was removed: it is there again", self.pawl("alerts").stdout)

    def test_a_command_with_an_interface_is_over_when_it_ends(self):
        self.give("x", command=("sh", "-c", "sleep 0.5; exit 3"), options=("--interactive",))
        self.assertEqual(self.wait(code=1)["reason"], "exit code 3")

    def test_success_with_an_exit_code_is_none(self):
        self.give([{"say": "done"}, {"ends": 7}])
        task = self.wait(code=1)
        self.assertEqual(task["reason"], "it says that it came to its end, and ended with exit code 7")

    def test_help_of_all(self):
        said = self.pawl("help", "task").stdout
        self.assertIn("task start", said)
        self.assertIn("task events", said)


class WithoutDaemon(TaskCase):
    def test_who_waits_or_reads_along_goes_on_with_the_next_daemon(self):
        go = self.folder + "/go"
        self.give("x", command=("sh", "-c", f"echo one; until [ -e {go} ]; do sleep 0.1; done; echo two"))
        until("it speaks", lambda: "one" in self.pawl("task", "output", "t").stdout)
        words = (("task", "wait", "t"), ("task", "output", "t", "-f"), ("task", "output", "t", "-f", "-n", "1"), ("task", "events", "--json", "-f"))
        clients = [subprocess.Popen([PAWL, *each], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8")
                   for each in words]
        time.sleep(1)
        self.kill_daemon()
        self.assertEqual(self.task()["status"], "running")
        with open(go, "w", encoding="utf-8"):
            pass
        said = [client.communicate(timeout=60)[0] for client in clients[:3]]
        self.assertEqual([client.returncode for client in clients[:3]], [0, 0, 0])
        self.assertEqual(said, ["t: completed: exit code 0\n", "one\ntwo\n", "one\ntwo\n"])
        self.assertEqual(json.loads(clients[3].stdout.readline())["event"], "completed")
        clients[3].kill()
        clients[3].communicate()


if __name__ == "__main__":
    unittest.main(verbosity=2)
