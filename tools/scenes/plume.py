#!/usr/bin/env python3
"""Writes scenes/plume.json with its grids plume/plume.vdb: smoke, and the temperatures of the fire at its foot."""

import math
import random

import scenefile
import vdb
from noise import noise

CELL = 0.08  # metres
SIZE = (96, 176, 96)
MIDDLE = 48
FLAMES = 46   # points that the fire is high
EMBERS = 900  # kelvin, hardly to be seen
HOTTEST = 1900
LEVELS = 48   # that densities, and temperatures, are told apart in, so that they pack well


def axis(y):
    """Where the plume's middle is at a height, and how wide it is there, in points."""
    t = y / SIZE[1]
    return MIDDLE + 9 * t * t + 3 * math.sin(4.1 * t), MIDDLE + 3.5 * math.sin(5.3 * t + 1), 6.5 + 25 * t**0.8


def puffs(rng):
    """Balls that roll up along the plume: larger ones above, smaller ones around them."""
    y = 4.0
    while y < SIZE[1] - 26:
        cx, cz, r = axis(y)
        yield cx, y, cz, 0.8 * r
        for _ in range(5):
            angle = rng.uniform(0, 2 * math.pi)
            yield (cx + 0.62 * r * math.cos(angle), y + r * rng.uniform(-0.4, 0.4), cz + 0.62 * r * math.sin(angle),
                   r * rng.uniform(0.35, 0.62))
        y += 0.42 * r


def depths(rng):
    """How far within a ball, as a share of the plume's width, by point."""
    inside = {}
    for cx, cy, cz, r in puffs(rng):
        wide = axis(cy)[2]
        for z in range(max(1, math.ceil(cz - r)), min(SIZE[2] - 1, math.ceil(cz + r))):
            for y in range(max(1, math.ceil(cy - r)), min(SIZE[1] - 1, math.ceil(cy + r))):
                half = r * r - (z - cz) ** 2 - (y - cy) ** 2
                half = math.sqrt(half) if half > 0 else 0
                for x in range(max(1, math.ceil(cx - half)), min(SIZE[0] - 1, math.ceil(cx + half))):
                    depth = (r - math.sqrt((x - cx) ** 2 + (y - cy) ** 2 + (z - cz) ** 2)) / wide
                    if depth > inside.get((x, y, z), 0):
                        inside[x, y, z] = depth
    return inside


def smoke(rng):
    """Densities by point: little of it among the flames, most above them, thinner where it has spread."""
    octaves = [(noise(rng, SIZE, period), weight) for period, weight in ((12, 0.2), (6, 0.16), (3, 0.1))]
    values = {}
    for (x, y, z), depth in depths(rng).items():
        depth += sum(weight * field[z][x + SIZE[0] * y] for field, weight in octaves) - 0.05
        risen = min(max((y - 0.5 * FLAMES) / FLAMES, 0), 1)
        most = (0.12 + 0.88 * risen * (1 - 0.6 * y / SIZE[1])) * min((SIZE[1] - y) / 40, 1)
        level = round(LEVELS * most * min(max(4 * depth, 0), 1))
        if level > 0:
            values[x, y, z] = level / LEVELS
    return values


def heat(rng, densities):
    """Kelvin by point: tongues of fire, hot in the middle of the foot."""
    octaves = [(noise(rng, SIZE, period), weight) for period, weight in (((9, 22, 9), 0.45), ((4, 9, 4), 0.3))]
    values = {}
    for x, y, z in densities:
        if y > 2 * FLAMES:
            continue
        cx, cz, r = axis(y)
        away = math.hypot(x - cx, z - cz) / r
        tongue = sum(weight * field[z][x + SIZE[0] * y] for field, weight in octaves)
        share = 1 - 0.5 * away * away - 0.9 * y / FLAMES + tongue
        level = round(LEVELS * min(max(share, 0), 1))
        if level > 0:
            values[x, y, z] = EMBERS + (HOTTEST - EMBERS) * level / LEVELS
    return values


def timbers(rng):
    """A heap of burning beams that lean on each other."""
    for i in range(13):
        turn = 360 * i / 13 + rng.uniform(-9, 9)
        lean = rng.uniform(38, 58)
        reach = rng.uniform(0.75, 0.95)
        yield f"beam {i + 1}", {"asset": rng.choice(["beam", "thick beam"]), "material": "char",
                                "translate": [reach * math.sin(math.radians(turn)), 0,
                                              reach * math.cos(math.radians(turn))],
                                "rotate": [-lean, turn, 0]}


def main():
    folder = scenefile.SCENES / "plume"
    folder.mkdir(exist_ok=True)
    densities = smoke(random.Random(5))
    vdb.write(folder / "plume.vdb", {"density": densities, "temperature": heat(random.Random(8), densities)}, CELL,
              [-CELL * MIDDLE, 0, -CELL * MIDDLE])
    scenefile.write("plume.json", {
        "description": "A fire at dusk and its smoke, which glows by its temperatures. Made by tools/scenes/plume.py.",
        "materials": {"ground": {"albedo": [0.16, 0.13, 0.10]}, "char": {"albedo": [0.04, 0.035, 0.03]}},
        "assets": {
            "plume": {"volume": {"file": "plume/plume.vdb", "density": 3.2, "albedo": [0.72, 0.7, 0.68],
                                 "anisotropy": 0.3, "emission": 150, "temperature": {}}},
            "ground": {"box": {"min": [-60, -1, -60], "max": [60, 0, 30]}},
            "beam": {"box": {"min": [-0.09, 0, -0.09], "max": [0.09, 1.5, 0.09]}},
            "thick beam": {"box": {"min": [-0.13, 0, -0.11], "max": [0.13, 1.3, 0.11]}},
        },
        "instances": {"ground": {"asset": "ground", "material": "ground"}, "plume": {"asset": "plume"},
                      **dict(timbers(random.Random(3)))},
        "cameras": {"meadow": {"position": [-3, 1.7, 21], "target": [0.4, 6.3, 0], "verticalFov": 42}},
        "environment": {"type": "gradient", "zenith": [0.03, 0.05, 0.11], "horizon": [0.2, 0.14, 0.13], "ground": 0,
                        "softboxes": {"dusk": {"direction": [-1, 0.25, -0.1], "angularDiameter": 25,
                                               "irradiance": [0.9, 0.5, 0.35]}}},
        "film": {"size": [960, 1280], "exposure": 1, "tonemap": "aces"},
        "voxels": {"resolution": 2048},
        "integrator": {"samplesPerPixel": 1024},
        "bloom": {"enabled": True},
    })


main()
