"""What tests of delivery share: a demo agent that writes its prompts down, and what became of each text."""
import json
import os

from fleet import AGENT, FleetCase, until
from person import Person

SEED = int(os.environ.get("SEED", "4"))
KILLS = int(os.environ.get("KILLS", "20"))
QUICK = ("--speed", "40")  # a turn takes a sixth of a second


class SendCase(FleetCase):
    def setUp(self):
        super().setUp()
        self.log = self.folder + "/prompts"
        self.environment["PAWL_DEMO_PROMPTS"] = self.log

    def agent(self, *flags, name="one", until="ready", quiet=120):
        command = json.dumps([AGENT, *(flags or QUICK)])
        with open(self.folder + "/pawl.toml", "w", encoding="utf-8") as file:
            file.write(f"[agent.{name}]\ncommand = {command}\nhuman_quiet_s = {quiet}\n")
        self.pawl("up")
        self.state(name, until)

    def state(self, name, states):
        self.pawl("wait", name, "--until", states, "--timeout", "30")

    def rested(self, turns):
        """Waits until so many turns were seen to begin, and the last one is over."""
        until(lambda: f"{turns} turns in {self.events()}",
              lambda: sum(event["type"] == "state" and event["to"] == "busy" for event in self.events()) >= turns)
        self.state("one", "ready")

    def prompts(self):
        try:
            with open(self.log, encoding="utf-8") as file:
                return file.read().splitlines()
        except FileNotFoundError:
            return []

    def prompted(self, *texts):
        until(lambda: f"{texts} in {self.prompts()}\n{self.screen('one')}", lambda: self.prompts() == list(texts))

    def send(self, *words, said, code=0, **more):
        done = self.pawl("send", "one", *words, code=code, **more)
        self.assertRegex(done.stdout, said)
        return done

    def person(self, name="one"):
        person = Person(self, "attach", name)
        person.sees(r"\x1b\[\?1049h")
        until("the terminal is raw", person.raw)
        return person

    def outcomes(self):
        """What became of each item of the outbox: {item: result}; only those that are done with."""
        items, done = {}, {}
        for event in self.events():
            if event["type"] == "decision" and event.get("item"):
                items[event["seq"]] = event["item"]
            elif event["type"] == "outcome" and event["decision"] in items and not event.get("kept"):
                done[items[event["decision"]]] = event["result"]
            elif event["type"] == "queue" and event["what"] == "dropped":
                done[event["item"]] = "dropped"
        return done

    def queued(self):
        return [event["item"] for event in self.events() if event["type"] == "queue" and event["what"] == "queued"]
