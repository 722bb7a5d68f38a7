#!/usr/bin/env python3
"""Writes scenes/cloud.json with its density cloud/cumulus.vdb: heaps of cloud over the sea before the sun goes down."""

import math
import random

import scenefile
import vdb
from noise import noise

CELL = 16.0  # metres
SIZE = (112, 56, 80)
BASE = 6     # the layer of points where the cloud's flat underside is
SEA = [0.07, 0.11, 0.14]
LEVELS = 64  # that densities are told apart in, so that they pack well


def heaps(rng):
    """Balls that a cumulus is made of: wide and low ones, then smaller ones on top of those."""
    balls = []
    for _ in range(16):
        angle, reach = rng.uniform(0, 2 * math.pi), math.sqrt(rng.uniform(0, 1))
        balls.append((56 + 36 * reach * math.cos(angle), BASE + rng.uniform(1, 6), 40 + 23 * reach * math.sin(angle),
                      rng.uniform(9, 14) * (1.2 - 0.5 * reach)))
    for x, y, z, r in list(balls):
        for _ in range(3):
            angle = rng.uniform(0, 2 * math.pi)
            balls.append((x + 0.7 * r * math.cos(angle), y + r * rng.uniform(0.5, 1.1),
                          z + 0.7 * r * math.sin(angle), r * rng.uniform(0.45, 0.75)))
    balls += [(58, 26, 40, 12), (52, 33, 43, 10), (64, 34, 37, 8), (56, 41, 40, 7)]
    return balls


def cumulus():
    """Densities by point."""
    rng = random.Random(11)
    inside = {}
    for cx, cy, cz, r in heaps(rng):
        for z in range(max(0, math.ceil(cz - r)), min(SIZE[2], math.ceil(cz + r))):
            for y in range(max(0, math.ceil(cy - r)), min(SIZE[1], math.ceil(cy + r))):
                half = r * r - (z - cz) ** 2 - (y - cy) ** 2
                if half <= 0:
                    continue
                half = math.sqrt(half)
                for x in range(max(0, math.ceil(cx - half)), min(SIZE[0], math.ceil(cx + half))):
                    depth = r - math.sqrt((x - cx) ** 2 + (y - cy) ** 2 + (z - cz) ** 2)
                    point = (x, y, z)
                    if depth > inside.get(point, 0):
                        inside[point] = depth
    octaves = [(noise(rng, SIZE, period), weight) for period, weight in ((13, 3.6), (6, 2.6), (2.9, 1.7))]
    values = {}
    for (x, y, z), depth in inside.items():
        at = x + SIZE[0] * y
        depth += sum(weight * field[z][at] for field, weight in octaves) - 1.2
        depth = min(depth, 1.1 * (y - BASE) + 0.4)
        level = round(LEVELS * min(max(0.45 * depth, 0), 1))
        if level > 0:
            values[(x, y, z)] = level / LEVELS
    return values


def main():
    folder = scenefile.SCENES / "cloud"
    folder.mkdir(exist_ok=True)
    vdb.write(folder / "cumulus.vdb", {"density": cumulus()}, CELL,
              [-0.5 * CELL * SIZE[0], 0, -0.5 * CELL * SIZE[2]])
    scenefile.write("cloud.json", {
        "description": "Heaps of cloud over the sea before the sun goes down. Made by tools/scenes/cloud.py.",
        "materials": {"water": {"albedo": SEA}},  # matt: glints of the sun on the clouds would be specks
        "assets": {
            "cumulus": {"volume": {"file": "cloud/cumulus.vdb", "density": 0.045, "albedo": 0.999,
                                   "anisotropy": 0.75}},
            "sea": {"box": {"min": [-30000, -100, -60000], "max": [30000, 0, 6000]}},
        },
        "instances": {
            "sea": {"asset": "sea", "material": "water"},
            "near": {"asset": "cumulus", "translate": [150, 380, -1900], "scale": 1.35},
            "left": {"asset": "cumulus", "translate": [-3000, 400, -5600], "rotate": [0, 140, 0],
                     "scale": [1.6, 1.3, 1.5]},
            "right": {"asset": "cumulus", "translate": [3300, 420, -6400], "rotate": [0, 250, 0],
                      "scale": [1.7, 1.6, 1.5]},
            "far": {"asset": "cumulus", "translate": [-900, 450, -14000], "rotate": [0, 60, 0],
                    "scale": [3.6, 1.6, 1.7]},
        },
        "cameras": {"ship": {"position": [0, 60, 1500], "target": [0, 830, -2200], "verticalFov": 36}},
        "environment": {"type": "sky", "turbidity": 3, "groundAlbedo": SEA,
                        "sun": {"elevation": 14, "azimuth": 95}},
        "film": {"size": [1280, 720], "exposure": "auto", "exposurePercentile": 98, "tonemap": "aces"},
        "voxels": {"resolution": 1024},
        "integrator": {"samplesPerPixel": 512},
    })


main()
