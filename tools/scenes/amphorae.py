#!/usr/bin/env python3
"""Writes scenes/amphorae.json: a yard full of amphorae at dusk, which are one octree (textured/amphora.glb)."""

import math

import scenefile

ROWS, COLUMNS, SPACING = 30, 34, 0.86
RADIUS = 0.286  # of the amphora, which is 0.99 m high


def place(random, row, column):
    """One amphora: most stand, a few lean, and some have fallen. Gaps are where nothing was put down."""
    x = (column - 0.5 * (COLUMNS - 1) + 0.5 * (row % 2)) * SPACING + random.uniform(-0.09, 0.09)
    z = -row * SPACING + random.uniform(-0.09, 0.09)
    size, turn, fate = random.uniform(0.78, 1.12), random.uniform(0, 360), random.uniform()
    height = size * random.uniform(0.9, 1.12)
    if fate < 0.05 or abs(x) < 0.62 + 0.10 * math.sin(0.9 * z):  # a path through the middle
        return None
    if fate < 0.11:
        return {"translate": [x, RADIUS * size, z], "rotate": [90, turn, 0], "scale": size}
    lean = random.uniform(-5, 5) if fate < 0.4 else 0
    sink = RADIUS * size * 0.35 * abs(math.sin(math.radians(lean)))
    return {"translate": [x, -sink, z], "rotate": [lean, turn, 0.6 * lean],
            "scale": [size if fate < 0.7 else -size, height, size]}


def instances():
    random = scenefile.Random(5)
    placed = {"ground": {"asset": "ground", "material": "earth"}, "wall": {"asset": "wall", "material": "plaster"}}
    for row in range(ROWS):
        for column in range(COLUMNS):
            at = place(random, row, column)
            if at:
                placed[f"{row}.{column}"] = {"asset": "amphora", **at}
    return placed


def scene():
    far = -ROWS * SPACING - 1.0
    return {
        "description": "A yard of amphorae: nine hundred instances of one octree. Made by tools/scenes/amphorae.py.",
        "materials": {"earth": {"albedo": scenefile.srgb("#8d7558")}, "plaster": {"albedo": scenefile.srgb("#c9b598")}},
        "assets": {
            "amphora": {"file": "textured/amphora.glb", "voxels": {"resolution": 512}},
            "ground": {"box": {"min": [-40, -0.3, far - 30], "max": [40, 0, 12]}},
            "wall": {"box": {"min": [-40, -0.1, far - 0.5], "max": [40, 2.4, far]}},
        },
        "instances": instances(),
        "cameras": {"main": {"position": [0.25, 1.75, 3.4], "target": [-0.1, 0.62, -6.5], "verticalFov": 34,
                             "apertureRadius": 0.012, "focusDistance": 6.5}},
        "environment": {
            "type": "gradient",
            "zenith": [0.10, 0.16, 0.34], "horizon": [0.62, 0.40, 0.30], "ground": [0.08, 0.09, 0.11],
            "sun": {"direction": [-0.86, 0.24, -0.42], "angularDiameter": 1.5, "irradiance": [3.6, 2.2, 1.2]},
        },
        "film": {"size": [1280, 720], "exposure": 1.2},
        "voxels": {"resolution": 1024, "surface": "planes"},
        "integrator": {"samplesPerPixel": 256},
        "bloom": {"enabled": True},
    }


scenefile.write("amphorae.json", scene())
