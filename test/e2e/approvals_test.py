#!/usr/bin/env python3
"""A hundred dialogs of twenty kinds, as four agents draw them, half of them changing under the answer: no key goes to another dialog than
the one that was named."""
import collections
import concurrent.futures
import json
import os
import random
import subprocess
import sys
import time
import unittest

import dialog_agent
from fleet import PAWL, FleetCase, until

AGENT = [sys.executable, os.path.abspath(dialog_agent.__file__)]
RULE, DASHES = "─" * 118, "╌" * 118
TOP, BOTTOM = "╭" + "─" * 116 + "╮", "╰" + "─" * 116 + "╯"
AMEND, CONFIRM, ENTER = ["", " Esc to cancel · Tab to amend"], ["", " Enter to confirm · Esc to cancel"], ["", "  Press enter to confirm or esc to cancel"]
TALL = [f" │ line {number} of what is to be run" for number in range(60)]


def claude(kind, about):
    title, question, rows, below = {
        "bash": ("Bash command", "Do you want to proceed?", ["Yes", "Yes, and don't ask again for: make *", "No"], AMEND),
        "edit": ("Edit file", "Do you want to make this edit to main.py?", ["Yes", "Yes, allow all edits during this session (shift+tab)", "No"], AMEND),
        "create": ("Create file", "Do you want to create notes.txt?", ["Yes", "Yes, allow all edits during this session (shift+tab)", "No"], AMEND),
        "tall": ("Bash command", "Do you want to proceed?", ["Yes", "Yes, and switch to auto mode", "No"], AMEND),
        "ask": ("←  ☐ Place  ✔ Submit  →", "Where shall it go?", ["Here", "There", "Type something."], ["", " Enter to select · ↑/↓ to navigate · Esc to cancel"]),
        "trust": ("Accessing workspace:", "Is this a project you created or one you trust?", ["Yes, I trust this folder", "No, exit"], CONFIRM),
    }[kind]
    body = [*TALL, " │ " + about] if kind == "tall" else [" " + about]
    return {"above": ["● A step of the test", "", RULE, " " + title, *body, DASHES, " " + question], "rows": rows, "below": below}


def codex(kind, about):
    question, rows = {
        "run": ("Would you like to run the following command?", ["Yes, proceed (y)", "Yes, and don't ask again for this command (p)", "No, and tell Codex what to do differently (esc)"]),
        "edits": ("Would you like to make the following edits?", ["Yes, proceed (y)", "Yes, and don't ask again for these files (a)", "No, and tell Codex what to do differently (esc)"]),
        "tool": ("Allow the files server to run tool \"read\"?", ["Allow                  Run the tool and continue", "Cancel                 Cancel this tool call"]),
        "grant": ("Would you like to grant these permissions?", ["Yes, grant these permissions for this turn (y)", "No, continue without permissions (n)"]),
        "trust": ("Do you trust the contents of this directory?", ["Yes, continue", "No, quit"]),
    }[kind]
    return {"above": ["• A step of the test", "", "  " + question, "", "  Reason: the test wants it", "", "  $ " + about, ""], "rows": rows,
            "below": ENTER, "pointer": "›"}


def gemini(kind, about):
    question, rows = {
        "shell": ("Allow execution of [Shell]?", ["Allow once", "Allow for this session", "No, suggest changes (esc)"]),
        "edit": ("Apply this change?", ["Allow once", "Allow for this session", "Modify with external editor", "No, suggest changes (esc)"]),
        "tool": ("Allow execution of MCP tool \"read\"?", ["Allow once", "Allow for this session", "No, suggest changes (esc)"]),
        "trust": ("Do you trust the files in this folder?", ["Trust folder (proj)", "Trust parent folder (dev)", "Don't trust"]),
        "loop": ("A potential loop was detected", ["Keep loop detection enabled (esc)", "Disable loop detection for this session"]),
    }[kind]
    return {"above": [TOP, " ? Shell  a step of the test", "", " " + about, "", " " + question, ""], "rows": rows, "below": [BOTTOM],
            "pointer": "●", "sides": "│"}


def opencode(kind, about):
    title = {"bash": "# Shell command", "edit": "← Edit main.py", "read": "→ Read a file", "fetch": "% Fetch a page"}[kind]
    body = ["  ┃", "  ┃  △ Permission required", "  ┃    " + title, "  ┃", "  ┃  $ " + about, "  ┃",
            "  ┃   Allow once   Allow always   Reject        ctrl+f fullscreen  ⇆ select  enter confirm", "  ┃"]
    return {"above": ["", *body], "rows": [], "choices": ["Reject"]}


KINDS = {claude: ("bash", "edit", "create", "tall", "ask", "trust"), codex: ("run", "edits", "tool", "grant", "trust"),
         gemini: ("shell", "edit", "tool", "trust", "loop"), opencode: ("bash", "edit", "read", "fetch")}
EACH = 5
CHANGES = ("before", "at the first key", "on the way", "gone before")


class Approvals(FleetCase):
    maxDiff = None

    def setUp(self):
        super().setUp()
        self.seed = int(os.environ.get("PAWL_APPROVALS_SEED") or time.time_ns() % 10**6)

    def show(self, name, scene):
        path = f"{self.folder}/{name}.scene"
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump(scene, file)
        os.rename(path + ".new", path)

    def keys(self, name):
        try:
            with open(f"{self.folder}/{name}.keys", encoding="utf-8") as file:
                return [json.loads(line) for line in file]
        except FileNotFoundError:
            return []

    def dialog(self, name):
        return json.loads(self.pawl("show", name, "--json").stdout)["agent"]["dialog"] or {}

    def seen(self, name, mark):
        until(lambda: f"{name} asks about {mark}: {self.dialog(name)}\n{self.screen(name)}", lambda: mark in self.dialog(name).get("subject", ""))
        return self.dialog(name)

    def answer(self, name, row, dialog, then=None):
        """Chooses the row of that dialog; `then` happens while that is on its way."""
        words = [PAWL, "answer", name, row, *(["--dialog", dialog] if dialog else [])]
        going = subprocess.Popen(words, env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if then:
            then()
        out, err = going.communicate(timeout=60)
        return going.returncode, out + err

    def one(self, name, draw, kind, number, change, chance):
        """One dialog, answered. Gives what was wrong."""
        about = lambda n: f"make target-{n} && echo {chance.random()}"
        scene = {**draw(kind, about(number)), "n": number}
        other = {**draw(kind, about(number + 1)), "n": number + 1}
        choices = scene.pop("choices", None) or scene["rows"]
        other.pop("choices", None)
        if change == "at the first key":
            scene["then"] = other
        self.show(name, scene)
        first = self.seen(name, f"target-{number} ")
        before = len(self.keys(name))
        row = chance.randrange(len(choices))
        wish = str(row + 1) if chance.random() < 0.5 or change else choices[row]
        named = chance.random() < 0.5 and first["id"]  # else it is for the one that was just shown
        then = None
        if change == "before":
            self.show(name, other)
            until("it is drawn", lambda: f"target-{number + 1} " in self.screen(name))
        elif change == "gone before":
            self.show(name, {"n": 0})
            until("it is gone", lambda: "at work" in self.screen(name))
        elif change == "on the way":
            then = lambda: (time.sleep(chance.random() * 0.1), self.show(name, other))
        code, said = self.answer(name, wish, named, then)
        pressed = self.keys(name)[before:]
        return self.judge(number, change, code, said, pressed, choices[row], row, first)

    @staticmethod
    def judge(number, change, code, said, pressed, choice, row, first):
        """What was wrong, or whether it was answered."""
        wrong = [key for key in pressed if key[0] != number and not key[3]]
        if wrong:
            return f"{change or 'still'}: keys for another dialog than {number}: {wrong} ({said})"
        if change in ("before", "gone before") and (pressed or code != 1):
            return f"{change}: exit code {code} with keys {pressed}: {said}"
        taken = [key for key in pressed if key[1] == "Enter" or choice == "Reject"]
        if not change and (code != 0 or len(taken) != 1 or (choice != "Reject" and taken[0][2] != row + 1)):
            return f"exit code {code}, row {row + 1} of {[one['text'] for one in first['rows']]} wanted, {pressed}: {said}"
        return "answered" if taken else "not answered"

    def run_one(self, draw, offset):
        """All dialogs of one agent: how many of each sort, and what was wrong."""
        name, chance, faults, counts = draw.__name__, random.Random(self.seed + offset), [], collections.Counter()
        for at, kind in enumerate(kind for kind in KINDS[draw] for _ in range(EACH)):
            change = chance.choice(CHANGES) if (at + offset) % 2 else None
            found = self.one(name, draw, kind, 10000 * (offset + 1) + 10 * at, change, chance)
            counts.update(["dialogs", change or "still", *[f"{change or 'still'}, {found}"] * (len(found) < 20)])
            if len(found) > 20:
                faults.append(f"{name} {kind}: {found}")
        counts["keys"] = len(self.keys(name))
        counts["keys in flight"] = sum(soon for *_, soon in self.keys(name))
        return counts, faults

    def test_no_key_goes_to_another_dialog_than_the_one_named(self):
        with open(self.folder + "/pawl.toml", "w", encoding="utf-8") as file:
            for draw in KINDS:
                name = draw.__name__
                self.show(name, {"n": 0})
                command = json.dumps([*AGENT, f"{self.folder}/{name}"])
                file.write(f"[agent.{name}]\nruntime = '{name}'\ncommand = {command}\nhooks = false\ndialogs = 'off'\n")
        self.pawl("up")
        with concurrent.futures.ThreadPoolExecutor(len(KINDS)) as pool:
            found = list(pool.map(self.run_one, KINDS, range(len(KINDS))))
        faults = [fault for _, some in found for fault in some]
        counts, kinds = sum((one for one, _ in found), collections.Counter()), sum(map(len, KINDS.values()))
        print(f"\nseed {self.seed}: {kinds} kinds; " + ", ".join(f"{what} {count}" for what, count in sorted(counts.items())), flush=True)
        self.assertEqual((kinds, counts["dialogs"], counts["still"]), (20, 100, 50))
        self.assertEqual(faults, [], f"seed {self.seed}")


if __name__ == "__main__":
    unittest.main()
