#!/usr/bin/env python3
"""tools/picture draws what was printed: valid XML, the right words, the right colours."""
import os
import subprocess
import unittest
import xml.etree.ElementTree as xml

PICTURE = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "tools", "picture")
SVG = "{http://www.w3.org/2000/svg}"


def draw(data):
    done = subprocess.run([PICTURE, "--title", "a <b>"], input=data, stdout=subprocess.PIPE, check=True)
    return xml.fromstring(done.stdout)


class Picture(unittest.TestCase):
    def texts(self, data):
        return [(t.text, t.attrib) for t in draw(data).iter(SVG + "text")][1:]

    def test_words_and_colours(self):
        (red, first), (rest, second) = self.texts(b"\x1b[31mred & <\x1b[0m rest\n")
        self.assertEqual((red, first["fill"]), ("red & <", "#e06c75"))
        self.assertEqual((rest.strip(), second["fill"]), ("rest", "#d8dee9"))

    def test_true_and_indexed_colours(self):
        fills = [a["fill"] for _, a in self.texts(b"\x1b[38;2;1;2;3ma\x1b[38:5:196mb\n")]
        self.assertEqual(fills, ["#010203", "#ff0000"])

    def test_wide_characters_take_two_columns(self):
        (_, attributes), = self.texts("端末x\n".encode())
        self.assertEqual(attributes["textLength"], "42.0")

    def test_other_sequences_and_broken_text_are_left_out(self):
        (text, _), = self.texts(b"\x1b]2;title\x1b\\\x1b[2J\x1b[?25la\xffb\x00\n")
        self.assertEqual(text, "a\N{REPLACEMENT CHARACTER}b")

    def test_nothing(self):
        self.assertEqual(self.texts(b""), [])


if __name__ == "__main__":
    unittest.main()
