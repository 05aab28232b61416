#!/usr/bin/env python3
"""A stand-in for `claude -p --output-format stream-json`: what its runs do is written in the prompt, as JSON: a list of runs, each
a list of steps. It keeps conversations as the real one does, so that a resume proves itself. Steps: {"say": TEXT},
{"sleep": S}, {"die": SIGNAL}, {"exit": CODE}, {"deny": TOOL}, {"fail": WORDS, "status": HTTP, "reset": S}, {"hang": 1},
{"spawn": S} (a child that outlives it), {"raw": TEXT}, {"stream": [PIECE, …]} (of a message that is not whole),
{"ends": CODE} (says success and exits so), {"grow": MIB} (takes so much memory and keeps it, and shows signs of life until it
is killed). A run without an end of its own succeeds."""
import argparse
import json
import os
import signal
import subprocess
import sys
import time


def emit(record):
    print(json.dumps(record), flush=True)


class Run:
    def __init__(self, arguments, prompt):
        self.id = arguments.resume or arguments.session_id
        self.path = os.path.join(os.environ["SCRIPTED_STORE"], self.id + ".json")
        self.denials = []
        if arguments.resume and not os.path.exists(self.path):
            print("No conversation found with session ID: " + self.id, file=sys.stderr)
            sys.exit(1)
        if arguments.resume:
            with open(self.path, encoding="utf-8") as file:
                self.story = json.load(file)
            self.story["prompts"].append(prompt)
        else:
            self.story = {"script": json.loads(prompt), "run": 0, "prompts": [prompt]}

    def keep(self):
        temporary = self.path + ".new"
        with open(temporary, "w", encoding="utf-8") as file:
            json.dump(self.story, file)
        os.rename(temporary, self.path)

    def result(self, text, error=False, code=None, **more):
        emit({"type": "result", "subtype": "success", "is_error": error, "result": text, "session_id": self.id,
              "total_cost_usd": 0.01, "usage": {"input_tokens": 10, "output_tokens": 5}, "permission_denials": self.denials, **more})
        sys.exit(int(error) if code is None else code)

    def fail(self, step):
        if "reset" in step:
            emit({"type": "rate_limit_event", "session_id": self.id,
                  "rate_limit_info": {"status": "rejected", "resetsAt": int(time.time()) + step["reset"]}})
        self.result(step["fail"], error=True, api_error_status=step.get("status"))

    def grow(self, size):
        held = bytearray(size << 20)
        while held:
            emit({"type": "system", "subtype": "status", "session_id": self.id})
            time.sleep(0.3)

    def step(self, step):
        if "say" in step:
            emit({"type": "assistant", "session_id": self.id, "message": {
                "content": [{"type": "text", "text": step["say"]}], "usage": {"input_tokens": 3, "output_tokens": 2}}})
        for piece in step.get("stream", ()):
            emit({"type": "stream_event", "session_id": self.id, "parent_tool_use_id": None,
                  "event": {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}})
        if "raw" in step:
            print(step["raw"], flush=True)
        if "deny" in step:
            self.denials.append({"tool_name": step["deny"]})
        time.sleep(step.get("sleep", 0))
        if "spawn" in step:
            subprocess.Popen(["sleep", str(step["spawn"])], start_new_session=True, stdout=subprocess.DEVNULL)
        if "die" in step:
            os.kill(os.getpid(), step["die"])
        if "exit" in step:
            sys.exit(step["exit"])
        if "ends" in step:
            self.result("the end", code=step["ends"])
        if "fail" in step:
            self.fail(step)
        if "grow" in step:
            self.grow(step["grow"])
        while "hang" in step:
            signal.pause()

    def go(self):
        self.story["run"] += 1
        self.keep()
        emit({"type": "system", "subtype": "init", "session_id": self.id})
        script = self.story["script"]
        for step in script[min(self.story["run"], len(script)) - 1]:
            self.step(step)
        self.result("the end")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-p", action="store_true")
    for name in ("--verbose", "--include-partial-messages", "--dangerously-skip-permissions"):
        parser.add_argument(name, action="store_true")
    for name in ("--output-format", "--session-id", "--resume", "--model", "--permission-mode"):
        parser.add_argument(name)
    arguments = parser.parse_args()
    if sys.stdin.isatty():
        sys.exit("standard input is a terminal")
    Run(arguments, sys.stdin.read()).go()


if __name__ == "__main__":
    main()
