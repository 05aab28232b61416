#!/usr/bin/env python3
"""pawl hook: an agent is never held up, failed or talked to by being watched; what its hooks say arrives."""
import json
import os
import socket
import subprocess
import time
import unittest

from fleet import PAWL, FleetCase, read_proc, until

PATIENCE_MS = 50  # src/cli/hook.h
LEEWAY_MS = 50    # besides what it takes to start the program at all
TRIES = 5

# A program that calls its hooks as Claude Code does: a shell for each command, JSON on its standard input.
CLAUDE = r'''#!/usr/bin/env python3
import json, os, subprocess, sys
def say(**more):
    with open(os.environ["SAID"], "a") as file:
        file.write(json.dumps(more) + "\n")
say(argv=sys.argv[1:], env=dict(os.environ))
settings = json.loads(sys.argv[sys.argv.index("--settings") + 1]) if "--settings" in sys.argv else {"hooks": {}}
for event in ("SessionStart", "UserPromptSubmit", "Stop"):
    base = {"session_id": "facc-1", "transcript_path": "/t/facc-1.jsonl", "cwd": os.getcwd(), "hook_event_name": event}
    for row in settings["hooks"].get(event, []):
        for hook in row["hooks"]:
            done = subprocess.run(hook["command"], shell=True, input=json.dumps(base).encode(), capture_output=True)
            say(event=event, code=done.returncode, said=(done.stdout + done.stderr).decode())
print("called", flush=True)
sys.stdin.read()
'''


class Hook(FleetCase):
    def setUp(self):
        super().setUp()
        self.inside = {**self.environment, "PAWL_AGENT": "one", "PAWL_SESSION": "0123456789abcdef-1"}
        self.said = self.folder + "/said"

    def hook(self, *words, given=b"", close=True, env=None):
        """Runs pawl hook; gives the milliseconds it took. Success and silence are part of the promise."""
        begin = time.monotonic()
        process = subprocess.Popen([PAWL, "hook", *words], env=env or self.inside, cwd=self.folder, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            process.stdin.write(given)
            process.stdin.flush()
            if close:
                process.stdin.close()
        except BrokenPipeError:
            pass
        said = process.stdout.read()
        code = process.wait(30)
        took = (time.monotonic() - begin) * 1000
        process.stdout.close()
        try:
            process.stdin.close()
        except BrokenPipeError:
            pass
        self.assertEqual((code, said), (0, b""), words)
        return took

    def in_time(self, *words, **more):
        took = min(self.hook(*words, **more) for _ in range(TRIES))
        self.assertLess(took, self.starting() + PATIENCE_MS + LEEWAY_MS, f"pawl hook {words} {more.keys()}")

    def starting(self):
        """The milliseconds that doing nothing takes, at the best of several times."""
        def once():
            begin = time.monotonic()
            subprocess.run([PAWL, "version"], stdout=subprocess.DEVNULL, check=True)
            return (time.monotonic() - begin) * 1000
        return min(once() for _ in range(TRIES))

    def test_no_daemon_and_none_is_started(self):
        self.in_time("claude", given=b'{"hook_event_name": "Stop"}')
        self.in_time("codex", '{"type": "agent-turn-complete"}')
        self.assertFalse(os.path.exists(self.home), "it made a home")

    def test_a_daemon_that_does_not_read(self):
        os.makedirs(self.home, 0o700)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(self.home + "/pawl.sock")
            listener.listen(0)
            stop = b'{"hook_event_name": "Stop", "x": [' + b",".join([b'"' + b"y" * 4000 + b'"'] * 60) + b"]}"
            for _ in range(3):  # the first ones find room in the queue, the others do not
                self.in_time("claude", given=stop)

    def test_nonsense(self):
        self.start("one", "cat")
        for given in (b"", b"garbage", b"{", b"[]", b"\0\xff" * 1000, b"{}" * 3, b"x" * (3 << 20), b"[" * 100000):
            self.in_time("claude", given=given)
        self.in_time("no-such-runtime", given=b'{"hook_event_name": "Stop"}')
        for words in ([], ["codex", "garbage"], ["codex", "--help"], ["codex", ""], ["a", "b", "c", "{}"], ["--nonsense"]):
            self.in_time(*words)
        for missing in ("PAWL_AGENT", "PAWL_SESSION", "PAWL_HOME", "HOME"):
            env = {name: value for name, value in self.inside.items() if name != missing}
            env.setdefault("XDG_STATE_HOME", self.folder + "/nowhere")
            self.in_time("claude", given=b'{"hook_event_name": "Stop"}', env=env)
        self.in_time("claude", given=b"{}", env={**self.inside, "PAWL_HOME": "/dev/null"})
        self.assertIsNone(self.agents()["one"]["session_id"])

    def test_standard_input_that_does_not_end(self):
        self.in_time("claude", close=False)
        self.in_time("claude", given=b'{"hook_event_name": "Stop"', close=False)
        with open(os.devnull, "rb") as nothing:
            done = subprocess.run([PAWL, "hook", "claude"], env=self.inside, stdin=nothing, timeout=30, check=False)
        self.assertEqual(done.returncode, 0)

    def test_what_arrives_is_learnt(self):
        self.start("one", "cat")
        session = next(event["seq"] for event in self.events() if event["type"] == "decision")
        given = dict(row.split(b"=", 1) for row in read_proc(self.agents()["one"]["pid"], "environ").split(b"\0") if b"=" in row)
        mine = {**self.inside, "PAWL_SESSION": f"0123456789abcdef-{session}", "PAWL_HOOK": given[b"PAWL_HOOK"].decode()}
        stop = {"session_id": "facc", "hook_event_name": "Stop", "transcript_path": "/t/facc.jsonl"}
        self.hook("claude", given=json.dumps(stop).encode(), env={**mine, "PAWL_SESSION": f"x-{session + 1}"})
        self.assertIsNone(self.agents()["one"]["session_id"], "of another session")

        def noted():  # whoever does not have the agent's secret speaks for nobody, and is written down
            self.hook("claude", given=json.dumps(stop).encode(), env={**mine, "PAWL_HOOK": "guessed"})
            return [event for event in self.events() if event["type"] == "request" and event["verb"] == "hook" and event["refused"]]
        self.assertEqual(len(until("a forged one is noted", noted)), 1)
        self.assertIsNone(self.agents()["one"]["session_id"], "without its secret")

        def learnt():  # a hook gives up rather than hold its program, on a loaded machine as well
            self.hook("claude", given=json.dumps(stop).encode(), env=mine)
            return self.agents()["one"]["session_id"] == "facc"
        until("it is learnt", learnt)
        time_of_one = next(event for event in self.events() if event.get("what") == "learned")
        self.assertEqual((time_of_one["session_id"], time_of_one["transcript"]), ("facc", "/t/facc.jsonl"))
        self.kill_daemon()
        self.assertEqual(self.agents()["one"]["session_id"], "facc")

    def fake_claude(self, text=CLAUDE):
        os.mkdir(self.folder + "/bin")
        with open(self.folder + "/bin/claude", "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.folder + "/bin/claude", 0o755)
        self.environment.update(PATH=self.folder + "/bin:" + self.environment["PATH"], SAID=self.said, TERM_PROGRAM="iTerm.app")

    def lines(self):
        with open(self.said, encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def test_an_agent_is_started_so_that_it_calls(self):
        self.fake_claude()
        self.start("one", "claude", "go on")
        self.on_screen("one", "called")
        first, *calls = self.lines()
        self.assertEqual([(call["event"], call["code"], call["said"]) for call in calls],
                         [("SessionStart", 0, ""), ("UserPromptSubmit", 0, ""), ("Stop", 0, "")])
        self.assertEqual(first["argv"][0], "--settings")
        self.assertEqual(first["argv"][2:], ["go on"])
        self.assertEqual((first["env"]["PAWL_AGENT"], first["env"]["PAWL_HOME"]), ("one", self.home))
        self.assertEqual(first["env"]["TERM_PROGRAM"], "ghostty")
        until("it is learnt", lambda: self.agents()["one"]["session_id"] == "facc-1")
        self.assertEqual(self.agents()["one"]["command"], ["claude", "go on"], "the user's own")

    def test_hooks_can_be_turned_off(self):
        self.fake_claude()
        with open(self.folder + "/pawl.toml", "w", encoding="utf-8") as file:
            file.write('[agent.one]\ncommand = ["claude"]\nhooks = false\nenv_file = "mine.env"\n')
        with open(self.folder + "/mine.env", "w", encoding="utf-8") as file:
            file.write("TERM_PROGRAM=mine\n")
        self.pawl("up")
        self.on_screen("one", "called")
        (only,) = self.lines()
        self.assertEqual((only["argv"], only["env"]["TERM_PROGRAM"]), ([], "mine"))

    def test_the_agent_survives_that_pawl_is_gone(self):
        """The hook's command succeeds without a daemon, and without the program it calls."""
        self.fake_claude()
        copy = self.folder + "/pawl"
        with open(PAWL, "rb") as file, open(copy, "wb") as to:
            to.write(file.read())
        os.chmod(copy, 0o755)
        subprocess.run([copy, "run", "-d", "one", "--", "sh", "-c", "exec sleep 1000"], env=self.environment, cwd=self.folder,
                       check=True, stdout=subprocess.DEVNULL)
        os.remove(copy)
        self.start("two", "claude")
        self.on_screen("two", "called")
        self.assertEqual([call["code"] for call in self.lines()[1:]], [0, 0, 0])

    def test_help_is_for_people(self):
        for words in (["help", "hook"], ["hook", "--help"]):
            self.assertIn("pawl hook RUNTIME", self.pawl(*words).stdout)
        self.assertNotIn("hook", self.pawl("help").stdout)


if __name__ == "__main__":
    unittest.main()
