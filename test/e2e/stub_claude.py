#!/usr/bin/env python3
"""A stand-in for Claude Code's process, without a screen: it keeps conversations, runs the hooks it is given, and does what the next
line of the file `plan` in $STUB says: {"exit": CODE, "after": S, "kill": SIGNAL, "turn": true}. Without a line it stays.
Each start is a line in `starts`; what its stop hook hands over is a line in `handed`. `auth status` fails without the file `login`."""
import json
import os
import subprocess
import sys
import time
import uuid

STUB = os.environ.get("STUB", "")


def path(name):
    return os.path.join(STUB, name)


def note(name, what):
    with open(path(name), "a", encoding="utf-8") as file:
        file.write(json.dumps(what) + "\n")


def value_of(flag):
    return sys.argv[sys.argv.index(flag) + 1] if flag in sys.argv else None


def next_step():
    try:
        with open(path("plan"), encoding="utf-8") as file:
            lines = file.read().splitlines()
    except FileNotFoundError:
        return {}
    with open(path("plan"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines[1:]))
    return json.loads(lines[0]) if lines and lines[0] else {}


class Session:
    def __init__(self):
        self.id = value_of("--resume") or str(uuid.uuid4())
        self.transcript = path(self.id + ".jsonl")
        self.hooks = json.loads(value_of("--settings") or "{}").get("hooks", {})
        if "--resume" in sys.argv and not os.path.exists(self.transcript):
            sys.exit("No conversation found with session ID: " + self.id)
        with open(self.transcript, "a", encoding="utf-8") as file:
            file.write("{}\n")

    def hook(self, event, **more):
        said = ""
        for row in self.hooks.get(event, []):
            for call in row["hooks"]:
                said += subprocess.run(call["command"], shell=True, text=True, capture_output=True, check=False, input=json.dumps(
                    {"hook_event_name": event, "session_id": self.id, "transcript_path": self.transcript, "cwd": os.getcwd(), **more})).stdout
        return said

    def turn(self):
        self.hook("UserPromptSubmit", prompt="go")
        kept = False
        while True:
            said = self.hook("Stop", stop_hook_active=kept, background_tasks=[], session_crons=[])
            if not said.strip():
                return note("handed", None)
            note("handed", json.loads(said))
            kept = True


def main():
    if sys.argv[1:3] == ["auth", "status"]:
        sys.exit(0 if os.path.exists(path("login")) else "Not logged in")
    session = Session()
    note("starts", {"argv": sys.argv[1:], "id": session.id, "pid": os.getpid()})
    for _ in range(3):  # on a busy machine one may not get through
        session.hook("SessionStart", source="startup")
    step = next_step()
    if step.get("turn"):
        time.sleep(step.get("before", 0))
        session.turn()
    if not {"exit", "kill"} & set(step):
        time.sleep(600)
    time.sleep(step.get("after", 0.3))
    if "kill" in step:
        os.kill(os.getpid(), step["kill"])
    sys.exit(step["exit"])


if __name__ == "__main__":
    main()
