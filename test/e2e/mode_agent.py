#!/usr/bin/env python3
"""A stand-in for Claude Code's interface, for situation_test.py. What it shows is in a file that the test writes (its first argument),
as JSON: {"show": "prompt" | "shell" | "agents" | "dialog"}, of a dialog {"question", "about": [lines], "rows": [texts]}. What it was
given is in another one (its second argument), a line each: "prompt: …", "ran: …", "new session: …", "chose: N about LINES"."""
import json
import sys
import time

from toy import play

RULE = "─" * 76


class Toy:
    def __init__(self, scene, log):
        self.scene_path, self.log_path = scene, log
        self.scene, self.read, self.drawn = {}, None, None
        self.typed, self.chosen, self.busy = "", 0, 0.0

    def log(self, line):
        with open(self.log_path, "a", encoding="utf-8") as file:
            file.write(line + "\n")

    def look(self):
        try:
            with open(self.scene_path, encoding="utf-8") as file:
                scene = json.load(file)
        except (OSError, ValueError):
            return
        if scene != self.read:
            self.scene, self.read, self.chosen = scene, scene, 0
            self.typed = scene.get("draft", "")

    def rows(self):
        show = self.scene.get("show", "prompt")
        if show == "dialog":
            options = [f"{'❯' if i == self.chosen else ' '} {i + 1}. {text}" for i, text in enumerate(self.scene["rows"])]
            return [RULE, *self.scene.get("about", []), "", self.scene["question"], *options, "", " Esc to cancel · Tab to amend"]
        above = ["✻ Cogitating… (1s · esc to interrupt)", ""] if self.busy > time.monotonic() else [""]
        sign = "!" if show == "shell" else "❯"
        empty = "\x1b[2mdescribe a task for a new session\x1b[0m" if show == "agents" else ""
        footer = {"shell": "  ! for shell mode", "agents": "  enter to return · space to reply"}.get(show, "  ? for shortcuts")
        return [*above, RULE, f"{sign} {self.typed or empty}", RULE, footer]

    def draw(self):
        title = {"agents": "1 awaiting input · claude agents"}.get(self.scene.get("show"), "✳ Claude Code")
        rows = self.rows()
        picture = f"\x1b]2;{title}\x07\x1b[?2026h\x1b[?25l\x1b[2J\x1b[H" + "\r\n".join(rows)
        if self.scene.get("show") != "dialog":
            picture += f"\x1b[{len(rows) - 2};{3 + len(self.typed)}H"
        picture += "\x1b[?2026l"
        if picture != self.drawn:
            self.drawn = picture
            sys.stdout.write(picture)
            sys.stdout.flush()

    def enter(self):
        show = self.scene.get("show", "prompt")
        if show == "dialog":
            self.log(f"chose: {self.chosen + 1} about {' '.join(self.scene.get('about', []))}")
            self.scene = {**self.scene, "show": "prompt"}
        elif self.typed:
            self.log({"shell": "ran: ", "agents": "new session: "}.get(show, "prompt: ") + self.typed)
            self.typed, self.busy = "", time.monotonic() + 0.7

    def take(self, data):
        for mark in (b"\x1b[200~", b"\x1b[201~"):
            data = data.replace(mark, b"")
        if self.scene.get("show") == "dialog":
            self.chosen += data.count(b"\x1b[B") - data.count(b"\x1b[A")
            data = data.replace(b"\x1b[B", b"").replace(b"\x1b[A", b"")
        for char in data.decode(errors="replace"):
            if char == "\r":
                self.enter()
            elif char == "\x15":
                self.typed = ""
            elif char.isprintable():
                self.typed += char


if __name__ == "__main__":
    sys.stdout.write("\x1b[?2004h Claude Code v2.1.325\r\n")
    play(Toy(*sys.argv[1:3]))
