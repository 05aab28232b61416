#!/usr/bin/env python3
"""Permission dialogs of four real agents, twenty kinds together, half of them changing under the answer: no key goes to another dialog than the
one that was named (make test-real). What each leaves behind is the judge: only what was allowed has been done. PAWL_APPROVALS is how many
each agent asks."""
import json
import os
import random
import time

from agents import RealCase, main
from fake_model import Step, run, say
from fleet import until
from watched import Watched

COUNT = int(os.environ.get("PAWL_APPROVALS", "25"))
LINES = {"a command": 0, "three lines": 3, "eight lines": 8, "higher than the screen": 70}
KINDS = {"claude": [*LINES, "a new file", "a change"], "gemini": [*LINES, "a new file", "a change"]}
CHANGES = ("a person was first", "a person is as fast", "by another id", "a person said no")


class Approvals(Watched):
    """Mixed into a RealCase."""

    def one(self):
        return json.loads(self.pawl("show", "one", "--json").stdout)["agent"]

    def made(self, number):
        try:
            with open(f"{self.project}/made-{number}", encoding="utf-8") as file:
                return file.read() != "old\n"
        except FileNotFoundError:
            return False

    def steps(self, number, kind):
        """Calls of which the last one asks."""
        if kind in LINES:
            lines = [f"echo {number}-{at} of the test" for at in range(LINES[kind])]
            return [run("\n".join([f"touch made-{number}", *lines, f": made-{number}"]), ask=True)]  # some show its beginning, some its end
        path = f"{self.project}/made-{number}"
        if kind == "a new file":
            return [Step(tool="Write" if self.agent == "claude" else "write_file", arguments={"file_path": path, "content": "new\n"})]
        self.write(path, "old\n")
        change = {"file_path": path, "old_string": "old", "new_string": "new"}
        if self.agent == "gemini":
            return [Step(tool="replace", arguments={**change, "instruction": "a step of the test"})]
        return [Step(tool="Read", arguments={"file_path": path}), Step(tool="Edit", arguments=change)]

    def asked(self, number):
        name = f"made-{number}"
        until(lambda: f"it asks about {name}: {json.dumps(self.one()['dialog'])[:2000]}\n{self.screen('one')}",
              lambda: name in json.dumps(self.one()["dialog"] or {}), 40)
        while True:  # all of it is drawn
            dialog = self.one()["dialog"]
            time.sleep(0.5)
            if dialog == self.one()["dialog"]:
                return dialog

    def gone(self, dialog):
        until("it is gone", lambda: (self.one()["dialog"] or {}).get("id") != dialog["id"], 20)

    def presses(self, key, dialog):
        """As a person does, who sees whether it was heard: some are deaf for a moment when a dialog comes up."""
        for _ in range(3):
            self.pawl("keys", "one", key)
            end = time.time() + 3
            while time.time() < end:
                if (self.one()["dialog"] or {}).get("id") != dialog["id"]:
                    return
                time.sleep(0.1)
        self.gone(dialog)

    def still(self, dialog, number, chance):
        """Answered as it stands there; gives whether it had to run."""
        allow = chance.random() < 0.5 and self.agent != "opencode"
        cost = "allow" if allow else "deny"
        row = next(at for at, one in enumerate(dialog["rows"], 1) if one["meaning"] == cost)
        named = ("--dialog", dialog["id"]) if chance.random() < 0.5 else ()
        said = self.pawl("answer", "one", str(row), *named, code=None)
        self.assertEqual(said.returncode, 0, f"{said.stdout}{said.stderr}\n{self.screen('one')}")
        return allow

    def changed(self, change, dialog, number):
        """The answer is for one that is not there any more, or will not be. Gives whether it had to run; None: either is right."""
        row = 1
        if change == "by another id":
            said = self.pawl("answer", "one", str(row), "--dialog", "0123456789abcdef", code=1)
            self.assertIn(f"made-{number}", said.stderr, "the refusal shows what is asked")
            self.assertEqual(self.one()["dialog"]["id"], dialog["id"], "nothing was pressed")
            self.presses("Escape", dialog)
            return False
        if change == "a person is as fast":
            self.pawl("keys", "one", "Escape")
            self.pawl("answer", "one", str(row), "--dialog", dialog["id"], code=None)
            if self.one()["dialog"]:  # neither was heard
                self.presses("Escape", dialog)
            return None
        if change == "a person was first" and self.agent != "opencode":
            self.presses("Enter", dialog)
            self.pawl("answer", "one", str(row), "--dialog", dialog["id"], code=1)
            return True
        self.presses("Escape", dialog)
        self.pawl("answer", "one", str(row), "--dialog", dialog["id"], code=1)
        return False

    def test_no_key_goes_to_another_dialog_than_the_one_named(self):
        seed = int(os.environ.get("PAWL_APPROVALS_SEED") or time.time_ns() % 10**6)
        chance = random.Random(seed)
        self.ready(dialogs="off", human_quiet_s=0)
        counts, kinds = {}, KINDS.get(self.agent, list(LINES))
        for number in range(1, COUNT + 1):
            kind = kinds[(number // 2) % len(kinds)]
            self.model.script(*self.steps(number, kind), say("Done.", times=3))
            self.wait("ready", timeout=60)
            self.prompt(f"step {number}")
            dialog = self.asked(number)
            change = chance.choice(CHANGES) if number % 2 else ""
            due = self.changed(change, dialog, number) if change else self.still(dialog, number, chance)
            self.wait("ready", timeout=60)
            where = f"seed {seed}, {number}: {kind}, {change or 'still'}\n{self.screen('one')}"
            if due is not None:
                self.assertEqual(self.made(number), due, where)
            counts[change or "still"] = counts.get(change or "still", 0) + 1
            counts["ran"] = counts.get("ran", 0) + self.made(number)
        print(f"\n{self.agent}, seed {seed}: {COUNT} dialogs of {len(kinds)} kinds, " + ", ".join(f"{what} {count}" for what, count in sorted(counts.items())), flush=True)


class Claude(Approvals, RealCase):
    agent = "claude"


class Codex(Approvals, RealCase):
    agent = "codex"


class Gemini(Approvals, RealCase):
    agent = "gemini"


class Opencode(Approvals, RealCase):
    agent = "opencode"


if __name__ == "__main__":
    main("claude", "codex", "gemini", "opencode")
