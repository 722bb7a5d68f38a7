#!/usr/bin/env python3
"""Writes scenes/balls.json: clay balls on a round table under a small bright sun, which stands in the picture.

The sun's disc is 50,000 times as bright as the table beside it, and three of the balls glow white-hot: a picture for the
bloom.
"""

import math

import scenefile

TABLE_RADIUS = 3.2
TABLE_THICKNESS = 0.22
CLAY = {
    "terracotta": "#c65b3c", "ochre": "#dba23a", "cream": "#efe3cc", "teal": "#2f8f8b", "indigo": "#3b4a8c",
    "rose": "#d98494", "sage": "#8fa876", "charcoal": "#474349",
}
# The large ones, composed by hand: (x, z, radius, clay). The camera looks along -Z from the right.
LARGE = [(-0.75, -0.55, 0.80, "cream"), (0.72, -0.95, 0.56, "teal"), (0.38, 0.42, 0.46, "terracotta"),
         (-1.55, 0.75, 0.40, "indigo"), (1.66, -0.10, 0.38, "ochre"), (-0.62, 1.12, 0.33, "rose")]
GLOWING = [(1.02, 1.02, 0.09), (-1.18, 1.58, 0.07), (1.95, 0.82, 0.06)]
SMALL = 46
SUN = [-0.335, 0.185, -0.925]


def tableProfile():
    """A slab with a rounded rim."""
    rim = TABLE_THICKNESS / 2
    profile = [(0.0, -TABLE_THICKNESS)]
    for step in range(9):
        angle = math.pi * (step / 8 - 0.5)
        profile.append((TABLE_RADIUS - rim + rim * math.cos(angle), -rim + rim * math.sin(angle)))
    return profile + [(0.0, 0.0)]


def clear(x, z, radius, placed, gap):
    """Whether a ball on the table keeps its distance from the others, whose centres stand at other heights."""
    return all(math.hypot(x - px, z - pz) > 2 * math.sqrt(radius * pr) + gap for px, pz, pr, _ in placed)


def scatter():
    random = scenefile.Random(7)
    placed = list(LARGE) + [(x, z, radius, "") for x, z, radius in GLOWING]
    first = len(placed)
    while len(placed) < first + SMALL:
        radius = 0.055 + 0.15 * random.uniform() ** 2.5
        distance = (TABLE_RADIUS - 0.35) * math.sqrt(random.uniform())
        x, z = scenefile.polar(distance, random.uniform(0, 360))
        clay = random.choice(list(CLAY))
        if clear(x, z, radius, placed, 0.03):
            placed.append((x, z, radius, clay))
    return LARGE + placed[first:]


def instances():
    placed = {"table": {"asset": "table", "material": "table"}}
    for index, (x, z, radius, clay) in enumerate(scatter()):
        placed[f"ball {index:02}"] = {"asset": "ball", "material": clay, "translate": [x, radius, z], "scale": radius}
    for index, (x, z, radius) in enumerate(GLOWING):
        placed[f"glow {index}"] = {"asset": "ball", "material": "white hot", "translate": [x, radius, z],
                                   "scale": radius}
    return placed


positions, triangles = scenefile.latheMesh(tableProfile(), 128)
materials = {name: {"albedo": scenefile.srgb(code)} for name, code in CLAY.items()}
materials["table"] = {"albedo": scenefile.srgb("#b9aa98")}
materials["white hot"] = {"albedo": 0.5, "emission": [110, 68, 32]}

scenefile.write("balls.json", {
    "description": "Clay balls under a small bright sun, with bloom. Made by tools/scenes/balls.py.",
    "materials": materials,
    "assets": {
        "ball": {"sphere": {"subdivisions": 5}},
        "table": {"mesh": {"positions": positions, "triangles": triangles}},
    },
    "instances": instances(),
    "cameras": {"main": {"position": [0.75, 1.45, 6.3], "target": [-0.12, 0.84, 0], "verticalFov": 37}},
    "environment": {
        "type": "gradient",
        "zenith": [0.26, 0.36, 0.62], "horizon": [0.95, 0.62, 0.42], "ground": [0.05, 0.055, 0.08],
        "sun": {"direction": SUN, "angularDiameter": 0.53, "irradiance": [9.0, 6.2, 3.6]},
    },
    "film": {"size": [1280, 720], "exposure": 0.3},
    "voxels": {"resolution": 1024},
    "integrator": {"samplesPerPixel": 256},
    "bloom": {"enabled": True},
})
