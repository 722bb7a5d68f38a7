"""A small painter's canvas of floats with PNG output: all that the texture generators need, without dependencies."""

import struct
import zlib


class Canvas:
    """width x height pixels of `channels` floats in 0 to 1, the top row first. x wraps around, y does not."""

    def __init__(self, width, height, colour):
        self.width, self.height = width, height
        self.rows = [[tuple(colour)] * width for _ in range(height)]

    def blend(self, x, y, colour, amount):
        if amount <= 0 or not 0 <= y < self.height:
            return
        x %= self.width
        old = self.rows[y][x]
        self.rows[y][x] = tuple(o + (c - o) * min(amount, 1.0) for o, c in zip(old, colour))

    def fill(self, area, inside, colour):
        """Paints where inside(x, y), asked at four points of each pixel of area = (x0, y0, x1, y1), is true."""
        x0, y0, x1, y1 = (int(v) for v in area)
        for y in range(max(y0, 0), min(y1, self.height)):
            for x in range(x0, x1):
                hits = sum(inside(x + dx, y + dy) for dx in (0.25, 0.75) for dy in (0.25, 0.75))
                self.blend(x, y, colour, hits / 4)

    def ellipse(self, cx, cy, rx, ry, colour):
        self.fill((cx - rx - 1, cy - ry - 1, cx + rx + 2, cy + ry + 2),
                  lambda x, y: ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 <= 1, colour)

    def stroke(self, points, colour, aspect=1.0):
        """A brush stroke through points (x, y, radius); aspect widens the brush along x."""
        for (x0, y0, r0), (x1, y1, r1) in zip(points, points[1:]):
            steps = max(1, int(max(abs(x1 - x0), abs(y1 - y0)) / max(0.3 * min(r0, r1), 0.5)))
            for step in range(steps):
                t = step / steps
                r = r0 + (r1 - r0) * t
                self.ellipse(x0 + (x1 - x0) * t, y0 + (y1 - y0) * t, r * aspect, r, colour)

    def png(self, levels=255):
        """The picture as an 8-bit PNG (RGB), its values rounded to multiples of 1/levels so that it packs well."""
        lines = bytearray()
        previous = bytes(3 * self.width)
        for row in self.rows:
            line = bytes(round(round(max(0.0, min(1.0, v)) * levels) * 255 / levels) for pixel in row for v in pixel)
            lines.append(2)  # filter: up
            lines += bytes((a - b) & 255 for a, b in zip(line, previous))
            previous = line
        header = struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0)
        return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(bytes(lines), 9)) + \
            _chunk(b"IEND", b"")


def _chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def hexColour(code):
    return tuple(int(code[i:i + 2], 16) / 255 for i in (1, 3, 5))


def normalMap(heights, metresPerTexel):
    """The tangent-space normal map (green up) of a field of heights in metres that wraps along x."""
    height, width = len(heights), len(heights[0])
    canvas = Canvas(width, height, (0.5, 0.5, 1.0))
    for y in range(height):
        above, here, below = heights[max(y - 1, 0)], heights[y], heights[min(y + 1, height - 1)]
        dx, dy = metresPerTexel(y)
        for x in range(width):
            nx = -(here[(x + 1) % width] - here[x - 1]) / (2 * dx)
            ny = -(above[x] - below[x]) / (2 * dy)
            length = (nx * nx + ny * ny + 1) ** 0.5
            canvas.rows[y][x] = (0.5 + 0.5 * nx / length, 0.5 + 0.5 * ny / length, 0.5 + 0.5 / length)
    return canvas
