#!/usr/bin/env python3
"""Writes scenes/fog.json: a landing stage with lanterns, and a gate in the water, in fog under a low moon."""

import random

import scenefile

LANTERNS = [(side * 1.45, -z) for z in (1.5, 6.0, 10.5, 15.0) for side in (-1, 1)]
PLANKS = 44
LENGTH = 17.5


def box(low, high):
    return {"box": {"min": low, "max": high}}


def planks(rng):
    """The boards of the stage, each a little out of line."""
    for i in range(PLANKS):
        z = 2.0 - i * LENGTH / PLANKS
        yield f"plank {i + 1}", {"asset": "plank", "material": rng.choice(["wood", "old wood", "grey wood"]),
                                 "translate": [rng.uniform(-0.05, 0.05), 0.5 + rng.uniform(-0.006, 0.006), z],
                                 "rotate": [0, rng.uniform(-0.7, 0.7), 0]}


def lanterns():
    for i, (x, z) in enumerate(LANTERNS, 1):
        for part, material in (("post", "old wood"), ("arm", "old wood"), ("cap", "iron"), ("flame", "flame")):
            yield f"{part} {i}", {"asset": part, "material": material, "translate": [x, 0, z],
                                  "rotate": [0, 0 if x > 0 else 180, 0]}


def gate():
    for name in ("left column", "right column", "lintel", "rail", "tablet"):
        yield name, {"asset": name, "material": "lacquer", "translate": [0, 0, -23]}


rng = random.Random(7)
scenefile.write("fog.json", {
    "description": "A landing stage with lanterns, and a gate in the water, in fog under a low moon. Made by "
                   "tools/scenes/fog.py.",
    "materials": {
        "wood": {"albedo": [0.16, 0.10, 0.06], "roughness": 0.6},
        "old wood": {"albedo": [0.09, 0.065, 0.05], "roughness": 0.7},
        "grey wood": {"albedo": [0.14, 0.12, 0.10], "roughness": 0.55},
        "iron": {"albedo": [0.05, 0.05, 0.055], "roughness": 0.5},
        "lacquer": {"albedo": [0.42, 0.05, 0.025], "roughness": 0.5},
        "water": {"albedo": [0.012, 0.02, 0.025], "roughness": 0.12},
        "flame": {"albedo": 0, "emission": [260, 128, 42]},
    },
    "assets": {
        "water": box([-26, -0.3, -42], [26, 0, 8]),
        "plank": box([-1.3, -0.05, -0.18], [1.3, 0, 0.18]),
        "post": box([-0.07, -0.1, -0.07], [0.07, 2.3, 0.07]),
        "arm": box([-0.45, 2.14, -0.035], [0.07, 2.22, 0.035]),
        "cap": box([-0.5, 2.02, -0.11], [-0.28, 2.06, 0.11]),
        "flame": {"sphere": {"centre": [-0.39, 1.92, 0], "radius": 0.07, "subdivisions": 4}},
        "left column": box([-3.3, -0.2, -0.3], [-2.7, 6.2, 0.3]),
        "right column": box([2.7, -0.2, -0.3], [3.3, 6.2, 0.3]),
        "lintel": box([-4.7, 6.2, -0.4], [4.7, 6.85, 0.4]),
        "rail": box([-3.9, 4.9, -0.2], [3.9, 5.35, 0.2]),
        "tablet": box([-0.35, 5.35, -0.15], [0.35, 6.2, 0.15]),
    },
    "instances": {"water": {"asset": "water", "material": "water"}, **dict(planks(rng)), **dict(lanterns()),
                  **dict(gate())},
    "cameras": {"stage": {"position": [0.25, 1.75, 5.6], "target": [0, 2.25, -20], "verticalFov": 38}},
    "environment": {
        "type": "gradient", "zenith": [0.008, 0.014, 0.03], "horizon": [0.012, 0.018, 0.03], "ground": 0,
        "sun": {"direction": [0.1, 0.42, -1], "angularDiameter": 0.53, "irradiance": [0.16, 0.2, 0.28]},
        "fog": {"scattering": [0.03, 0.031, 0.033], "absorption": 0.002, "anisotropy": 0.7, "height": 8},
    },
    "film": {"size": [1280, 720], "exposure": 1},
    "voxels": {"resolution": 2048, "surface": "planes"},
    "integrator": {"samplesPerPixel": 1024, "maxDepth": 24},
    "bloom": {"enabled": True},
})
