#!/usr/bin/env python3
"""The demo agent behaves: agent_test.py PATH_OF_PAWL_DEMO_AGENT. Waits for text, never for a time."""
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
import unittest

AGENT = sys.argv.pop(1) if len(sys.argv) > 1 else "pawl-demo-agent"
PATIENCE_S = 20


def output(*arguments, stdin=b""):
    done = subprocess.run([AGENT, *arguments], input=stdin, stdout=subprocess.PIPE, timeout=PATIENCE_S)
    return done.stdout, done.returncode


class Terminal:
    """The agent on a PTY of its own."""

    def __init__(self, *arguments):
        self.master, slave = pty.openpty()
        termios.tcsetwinsize(self.master, (24, 80))
        self.slave = slave  # kept open, so that the terminal's modes can be looked at afterwards
        self.before = termios.tcgetattr(slave)
        self.process = subprocess.Popen([AGENT, *arguments], stdin=slave, stdout=slave, stderr=slave,
                                        start_new_session=True)
        self.seen = b""

    def expect(self, pattern, start=0):
        """Reads until the pattern is there; the position after it."""
        end = time.monotonic() + PATIENCE_S
        while not (found := re.compile(pattern.encode()).search(self.seen, start)):
            ready, _, _ = select.select([self.master], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise AssertionError(f"no {pattern!r} in {self.seen[start:]!r}")
            self.seen += os.read(self.master, 65536)
        return found.end()

    def type(self, data):
        os.write(self.master, data)

    def finish(self):
        """The exit status, once it is gone; reads on so that it is never held up."""
        while self.process.poll() is None:
            if select.select([self.master], [], [], 0.02)[0]:
                self.seen += os.read(self.master, 65536)
        return self.process.returncode

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)
        os.close(self.slave)


class Print(unittest.TestCase):
    def test_exact_bytes_and_the_same_twice(self):
        first, code = output("--print", "100000", "--seed", "7")
        self.assertEqual(len(first), 100000)
        self.assertEqual(code, 0)
        self.assertEqual(first, output("--print", "100000", "--seed", "7")[0])
        self.assertNotEqual(first, output("--print", "100000", "--seed", "8")[0])

    def test_small_counts_are_exact_and_whole_characters(self):
        for count in [*range(0, 24), 4095, 4096, 4097]:
            text, _ = output("--print", str(count), "--seed", str(count))
            self.assertEqual(len(text), count)
            text.decode("utf-8")

    def test_exit_code(self):
        self.assertEqual(output("--print", "10", "--exit", "7"), (output("--print", "10")[0], 7))

    def test_a_terminal_does_not_change_the_bytes(self):
        plain, _ = output("--print", "20000", "--seed", "3")
        terminal = Terminal("--print", "20000", "--seed", "3")
        self.addCleanup(terminal.close)
        while len(terminal.seen) < len(plain):
            terminal.seen += os.read(terminal.master, 65536)
        self.assertEqual(terminal.seen, plain)


class Plain(unittest.TestCase):
    def test_echo(self):
        self.assertEqual(output("--echo", stdin=b"a\nb c\n"), (b"echo: a\necho: b c\n", 0))

    def test_spin_ends(self):
        text, code = output("--spin", "50", "--for", "0.2")
        self.assertEqual(text.count(b"Working"), 10)
        self.assertEqual(code, 0)

    def test_bad_arguments(self):
        for bad in (["--nonsense"], ["--scene", "nonsense"], ["--print"]):
            self.assertEqual(subprocess.run([AGENT, *bad], stderr=subprocess.DEVNULL).returncode, 2)


class Scenes(unittest.TestCase):
    def start(self, *arguments):
        terminal = Terminal(*arguments)
        self.addCleanup(terminal.close)
        return terminal

    def test_a_prompt_is_answered_and_the_box_comes_back(self):
        t = self.start("--speed", "20")
        t.expect("❯ .*ask for something")
        t.type(b"\x1b[200~hello\nthere\x1b[201~")
        at = t.expect("hello there")
        t.type(b"\r")
        at = t.expect("esc to interrupt", at)
        at = t.expect("Ask again and I will say the same", at)
        t.expect("demo · ready", at)

    def test_escape_interrupts(self):
        t = self.start("--scene", "busy")
        at = t.expect("esc to interrupt")
        t.type(b"\x1b")
        t.expect("■ Interrupted", at)

    def test_dialog_rows(self):
        for key, outcome in ((b"\r", "Allowed"), (b"2", "Allowed"), (b"3", "Not allowed"), (b"\x1b", "Not allowed"),
                             (b"\x1b[B\x1b[B\r", "Not allowed")):
            t = self.start("--scene", "dialog", "--speed", "50")
            at = t.expect("❯ 1. Yes")
            t.type(key)
            t.expect(outcome, at)

    def test_a_question_has_other_rows(self):
        t = self.start("--scene", "question", "--speed", "50")
        at = t.expect("❯ 1. The short way")
        t.type(b"2")
        t.expect("The long one: which way to go", at)

    def test_limit_notice_names_the_time(self):
        self.start("--scene", "limit", "--speed", "50").expect(r"Usage limit reached · resets 3am \(UTC\)")

    def test_crash_is_an_abort(self):
        t = self.start("--scene", "crash", "--speed", "50")
        self.assertEqual(t.finish(), -signal.SIGABRT)
        t.expect(r"at main \(main.c:19\)")

    def test_exit_gives_the_terminal_back(self):
        t = self.start("--scene", "exit", "--speed", "50", "--alt", "--exit", "3")
        self.assertEqual(t.finish(), 3)
        self.assertEqual(termios.tcgetattr(t.slave), t.before)
        t.expect(r"\x1b\[\?2004l.*\x1b\[\?1049l")

    def test_sigterm_gives_the_terminal_back_and_is_seen(self):
        t = self.start("--scene", "busy", "--loop")
        t.expect("esc to interrupt")
        t.process.terminate()
        self.assertEqual(t.finish(), -signal.SIGTERM)
        self.assertEqual(termios.tcgetattr(t.slave), t.before)

    def test_resize_draws_again(self):
        t = self.start("--cols-aware")
        at = t.expect("ask for something")
        termios.tcsetwinsize(t.master, (30, 40))
        os.kill(t.process.pid, signal.SIGWINCH)
        at = t.expect(r"\x1b\[2J", at)
        t.expect("❯", at)
        t.type(b"xyz")
        t.expect("❯ xyz", at)
        self.assertNotIn("─" * 40, t.seen[at:].decode())

    def test_two_ctrl_c_leave(self):
        t = self.start()
        at = t.expect("ask for something")
        t.type(b"\x03")
        t.expect("once more leaves", at)
        t.type(b"\x03")
        self.assertEqual(t.finish(), 0)

    def test_status_is_reported_only_after_the_answer(self):
        silent = self.start("--scene", "dialog", "--speed", "50")
        silent.expect("❯ 1. Yes")
        self.assertNotIn(b"state=", silent.seen)
        t = self.start("--scene", "dialog")
        t.expect(r"\x1b\]7501;\?\x1b\\")
        t.type(b"\x1b]7501;?\x1b\\")
        t.expect(r"\x1b\]7501;state=working:app=pawl-demo\x1b\\")
        t.expect(r"\x1b\]7501;state=blocked:kind=permission:msg=[A-Za-z0-9+/=]+:app=pawl-demo\x1b\\")


if __name__ == "__main__":
    unittest.main()
