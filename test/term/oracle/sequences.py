#!/usr/bin/env python3
"""Random but well-formed control sequences, one case per line as base64, for `xterm.mjs --cases`.

  sequences.py SEED COUNT > cases && node xterm.mjs --cases cases > sequences.golden
"""
import base64
import random
import sys

random.seed(int(sys.argv[1]))


def n(limit=8):
    return random.choice(["", "0", "1", "2", "3", str(random.randint(0, limit)), str(random.randint(0, 25))])


TEXT = ["hello", "abcdefghijklmnopqrstuvwxyz", "x", "\u6f22\u5b57", "e\u0301", "\r\n", "\r", "\n", "\t", "\b"]
FIXED = ["\x1b[r", "\x1b7", "\x1b8", "\x1bM", "\x1bD", "\x1bE", "\x1bH", "\x1b#8", "\x1b[3g", "\x1b[g", "\x1b[s", "\x1b[u",
         "\x1b[!p", "\x1b(0qqx\x1b(B", *(f"\x1b[{m}{c}" for m in ("?6", "?7", "4", "?1049", "?47") for c in "hl")]
ONE = "ABCDEFGdX@PLMSTbIZ"


def piece():
    kind = random.randint(0, 9)
    if kind < 3:
        return random.choice(TEXT)
    if kind < 5:
        return random.choice(FIXED)
    if kind == 5:
        return f"\x1b[{n()};{n(20)}{random.choice('HHr')}"
    if kind == 6:
        return f"\x1b[{random.choice(['', '0', '1', '2'])}{random.choice('JK')}"
    return f"\x1b[{n()}{random.choice(ONE)}"


for _ in range(int(sys.argv[2])):
    case = "".join(piece() for _ in range(random.randint(3, 12)))
    print(base64.b64encode(case.encode()).decode())
