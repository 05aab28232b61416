#!/usr/bin/env python3
"""The daemon is killed with -9 again and again: nothing printed is lost or doubled, every end is known, every decision
has one outcome, and the screens are those of a run without kills."""
import os
import random
import signal
import subprocess
import time
import unittest

from fleet import AGENT, PAWL, FleetCase, alive, read_proc, recorded, until

AGENTS = 8
BYTES = 50_000_000 // AGENTS
KILLS = 50
SEED = 20261115

# Prints what `pawl-demo-agent --print` prints, a piece for every byte that comes out of the gate: the printing lasts
# exactly as long as the kills, however slow the machine is.
PRINTER = """
import subprocess, sys, time, tty
agent, size, seed, pieces, gate, code = sys.argv[1:]
text = subprocess.run([agent, "--print", size, "--seed", seed], stdout=subprocess.PIPE).stdout
tty.setraw(1)
step = len(text) // int(pieces) + 1
with open(gate, "rb", buffering=0) as gate:
    for at in range(0, len(text), step):
        gate.read(1)
        for small in range(at, min(at + step, len(text)), 8192):
            sys.stdout.buffer.write(text[small:min(small + 8192, at + step)])
            sys.stdout.buffer.flush()
            time.sleep(0.005)
sys.exit(int(code))
"""


class Survive(FleetCase):
    def print_with_gates(self):
        gates = []
        for i in range(AGENTS):
            gate = f"{self.folder}/gate-{i}"
            os.mkfifo(gate)
            gates.append(os.open(gate, os.O_RDWR))
            self.addCleanup(os.close, gates[-1])
            self.start(f"printer-{i}", "python3", "-c", PRINTER, AGENT, str(BYTES), str(i), str(KILLS + 1), gate, str(i * 3))
        return gates

    def screens(self):
        return {i: self.pawl("screen", f"printer-{i}", "--ansi", "--json").stdout for i in range(AGENTS)}

    def kill_if_there(self):
        """Kills whichever daemon has the lock; true when one lived."""
        try:
            pid = self.daemon_pid()
            if not read_proc(pid, "cmdline").endswith(b"\0__daemon\0"):
                return False
            os.kill(pid, signal.SIGKILL)
        except (ValueError, OSError):
            return False  # between two daemons
        until("the daemon is dead", lambda: not alive(pid))
        return True

    def kill_often(self, dice, gates):
        """Fifty kills: most in the middle of the work, every third one in the middle of starting."""
        killed, deadline = 0, time.monotonic() + 250
        while killed < KILLS:
            self.assertLess(time.monotonic(), deadline, f"only {killed} kills")
            ls = subprocess.Popen([PAWL, "ls"], env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            early = dice.random() < 0.33
            if not early:
                ls.wait()
            time.sleep(dice.random() * (0.05 if early else 0.2))
            if self.kill_if_there():
                killed += 1
                for gate in gates:
                    os.write(gate, b".")
            ls.kill()  # it would look for ten seconds for the daemon it started
            ls.wait()

    def test_fifty_kills_lose_nothing(self):
        gates = self.print_with_gates()
        self.kill_often(random.Random(SEED), gates)
        self.assertEqual({agent["pid"] is None for agent in self.agents().values()}, {False}, "all were killed while printing")
        for gate in gates:
            os.write(gate, b".")
        self.ended(*(f"printer-{i}" for i in range(AGENTS)))

        for i in range(AGENTS):
            printed = subprocess.run([AGENT, "--print", str(BYTES), "--seed", str(i)], stdout=subprocess.PIPE, check=True).stdout
            found = recorded(self.home, f"printer-{i}")
            if printed != found:
                same = len(os.path.commonprefix([printed, found]))
                self.fail(f"printer-{i}: {len(found)} bytes recorded, {len(printed)} printed, the first {same} are equal")
        raw = self.pawl("logs", "printer-7", "--raw", text=False).stdout
        self.assertTrue(raw == printed, "pawl logs --raw tells the same")
        agents = self.agents()
        self.assertEqual({i: agents[f"printer-{i}"]["exit_code"] for i in range(AGENTS)}, {i: i * 3 for i in range(AGENTS)})
        self.assertEqual([agents[f"printer-{i}"]["state"] for i in range(AGENTS)], ["exited"] + ["crashed"] * (AGENTS - 1))
        self.assertEqual(self.assert_every_decision_has_one_outcome(), AGENTS)
        disturbed = self.screens()
        self.kill_daemon()
        self.assertEqual(self.screens(), disturbed, "and again from the recordings alone")

        self.use_home(self.folder + "/undisturbed")
        for i in range(AGENTS):
            self.start(f"printer-{i}", AGENT, "--print", str(BYTES), "--seed", str(i))
        self.ended(*(f"printer-{i}" for i in range(AGENTS)))
        self.assertEqual(self.screens(), disturbed)

    def test_kills_in_the_middle_of_decisions(self):
        dice, names = random.Random(SEED), "abc"
        for name in names:
            self.start(name, "sleep", "1000")
        for _ in range(40):
            name = dice.choice(names)
            words = dice.choice((["restart", name], ["stop", name], ["rm", "-f", name], ["send", name, "x"],
                                 ["run", "-d", name, "--", "sleep", "1000"], ["restart", "--all"], ["down"]))
            asked = subprocess.Popen([PAWL, *words], env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(dice.random() * dice.choice((0.005, 0.03, 0.1)))
            self.kill_if_there()
            asked.kill()
            asked.wait()
            if dice.random() < 0.7:
                self.pawl("ls")
        # What was asked for and not done before the kill is done now; then nothing is open.
        until("nothing is under way", lambda: all(agent["state"] != "starting" for agent in self.agents().values()))
        self.pawl("run", "-d", "last", "--", "sleep", "1000")
        until("every stop has come to its end", lambda: self.pawl("down", code=None).returncode == 0)
        self.assertGreater(self.assert_every_decision_has_one_outcome(), 8)
        self.assertEqual({agent["pid"] for agent in self.agents().values()}, {None})
        self.assertEqual(self.of_this_fleet(), [], "nothing runs twice, nothing is forgotten")

    def test_more_agents_than_one_holder_takes(self):
        count = 70
        with open(self.folder + "/pawl.toml", "w", encoding="utf-8") as file:
            file.writelines(f'[agent.a{i}]\ncommand = ["sh", "-c", "echo I am a{i}; exec cat"]\n' for i in range(count))
        self.pawl("up")
        before = {name: agent["pid"] for name, agent in self.agents().items()}
        self.assertEqual(len(set(before.values())), count)
        self.assertEqual(len(self.holders()), 2)
        self.kill_daemon()
        self.assertEqual({name: agent["pid"] for name, agent in self.agents().items()}, before)
        for i in (0, 35, count - 1):
            self.on_screen(f"a{i}", f"^I am a{i}$")
        self.assertEqual(len(self.pawl("down").stdout.splitlines()), count)
        self.assertEqual(self.assert_every_decision_has_one_outcome(), 2 * count)

    def test_what_ended_without_a_daemon_is_known_after(self):
        self.sh("one", "read line; echo said $line; exit 9")
        self.sh("two", "kill -SEGV $$")
        self.ended("two")
        pid = self.agents()["one"]["pid"]
        self.kill_daemon()
        self.assertTrue(alive(pid))
        os.kill(pid, signal.SIGTERM)
        until("it is dead", lambda: not alive(pid))
        agents = self.agents()
        self.ended("one")
        self.assertEqual((self.agents()["one"]["state"], self.agents()["one"]["signal"]), ("crashed", 15))
        self.assertEqual((agents["two"]["state"], agents["two"]["signal"]), ("crashed", 11))


if __name__ == "__main__":
    unittest.main()
