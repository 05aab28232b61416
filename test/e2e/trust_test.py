#!/usr/bin/env python3
"""Who asks: a process inside an agent or a task looks, talks and starts tasks; it approves nothing, also when it cut itself loose."""
import json
import os
import shutil
import subprocess
import unittest

from fleet import PAWL, FleetCase, until

# How an agent's shell has a command run: itself, in a session of its own, without its environment, and as somebody's orphan.
WAYS = {
    "directly": "{}",
    "setsid": "setsid -w {}",
    "env -i setsid": 'env -i PATH="$PATH" PAWL_HOME="$PAWL_HOME" setsid -w {}',
    "nohup, twice forked": "(nohup setsid -f sh -c '{}' </dev/null >/dev/null 2>&1 &)",
    "env -i, twice forked": "(env -i PATH=\"$PATH\" PAWL_HOME=\"$PAWL_HOME\" setsid -f sh -c '{}' </dev/null >/dev/null 2>&1 &)",
}
# {} is the other agent.
GUARDED = ("answer {} 1", "answer worker 1", "keys {} Enter", "keys worker Enter", "stop {}", "stop worker", "stop --all", "restart {}", "rm -f {}",
           "down", "permission {} bypassPermissions", "permission worker bypassPermissions", "serve --listen 127.0.0.1:0 --no-tls", "serve --url",
           "attach {}", "attach -r {}", "pause {}", "resume {}", "mode {} active", "release {}", "start {}", "send {} --no-enter 1",
           "send {} --drop", "inbox add {} work", "reload", "daemon --stop", "run -d fresh -- sleep 9", "register fresh -- sleep 9",
           "up fleet.toml", "up --trust fleet.toml", "trust fleet.toml", "trust --list", "trust --forget fleet.toml")


class TrustCase(FleetCase):
    def setUp(self):
        super().setUp()
        self.work = self.folder + "/work"
        os.makedirs(self.work)
        self.environment["PATH"] = os.path.dirname(PAWL) + ":" + self.environment["PATH"]

    def worker(self, name="worker", options=()):
        """A shell that runs what is put before it, and says with which code it ended."""
        self.start(name, "sh", options=options)
        self.count = 0

    def inside(self, line, way="directly", name="worker"):
        """Exit code and words of a pawl command that the agent runs."""
        self.count += 1
        path = f"{self.work}/{self.count}"
        with open(path + ".sh", "w", encoding="utf-8") as file:
            file.write(f"pawl {line} </dev/null >{path}.out 2>{path}.err; echo $? >{path}.part; mv {path}.part {path}.code\n")
        self.pawl("send", name, WAYS[way].format(f"sh {path}.sh"))
        until(lambda: f"{line} {way}\n{self.screen(name)}", lambda: os.path.exists(path + ".code"))
        with open(path + ".code", encoding="ascii") as code, open(path + ".out", encoding="utf-8") as out, open(path + ".err", encoding="utf-8") as err:
            return int(code.read()), out.read() + err.read()

    def written(self, path):
        def text():
            if not os.path.exists(path):
                return ""
            with open(path, encoding="ascii") as file:
                return file.read()
        return until(lambda: f"{path}: {self.events()[-5:]}", text)

    def requests(self, verb=None):
        return [event for event in self.events() if event["type"] == "request" and verb in (None, event["verb"])]


class Inside(TrustCase):
    def test_an_agent_approves_and_ends_nothing(self):
        self.worker()
        self.sh("other", "read x; echo got $x; sleep 99")
        with open(self.folder + "/fleet.toml", "w", encoding="utf-8") as file:
            file.write('[agent.fresh]\ncommand = ["sleep", "9"]\n')
        for line in GUARDED:
            with self.subTest(line):
                code, said = self.inside(line.format("other"))
                self.assertEqual(code, 6, said)
                self.assertIn("inside agent worker", said)
                self.assertIn('may = ["', said)
                self.assertIn("[agent.worker]", said)
        agents = self.agents()
        self.assertEqual(sorted(agents), ["other", "worker"])
        self.assertNotIn("got", self.screen("other"))
        refused = [event for event in self.requests() if event.get("refused")]
        self.assertEqual({(event["by"]["kind"], event["by"]["name"]) for event in refused}, {("agent", "worker")})
        self.assertGreaterEqual(len(refused), len(GUARDED))
        self.assertFalse([event for event in self.events() if event["type"] == "decision" and event["agent"] == "other" and event["action"] != "start"])
        self.assertRegex(self.pawl("events").stdout, r"answer was refused to agent worker \(pid \d+\)")

    def test_however_it_cuts_itself_loose(self):
        self.worker()
        self.sh("other", "read x; echo got $x; sleep 99")
        for way in WAYS:
            for line in ("answer other 1", "keys other x Enter", "stop other", "serve --url", "daemon --stop"):
                with self.subTest(line, way=way):
                    code, said = self.inside(line, way)
                    self.assertEqual(code, 6, said)
        self.assertNotIn("got", self.screen("other"))
        for event in self.requests():
            if event.get("refused"):
                self.assertEqual(event["by"]["kind"], "agent")
                self.assertIn(event["by"]["name"], ("worker", None))

    def test_what_an_agent_left_behind_is_still_the_agents(self):
        self.sh("other", "sleep 99")
        path = self.work + "/left"
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"echo >{path}.here; while [ ! -e {path}.go ]; do sleep 0.05; done; pawl stop other; echo $? >{path}.code\n")
        self.sh("worker", f"env -i PATH=\"$PATH\" PAWL_HOME=\"$PAWL_HOME\" setsid -f sh {path} </dev/null >/dev/null 2>&1; "
                f"while [ ! -e {path}.here ]; do sleep 0.05; done")
        self.ended("worker")
        with open(path + ".go", "w", encoding="ascii"):
            pass
        self.assertEqual(self.written(path + ".code"), "6\n")
        self.assertNotEqual(self.agents()["other"]["state"], "exited")

    def test_it_looks_and_talks(self):
        self.worker()
        self.start("other", "cat")
        for line in ("ls", "show other", "why other", "screen other", "logs other", "events", "alerts", "report", "timeline other", "inbox ls other",
                     "inbox add worker 'read the log'", "wait other --until exited --timeout 0.1", "status"):
            with self.subTest(line):
                code, said = self.inside(line)
                self.assertEqual(code, 124 if line.startswith("wait") else 0, said)
        code, said = self.inside("send other 'hello from worker'")
        self.assertEqual(code, 0, said)
        self.on_screen("other", "hello from worker")
        code, said = self.inside("wake other 'the build is red'", "env -i setsid")
        self.assertEqual(code, 0, said)
        self.on_screen("other", "the build is red")
        sent = [event for event in self.events() if event["type"] == "decision" and event["action"] == "send" and event["agent"] == "other"]
        self.assertEqual((sent[0]["by"]["kind"], sent[0]["by"]["name"]), ("agent", "worker"))

    def test_tasks_are_their_starters(self):
        self.worker()
        prompt = self.folder + "/prompt"
        with open(prompt, "w", encoding="utf-8") as file:
            file.write("go")
        self.pawl("task", "start", "ours", "--dir", self.folder, "--prompt-file", prompt, "--", "sleep", "99")
        code, said = self.inside(f"task start its --dir {self.folder} --prompt-file {prompt} --json -- sh -c 'echo done'")
        self.assertEqual(code, 0, said)
        self.assertEqual(json.loads(said)["by"]["name"], "worker")
        for line, wanted in (("task wait its", 0), ("task status its --json", 0), ("task output its", 0), ("task ls", 0), ("task cancel ours", 6),
                             ("task clean -f ours", 6), ("task resume ours", 6), ("task clean its", 0)):
            with self.subTest(line):
                code, said = self.inside(line)
                self.assertEqual(code, wanted, said)
        tasks = json.loads(self.pawl("task", "ls", "--json").stdout)["tasks"]
        self.assertEqual([(task["task_name"], task["by"]["kind"]) for task in tasks], [("ours", "person")])
        self.pawl("task", "clean", "-f", "ours")

    def test_a_task_is_inside_too(self):
        self.sh("other", "sleep 99")
        script = f"pawl stop other 2>{self.work}/said; echo $? >{self.work}/code; pawl ls >/dev/null"
        self.pawl("task", "start", "sly", "--dir", self.folder, "--prompt-file", "-", "--", "sh", "-c", script, input="go")
        self.pawl("task", "wait", "sly", "--timeout", "30")
        with open(self.work + "/code", encoding="ascii") as file:
            self.assertEqual(file.read(), "6\n")
        with open(self.work + "/said", encoding="utf-8") as file:
            self.assertIn("inside task sly", file.read())
        self.assertEqual(self.requests("stop")[0]["by"]["kind"], "task")
        self.pawl("task", "clean", "-f", "sly")

    def test_its_configuration_may_allow_it(self):
        with open(self.folder + "/pawl.toml", "w", encoding="utf-8") as file:
            file.write('[agent.worker]\ncommand = ["sh"]\nmay = ["stop"]\n')
        self.pawl("up")
        self.count = 0
        self.sh("other", "sleep 99")
        self.assertEqual(self.inside("keys other Enter")[0], 6)
        code, said = self.inside("stop other", "setsid")
        self.assertEqual(code, 0, said)
        self.assertEqual(self.agents()["other"]["state"], "exited")
        stop, = [event for event in self.events() if event["type"] == "decision" and event["action"] == "stop"]
        self.assertEqual((stop["by"]["kind"], stop["by"]["name"]), ("agent", "worker"))
        self.assertIn("by agent worker", self.pawl("why", "other").stdout)

    def test_a_person_inside_a_supervised_shell_is_told_where_it_is(self):
        self.worker("shell")
        code, said = self.inside("stop shell", name="shell")
        self.assertEqual(code, 6)
        self.assertIn("a person can do it from a terminal of their own", said)

    def test_after_the_daemon_was_killed(self):
        self.worker()
        self.sh("other", "sleep 99")
        self.kill_daemon()
        for way in ("directly", "env -i setsid", "env -i, twice forked"):
            code, said = self.inside("stop other", way)
            self.assertEqual(code, 6, f"{way}: {said}")
        self.kill_daemon()
        code, said = self.inside("ls")  # an agent may start the daemon …
        self.assertEqual(code, 0, said)
        self.assertEqual(self.inside("stop other")[0], 6)
        self.pawl("stop", "other")  # … and a person is one all the same

    def test_another_home_is_another_world(self):
        self.worker()
        other = self.folder + "/other-home"
        inner = {**self.environment, "PAWL_HOME": other}
        self.addCleanup(self.clear_away, other, inner)
        self.environment["PAWL_HOME"] = self.home
        path = self.work + "/nested"
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"export PAWL_HOME={other}\npawl run -d own -- sleep 99 && pawl keys own x && pawl stop own && pawl daemon --stop\necho $? >{path}.code\n")
        self.pawl("send", "worker", f"sh {path} >{path}.out 2>&1")
        code = self.written(path + ".code")
        with open(path + ".out", encoding="utf-8") as out:
            self.assertEqual(code, "0\n", out.read())


class Persons(TrustCase):
    def test_every_act_is_written_down_with_its_asker(self):
        self.start("one", "cat")
        self.pawl("send", "one", "hello")
        self.pawl("keys", "one", "Enter")
        self.pawl("pause", "one")
        self.pawl("resume", "one")
        self.pawl("stop", "one")
        self.assertEqual([event["verb"] for event in self.requests()], ["run", "send", "keys", "pause", "resume", "stop"])
        for event in self.events():
            if event["type"] in ("request", "decision"):
                self.assertEqual(event["by"]["kind"], "person", event)
                self.assertGreater(event["by"]["pid"], 1)
        self.assertRegex(self.pawl("events").stdout, r"stop was asked for by a person \(pid \d+\)")
        self.assertRegex(self.pawl("why", "one").stdout, r"last decision: stop \(asked by pawl stop, by a person \(pid \d+\)\)")

    def test_a_detached_script_of_a_persons_is_a_person(self):
        self.start("one", "cat")
        done = self.work + "/code"
        subprocess.run(["setsid", "-f", "sh", "-c", f"pawl stop one; echo $? >{done}"], env=self.environment, check=True, cwd=self.folder,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.assertEqual(self.written(done), "0\n")


@unittest.skipUnless(shutil.which("tmux"), "there is no tmux")
class Panes(TrustCase):
    def tmux(self, *words):
        return subprocess.run(["tmux", "-f", "/dev/null", "-S", self.folder + "/tmux.sock", *words], env=self.environment, check=True,
                              capture_output=True, encoding="utf-8").stdout

    def test_an_adopted_pane_is_an_agent(self):
        self.sh("other", "sleep 99")
        self.tmux("new-session", "-d", "-s", "work", "-x", "100", "-y", "30", "sh")
        self.addCleanup(self.tmux, "kill-server")
        said = self.work + "/said"

        def typed(line):
            if os.path.exists(said):
                os.remove(said)
            self.tmux("send-keys", "-t", "work", f"{line} >/dev/null 2>&1; echo $? >{said}.part; mv {said}.part {said}", "Enter")
            until(lambda: self.tmux("capture-pane", "-p", "-t", "work"), lambda: os.path.exists(said))
            with open(said, encoding="ascii") as file:
                return int(file.read())

        self.assertEqual(typed("pawl pause other"), 0)
        self.pawl("adopt", "work:0.0", "-S", self.folder + "/tmux.sock", "--name", "work")
        for line in ("pawl resume other", "setsid -w pawl resume other", "env -i PATH=$PATH PAWL_HOME=$PAWL_HOME setsid -w pawl resume other"):
            self.assertEqual(typed(line), 6, line)
        self.assertEqual(typed("pawl ls"), 0)
        self.assertEqual(self.requests("resume")[-1]["by"]["name"], "work")
        self.pawl("release", "work")
        self.assertEqual(typed("pawl resume other"), 0)

    def test_an_agent_of_our_own_tmux_is_one(self):
        self.worker(options=("--backend", "tmux"))
        self.sh("other", "sleep 99")
        for way in ("directly", "setsid", "env -i setsid", "nohup, twice forked"):
            code, said = self.inside("stop other", way)
            self.assertEqual(code, 6, f"{way}: {said}")


if __name__ == "__main__":
    unittest.main()
