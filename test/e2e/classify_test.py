#!/usr/bin/env python3
"""`pawl classify` as its users meet it: recordings of all kinds, still screens, facts, bad input. No daemon is needed."""
import glob
import gzip
import json
import os
import unittest

from fleet import FleetCase

SOURCE = os.environ.get("PAWL_SOURCE_DIR") or os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
CORPUS = os.path.join(SOURCE, "test/corpus")
CASES = os.path.join(SOURCE, "test/perceive/cases")
BOX = "\x1b[H Claude Code v2.1.325\r\n\r\n" + "─" * 60 + "\r\n❯ \r\n" + "─" * 60 + "\r\n  ? for shortcuts\x1b[4;3H"


class Classify(FleetCase):
    def file(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return path

    def cast(self, *events, name="x.cast", **header):
        head = {"version": 2, "width": 80, "height": 24, **header}
        return self.file(name, "\n".join(map(json.dumps, [head, *events])) + "\n")

    def lines(self, *words):
        """What classify prints about a recording."""
        return [json.loads(line) for line in self.pawl("classify", *words).stdout.splitlines()]

    def states(self, *words):
        return [line["state"] for line in self.lines(*words)]

    def one(self, *words):
        lines = self.lines(*words)
        self.assertEqual(len(lines), 1)
        return lines[0]

    def still(self, text, *words):
        return self.one("--screen", *words, self.file("still", text))


class Recordings(Classify):
    def test_lines_say_when_what_and_why(self):
        lines = self.lines("--runtime", "claude", self.cast([0.5, "o", BOX], [9, "o", ""]))
        self.assertEqual([line["state"] for line in lines], ["ready"])
        self.assertEqual(list(lines[0]), ["t", "state", "kind", "tier", "because", "confidence", "input", "background"])
        self.assertGreater(lines[0]["t"], 0.5)
        self.assertLess(lines[0]["t"], 3)

    def test_recordings_of_the_third_version_count_intervals(self):
        path = self.file("v3.cast", '{"version":3,"term":{"cols":80,"rows":24}}\n' + "".join(
            json.dumps(event) + "\n" for event in ([1, "o", BOX], [4, "m", "a mark"], [2, "r", "100x30"], [3, "x", "0"])))
        lines = self.lines("--runtime", "claude", path)
        self.assertEqual([line["state"] for line in lines], ["ready", "exited"])
        self.assertAlmostEqual(lines[-1]["t"], 10, delta=0.05)

    def test_an_exit_code_tells_a_crash_from_an_end(self):
        for data, state in (("0", "exited"), ("3", "crashed"), ("255", "crashed")):
            self.assertEqual(self.states("--runtime", "claude", self.cast([1, "o", BOX], [5, "x", data]))[-1], state)

    def test_a_resize_is_followed(self):
        path = self.cast([1, "o", "x"], [2, "r", "100x50"], [3, "o", "\x1b[50;100HX"], [4, "o", ""])
        self.assertEqual(self.one("--at", "3.5", path)["screen"].split("\n")[49], " " * 99 + "X")
        self.assertIn("x.cast:3: ", self.refused_line(self.cast([1, "o", "x"], [2, "r", "wide"])))

    def test_marks_input_and_codes_of_the_future_are_passed_over(self):
        plain = self.cast([1, "o", BOX], [5, "o", ""], name="plain.cast")
        mixed = self.cast([0.2, "m", ""], [1, "o", BOX], [1.1, "i", "x"], [2, "z", "?"], [5, "o", ""])
        self.assertEqual(self.lines("--runtime", "claude", mixed), self.lines("--runtime", "claude", plain))

    def test_comments_and_empty_lines_are_passed_over(self):
        path = self.file("c.cast", '{"version":2,"width":80,"height":24}\n\n# a note\n[1,"o","x"]\n\n')
        self.assertEqual(self.one("--at", "2", path)["screen"].split("\n")[0], "x")

    def test_times_that_jump_back(self):
        lines = self.lines("--runtime", "claude", self.cast([5, "o", BOX], [1, "o", "x"], [2, "o", "\b \b"], [9, "o", ""]))
        times = [line["t"] for line in lines]
        self.assertEqual(times, sorted(times))
        self.assertGreaterEqual(times[0], 5)

    def test_exact_bytes_of_our_own_recordings(self):
        path = self.cast([1, "b", "eP8="], [1, "o", "x\ufffd"], [1.5, "o", "y"])
        self.assertTrue(self.one("--at", "2", path)["screen"].startswith("x\ufffdy"))

    def test_a_recording_without_events(self):
        self.assertEqual(self.lines("--runtime", "claude", self.cast()), [])
        self.assertEqual(self.one("--runtime", "claude", "--at", "3", self.cast())["state"], "starting")
        self.assertNotIn("ready", self.states(self.cast()))

    def test_the_command_of_the_recording_names_the_runtime(self):
        self.assertEqual(self.states(self.cast([1, "o", BOX.replace("Claude Code v2.1.325", "")], command="claude")), ["ready"])
        self.assertEqual(self.states(self.cast([1, "o", "text"], command="claude -p hello")), ["busy"])

    def test_at(self):
        path = self.cast([1, "o", BOX], [5, "o", "abc"], [9, "o", ""])
        self.assertEqual(self.one("--runtime", "claude", "--at", "0.5", path)["state"], "starting")
        found = self.one("--runtime", "claude", "--at", "4", path)
        self.assertEqual((found["t"], found["state"]), (4, "ready"))
        self.assertEqual(found["cursor"], {"row": 4, "col": 3, "visible": True})
        self.assertEqual(found["screen"].split("\n")[3], "❯")
        self.assertEqual(self.one("--runtime", "claude", "--at", "6s", path)["state"], "typing")
        self.assertEqual(self.one("--runtime", "claude", "--at", "2h", path)["state"], "typing")

    def test_channels(self):
        path = self.cast([1, "o", BOX], [4, "o", "\x1b]0;⠂ Working\x07"], [9, "o", ""])
        facts = self.file("facts", '{"t":6,"fg_comm":"bash","mcomm":"bash","fgn":1,"isig":1}\n')
        words = ("--runtime", "claude", "--facts", facts)
        self.assertEqual(self.states(*words, path), ["ready", "busy", "shell"])
        self.assertEqual(self.states(*words, "--channels", "no-process", path), ["ready", "busy"])
        self.assertEqual(self.states(*words, "--channels", "screen", path), ["ready"])

    def test_a_recording_of_the_corpus_with_its_facts(self):
        with gzip.open(CORPUS + "/claude/bash_exit.feat.jsonl.gz") as packed:
            facts = self.file("facts.jsonl", packed.read())
        states = self.states("--runtime", "claude", "--facts", facts, CORPUS + "/claude/bash_exit.cast")
        self.assertEqual(states[-1], "shell")
        self.assertIn("ready", states)

    def refused_line(self, *words, code=1):
        """A message of one line on stderr; what was printed before it stays."""
        done = self.pawl("classify", *words, code=code)
        self.assertRegex(done.stderr, r"\Apawl: [^\n]+\n\Z")
        return done.stderr

    def test_a_truncated_file_names_the_line_and_keeps_what_came_before(self):
        path = self.cast([1, "o", BOX], [5, "o", "abc"], [9, "o", "x"])
        with open(path, "rb") as file:
            whole = file.read()
        done = self.pawl("classify", "--runtime", "claude", self.file("cut.cast", whole[:-6]), code=1)
        self.assertIn("cut.cast:4: ", done.stderr)
        self.assertEqual(json.loads(done.stdout.splitlines()[0])["state"], "ready")
        self.assertIn("cut.cast:1: ", self.refused_line(self.file("cut.cast", whole[:20])))

    def test_foreign_files(self):
        for name, content, said in (("text", "hello\n", "text:1: "), ("list", "[1,2]\n", "list:1: "), ("empty", "", "empty:1: "),
                                    ("json", '{"a":1}\n', "json:1: "), ("binary", bytes(range(256)) * 9, "binary:1: "),
                                    ("old", '{"version":1,"width":80,"height":24,"stdout":[]}\n', "version 1"),
                                    ("new", '{"version":9,"width":80,"height":24}\n', "version 9"),
                                    ("flat", '{"version":2,"width":0,"height":24}\n', "flat:1: "),
                                    ("event", '{"version":2,"width":80,"height":24}\n{"t":1}\n', "event:2: "),
                                    ("short", '{"version":2,"width":80,"height":24}\n[1,"o"]\n', "short:2: ")):
            with self.subTest(name):
                self.assertIn(said, self.refused_line(self.file(name, content)))

    def test_what_is_no_file(self):
        self.assertIn("is a directory", self.refused_line(self.folder))
        self.assertIn("no-such-file", self.refused_line(self.folder + "/no-such-file"))
        self.assertIn("no-facts", self.refused_line("--facts", self.folder + "/no-facts", self.cast([1, "o", "x"])))
        self.assertIn("facts:2: ", self.refused_line("--facts", self.file("facts", '{"t":0}\n{"x":1}\n'),
                                                     self.cast([1, "o", "x"])))

    def test_bad_options(self):
        path = self.cast([1, "o", "x"])
        for words, said in ((["--channels", "none"], "no-process"), (["--at", "soon"], "--at soon"), (["--at", "-1"], "--at"),
                            (["--rows", "0"], "--rows"), (["--cols", "x"], "--cols"), (["--rows", "99999"], "--rows"),
                            (["--cursor", "5"], "--cursor 5"), (["--cursor", "0,1"], "--cursor"), (["--cursor", "1,2,3"], "--cursor"),
                            (["--no-such-option"], "--no-such-option"), (["--runtime", ""], "--runtime")):
            with self.subTest(" ".join(words)):
                self.assertIn(said, self.refused_line(*words, path, code=2))
        self.refused_line(code=2)
        self.refused_line(path, path, code=2)

    def test_a_bad_profile_of_the_user_is_complained_about_and_the_built_in_one_serves(self):
        os.makedirs(self.folder + "/profiles")
        self.file("profiles/claude.toml", "name = 'claude'\n[[busy]]\npattern = '('\n")
        done = self.pawl("classify", "--runtime", "claude", self.cast([1, "o", BOX], [9, "o", ""]))
        self.assertRegex(done.stderr, r"profiles/claude\.toml:3: '\(' is no pattern")
        self.assertEqual(json.loads(done.stdout)["state"], "ready")

    def test_a_profile_of_the_user(self):
        os.makedirs(self.folder + "/profiles")
        self.file("profiles/mine.toml", "name = 'mine'\n[[box]]\nprompt = '^ask>'\ncursor = 'any'\n[start]\nsettle_ms = 100\n")
        self.assertEqual(self.states("--runtime", "mine", self.cast([1, "o", "ask> "], [5, "o", "hi"], [9, "o", ""])),
                         ["ready", "typing"])


class Stills(Classify):
    def test_an_object_with_the_runtime(self):
        found = self.still("\n".join(["Claude Code v2.1.325", "─" * 60, "❯ ", "─" * 60]), "--cursor", "3,3")
        self.assertEqual((found["state"], found["runtime"]), ("ready", "claude"))
        self.assertEqual(list(found), ["state", "kind", "tier", "because", "confidence", "input", "background", "runtime"])

    def test_escapes_cut_in_half(self):
        for cut in ("\x1b", "\x1b[", "\x1b[3", "\x1b]0;tit", "\x1bP", "\x1b[38;2;1", "\xe2\x94".encode("latin-1"), "\x1b[?2026h"):
            whole = "text".encode() + (cut if isinstance(cut, bytes) else cut.encode())
            self.assertNotEqual(self.still(whole)["state"], "ready")

    def test_odd_contents(self):
        for content in ("", "\n" * 5000, "x" * 100000, "\x00" * 1000, bytes(range(256)), "\r\n\r\n", "👩‍👩‍👧" * 500):
            self.assertNotEqual(self.still(content)["state"], "ready")

    def test_sizes(self):
        for rows, cols in ((1, 1), (5, 20), (500, 500), (1024, 1024)):
            self.still("me@host:~$ ", "--rows", str(rows), "--cols", str(cols))
        self.assertEqual(self.still("me@host:~$ ", "--rows", "5", "--cols", "20")["state"], "shell")

    def test_the_cursor_decides_what_is_a_prompt(self):
        self.assertEqual(self.still("me@host:~$ ")["state"], "shell")
        self.assertNotEqual(self.still("me@host:~$ ", "--cursor", "5,1")["state"], "shell")

    def test_what_is_no_file(self):
        for path in (self.folder, self.folder + "/missing"):
            done = self.pawl("classify", "--screen", path, code=1)
            self.assertRegex(done.stderr, r"\Apawl: [^\n]+\n\Z")

    def test_the_cases(self):
        """test/perceive/cases/NAME: screen.txt, and in expect.json the state it has, or the states it must not have."""
        folders = sorted(glob.glob(CASES + "/*/"))
        self.assertGreater(len(folders), 25)
        for folder in folders:
            with open(folder + "expect.json", encoding="utf-8") as file:
                expect = json.load(file)
            cursor = ["--cursor", expect["cursor"]] if "cursor" in expect else []
            found = self.one("--screen", "--runtime", expect["runtime"], *cursor, folder + "screen.txt")
            with self.subTest(os.path.basename(folder[:-1]), why=expect["why"], because=found["because"]):
                self.assertTrue("state" in expect or "never" in expect)
                self.assertEqual(found["state"], expect.get("state", found["state"]))
                self.assertEqual(found["kind"], expect.get("kind", found["kind"]))
                self.assertNotIn(found["state"], expect.get("never", []))


if __name__ == "__main__":
    unittest.main()
