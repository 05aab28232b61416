#!/usr/bin/env python3
"""The judge of tools/accuracy: every rule of it once, and the tool itself with a detector that is always right."""
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tools"))
from judge import ACCEPTED, accepted, judge, spans_of  # noqa: E402


def labels(*rows):
    """(end, state[/sub]) one after the other."""
    out, start = [], 0.0
    for end, name in rows:
        state, _, sub = name.partition("/")
        out.append({"t_start": start, "t_end": float(end), "state": state, "sub": sub})
        start = float(end)
    return out


class Judge(unittest.TestCase):
    def judged(self, truth, *answers):
        return judge(labels(*truth), list(answers), truth[-1][0])

    def test_spans_are_merged_and_end_with_the_recording(self):
        self.assertEqual(spans_of([(0, "starting"), (2, "ready"), (3, "ready"), (4, "busy"), (20, "shell")], 10),
                         [(0.0, 2, "starting"), (2, 4, "ready"), (4, 10, "busy")])
        self.assertEqual(spans_of([], 5), [(0.0, 5, "starting")])

    def test_what_is_right_and_what_is_not_judged(self):
        tally = self.judged([(10, "starting"), (20, "ready")], (10.5, "ready"))
        self.assertAlmostEqual(tally.seconds, 9 + 9.4)  # without the end of the start and the grace after it
        self.assertAlmostEqual(tally.percent(), 100)
        self.assertAlmostEqual(tally.notices["ready"][0], 0.5)

    def test_what_is_wrong(self):
        tally = self.judged([(10, "busy/request"), (20, "ready")], (0, "busy"), (5, "typing"), (6, "busy"), (10, "ready"))
        self.assertAlmostEqual(tally.seconds - tally.right, 1.0)
        self.assertEqual(tally.wrong, [("", 5, 1, "typing", "busy/request")])
        self.assertEqual((tally.false_ready, tally.false_gone), (0, 0))

    def test_false_ready_and_false_gone(self):
        for truth in ("busy", "starting", "dialog/trust", "typing", "app", "exited", "shell/typing"):
            self.assertAlmostEqual(self.judged([(10, truth)], (0, "busy"), (5, "ready"), (6, "busy")).false_ready, 1, msg=truth)
        for truth in ("ready/child_running", "rate_limited/stopped", "app/repl", "context_exhausted"):
            self.assertEqual(self.judged([(10, truth)], (0, "busy"), (5, "ready"), (6, "busy")).false_ready, 0, truth)
        for said in ("shell", "exited", "crashed"):
            self.assertAlmostEqual(self.judged([(10, "ready")], (0, "ready"), (5, said), (6, "ready")).false_gone, 1)
            self.assertEqual(self.judged([(10, "exited")], (0, "ready"), (5, said), (6, "ready")).false_gone, 0)

    def test_a_moment_is_forgiven(self):
        self.assertEqual(self.judged([(10, "busy")], (0, "busy"), (5, "ready"), (5.2, "busy")).false_ready, 0)
        twice = self.judged([(10, "busy")], (0, "busy"), (5, "ready"), (5.2, "busy"), (7, "ready"), (7.2, "busy"))
        self.assertAlmostEqual(twice.false_ready, 0.4)

    def test_noticing(self):
        def noticed(*answers):
            return self.judged([(10, "busy"), (20, "dialog/permission")], (0, "busy"), *answers).notices["waiting"]
        self.assertAlmostEqual(noticed((10.2, "waiting"))[0], 0.2)
        self.assertEqual(noticed((9.8, "waiting")), [0.0])  # within what borders are exact to
        self.assertEqual(noticed((8, "waiting")), [math.inf])  # a guess
        self.assertEqual(noticed(), [math.inf])
        self.assertAlmostEqual(noticed((8, "waiting"), (12, "busy"), (13, "waiting"))[0], 3)

    def test_what_the_last_label_accepted_as_well_is_no_guess(self):
        truth = [(10, "ready/child_running"), (20, "ready")]
        self.assertEqual(self.judged(truth, (0, "ready")).notices["ready"], [0.0])

    def test_short_ones_and_repeated_ones_need_not_be_noticed(self):
        self.assertEqual(self.judged([(10, "busy"), (11, "ready"), (20, "busy")], (0, "busy")).notices["ready"], [])
        self.assertEqual(len(self.judged([(10, "busy"), (15, "ready"), (20, "ready/after_deny")]).notices["ready"]), 1)

    def test_an_exit_under_way_is_not_judged(self):
        self.assertEqual(self.judged([(10, "ready/exiting")], (0, "ready")).seconds, 0)
        self.assertEqual(accepted({"state": "no such state"}), (None, None))

    def test_quantiles(self):
        tally = self.judged([(10, "busy")])
        self.assertIsNone(tally.quantile("ready", .5))
        tally.notices["ready"] = [0.1, 0.2, 0.3, math.inf]
        self.assertEqual((tally.quantile("ready", .5), tally.quantile("ready", .95)), (0.3, math.inf))
        self.assertEqual(tally.never("ready"), 1)


class Corpus(unittest.TestCase):
    def test_every_label_has_a_meaning_and_none_overlaps(self):
        known = {state for state, _ in ACCEPTED}
        count = 0
        for folder, _, names in os.walk(os.path.join(ROOT, "test/corpus")):
            for name in (n for n in names if n.endswith(".labels.json")):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    meta = json.load(file)
                count += 1
                for before, after in zip(meta["labels"], meta["labels"][1:]):
                    self.assertEqual(before["t_end"], after["t_start"], name)
                self.assertLessEqual({label["state"] for label in meta["labels"]}, known, name)
                if meta.get("fixed_by") == "pawl":
                    self.assertTrue(meta["label_fixes"] and meta["labels_raw"], name)
        self.assertGreater(count, 100)


class Tool(unittest.TestCase):
    FAKE = """#!/usr/bin/env python3
import json, sys
for label in json.load(open(sys.argv[-1].replace(".cast", ".labels.json")))["labels"]:
    print(json.dumps({"t": label["t_start"], "state": SAYS or label["state"]}))
"""

    def run_tool(self, says, *words):
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(folder + "/corpus/claude")
            with open(folder + "/corpus/claude/one.labels.json", "w", encoding="utf-8") as file:
                json.dump({"duration": 20.0, "labels": labels((5, "starting"), (10, "ready"), (15, "busy"), (20, "exited")),
                           "labels_raw": labels((5, "starting"), (20, "ready")), "label_fixes": ["x"], "fixed_by": "pawl"},
                          file)
            with open(folder + "/pawl", "w", encoding="utf-8") as file:
                file.write(self.FAKE.replace("SAYS", repr(says)))
            os.chmod(folder + "/pawl", 0o755)
            return subprocess.run([os.path.join(ROOT, "tools/accuracy"), "--corpus", folder + "/corpus", "--pawl",
                                   folder + "/pawl", *words], capture_output=True, text=True, timeout=60, check=False)

    def test_a_perfect_detector_passes(self):
        done = self.run_tool("", "--check", "--json")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        results = json.loads(done.stdout)
        for name in [name for name in results if name.startswith("generic")]:
            self.assertEqual(results.pop(name)["all"]["accuracy"], 100)
        for result in results.values():
            self.assertEqual(result["corrected"]["accuracy"], 100)
            self.assertLess(result["published"]["accuracy"], 60)

    def test_a_liar_fails(self):
        done = self.run_tool("ready", "--check", "--verbose")
        self.assertEqual(done.returncode, 1)
        self.assertIn("said ready, was busy", done.stdout)
        self.assertIn("MISS", done.stdout)

    def test_what_is_not_there_is_named(self):
        tool = os.path.join(ROOT, "tools/accuracy")
        for words, said in ((["--corpus", "/nowhere"], "/nowhere"), (["--pawl", "/nowhere"], "/nowhere")):
            done = subprocess.run([tool, *words], capture_output=True, text=True, timeout=60, check=False)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(said, done.stderr)


if __name__ == "__main__":
    unittest.main()
