#!/usr/bin/env python3
"""An agent nobody has described, for calibrate_test.py: a box between two odd borders, a spinner, a question.

Enter sends what was typed: it works until C-g; "ask…" makes it ask until y.
"""
import os
import select
import sys
import termios
import tty

SPINNER = "◴◷◶◵"
log, typed, state, frame = [], "", "idle", 0


def draw():
    rows = [*log[-10:], ""]
    if state == "busy":
        rows += [f" {SPINNER[frame % 4]} Pondering your words ({frame // 10}s · C-g ends it)"]
    if state == "ask":
        rows += ["╔══════════════════════════════╗", "║ May the toy touch 'a.txt' now? ║",
                 "║ ▸ yes, once                    ║", "║   no                           ║"]
        out = "\r\n".join(rows) + "\x1b[?25l"
    else:
        box = typed or "\x1b[2mSay something nice\x1b[0m"
        at = 4 + len(typed)
        rows += ["", "▔" * 50, f" ▸ {box}", "▁" * 50, "  toy 1.0 · F1 help"]
        out = "\r\n".join(rows) + f"\x1b[?25h\x1b[2A\r\x1b[{at - 1}C"
    sys.stdout.write("\x1b[?2026h\x1b[2J\x1b[H" + out + "\x1b[?2026l")
    sys.stdout.flush()


def key(char):
    global typed, state
    if state == "busy" and char == "\x07":
        state = "idle"
        log.append("* Done, and it was a pleasure.")
    elif state == "ask" and char == "y":
        state = "idle"
        log.append("* Touched.")
    elif state == "idle" and char == "\r" and typed:
        log.append("you: " + typed)
        state, typed = ("ask" if typed.startswith("ask") else "busy"), ""
    elif state == "idle" and char == "\x15":
        typed = ""
    elif state == "idle" and char.isprintable():
        typed += char


def main():
    global frame
    before = termios.tcgetattr(0)
    tty.setraw(0)
    try:
        draw()
        while True:
            if select.select([0], [], [], 0.1 if state == "busy" else None)[0]:
                data = os.read(0, 4096)
                if not data:
                    break
                for char in data.decode(errors="replace"):
                    key(char)
            frame += 1
            draw()
    finally:
        termios.tcsetattr(0, termios.TCSANOW, before)


if __name__ == "__main__":
    main()
