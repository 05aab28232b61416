#!/usr/bin/env python3
"""Alerts on their way to a person: programs, webhooks, ntfy, Slack; what fails, what hangs, and that nobody waits for it."""
import json
import os
import time
import unittest

from fleet import FleetCase, alive, until
from receiver import Receiver

SECRET = "T0KEN"
DEADLINE = 10  # seconds a program or an answer may take (src/daemon/notifier.h)


def read(path):
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


class Notify(FleetCase):
    def setUp(self):
        super().setUp()
        self.server = Receiver()
        self.addCleanup(self.server.stop)
        self.environment.update(no_proxy="*", NO_PROXY="*")

    def script(self, name, text):
        path = f"{self.folder}/{name}"
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + text)
        os.chmod(path, 0o700)
        return "exec:" + path

    def fails(self, **channels):
        """Agents that end at once, are started once more, and are parked; each with its own channels."""
        with open(self.folder + "/pawl.toml", "w", encoding="utf-8") as file:
            for name, words in channels.items():
                file.write(f"[agent.{name}]\ndir = \".\"\nrestart = \"fresh\"\nsettle_s = 0\ncooldown_s = 0\n"
                           f"command = [\"sh\", \"-c\", \"echo the end of {name}; exit 3\"]\n"
                           f"crash_loop = {{ count = 1, window_s = 900 }}\nnotify = {json.dumps(words)}\n")
        self.pawl("up", code=None)
        for name in channels:
            until(f"{name} is parked", lambda name=name: any("parked" in one["text"] for one in self.alerts(name)))

    def alerts(self, name):
        return [event for event in self.events() if event["type"] == "alert" and event["agent"] == name]

    def log(self):
        return read(self.home + "/daemon.log")

    def test_on_every_channel(self):
        url = self.server.url
        told = self.folder + "/told"
        tell = self.script("tell", f"cat >>{told}\n")
        self.fails(a=[tell, f"webhook:{url}/hook/{SECRET}", f"ntfy:{url}/ntfy/{SECRET}", f"slack:{url}/slack/{SECRET}"])
        texts = [alert["text"] for alert in self.alerts("a") if alert["severity"] != "info"]
        self.assertEqual(len(texts), 2, texts)
        for path in ("/hook", "/ntfy", "/slack"):
            until(f"both on {path}", lambda path=path: len(self.server.at(path)) == 2)
        until("both to the program", lambda: read(told).count("\n") == 2)

        lines = [json.loads(line) for line in read(told).splitlines()]
        self.assertEqual([line["text"] for line in lines], texts)
        parked = lines[1]
        self.assertEqual(sorted(parked), ["agent", "at", "matter", "screen", "severity", "text", "todo", "version"])
        self.assertEqual((parked["version"], parked["agent"], parked["severity"], parked["matter"]),
                         (1, "a", "error", "crash loop"))
        self.assertIn("pawl restart a", parked["todo"])
        self.assertIn("the end of a", parked["screen"])

        hook = self.server.at("/hook")
        self.assertEqual([json.loads(request["body"]) for request in hook], lines)
        self.assertEqual(hook[0]["headers"]["Content-Type"], "application/json")
        ntfy = self.server.at("/ntfy")[1]
        self.assertTrue(ntfy["body"].startswith(texts[1]), ntfy["body"])
        self.assertEqual((ntfy["headers"]["Title"], ntfy["headers"]["Priority"], ntfy["headers"]["Tags"]),
                         ("a: error", "high", "rotating_light"))
        slack = json.loads(self.server.at("/slack")[1]["body"])
        self.assertEqual(list(slack), ["text"])
        self.assertTrue(slack["text"].startswith("*a: error* " + texts[1]), slack["text"])
        self.assertEqual(self.log(), "", "all went well")

    def test_what_fails_is_tried_again_and_what_hangs_holds_nobody_up(self):
        url = self.server.url
        pid = self.folder + "/pid"
        hang = self.script("hang", f"echo $$ >{pid}; exec tail -f /dev/null\n")
        self.fails(a=[hang, f"webhook:{url}/hang/{SECRET}", f"slack:{url}/broken/{SECRET}",
                      "ntfy:http://127.0.0.1:1/" + SECRET])
        until("they hang", lambda: self.server.at("/hang") and read(pid))
        begin = time.monotonic()
        program = int(read(pid))
        for _ in range(10):
            self.pawl("ls")
        self.assertTrue(alive(program))
        self.assertEqual(len(self.server.at("/hang")), 1, "one at a time")
        self.assertLess(time.monotonic() - begin, 5, "pawl ls while a program and a webhook hang")

        until("the program is killed", lambda: not alive(program), DEADLINE + 20)
        until("500 twice, and then it works", lambda: len(self.server.at("/broken")) >= 4, 60)
        tries = {}
        for request in self.server.at("/broken"):
            tries.setdefault(request["body"], []).append(request["at"])
        self.assertEqual(len(tries), 2, "the warning and the error, and no third")
        for times in tries.values():
            for first, second in zip(times, times[1:]):
                self.assertGreater(second - first, 4.5, "tried again after a while")
        (warning, *_), (error, *_) = tries.values()
        self.assertLess(error - warning, 4.5, "the error does not wait for the warning that is tried again")
        until("the webhook's time is over", lambda: "Timeout was reached" in self.log(), DEADLINE + 20)
        log = self.log()
        for line in (f"pawl: slack:{url}: an alert could not be sent and is tried again: HTTP 500",
                     f"pawl: webhook:{url}: an alert could not be sent and is tried again: Timeout was reached",
                     "pawl: ntfy:http://127.0.0.1:1: an alert could not be sent and is tried again: Couldn't connect",
                     f"pawl: {hang}: an alert could not be sent and is tried again: it took too long and was killed"):
            self.assertEqual(log.count(line), 1, f"{line}\n{log}")
        self.assertNotIn(SECRET, log)

    def test_many_at_once_are_no_flood(self):
        channel = f"webhook:{self.server.url}/many"
        self.fails(**{name: [channel] for name in "abcde"})
        # Five warnings and five errors: three a minute, and three more where errors are among them.
        until("six arrived", lambda: len(self.server.at("/many")) == 6)
        self.pawl("daemon", "--stop")
        until("it has left", lambda: not alive(self.daemon_pid()))
        self.assertEqual(len(self.server.at("/many")), 6)
        errors = [one for one in self.server.at("/many") if json.loads(one["body"])["severity"] == "error"]
        self.assertGreaterEqual(len(errors), 3, "not held back behind warnings")
        self.assertIn(f"pawl: webhook:{self.server.url}: alerts that were not sent before the end: 4\n", self.log())

    def test_a_channel_nobody_knows(self):
        said = self.pawl("config", "check", self.toml('notify = ["telegram:' + SECRET + '"]'), code=1).stderr
        self.assertIn('notify = "telegram:…" is not known: '
                      "use desktop, exec:PROGRAM, webhook:URL, ntfy:URL or slack:URL", said)
        self.assertNotIn(SECRET, said)

    def toml(self, line):
        path = self.folder + "/bad.toml"
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"[agent.a]\ncommand = [\"true\"]\n{line}\n")
        return path


if __name__ == "__main__":
    unittest.main()
