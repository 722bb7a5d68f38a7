#!/usr/bin/env python3
"""Writes scenes/chess.json and scenes/chess/*.glb: turned chessmen of gold, copper and steel on a polished board."""

import scenefile
from shapes import arc, revolve, spline, writeModel

SEGMENTS = 64
SQUARE = 0.05
BASE = [[(0.0, 0.0), (0.0185, 0.0)],
        spline([(0.0185, 0.0), (0.0195, 0.0025), (0.0185, 0.006)], 4),
        spline([(0.0185, 0.006), (0.0150, 0.0085), (0.0155, 0.0115), (0.0130, 0.014)], 4)]


def stem(top, radius):
    return spline([(0.0130, 0.014), (0.0085, 0.020), (radius, 0.6 * top), (radius, top)], 6)


def collar(height, radius, width):
    return [spline([(radius, height), (width, height + 0.0012), (width, height + 0.0028), (radius, height + 0.004)], 4)]


PAWN = [*BASE, stem(0.031, 0.0060), *collar(0.031, 0.0060, 0.0105),
        [(0.0060, 0.035), *arc((0.0, 0.0425), 0.0095, -51, 90, 24)]]
BISHOP = [*BASE, stem(0.046, 0.0062), *collar(0.046, 0.0062, 0.0120), *collar(0.050, 0.0062, 0.0095),
          spline([(0.0062, 0.054), (0.0105, 0.060), (0.0095, 0.069), (0.0045, 0.0775), (0.0020, 0.0800)], 6),
          [(0.0020, 0.0800), *arc((0.0, 0.0828), 0.0032, -50, 90, 14)]]
QUEEN = [*BASE, stem(0.056, 0.0066), *collar(0.056, 0.0066, 0.0135), *collar(0.060, 0.0066, 0.0105),
         spline([(0.0066, 0.064), (0.0085, 0.075), (0.0130, 0.087)], 6),
         spline([(0.0130, 0.087), (0.0136, 0.0880), (0.0128, 0.0888)], 3),
         spline([(0.0128, 0.0888), (0.0105, 0.0875), (0.0075, 0.0895), (0.0035, 0.0915)], 5),
         [(0.0035, 0.0915), *arc((0.0, 0.0952), 0.0045, -48, 90, 16)]]
ROOK = [*BASE, stem(0.036, 0.0085), *collar(0.036, 0.0085, 0.0130),
        spline([(0.0085, 0.040), (0.0100, 0.0425), (0.0135, 0.0455)], 4), [(0.0135, 0.0455), (0.0135, 0.0555)],
        [(0.0135, 0.0555), (0.0098, 0.0555)], [(0.0098, 0.0555), (0.0098, 0.0500)], [(0.0098, 0.0500), (0.0, 0.0500)]]
PIECES = {"pawn": PAWN, "bishop": BISHOP, "queen": QUEEN, "rook": ROOK}
# File and rank from the middle of the board, piece and metal.
MEN = [(-1.5, -0.5, "queen", "gold"), (-0.5, 0.5, "bishop", "gold"), (-2.5, 0.5, "rook", "gold"),
       (-1.5, 1.5, "pawn", "gold"), (0.5, 1.5, "pawn", "copper"), (-0.5, -1.5, "pawn", "gold"),
       (0.5, -0.5, "queen", "steel"), (1.5, 0.5, "bishop", "steel"), (2.5, -0.5, "rook", "steel"),
       (1.5, -1.5, "pawn", "steel"), (2.5, 1.5, "pawn", "steel"), (-2.5, -1.5, "bishop", "copper"),
       (0.5, -2.5, "rook", "copper"), (-3.5, -0.5, "pawn", "copper"), (3.5, -1.5, "pawn", "copper")]

for name, curves in PIECES.items():
    writeModel(scenefile.SCENES / "chess" / f"{name}.glb", revolve(curves, SEGMENTS))


def softbox(corner, u, v):
    return {"quad": {"corner": corner, "u": u, "v": v}}


scenefile.write("chess.json", {
    "description": "Chessmen of three metals on a polished board. Made by tools/scenes/chess.py.",
    "materials": {
        "gold": {"albedo": [1, 0.77, 0.34], "metalness": 1, "roughness": 0.22},
        "copper": {"albedo": [0.95, 0.53, 0.37], "metalness": 1, "roughness": 0.42},
        "steel": {"albedo": [0.56, 0.57, 0.58], "metalness": 1, "roughness": 0.1},
        "board": {"albedo": {"checker": {"size": SQUARE, "colours": [[0.55, 0.42, 0.26], [0.05, 0.022, 0.012]]}},
                  "roughness": 0.16, "metalness": 0},
        "frame": {"albedo": [0.035, 0.018, 0.012], "roughness": 0.3, "metalness": 0},
        "table": {"albedo": [0.16, 0.19, 0.17]},
        "key": {"albedo": 0, "emission": [9.5, 8.6, 7.2]},
        "rim": {"albedo": 0, "emission": [5, 6.2, 8.5]},
    },
    "assets": {
        **{name: {"file": f"chess/{name}.glb"} for name in PIECES},
        "board": {"box": {"min": [-4 * SQUARE, -0.012, -4 * SQUARE], "max": [4 * SQUARE, 0, 4 * SQUARE]}},
        "frame": {"box": {"min": [-4.4 * SQUARE, -0.014, -4.4 * SQUARE], "max": [4.4 * SQUARE, -0.002, 4.4 * SQUARE]}},
        "table": {"box": {"min": [-0.9, -0.03, -0.9], "max": [0.9, -0.014, 0.6]}},
        "key": softbox([-0.75, 0.35, -0.15], [0.25, 0.28, 0], [0, 0, 0.5]),
        "rim": softbox([0.45, 0.1, -0.6], [0.3, 0, 0.22], [0, 0.45, 0]),
    },
    "instances": {
        **{f"{piece} {index}": {"asset": piece, "material": metal, "translate": [x * SQUARE, 0, z * SQUARE]}
           for index, (x, z, piece, metal) in enumerate(MEN)},
        **{name: {"asset": name, "material": name} for name in ("board", "frame", "table", "key", "rim")},
    },
    "cameras": {"front": {"position": [0.11, 0.125, 0.36], "target": [-0.002, 0.03, 0.0], "verticalFov": 30,
                          "apertureRadius": 0.004, "focusDistance": 0.36}},
    "environment": {"type": "gradient", "zenith": [0.10, 0.11, 0.13], "horizon": [0.22, 0.2, 0.19],
                    "ground": [0.02, 0.02, 0.02]},
    "film": {"size": [1280, 720], "exposure": 0.6},
    "voxels": {"resolution": 2048, "surface": "planes"},
    "integrator": {"samplesPerPixel": 512},
    "bloom": {"enabled": True},
})
