#!/usr/bin/env python3
"""Hard texts at hard moments (make test-real): PAWL_TORTURE of them for each agent, from PAWL_TORTURE_SEED. The model's log is the judge: none lost,
doubled, joined, executed or left in the box, and each answer true."""
import collections
import os
import re
import time
import unicodedata

from agents import START_S, find, main, of_each
from fake_model import say
from fleet import until
from texts import Torture
from watched import Watched

COUNT = int(os.environ.get("PAWL_TORTURE", "40"))
FIRST = int(os.environ.get("PAWL_TORTURE_FIRST", "0"))
SEED = os.environ.get("PAWL_TORTURE_SEED", "1")
NAMES = [name for name in os.environ.get("PAWL_DELIVER", "claude codex gemini pi").split() if find(name)]
VIEWS = {"claude": ("C-o", "C-o"), "codex": ("C-t", "q")}  # how a page is opened, and left
SHELL = ("claude", "codex", "gemini")
LONG_S = 90
MOMENTS = (os.environ.get("PAWL_TORTURE_AT") or "ready ready busy ready now draft ready over-draft shell view compact ready").split()
COMPACT = {"gemini": "/compress"}


def shape(text):
    """As agents leave it: blanks, ends of lines, and how a letter is spelt are theirs; so are marks that nobody sees."""
    text = unicodedata.normalize("NFC", re.sub("[\u034f\u200b\u2060\ufeff\u200e\u200f\u00ad\u202a-\u202e\u2066-\u2069]", "", text))
    return re.sub(r"[\s\u2028]+", " ", text).strip()


class TortureTest(Watched):
    def sends(self):
        return [event for event in self.events("--agent", "one")
                if event["type"] == "outcome" and event["action"] == "send" and not event.get("kept") and
                event["witness"] != "written to the terminal"]  # the drafts of this test

    def send(self, text, *words):
        return self.pawl("send", "one", "-", *words, input=text, code=None)

    def press(self, *keys):
        self.pawl("keys", "one", *keys)

    def moment(self, name, text):
        """Comes to it, sends, and lets it end as a person would."""
        if name in ("busy", "now"):
            self.model.script(say(" ".join(f"I see {number} of them." for number in range(40)), pieces=20, every=0.1, on="think"))
            self.send("think about it", "--wait", "busy")
            return self.send(text, *(["--now"] if name == "now" else []))
        if name == "compact":
            self.send(COMPACT.get(self.agent, "/compact"))
            return self.send(text)
        if name in ("draft", "over-draft"):
            self.pawl("send", "one", "--no-enter", "half a thou")
            self.wait("typing")
            said = self.send(text, *(["--now"] if name == "over-draft" else []))
            if name == "over-draft":
                self.wait("typing", timeout=LONG_S)
            self.press("C-u")
            return said
        keys = ("!", "BSpace") if name == "shell" and self.agent in SHELL else VIEWS.get(self.agent) if name == "view" else None
        if not keys:
            return self.send(text)
        self.press(keys[0])
        self.pawl("wait", "one", "--until", "typing,busy,unknown,waiting", "--timeout", "5", code=None)  # some keys are ignored
        said = self.send(text)
        end = time.time() + 3
        while self.agents()["one"]["input"] != "prompt" and time.time() < end:
            time.sleep(0.1)
        if self.agents()["one"]["input"] != "prompt":  # or Pawl left it
            self.pawl("keys", "one", keys[1], code=None)
        return said

    def one_text(self, number, family, text, name):
        """What became of it, and what is wrong with that."""
        self.wait("ready", timeout=LONG_S)
        asked, ended = len(self.model.prompts()), len(self.sends())
        done = self.moment(name, text)
        before = 1 if name in ("busy", "now") else 0
        outcomes = before + (name == "compact")
        if done.returncode == 2:
            verdict, witness = "not taken", done.stderr.strip()
        else:
            until(lambda: f"an outcome: {done.stdout}\n{self.screen('one')}\n{self.pawl('why', 'one').stdout}",
                  lambda: len(self.sends()) > ended + outcomes, LONG_S)
            last = self.sends()[-1]
            verdict, witness = last["result"], last["witness"]
        state = self.pawl("wait", "one", "--until", "ready", "--timeout", "20", code=None)
        wrong = []
        if state.returncode != 0:
            wrong.append("left in the box or stuck: " + str({key: self.agents()["one"].get(key) for key in ("state", "kind", "input")}) + "\n" + self.screen("one")[-1200:])
        end = time.time() + (5 if verdict == "confirmed" else 0.3)
        while len(self.model.prompts()) < asked + before + 1 and time.time() < end:
            time.sleep(0.05)
        got = [shape(one) for one in self.model.prompts()[asked + before:]]
        if "compact" in (name, MOMENTS[(number - 1) % len(MOMENTS)]):  # what went before is told anew, with a summary
            got = [one for one in got if one == shape(text)]
        if verdict == "confirmed" and got != [shape(text)]:
            wrong.append(f"confirmed, but {str(got)[:300]} arrived")
        if verdict in ("failed", "refused", "not taken") and got:
            wrong.append(f"{verdict}, but {str(got)[:300]} arrived")
        if verdict == "unverified" and got not in ([], [shape(text)]):
            wrong.append(f"{verdict}, but {str(got)[:300]} arrived")
        if os.path.exists(self.project + "/executed"):
            wrong.append("executed")
            os.unlink(self.project + "/executed")
        if wrong or verdict != "confirmed":
            print(f"\n{self.agent} {number} {family} {name} {text[:80]!r} ({len(text.encode())} B): {verdict}: {witness}; {len(got)} arrived", flush=True)
        for one in wrong:
            print(f"  WRONG {one}", flush=True)
        if wrong:
            print("  EVENTS\n    " + "\n    ".join(str(event)[:600] for event in self.events("--agent", "one")[-12:]), flush=True)
        return verdict, bool(wrong)

    def clean(self):
        """After one that went wrong: as a person would."""
        until("nothing is being typed", lambda: self.pawl("keys", "one", "Escape", code=None).returncode == 0, LONG_S)
        for keys in (("C-e", "C-u"), ("BSpace",), ("C-u",)):
            self.press(*keys)
            time.sleep(0.3)
        if self.pawl("wait", "one", "--until", "ready", "--timeout", "10", code=None).returncode != 0:
            self.pawl("restart", "one", "--fresh", code=None)
            self.wait("ready", timeout=START_S)

    def test_hard_texts(self):
        self.write(self.folder + "/user.toml", "[defaults]\nhuman_quiet_s = 0\n")
        self.environment["PAWL_CONFIG"] = self.folder + "/user.toml"
        torture, tally, bad = Torture(SEED), collections.Counter(), []
        self.begin()
        for number in range(FIRST, FIRST + COUNT):
            family, text = torture.text(number)
            verdict, wrong = self.one_text(number, family, text, MOMENTS[number % len(MOMENTS)])
            tally[verdict] += 1
            if wrong:
                bad.append(number)
                self.clean()
        print(f"\n{self.agent}: {COUNT} texts: " + ", ".join(f"{count} {verdict}" for verdict, count in tally.most_common()) + f"; {len(bad)} wrong {bad}", flush=True)
        self.assertEqual(bad, [])


def load_tests(loader, _tests, _pattern):
    return of_each(loader, TortureTest, NAMES)


if __name__ == "__main__":
    main(*NAMES)
