#!/usr/bin/env python3
"""Permission dialogs of four real agents, half of them changing under the answer: no key goes to another dialog than the one that was named
(make test-real). What each command leaves behind is the judge: only what was allowed has run. PAWL_APPROVALS is how many each agent asks."""
import json
import os
import random
import time

from agents import RealCase, main
from fake_model import run, say
from fleet import until
from watched import Watched

COUNT = int(os.environ.get("PAWL_APPROVALS", "25"))
CHANGES = ("a person was first", "a person is as fast", "by another id", "a person said no")


class Approvals(Watched):
    """Mixed into a RealCase."""

    def one(self):
        return json.loads(self.pawl("show", "one", "--json").stdout)["agent"]

    def made(self, number):
        return os.path.exists(f"{self.project}/made-{number}")

    def step(self, number, chance):
        """A call that asks: a command of one line, of several, or taller than the screen."""
        shape = chance.randrange(4)
        lines = [f"echo {number}-{at} of the test" for at in range((0, 3, 8, 70)[shape])]
        return run("\n".join([f"touch made-{number}", *lines, f": made-{number}"]), ask=True)  # some show its beginning, some its end

    def asked(self, number):
        name = f"made-{number}"
        until(lambda: f"it asks about {name}: {json.dumps(self.one()['dialog'])[:2000]}\n{self.screen('one')}",
              lambda: name in json.dumps(self.one()["dialog"] or {}), 40)
        return self.one()["dialog"]

    def gone(self, dialog):
        until("it is gone", lambda: (self.one()["dialog"] or {}).get("id") != dialog["id"], 20)

    def say_no(self, dialog):
        self.pawl("keys", "one", "Escape")
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
            self.say_no(dialog)
            return False
        if change == "a person is as fast":
            self.pawl("keys", "one", "Escape")
            self.pawl("answer", "one", str(row), "--dialog", dialog["id"], code=None)
            self.gone(dialog)
            return None
        if change == "a person was first" and self.agent != "opencode":
            self.pawl("keys", "one", "Enter")
            self.gone(dialog)
            self.pawl("answer", "one", str(row), "--dialog", dialog["id"], code=1)
            return True
        self.say_no(dialog)
        self.pawl("answer", "one", str(row), "--dialog", dialog["id"], code=1)
        return False

    def test_no_key_goes_to_another_dialog_than_the_one_named(self):
        seed = int(os.environ.get("PAWL_APPROVALS_SEED") or time.time_ns() % 10**6)
        chance = random.Random(seed)
        self.ready(dialogs="off", human_quiet_s=0)
        counts = {}
        for number in range(1, COUNT + 1):
            self.model.script(self.step(number, chance), say("Done.", times=3))
            self.wait("ready", timeout=60)
            self.prompt(f"step {number}")
            dialog = self.asked(number)
            change = chance.choice(CHANGES) if number % 2 else ""
            due = self.changed(change, dialog, number) if change else self.still(dialog, number, chance)
            self.wait("ready", timeout=60)
            where = f"seed {seed}, {number}: {change or 'still'}\n{self.screen('one')}"
            if due is not None:
                self.assertEqual(self.made(number), due, where)
            counts[change or "still"] = counts.get(change or "still", 0) + 1
            counts["ran"] = counts.get("ran", 0) + self.made(number)
        print(f"\n{self.agent}, seed {seed}: {COUNT} dialogs, " + ", ".join(f"{what} {count}" for what, count in sorted(counts.items())), flush=True)


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
