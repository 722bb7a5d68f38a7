"""The amphora of scenes/textured.json: its shape, and its paint after the Marine Style of Minoan Crete (about 1500 BC).

The octopus's suckers and the key pattern on the neck shine: they are in the emissive texture.
"""

import math

from canvas import Canvas, hexColour, normalMap
from shapes import spline

WIDTH, HEIGHT = 1024, 768  # of the textures
SEGMENTS = 72
CLAY, SLIP = hexColour("#c9793f"), hexColour("#20150f")
PURPLE, CREAM = hexColour("#6f2a2e"), hexColour("#ecdcb8")
TEAL, GOLD = (0.25, 1.0, 0.85), (1.0, 0.62, 0.18)
OCTOPUSES = 3

# (radius, height) in metres from the foot up, over the lip and down into the neck.
OUTSIDE = [(0.125, 0.0), (0.132, 0.012), (0.122, 0.034), (0.078, 0.052), (0.074, 0.068), (0.115, 0.118),
           (0.202, 0.25), (0.268, 0.40), (0.286, 0.52), (0.262, 0.63), (0.19, 0.715), (0.122, 0.755), (0.100, 0.80),
           (0.100, 0.87), (0.122, 0.93), (0.155, 0.952), (0.166, 0.968), (0.160, 0.984), (0.146, 0.990)]
INSIDE = [(0.146, 0.990), (0.125, 0.982), (0.104, 0.935), (0.086, 0.87), (0.086, 0.80), (0.10, 0.74)]
HANDLE = [(0.098, 0.875), (0.17, 0.915), (0.238, 0.885), (0.262, 0.81), (0.242, 0.72), (0.205, 0.655)]


class Profile:
    """The outside's curve, by the arc length from the foot."""

    def __init__(self):
        self.curve = spline(OUTSIDE, 4)
        self.lengths = [0.0]
        for a, b in zip(self.curve, self.curve[1:]):
            self.lengths.append(self.lengths[-1] + math.dist(a, b))
        self.length = self.lengths[-1]

    def at(self, s):
        """(radius, height) at a share of the arc length."""
        s *= self.length
        i = next((i for i in range(len(self.lengths) - 2) if self.lengths[i + 1] >= s), len(self.lengths) - 2)
        t = (s - self.lengths[i]) / max(self.lengths[i + 1] - self.lengths[i], 1e-9)
        return tuple(a + (b - a) * t for a, b in zip(self.curve[i], self.curve[i + 1]))


PROFILE = Profile()
ROW_POINTS = [PROFILE.at(1 - (y + 0.5) / HEIGHT) for y in range(HEIGHT)]


def rowOf(height):
    """The texture row of a height on the outside."""
    return min(range(HEIGHT), key=lambda y: abs(ROW_POINTS[y][1] - height) + (0.2 if ROW_POINTS[y][0] == 0 else 0))


def metresPerTexel(y):
    return 2 * math.pi * max(ROW_POINTS[y][0], 0.01) / WIDTH, PROFILE.length / HEIGHT


class Painter:
    def __init__(self):
        self.colour = Canvas(WIDTH, HEIGHT, CLAY)
        self.glow = Canvas(WIDTH, HEIGHT, (0.0, 0.0, 0.0))

    def band(self, low, high, colour):
        self.colour.fill((0, rowOf(high), WIDTH, rowOf(low)), lambda x, y: True, colour)

    def pattern(self, low, high, count, inside, colour, glow=None):
        """inside(x, y) of one of `count` repeats, x and y in 0 to 1, y upwards."""
        top, bottom = rowOf(high), rowOf(low)
        test = lambda x, y: inside(x * count / WIDTH % 1, (bottom - y) / (bottom - top))
        self.colour.fill((0, top, WIDTH, bottom), test, colour)
        if glow:
            self.glow.fill((0, top, WIDTH, bottom), test, glow)


def rays(x, y):
    return abs(x - 0.5) < 0.42 * (1 - y)


def tongues(x, y):
    return abs(x - 0.5) < 0.36 and (y > 0.3 or (x - 0.5) ** 2 / 0.13 + (y - 0.3) ** 2 / 0.09 < 1)


def runningWave(x, y):
    """The Vitruvian scroll: a crest that curls over."""
    if y < 0.18:
        return True
    dx, dy = (x - 0.5) * 1.7, y - 0.55
    r, angle = math.hypot(dx, dy), math.atan2(dy, dx) / (2 * math.pi)
    curl = r < 0.40 and (r / 0.40 * 1.6 + angle) % 1 < 0.52
    back = x < 0.5 and y < 0.18 + 0.55 * (2 * x) ** 2.2 and r > 0.36
    return curl or back


KEY = ["########", "#.......", "#.#####.", "#.#...#.", "#.###.#.", "#.....#.", "#######.", "........", "########"]


def meander(x, y):
    row = min(int((1 - y) * len(KEY)), len(KEY) - 1)
    return KEY[row][min(int(x * 8), 7)] == "#"


def armPath(cx, cy, scale, side, index):
    """An arm of the octopus: it leaves the head, swings out and curls up at its end. Gives (x, y, radius)."""
    start = math.radians([58, 24, -12, -52][index])
    reach = [1.40, 1.90, 2.00, 1.65][index] * scale
    turn = [1.0, -1.0, 1.0, -1.0][index]
    points = []
    x, y, heading = cx + side * 0.18 * scale, cy + (0.16 - 0.1 * index) * scale * -1 + 0.1 * scale, start
    steps = 64
    for i in range(steps):
        t = i / steps
        points.append((x, y, max(0.115 * scale * (1 - t) ** 0.8, 1.2)))
        # The curl tightens towards the tip.
        heading += turn * (0.015 - 0.055 * (t < 0.35) + 0.30 * max(t - 0.42, 0) ** 1.1 * 2.0)
        step = 1.9 * reach / steps * (1 - 0.55 * t)
        x += side * step * math.cos(heading)
        y -= step * math.sin(heading)
    return points


def paintOctopus(painter, cx):
    top, bottom = rowOf(0.615), rowOf(0.245)
    cy = top + 0.475 * (bottom - top)
    scale = 0.335 * (bottom - top)
    # Texels are narrower than they are high where the vase is slim.
    dx, dy = metresPerTexel(int(cy))
    aspect = dy / dx
    stretch = lambda points: [(cx + (x - cx) * aspect, y, r) for x, y, r in points]
    for side in (-1, 1):
        for index in range(4):
            path = armPath(cx, cy, scale, side, index)
            painter.colour.stroke(stretch(path), SLIP, aspect)
            for i in range(8, 60, 4):
                x, y, r = stretch(path)[i]
                if r > 2.4:
                    painter.colour.ellipse(x, y, r * 0.5 * aspect, r * 0.5, CREAM)
                    painter.glow.ellipse(x, y, r * 0.5 * aspect, r * 0.5, TEAL)
    painter.colour.ellipse(cx, cy - 0.50 * scale, 0.36 * scale * aspect, 0.52 * scale, SLIP)
    painter.colour.ellipse(cx, cy + 0.05 * scale, 0.30 * scale * aspect, 0.30 * scale, SLIP)
    for side in (-1, 1):
        x, y = cx + side * 0.17 * scale * aspect, cy - 0.08 * scale
        for radius, colour in ((0.135, CREAM), (0.095, SLIP), (0.05, CREAM)):
            painter.colour.ellipse(x, y, radius * scale * aspect, radius * scale, colour)
        painter.glow.ellipse(x, y, 0.05 * scale * aspect, 0.05 * scale, TEAL)
    for i in range(3):
        painter.colour.ellipse(cx, cy - (0.42 + 0.17 * i) * scale, 0.05 * scale * aspect, 0.05 * scale, CREAM)


def paintWeed(painter, cx):
    """Sea weed and a starfish between the octopuses."""
    bottom = rowOf(0.235)
    for sway, height, lean in ((0.0, 0.13, 0.0), (1.6, 0.10, 22.0), (3.0, 0.09, -24.0)):
        top = rowOf(0.235 + height)
        points = []
        for i in range(25):
            t = i / 24
            points.append((cx + lean * t + 7 * math.sin(6 * t + sway), bottom + (top - bottom) * t, 5.5 - 4.0 * t))
        painter.colour.stroke(points, SLIP)
        for x, y, r in points[4::5]:
            for side in (-1, 1):
                painter.colour.stroke([(x, y, r * 0.7), (x + side * 11, y - 9, 1.2)], SLIP)
    x, y = cx, rowOf(0.585)
    for arm in range(5):
        angle = math.radians(90 + 72 * arm)
        tip = (x + 24 * math.cos(angle), y - 20 * math.sin(angle), 1.2)
        painter.colour.stroke([(x, y, 5.0), tip], PURPLE)
    painter.colour.ellipse(x, y, 2.5, 2.5, CREAM)


def paint():
    painter = Painter()
    painter.band(0.0, 0.066, SLIP)
    painter.pattern(0.075, 0.165, 20, rays, SLIP)
    painter.band(0.168, 0.176, SLIP)
    painter.band(0.182, 0.212, PURPLE)
    painter.band(0.218, 0.226, SLIP)
    for i in range(OCTOPUSES):
        paintWeed(painter, (i + 0.5) * WIDTH / OCTOPUSES)
        paintOctopus(painter, i * WIDTH / OCTOPUSES)
    painter.band(0.622, 0.628, SLIP)
    painter.pattern(0.632, 0.668, 24, runningWave, SLIP)
    painter.band(0.672, 0.678, SLIP)
    painter.pattern(0.684, 0.735, 28, tongues, PURPLE)
    painter.band(0.742, 0.785, SLIP)
    painter.band(0.79, 0.862, CREAM)
    painter.pattern(0.796, 0.856, 12, meander, SLIP, GOLD)
    painter.band(0.868, 1.0, SLIP)
    return painter


def relief(painter):
    """Heights in metres: the slip stands out a little, and the potter's fingers left rings."""
    rows = []
    for y in range(HEIGHT):
        s = y * PROFILE.length / HEIGHT
        rings = 0.00030 * math.sin(2 * math.pi * s / 0.021) + 0.00014 * math.sin(2 * math.pi * s / 0.0083 + 1)
        rows.append([rings - 0.0006 * pixel[0] for pixel in painter.colour.rows[y]])
    return rows


def textures():
    """PNG files: base colour, normals, emission."""
    painter = paint()
    return painter.colour.png(levels=51), normalMap(relief(painter), metresPerTexel).png(levels=85), \
        painter.glow.png(levels=15)


def lathe(curve, vs, segments):
    """Turns a curve of (radius, height) into positions, normals, tangents, texture coordinates and triangles."""
    positions, normals, tangents, uvs, triangles = [], [], [], [], []
    for i, (radius, height) in enumerate(curve):
        before, after = curve[max(i - 1, 0)], curve[min(i + 1, len(curve) - 1)]
        dr, dh = after[0] - before[0], after[1] - before[1]
        length = math.hypot(dr, dh)
        for j in range(segments + 1):
            # u grows to the right as seen from outside.
            angle = -2 * math.pi * j / segments
            c, s = math.cos(angle), math.sin(angle)
            positions.append((radius * c, height, radius * s))
            normals.append((dh / length * c, -dr / length, dh / length * s))
            tangents.append((s, 0.0, -c, 1.0))
            uvs.append((j / segments, vs[i]))
            if i > 0 and j > 0:
                a, b = (i - 1) * (segments + 1) + j - 1, i * (segments + 1) + j - 1
                triangles += [(a, a + 1, b), (a + 1, b + 1, b)]
    return positions, normals, tangents, uvs, triangles


def body():
    vs = [1 - s / PROFILE.length for s in PROFILE.lengths]
    return lathe(PROFILE.curve, vs, SEGMENTS)


def inside():
    curve = spline(INSIDE, 4) + [(0.0005, 0.738)]
    return lathe(curve, [0.0] * len(curve), SEGMENTS)


def handle(turn):
    """A strap bent along HANDLE in the plane at an angle of `turn` radians about the axis."""
    positions, normals, triangles = [], [], []
    curve = spline(HANDLE, 5)
    sides = 12
    for i, (r, h) in enumerate(curve):
        before, after = curve[max(i - 1, 0)], curve[min(i + 1, len(curve) - 1)]
        along = (after[0] - before[0], after[1] - before[1])
        length = math.hypot(*along)
        out = (along[1] / length, -along[0] / length)
        for j in range(sides):
            angle = 2 * math.pi * j / sides
            c, s = math.cos(angle), math.sin(angle)
            p = (r + 0.013 * c * out[0], h + 0.013 * c * out[1], 0.024 * s)
            n = (c / 0.013 * out[0], c / 0.013 * out[1], s / 0.024)
            norm = math.sqrt(sum(v * v for v in n))
            positions.append(rotated(p, turn))
            normals.append(rotated(tuple(v / norm for v in n), turn))
            if i > 0:
                a, b = (i - 1) * sides + j, (i - 1) * sides + (j + 1) % sides
                triangles += [(a, a + sides, b), (b, a + sides, b + sides)]
    return positions, normals, triangles


def rotated(p, turn):
    c, s = math.cos(turn), math.sin(turn)
    return p[0] * c + p[2] * s, p[1], -p[0] * s + p[2] * c
