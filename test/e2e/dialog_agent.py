#!/usr/bin/env python3
"""Draws dialogs as four agents draw theirs, for approvals_test.py. Its scene is the file PATH.scene, as JSON: {"n": number, "above":
[lines], "rows": [texts], "below": [lines], "pointer": sign, "sides": a frame's}. Without it is at work. Every key that arrives is a
line of PATH.keys: the number of the dialog that was on the screen, the key, the row it was on, whether it came too soon after a change.
"then" is the scene that takes its place at the first key."""
import json
import os
import sys
import time

from toy import play

KEYS = {b"\x1b[A": "Up", b"\x1b[B": "Down", b"\x1bOA": "Up", b"\x1bOB": "Down", b"\r": "Enter", b"\x1b": "Escape"}
TOO_SOON = 0.03  # a key that was on its way when the dialog changed: no program can tell, so it is counted apart


class Toy:
    def __init__(self, path):
        self.scene_path, self.log_path = path + ".scene", path + ".keys"
        self.read, self.scene, self.chosen, self.drawn, self.changed = None, {}, 0, None, 0.0

    def look(self):
        try:
            with open(self.scene_path, encoding="utf-8") as file:
                scene = json.load(file)
        except (OSError, ValueError):
            return
        if scene != self.read:
            self.read = scene
            self.become(scene)

    def become(self, scene):
        self.scene, self.chosen, self.changed = scene, 0, time.monotonic()

    def rows(self):
        pointer = self.scene.get("pointer", "❯")
        return [f" {pointer if i == self.chosen else ' '} {i + 1}. {text}" for i, text in enumerate(self.scene.get("rows", []))]

    def draw(self):
        lines = [*self.scene.get("above", ["at work"]), *self.rows(), *self.scene.get("below", [])]
        if side := self.scene.get("sides"):
            lines = [line if line[:1] in "╭╰" else f"{side}{line:<116}{side}" for line in lines]
        height = os.get_terminal_size().lines
        picture = "\x1b[?2026h\x1b[?25l\x1b[2J\x1b[H" + "\r\n".join(lines[-height:]) + "\x1b[?2026l"
        if picture != self.drawn:
            self.drawn = picture
            sys.stdout.write(picture)
            sys.stdout.flush()

    def take(self, data):
        while data:
            size = next((len(key) for key in sorted(KEYS, key=len, reverse=True) if data.startswith(key)), 1)
            self.press(KEYS.get(data[:size], data[:size].decode(errors="replace")))
            data = data[size:]

    def press(self, key):
        soon = time.monotonic() - self.changed < TOO_SOON
        number = self.scene.get("n", 0)
        with open(self.log_path, "a", encoding="utf-8") as file:
            file.write(json.dumps([number, key, self.chosen + 1, soon]) + "\n")
        count = len(self.scene.get("rows", []))
        if soon:
            return
        if "then" in self.scene:
            self.become(self.scene["then"])
        elif key in ("Up", "Down") and count:
            self.chosen = max(0, min(count - 1, self.chosen + (1 if key == "Down" else -1)))
        elif key in ("Enter", "Escape") or not count:
            self.become({"n": 0})


if __name__ == "__main__":
    play(Toy(next(word for word in sys.argv[1:] if word.startswith("/"))), every=0.02)  # Pawl may add words of its own
