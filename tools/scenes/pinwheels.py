#!/usr/bin/env python3
"""Writes scenes/pinwheels.json: pinwheels that spin, and a ball that bounces past them, blurred by the shutter."""

import math

import scenefile

FRAMES = 24
VANES = 4  # of one colour; those of the other are between them
HEIGHTS = [1.25, 1.7, 1.05, 1.5, 1.15]
COLOURS = [("red", "cream"), ("teal", "yellow"), ("yellow", "red"), ("cream", "teal"), ("teal", "red")]
DEGREES = [1080, -900, 1350, -1170, 990]  # of each, in all frames


def vane(middle):
    """A thin wedge from the hub outwards about an angle, in the plane of X and Y, turned out of it as wind would have it."""
    corners = []
    for side, z in ((0, 0.012), (0, -0.012)):
        for radius, angle in ((0.05, -16), (0.44, -17), (0.47, 3), (0.40, 17), (0.05, 16)):
            at = math.radians(middle + angle)
            corners.append([radius * math.cos(at), radius * math.sin(at), z + 0.0055 * angle * radius + side])
    count = len(corners) // 2
    triangles = [[0, i, i + 1] for i in range(1, count - 1)]
    triangles += [[count, count + i + 1, count + i] for i in range(1, count - 1)]
    for i in range(count):
        j = (i + 1) % count
        triangles += [[i, count + j, j], [i, count + i, count + j]]
    return corners, triangles


def vanes(first):
    positions, triangles = [], []
    for i in range(VANES):
        corners, faces = vane(first + 360 * i / VANES)
        triangles += [[corner + len(positions) for corner in face] for face in faces]
        positions += corners
    return {"mesh": {"positions": positions, "triangles": triangles}, "voxels": {"resolution": 512}}


def pinwheel(index, placed):
    x, height = 1.05 * (index - 2), HEIGHTS[index]
    z = -0.25 * (index % 2)
    placed[f"pole {index}"] = {"asset": "pole", "translate": [x, height - 2, z - 0.08], "material": "wood"}
    for asset, material in zip(("vanes", "others"), COLOURS[index]):
        at = {"translate": [x, height, z], "rotate": [0, 0, 17 * index], "material": material}
        turn = {"frame": FRAMES, "rotate": [0, 0, 17 * index + DEGREES[index]]}
        placed[f"{asset} {index}"] = {"asset": asset, **at, "keys": [{"frame": 0, "rotate": [0, 0, 17 * index]}, turn]}
    placed[f"hub {index}"] = {"asset": "hub", "translate": [x, height, z], "material": "brass"}


def bounces():
    """It falls, and each time comes up less high; it turns as it goes."""
    keys, height = [], 1.9
    for step, frame in enumerate((0, 6, 11, 16, 20, 24)):
        falls = step % 2 == 0
        keys.append({"frame": frame, "translate": [-2.3 + 0.19 * frame, height if falls else 0.2, 0.85],
                     "rotate": [0, 0, -48.0 * frame], "ease": "in" if falls else "out"})
        height *= 0.72 if not falls else 1
    return keys


def scene():
    placed = {"floor": {"asset": "floor", "material": "floor"}, "wall": {"asset": "wall", "material": "wall"}}
    for index in range(5):
        pinwheel(index, placed)
    placed["ball"] = {"asset": "ball", "material": "ball", "keys": bounces()}
    return {
        "description": "Pinwheels in the wind and a ball that bounces, for --frames 0:25. Made by tools/scenes/pinwheels.py.",
        "materials": {
            "red": {"albedo": scenefile.srgb("#d8402f")}, "teal": {"albedo": scenefile.srgb("#1f8a8c")},
            "yellow": {"albedo": scenefile.srgb("#f2b632")}, "cream": {"albedo": scenefile.srgb("#f1e6cf")},
            "wood": {"albedo": scenefile.srgb("#9b7a55")}, "floor": {"albedo": scenefile.srgb("#b9a98f")},
            "wall": {"albedo": scenefile.srgb("#8fa9b5")},
            "brass": {"model": "metallic-roughness", "albedo": scenefile.srgb("#d9b26a"), "metalness": 1, "roughness": 0.3},
            "ball": {"albedo": {"checker": {"size": 0.11, "colours": [scenefile.srgb("#f4efe4"), scenefile.srgb("#c9402c")]}}},
        },
        "assets": {
            "floor": {"box": {"min": [-6, -0.2, -2], "max": [6, 0, 4]}},
            "wall": {"box": {"min": [-6, 0, -2.2], "max": [6, 4, -2]}},
            "pole": {"box": {"min": [-0.018, 0, -0.018], "max": [0.018, 2, 0.018]}},
            "hub": {"sphere": {"radius": 0.06, "subdivisions": 4}, "voxels": {"resolution": 64}},
            "ball": {"sphere": {"radius": 0.2, "subdivisions": 5}, "voxels": {"resolution": 256}},
            "vanes": vanes(0), "others": vanes(180 / VANES),
        },
        "instances": placed,
        "cameras": {"main": {"position": [-0.5, 1.15, 5.2], "target": [-0.25, 0.95, 0], "verticalFov": 30}},
        "animation": {"path": {"keys": [
            {"frame": 0, "position": [-0.9, 1.15, 5.3], "target": [-0.4, 0.95, 0]},
            {"frame": FRAMES, "position": [0.9, 1.25, 5.0], "target": [0.4, 0.95, 0]}]}},
        "environment": {
            "type": "gradient", "zenith": [0.35, 0.5, 0.8], "horizon": [0.9, 0.9, 0.9], "ground": [0.3, 0.28, 0.25],
            "sun": {"direction": [0.55, 0.75, 0.6], "angularDiameter": 3, "irradiance": [2.6, 2.3, 1.9]},
        },
        "film": {"size": [1280, 720], "shutterOpen": -0.25, "shutterClose": 0.25},
        "voxels": {"resolution": 1024, "surface": "planes"},
        "integrator": {"samplesPerPixel": 256},
    }


scenefile.write("pinwheels.json", scene())
