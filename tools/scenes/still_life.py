#!/usr/bin/env python3
"""Writes scenes/still_life.json and scenes/still_life/still_life.glb: spheres of several materials under a panel.

One glTF file holds all surfaces, so that other renderers can take exactly the same scene. tools/peers compares it with
theirs.
"""

import math

import scenefile
from glb import Glb

SEGMENTS, RINGS = 96, 48
FLOOR = 3.0
MATERIALS = {
    "matte": {"baseColorFactor": [0.6, 0.15, 0.1, 1], "metallicFactor": 0, "roughnessFactor": 1},
    "plastic": {"baseColorFactor": [0.1, 0.25, 0.55, 1], "metallicFactor": 0, "roughnessFactor": 0.25},
    "gold": {"baseColorFactor": [1, 0.77, 0.34, 1], "metallicFactor": 1, "roughnessFactor": 0.35},
    "steel": {"baseColorFactor": [0.7, 0.7, 0.72, 1], "metallicFactor": 1, "roughnessFactor": 0.1},
    "table": {"baseColorFactor": [0.5, 0.48, 0.45, 1], "metallicFactor": 0, "roughnessFactor": 1},
    "panel": {"baseColorFactor": [0, 0, 0, 1], "metallicFactor": 0, "roughnessFactor": 1},
}
PANEL_STRENGTH = 12.0
# Material, centre and radius.
SPHERES = [("matte", (-1.05, 0.5, 0.0), 0.5), ("plastic", (0.0, 0.5, -0.35), 0.5), ("gold", (1.05, 0.5, 0.0), 0.5),
           ("steel", (0.45, 0.28, 0.75), 0.28), ("plastic", (-0.45, 0.22, 0.8), 0.22)]


def sphere():
    normals, triangles = [], []
    for ring in range(RINGS + 1):
        polarAngle = math.pi * ring / RINGS
        for segment in range(SEGMENTS + 1):
            x, z = scenefile.polar(math.sin(polarAngle), 360 * segment / SEGMENTS)
            normals.append([x, math.cos(polarAngle), z])
    row = SEGMENTS + 1
    for ring in range(RINGS):
        for segment in range(SEGMENTS):
            a = ring * row + segment
            if ring > 0:
                triangles.append([a, a + 1, a + row + 1])
            if ring < RINGS - 1:
                triangles.append([a, a + row + 1, a + row])
    return normals, normals, triangles


def quad(corner, u, v):
    normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    length = math.sqrt(sum(c * c for c in normal))
    positions = [[corner[i] + s * u[i] + t * v[i] for i in range(3)] for s, t in ((0, 0), (1, 0), (1, 1), (0, 1))]
    return positions, [[c / length for c in normal]] * 4, [[0, 1, 2], [0, 2, 3]]


def addShape(model, shape):
    positions, normals, triangles = shape
    return {"attributes": {"POSITION": model.vectors(positions), "NORMAL": model.vectors(normals)},
            "indices": model.indices(triangles)}


def place(model, name, shape, material, **transform):
    mesh = model.add("meshes", {"name": name, "primitives": [{**shape, "material": material}]})
    model.document["scenes"][0]["nodes"].append(model.add("nodes", {"name": name, "mesh": mesh, **transform}))


def writeModel(path):
    model = Glb()
    model.add("scenes", {"nodes": []})
    model.document["extensionsUsed"] = ["KHR_materials_emissive_strength"]
    numbers = {}
    for name, factors in MATERIALS.items():
        material = {"name": name, "pbrMetallicRoughness": factors}
        if name == "panel":
            material["emissiveFactor"] = [1, 1, 1]
            material["extensions"] = {"KHR_materials_emissive_strength": {"emissiveStrength": PANEL_STRENGTH}}
        numbers[name] = model.add("materials", material)
    ball = addShape(model, sphere())
    for index, (material, centre, radius) in enumerate(SPHERES):
        place(model, f"sphere {index}", ball, numbers[material], translation=list(centre), scale=[radius] * 3)
    table = addShape(model, quad([-FLOOR, 0, FLOOR], [2 * FLOOR, 0, 0], [0, 0, -2 * FLOOR]))
    place(model, "table", table, numbers["table"])
    panel = addShape(model, quad([-2.2, 2.6, -0.6], [1.2, 0, 0], [0, 0.5, 1.1]))
    place(model, "panel", panel, numbers["panel"])
    path.parent.mkdir(exist_ok=True)
    model.write(path)


writeModel(scenefile.SCENES / "still_life" / "still_life.glb")
scenefile.write("still_life.json", {
    "description": "Spheres of several materials, for comparison with other renderers. "
                   "Made by tools/scenes/still_life.py.",
    # Lambertian, as the single closure of other renderers: what lies under a rough coat is each renderer's own matter.
    "materials": {name: {"model": "lambert", "albedo": MATERIALS[name]["baseColorFactor"][:3]}
                  for name in ("matte", "table")},
    "assets": {"still life": {"file": "still_life/still_life.glb"}},
    "instances": {"still life": {"asset": "still life", "materials": {"matte": "matte", "table": "table"}}},
    "cameras": {"front": {"position": [0.4, 1.7, 4.2], "target": [0, 0.42, 0], "verticalFov": 30}},
    "environment": {"type": "constant", "radiance": [0.35, 0.4, 0.5]},
    "film": {"size": [640, 400], "filter": "box", "exposure": 0.5},
    "voxels": {"resolution": 1024},
    "integrator": {"samplesPerPixel": 256},
})
