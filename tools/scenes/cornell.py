#!/usr/bin/env python3
"""Writes scenes/cornell.json: the Cornell box of Goral et al. (1984), with the measurements that Cornell published.

The room is 552.8 x 548.8 x 559.2 mm with right angles (the original's walls lean by up to 6 mm). Walls are slabs of
20 mm, and the blocks reach 10 mm into the floor, so that no two visible surfaces coincide and none is thinner than a
voxel at 32^3. The light fills a hole in the ceiling, with a lid above.
"""

import math

import scenefile

WIDTH, HEIGHT, DEPTH = 0.5528, 0.5488, 0.5592
SLAB = 0.02
LIGHT_X, LIGHT_Z = (0.213, 0.343), (0.227, 0.332)
OUTER_X = (-SLAB, WIDTH + SLAB)


def box(xs, ys, zs):
    return {"box": {"min": [xs[0], ys[0], zs[0]], "max": [xs[1], ys[1], zs[1]]}}


def assets():
    ceiling = (HEIGHT, HEIGHT + SLAB)
    walls = (0.0, HEIGHT)
    return {
        "floor": box(OUTER_X, (-SLAB, 0.0), (0.0, DEPTH + SLAB)),
        "back": box(OUTER_X, walls, (DEPTH, DEPTH + SLAB)),
        "right": box((-SLAB, 0.0), walls, (0.0, DEPTH)),
        "left": box((WIDTH, WIDTH + SLAB), walls, (0.0, DEPTH)),
        "ceiling front": box(OUTER_X, ceiling, (0.0, LIGHT_Z[0])),
        "ceiling back": box(OUTER_X, ceiling, (LIGHT_Z[1], DEPTH + SLAB)),
        "ceiling right": box((-SLAB, LIGHT_X[0]), ceiling, LIGHT_Z),
        "ceiling left": box((LIGHT_X[1], WIDTH + SLAB), ceiling, LIGHT_Z),
        "lid": box((LIGHT_X[0] - SLAB, LIGHT_X[1] + SLAB), (HEIGHT + SLAB, HEIGHT + 1.5 * SLAB),
                   (LIGHT_Z[0] - SLAB, LIGHT_Z[1] + SLAB)),
        # Facing down.
        "light": {"quad": {"corner": [LIGHT_X[0], HEIGHT, LIGHT_Z[0]], "u": [LIGHT_X[1] - LIGHT_X[0], 0, 0],
                           "v": [0, 0, LIGHT_Z[1] - LIGHT_Z[0]]}},
        "short block": box((-0.0835, 0.0835), (-0.01, 0.165), (-0.0835, 0.0835)),
        "tall block": box((-0.083, 0.083), (-0.01, 0.33), (-0.083, 0.083)),
    }


def instances():
    placed = {}
    for name in assets():
        material = {"left": "red", "right": "green", "light": "light"}.get(name, "white")
        placed[name] = {"asset": name, "material": material}
    # From the corners that Cornell gives: (130, 65), (82, 225), (240, 272), (290, 114) and
    # (423, 247), (265, 296), (314, 456), (472, 406).
    placed["short block"].update(translate=[0.1855, 0, 0.169], rotate=[0, -math.degrees(math.atan2(49, 160)), 0])
    placed["tall block"].update(translate=[0.3685, 0, 0.35125], rotate=[0, math.degrees(math.atan2(49, 158)), 0])
    return placed


scenefile.write("cornell.json", {
    "description": "The Cornell box. Made by tools/scenes/cornell.py.",
    "materials": {
        "white": {"albedo": [0.725, 0.71, 0.68]},
        "red": {"albedo": [0.63, 0.065, 0.05]},
        "green": {"albedo": [0.14, 0.45, 0.091]},
        "light": {"albedo": 0.78, "emission": [17, 12, 4]},
    },
    "assets": assets(),
    "instances": instances(),
    "cameras": {"front": {"position": [0.278, 0.273, -0.8], "target": [0.278, 0.273, 0],
                          "verticalFov": 2 * math.degrees(math.atan2(0.0125, 0.035))}},
    "environment": {"type": "constant", "radiance": 0},
    "film": {"size": [720, 720], "exposure": 1.6},
    "voxels": {"resolution": 512},
    "integrator": {"samplesPerPixel": 256},
})
