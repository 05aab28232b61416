#!/usr/bin/env python3
"""Writes src/term/width_table.inc: which characters take no column and which take two.

The widths are those of the C library on Debian 12, because tmux 3.3a there asks wcwidth(3).
Characters the library does not know (new emoji, unassigned) take two columns inside the emoji and
ideograph blocks and one elsewhere, so that text of tomorrow is not lost.
Usage: tools/make_width_table.py > src/term/width_table.inc
"""
import ctypes
import locale

locale.setlocale(locale.LC_ALL, "C.UTF-8")
wcwidth = ctypes.CDLL(None).wcwidth
wcwidth.argtypes = [ctypes.c_uint32]
WIDE_WHEN_UNKNOWN = [(0x1F300, 0x1F64F), (0x1F680, 0x1F6FF), (0x1F900, 0x1FAFF), (0x20000, 0x3FFFD)]


def width(c):
    if 0xD800 <= c <= 0xDFFF:
        return 1
    w = wcwidth(c)
    if w >= 0:
        return w
    return 2 if any(a <= c <= b for a, b in WIDE_WHEN_UNKNOWN) else 1


def ranges(wanted):
    out = []
    for c in range(0xA0, 0x110000):
        if width(c) == wanted:
            if out and out[-1][1] == c - 1:
                out[-1][1] = c
            else:
                out.append([c, c])
    return out


def table(name, wanted):
    print(f"constexpr CharRange {name}[] = {{")
    row = ""
    for a, b in ranges(wanted):
        item = f"{{0x{a:x}, 0x{b:x}}},"
        if len(row) + len(item) > 94:
            print("    " + row.strip())
            row = ""
        row += " " + item
    print("    " + row.strip())
    print("};")


print("// Made by tools/make_width_table.py; do not edit.")
print("// clang-format off")
table("kZeroWidth", 0)
table("kTwoWide", 2)
print("// clang-format on")
