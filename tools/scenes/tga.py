"""A writer of Truevision TGA pictures with a palette, as many models of the 1990s and 2000s have them."""

import struct


def indexed(rows, palette):
    """Rows of indices, the top row first, and a palette of at most 256 (r, g, b) from 0 to 1."""
    header = struct.pack("<BBBHHBHHHHBB", 0, 1, 1, 0, len(palette), 24, 0, 0, len(rows[0]), len(rows), 8, 0x20)
    colours = bytes(round(255 * c) for r, g, b in palette for c in (b, g, r))
    return header + colours + b"".join(bytes(row) for row in rows)


def grey(rows):
    """Rows of values from 0 to 255, run length encoded."""
    header = struct.pack("<BBBHHBHHHHBB", 0, 0, 11, 0, 0, 0, 0, 0, len(rows[0]), len(rows), 8, 0x20)
    return header + b"".join(_packets(row) for row in rows)


def _packets(row):
    data, at = bytearray(), 0
    while at < len(row):
        run = 1
        while at + run < len(row) and run < 128 and row[at + run] == row[at]:
            run += 1
        data += bytes((127 + run, row[at]))
        at += run
    return bytes(data)


def ramp(dark, light, steps=256):
    return [tuple(a + (b - a) * i / (steps - 1) for a, b in zip(dark, light)) for i in range(steps)]
