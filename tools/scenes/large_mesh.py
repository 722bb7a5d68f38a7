#!/usr/bin/env python3
"""Writes a mesh of many triangles as a binary PLY: a wrinkled ring, closed, with triangles of about one size.

Usage: large_mesh.py OUT.ply [--triangles N]

For trying how loading and voxelising scale; nothing in scenes/ needs it. Rows of vertices and of triangles are written
as they are made, so that memory does not grow with their number: 30 million triangles take less than a minute and
570 MB of disk.
"""

import argparse
import array
import math
import sys

MAJOR, MINOR = 1.0, 0.4  # radii of the ring, in metres
# Wrinkles: amplitude, how often around the ring and around its tube, phase.
WAVES = [(0.05, 5, 3, 0.3), (0.02, 17, -11, 1.7), (0.006, 71, 53, 4.1)]
CORNER_BYTES, TRIANGLE_BYTES = 4, 13  # a list of three 32-bit indices with its length in 8 bits


def header(vertices, triangles):
    return (f"ply\nformat binary_little_endian 1.0\ncomment a wrinkled ring by aureole tools/scenes\n"
            f"element vertex {vertices}\nproperty float x\nproperty float y\nproperty float z\n"
            f"element face {triangles}\nproperty list uchar int vertex_indices\nend_header\n").encode()


def vertexRow(row, rows, columns, tube):
    """The vertices around the tube at one place of the ring."""
    u = 2 * math.pi * row / rows
    cosU, sinU = math.cos(u), math.sin(u)
    # sin(a + b) from a's sine and cosine, which belong to the row, and b's, which belong to the columns.
    factors = [(a * math.sin(m * u + p), a * math.cos(m * u + p)) for a, m, _, p in WAVES]
    (s0, c0), (s1, c1), (s2, c2) = factors
    values = array.array("f")
    for cosV, sinV, d0, e0, d1, e1, d2, e2 in tube:
        r = MINOR + s0 * d0 + c0 * e0 + s1 * d1 + c1 * e1 + s2 * d2 + c2 * e2
        across = MAJOR + r * cosV
        values.extend((across * cosU, r * sinV, across * sinU))
    return values


def columnTable(columns):
    """For every column the cosine and sine of its angle and of its multiples in WAVES."""
    angles = [2 * math.pi * column / columns for column in range(columns)]
    return [[math.cos(v), math.sin(v)] + [f(n * v) for _, _, n, _ in WAVES for f in (math.cos, math.sin)]
            for v in angles]


def triangleRow(columns, near, far):
    """The triangles between two rows of vertices, which start at these numbers, as bytes."""
    data = bytearray()
    for a in range(columns):
        b = (a + 1) % columns
        for corners in ((near + a, near + b, far + a), (near + b, far + b, far + a)):
            data.append(3)
            for corner in corners:
                data += corner.to_bytes(CORNER_BYTES, "little")
    return data


def writeTriangles(out, rows, columns):
    """Each row of triangles is the one before with `columns` added to every index: one addition of large numbers."""
    size = 2 * columns * TRIANGLE_BYTES
    one = bytes(1) + (1).to_bytes(CORNER_BYTES, "little") * 3
    step = int.from_bytes(one * (2 * columns), "little") * columns
    row = int.from_bytes(triangleRow(columns, 0, columns), "little")
    for _ in range(rows - 1):
        out.write(row.to_bytes(size, "little"))
        row += step
    out.write(triangleRow(columns, (rows - 1) * columns, 0))


def main():
    parser = argparse.ArgumentParser(description="Writes a wrinkled ring of many triangles as a binary PLY.")
    parser.add_argument("out", help="file to write")
    parser.add_argument("--triangles", type=int, default=30_000_000, help="at least this many (default: 30 million)")
    options = parser.parse_args()
    if not 18 <= options.triangles <= 2**32:
        parser.error(f"--triangles: found {options.triangles}, expected 18 to {2**32}")
    # As many columns as make the quads about square.
    columns = max(3, round(math.sqrt(options.triangles / 2 * MINOR / MAJOR)))
    rows = max(3, -(-options.triangles // (2 * columns)))
    if rows * columns >= 2**31:
        parser.error(f"--triangles: {options.triangles} need {rows * columns} vertices, more than 32-bit indices count")
    tube = columnTable(columns)
    with open(options.out, "wb") as out:
        out.write(header(rows * columns, 2 * rows * columns))
        for row in range(rows):
            values = vertexRow(row, rows, columns, tube)
            if sys.byteorder == "big":
                values.byteswap()
            values.tofile(out)
        writeTriangles(out, rows, columns)
    print(options.out, 2 * rows * columns, "triangles")


if __name__ == "__main__":
    main()
