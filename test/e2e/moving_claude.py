#!/usr/bin/env python3
"""A stand-in for Claude Code with a screen, for move_test.py: a box, a spinner, hooks, and a conversation where the real one keeps it. Enter
sends what was typed, and each prompt is a line of the conversation; "work S" works for so many seconds. A conversation that runs twice at
the same time is a line of $MOVING/twice: its lock is held by whoever runs it. A home with the file `sick` in it is one where it does not
come up ("sick": it ends; "mute": it shows nothing; "other": it begins a new conversation)."""
import fcntl
import json
import os
import re
import subprocess
import sys
import time
import uuid

from toy import play

HOME, MOVING = os.environ["HOME"], os.environ.get("MOVING", "")


def value_of(flag):
    return sys.argv[sys.argv.index(flag) + 1] if flag in sys.argv else None


def sick():
    try:
        with open(HOME + "/sick", encoding="utf-8") as file:
            return file.read().strip()
    except OSError:
        return ""


class Toy:
    def __init__(self):
        self.id = value_of("--resume") or value_of("--session-id") or str(uuid.uuid4())
        self.folder = f"{HOME}/.claude/projects/{re.sub('[^A-Za-z0-9]', '-', os.getcwd())}"
        self.path = f"{self.folder}/{self.id}.jsonl"
        self.typed, self.until, self.frame, self.drawn = "", 0.0, 0, None
        self.hooks = json.loads(value_of("--settings") or "{}").get("hooks", {})
        os.makedirs(self.folder, exist_ok=True)
        if "--resume" in sys.argv and not os.path.exists(self.path):
            sys.exit("No conversation found with session ID: " + self.id)
        if sick() == "sick":
            sys.exit("it does not come up here")
        if sick() == "other":
            self.id = str(uuid.uuid4())
            self.path = f"{self.folder}/{self.id}.jsonl"
        self.lock = open(f"{MOVING}/lock-{self.id}", "w", encoding="utf-8")  # pylint: disable=consider-using-with
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.note("twice", self.id)
        self.note("starts", {"id": self.id, "home": HOME, "pid": os.getpid(), "argv": sys.argv[1:], "dir": os.getcwd()})
        while sick() == "mute":
            time.sleep(0.1)
        self.add({"type": "user", "text": "began in " + HOME})
        self.hook("SessionStart", source="startup")

    def note(self, name, what):
        with open(f"{MOVING}/{name}", "a", encoding="utf-8") as file:
            file.write(json.dumps(what) + "\n")

    def add(self, line):
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps({"sessionId": self.id, "cwd": os.getcwd(), **line}) + "\n")

    def hook(self, event, **more):
        for row in self.hooks.get(event, []):
            for call in row["hooks"]:
                subprocess.run(call["command"], shell=True, text=True, capture_output=True, check=False, input=json.dumps(
                    {"hook_event_name": event, "session_id": self.id, "transcript_path": self.path, "cwd": os.getcwd(), **more}))

    def look(self):
        if self.until and time.monotonic() >= self.until:
            self.until = 0.0
            self.hook("Stop", stop_hook_active=False, background_tasks=[], session_crons=[])

    def draw(self):
        self.frame += 1
        rows = ["Claude Code v9.9", ""]
        if self.until:
            rows += [f"✶ Pondering… ({self.frame // 20}s)", ""]
        rule = "─" * 60
        footer = "  esc to interrupt" if self.until else "  ? for shortcuts"
        rows += [rule, "❯ " + self.typed, rule, footer]
        title = "\x1b]0;" + ("⠂ working" if self.until else "✳ waiting") + "\x07"
        picture = "\x1b[?2026h\x1b[2J\x1b[H" + "\r\n".join(rows) + f"\x1b[2A\r\x1b[{2 + len(self.typed)}C\x1b[?25h\x1b[?2026l"
        if (title, picture) != self.drawn:
            self.drawn = (title, picture)
            sys.stdout.write(title + picture)
            sys.stdout.flush()

    def take(self, data):
        text = data.decode(errors="replace").replace("\x1b[200~", "").replace("\x1b[201~", "")
        for char in text:
            if char == "\r" and self.typed:
                self.send(self.typed)
                self.typed = ""
            elif char == "\x15":
                self.typed = ""
            elif char.isprintable():
                self.typed += char

    def send(self, prompt):
        self.add({"type": "user", "text": prompt})
        self.hook("UserPromptSubmit", prompt=prompt)
        self.until = time.monotonic() + (float(prompt[5:]) if prompt.startswith("work ") else 0.3)


if __name__ == "__main__":
    if sys.argv[1:3] == ["auth", "status"]:
        sys.exit(0)
    play(Toy())
