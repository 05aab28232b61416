"""How the programs that tests draw read their terminal: raw, one look and one picture after the other, until nobody writes any more."""
import os
import select
import sys
import termios
import tty


def play(toy, every=0.05):
    """A toy looks at its scene, draws it, and takes the bytes that are typed."""
    before = termios.tcgetattr(0)
    tty.setraw(0)
    try:
        while True:
            toy.look()
            toy.draw()
            if select.select([0], [], [], every)[0]:
                data = os.read(0, 65536)
                if not data:
                    return
                toy.take(data)
    finally:
        sys.stdout.flush()
        termios.tcsetattr(0, termios.TCSANOW, before)
