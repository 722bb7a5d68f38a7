#!/usr/bin/env python3
"""Writes scenes/textured.json and its assets: a painted amphora on a terrace in the evening sun."""

import math

import amphora
import glb
import scenefile
from canvas import Canvas, hexColour

TILES = 256  # texels of the floor's texture, which holds 2 x 2 tiles
FLOOR, RISE = 1.5, 0.10
FOLDER = scenefile.SCENES / "textured"


def noise(random, size, cells):
    """Smooth noise that repeats at its edges."""
    lattice = [[random.uniform() for _ in range(cells)] for _ in range(cells)]
    def at(x, y):
        x, y = x * cells / size, y * cells / size
        i, j = int(x), int(y)
        u, v = ((3 - 2 * f) * f * f for f in (x - i, y - j))
        a, b = ([lattice[(j + k) % cells][(i + l) % cells] for l in (0, 1)] for k in (0, 1))
        top, bottom = (row[0] + (row[1] - row[0]) * u for row in (a, b))
        return top + (bottom - top) * v
    return at


def tiles():
    """Limestone tiles in two shades, with joints."""
    random = scenefile.Random(11)
    octaves = [(noise(random, TILES, cells), weight) for cells, weight in ((4, 0.5), (13, 0.3), (47, 0.2))]
    canvas = Canvas(TILES, TILES, (0.0, 0.0, 0.0))
    light, dark, joint = hexColour("#d8cbb4"), hexColour("#a98f74"), hexColour("#6d6154")
    half = TILES // 2
    for y in range(TILES):
        for x in range(TILES):
            grain = sum(weight * at(x, y) for at, weight in octaves)
            base = light if (x // half + y // half) % 2 == 0 else dark
            edge = min(x % half, y % half, half - 1 - x % half, half - 1 - y % half)
            colour = tuple(c * (0.80 + 0.34 * grain) for c in base) if edge >= 2 else joint
            canvas.rows[y][x] = colour
    return canvas.png(levels=63)


def buildModel():
    model = glb.Glb()
    sampler = model.add("samplers", {"wrapS": 10497, "wrapT": 33071})
    colour, normals, glow = (model.texture(name, png, sampler)
                             for name, png in zip(("colour", "relief", "glow"), amphora.textures()))
    painted = model.add("materials", {
        "name": "painted clay",
        "pbrMetallicRoughness": {"baseColorTexture": {"index": colour}, "metallicFactor": 0, "roughnessFactor": 0.6},
        "normalTexture": {"index": normals}, "emissiveTexture": {"index": glow}, "emissiveFactor": [1, 1, 1],
        "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 3.5}}})
    slip = model.add("materials", {
        "name": "slip", "pbrMetallicRoughness": {"baseColorFactor": scenefile.srgb("#20150f") + [1],
                                                 "metallicFactor": 0, "roughnessFactor": 0.5}})
    model.document["extensionsUsed"] = ["KHR_materials_emissive_strength"]
    nodes = [addMesh(model, "body", painted, *amphora.body())]
    positions, normals, _, _, triangles = amphora.inside()
    nodes.append(addMesh(model, "inside", slip, positions, normals, None, None, triangles))
    for side, turn in (("left", math.pi), ("right", 0.0)):
        positions, normals, triangles = amphora.handle(turn)
        nodes.append(addMesh(model, f"{side} handle", slip, positions, normals, None, None, triangles))
    root = model.add("nodes", {"name": "amphora", "children": nodes})
    model.add("scenes", {"nodes": [root]})
    return model


def addMesh(model, name, material, positions, normals, tangents, uvs, triangles):
    attributes = {"POSITION": model.vectors(positions), "NORMAL": model.vectors(normals)}
    if tangents:
        attributes["TANGENT"] = model.vectors(tangents)
        attributes["TEXCOORD_0"] = model.vectors(uvs)
    mesh = model.add("meshes", {"name": name, "primitives": [
        {"attributes": attributes, "indices": model.indices(triangles), "material": material}]})
    return model.add("nodes", {"name": name, "mesh": mesh})


def plinth():
    profile = [(0.0, -0.01), (0.30, -0.01), (0.30, 0.03), (0.285, 0.045), (0.285, 0.075), (0.30, 0.085),
               (0.30, RISE), (0.0, RISE)]
    positions, triangles = scenefile.latheMesh(profile, 96)
    return {"mesh": {"positions": positions, "triangles": triangles}}


def scene():
    return {
        "description": "A painted amphora (glTF with textures) on a terrace. Made by tools/scenes/textured.py.",
        "materials": {
            "tiles": {"albedoTexture": {"file": "textured/tiles.png", "transform": {"scale": [5, 5]}},
                      "albedo": 1},
            "stone": {"albedo": scenefile.srgb("#cdc0aa")},
        },
        "assets": {
            "amphora": {"file": "textured/amphora.glb"},
            "terrace": {"quad": {"corner": [-FLOOR, 0, FLOOR], "u": [2 * FLOOR, 0, 0], "v": [0, 0, -2 * FLOOR]}},
            "parapet": {"box": {"min": [-FLOOR, -0.01, -FLOOR], "max": [FLOOR, 0.22, -FLOOR + 0.16]}},
            "plinth": plinth(),
        },
        "instances": {
            "terrace": {"asset": "terrace", "material": "tiles"},
            "parapet": {"asset": "parapet", "material": "stone"},
            "plinth": {"asset": "plinth", "material": "stone"},
            "amphora": {"asset": "amphora", "translate": [0, RISE, 0], "rotate": [0, 62, 0]},
        },
        "cameras": {"main": {"position": [0.30, 0.92, 2.25], "target": [0.06, 0.575, 0], "verticalFov": 31,
                             "apertureRadius": 0.006, "focusDistance": 2.0}},
        "environment": {
            "type": "gradient",
            "zenith": [0.16, 0.25, 0.46], "horizon": [0.86, 0.62, 0.46], "ground": [0.10, 0.13, 0.17],
            "sun": {"direction": [-0.80, 0.42, 0.42], "angularDiameter": 1.2, "irradiance": [4.2, 3.1, 2.1]},
        },
        "film": {"size": [1280, 720], "exposure": 0.9},
        "voxels": {"resolution": 1280},
        "integrator": {"samplesPerPixel": 128},
        "bloom": {"enabled": True},
    }


FOLDER.mkdir(exist_ok=True)
(FOLDER / "tiles.png").write_bytes(tiles())
buildModel().write(FOLDER / "amphora.glb")
scenefile.write("textured.json", scene())
