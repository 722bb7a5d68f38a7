#!/usr/bin/env python3
"""Writes scenes/forest.json and the folder scenes/forest: hills with ten thousand trees around a lake in autumn.

All trees stand in one file, trees.glb, by EXT_mesh_gpu_instancing: six meshes of three shapes, of some thousand leaves
each, which become six octrees. Grass, bushes and reeds before them are another file like it.
"""

import math
import struct
import zlib

import scenefile
from glb import Glb
from scenefile import Random

WIDTH, DEPTH = 720.0, 720.0  # of the ground; its middle is at (0, 0, MIDDLE)
MIDDLE = -300.0
SAMPLES = 361  # of heights along a side
LOWEST, HIGHEST = -10.0, 150.0
SPACING = 4.65
CAMERA, TARGET = (-16.0, 0.0, 14.0), (6.0, 8.5, -150.0)  # the camera's height is above the ground


def smooth(t):
    t = max(0.0, min(1.0, t))
    return t * t * (3 - 2 * t)


def waves(x, z, size, seed):
    """Smooth noise from -1 to 1, of waves of about that many metres."""
    total = 0.0
    for i in range(5):
        angle = 2.399963 * (i + seed)
        u = (x * math.cos(angle) + z * math.sin(angle)) * 2 * math.pi / (size * (0.7 + 0.23 * i))
        total += math.sin(u + 1.7 * i + seed)
    return total / 5


def shore(x, z):
    """Below 1 in the lake, and more the farther away."""
    return math.hypot((x - 8) / 92, (z + 118) / 74) + 0.10 * math.sin(x / 19 + 0.6) + 0.08 * math.sin(z / 15 + 1.0)


def height(x, z):
    e = shore(x, z)
    if e < 1.0:
        return max(7.0 * (e - 1.0), LOWEST + 1)
    rise = 9.0 * (e - 1.0) ** 1.2 + 2.4 * waves(x, z, 90, 2) * smooth((e - 1.05) * 2)
    hills = 58.0 * smooth((-z - 210) / 330) * (1.0 + 0.55 * waves(x, z, 240, 5)) + 22.0 * smooth((abs(x) - 120) / 220)
    return min(rise + hills * smooth((e - 1.0) * 0.8), HIGHEST - 1)


def groundPng():
    """Heights as 16-bit grey, the far side first."""
    lines, previous = bytearray(), bytes(2 * SAMPLES)
    for row in range(SAMPLES):
        z = MIDDLE - DEPTH / 2 + DEPTH * row / (SAMPLES - 1)
        values = []
        for column in range(SAMPLES):
            h = height(-WIDTH / 2 + WIDTH * column / (SAMPLES - 1), z)
            values.append(round(65535 * (h - LOWEST) / (HIGHEST - LOWEST)))
        line = struct.pack(f">{SAMPLES}H", *values)
        lines.append(2)  # filter: up
        lines += bytes((a - b) & 255 for a, b in zip(line, previous))
        previous = line

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", SAMPLES, SAMPLES, 16, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(lines), 9)) + \
        chunk(b"IEND", b"")


def add(a, b, scale=1.0):
    return tuple(p + scale * q for p, q in zip(a, b))


def unit(v):
    length = math.sqrt(sum(c * c for c in v)) or 1.0
    return tuple(c / length for c in v)


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


class Tree:
    def __init__(self, seed):
        self.random = Random(seed)
        self.wood, self.woodNormals, self.woodTriangles = [], [], []
        self.leaves = []

    def direction(self):
        y = self.random.uniform(-1, 1)
        angle = self.random.uniform(0, 2 * math.pi)
        r = math.sqrt(1 - y * y)
        return (r * math.cos(angle), y, r * math.sin(angle))

    def limb(self, points, radii, sides):
        first = len(self.wood)
        for i, (point, radius) in enumerate(zip(points, radii)):
            along = unit(add(points[min(i + 1, len(points) - 1)], points[max(i - 1, 0)], -1.0))
            u = unit(cross(along, (0.31, 0.12, 0.94)))
            v = cross(along, u)
            for j in range(sides):
                c, s = math.cos(2 * math.pi * j / sides), math.sin(2 * math.pi * j / sides)
                normal = add(tuple(c * k for k in u), v, s)
                self.wood.append(add(point, normal, radius))
                self.woodNormals.append(normal)
        for i in range(len(points) - 1):
            for j in range(sides):
                a, b = first + i * sides + j, first + i * sides + (j + 1) % sides
                self.woodTriangles += [(a, b, a + sides), (b, b + sides, a + sides)]

    def leaf(self, at, size, facing=None):
        n = facing or self.direction()
        u = unit(cross(n, self.direction()))
        v = cross(n, u)
        for a, b in ((-0.5, 0.0), (0.5, 0.0), (0.0, 1.0)):
            self.leaves.append(add(add(at, u, a * size), v, b * size))

    def bend(self, start, heading, length, steps, droop, wander):
        """A curve that goes on from a point, `droop` downwards and astray."""
        points = [start]
        for _ in range(steps):
            heading = unit(add(add(heading, (0, -1, 0), droop), self.direction(), wander))
            points.append(add(points[-1], heading, length / steps))
        return points


def broadleaf(seed, tall, crown, wide, leaves, size, trunk):
    """A tree whose crown begins `crown` of its height up and is `wide` metres across."""
    tree = Tree(seed)
    random = tree.random
    stem = tree.bend((0, -0.4, 0), (0, 1, 0), 0.92 * tall, 9, -0.06, 0.07)
    tree.limb(stem, [trunk * (1 - 0.9 * i / 9) for i in range(10)], 8)
    tips = []
    for i in range(34):
        t = crown + (0.97 - crown) * (i + 0.5) / 34
        at = stem[min(int(t * 9), 8)]
        at = add(at, add(stem[min(int(t * 9), 8) + 1], at, -1), t * 9 - int(t * 9))
        up = (t - crown) / (1 - crown)
        reach = 0.5 * wide * math.sqrt(max(0.08, 1 - (1.7 * up - 0.62) ** 2)) * random.uniform(0.75, 1.1)
        angle = 2.399963 * i + random.uniform(-0.4, 0.4)
        heading = unit((math.cos(angle), 0.25 + 0.9 * up, math.sin(angle)))
        limb = tree.bend(at, heading, reach, 4, -0.05, 0.16)
        tree.limb(limb, [0.35 * trunk * (1 - 0.85 * k / 4) * (1 - 0.6 * up) for k in range(5)], 4)
        tips += [(point, 0.28 + 0.55 * k / 4) for k, point in enumerate(limb[1:], 1)]
    for _ in range(leaves):
        point, spread = random.choice(tips)
        offset = tree.direction()
        tree.leaf(add(point, offset, 0.16 * wide * spread * random.uniform(0.15, 1) ** 0.6),
                  size * random.uniform(0.7, 1.3))
    return tree


def spruce(seed, tall, wide, leaves, size, trunk):
    """Whorls of drooping branches, each with twigs on both sides."""
    tree = Tree(seed)
    random = tree.random
    tree.limb([(0, -0.4, 0), (0, 0.5 * tall, 0), (0, tall, 0)], [trunk, 0.5 * trunk, 0.01], 7)
    whorls = 30
    each = leaves / (whorls * 7)
    for i in range(whorls):
        t = 0.07 + 0.92 * i / whorls
        reach = 0.5 * wide * (1 - t) ** 0.85 + 0.12
        for k in range(7):
            angle = 2 * math.pi * (k + 0.37 * i) / 7 + random.uniform(-0.25, 0.25)
            heading = unit((math.cos(angle), 0.12 - 0.25 * (1 - t), math.sin(angle)))
            limb = tree.bend((0, t * tall, 0), heading, reach * random.uniform(0.8, 1.1), 3, 0.10, 0.05)
            if i % 2 == 0:
                tree.limb(limb, [0.03, 0.022, 0.014, 0.005], 3)
            side = unit(cross(heading, (0, 1, 0)))
            for _ in range(round(each * (0.35 + 1.3 * (1 - t)))):
                s = random.uniform(0.08, 1.05) * 3
                j = min(int(s), 2)
                at = add(limb[j], add(limb[j + 1], limb[j], -1), s - j)
                at = add(at, side, random.uniform(-1, 1) * 0.30 * reach * (1.15 - s / 3))
                at = add(at, (0, -1, 0), random.uniform(0, 0.16))
                tree.leaf(at, size * random.uniform(0.7, 1.3), unit(add((0, 1, 0), tree.direction(), 0.55)))
    return tree


def tuft(seed, blades, tall, wide):
    """Grass or reeds: blades that bend outwards."""
    tree = Tree(seed)
    random = tree.random
    for _ in range(blades):
        angle, out = random.uniform(0, 2 * math.pi), random.uniform(0, 1)
        root = (wide * out * math.cos(angle), -0.05, wide * out * math.sin(angle))
        lean = (math.cos(angle) * 0.35 * out, 1.0, math.sin(angle) * 0.35 * out)
        tip = add(root, unit(lean), tall * random.uniform(0.6, 1.1))
        turn = random.uniform(0, math.pi)
        half = tuple(0.012 * tall * c for c in (math.cos(turn), 0, math.sin(turn)))
        tree.leaves += [add(root, half), add(root, half, -1.0), tip]
    return tree


SHAPES = {
    "birch": lambda: broadleaf(3, 14.0, 0.30, 6.4, 4000, 0.28, 0.16),
    "maple": lambda: broadleaf(8, 12.5, 0.22, 10.0, 4200, 0.37, 0.26),
    "spruce": lambda: spruce(5, 17.0, 6.4, 4200, 0.41, 0.24),
    "bush": lambda: broadleaf(14, 2.0, 0.12, 2.3, 1500, 0.17, 0.05),
    "reed": lambda: tuft(9, 150, 1.5, 0.55),
    "grass": lambda: tuft(17, 110, 0.62, 0.55),
}
KINDS = {  # shape, bark and leaves
    "yellow birch": ("birch", "#d9d4c8", "#d8a425"), "green birch": ("birch", "#d9d4c8", "#8f9a2c"),
    "red maple": ("maple", "#5a4636", "#a8321c"), "orange maple": ("maple", "#5a4636", "#cf6a1e"),
    "dark spruce": ("spruce", "#4a3a2c", "#1f3a24"), "spruce": ("spruce", "#4a3a2c", "#35502b"),
}
UNDERGROWTH = {
    "red bush": ("bush", "#4a3a2c", "#8c2f22"), "olive bush": ("bush", "#4a3a2c", "#77742f"),
    "reed": ("reed", "", "#a8924a"), "straw": ("grass", "", "#b89a52"), "grass": ("grass", "", "#7d8238"),
}


def isInSight(x, z):
    """Whether a tree would stand before the camera."""
    ahead, aside = CAMERA[2] - z, x - CAMERA[0]
    return -6 < ahead < 48 and -5 - 0.40 * ahead < aside - 0.13 * ahead < 7 + 0.36 * ahead


def kindAt(x, z, random):
    high = height(x, z)
    mood = waves(x, z, 70, 3) + random.uniform(-0.35, 0.35)
    if high + 22 * waves(x, z, 120, 7) + random.uniform(-14, 14) > 42:
        return "dark spruce" if random.uniform() < 0.6 else "spruce"
    if mood > 0.34:
        return "red maple" if random.uniform() < 0.6 else "orange maple"
    if mood > 0.02:
        return "orange maple" if random.uniform() < 0.35 else "yellow birch"
    if mood > -0.28:
        return "yellow birch" if random.uniform() < 0.5 else "green birch"
    return "spruce" if random.uniform() < 0.7 else "dark spruce"


def grow():
    """Where each kind of tree stands: translation, turn about y in radians, and size."""
    random = Random(21)
    placed = {kind: [] for kind in KINDS}
    for row in range(int((DEPTH - 20) / SPACING)):
        for column in range(int((WIDTH - 20) / SPACING)):
            x = -WIDTH / 2 + 10 + (column + random.uniform(0.1, 0.9)) * SPACING
            z = MIDDLE - DEPTH / 2 + 10 + (row + random.uniform(0.1, 0.9)) * SPACING
            chance, size, turn = random.uniform(), random.uniform(0.62, 1.2), random.uniform(0, 2 * math.pi)
            kind = kindAt(x, z, random)
            if shore(x, z) < 1.05 or isInSight(x, z) or chance > 0.46 + 0.25 * waves(x, z, 50, 11):
                continue
            placed[kind].append(((x, height(x, z), z), turn, size))
    return placed


def growUndergrowth():
    """The same of what is low: thick before the camera and at the shore."""
    random = Random(33)
    placed = {kind: [] for kind in UNDERGROWTH}

    def put(kind, x, z, size):
        placed[kind].append(((x, height(x, z), z), random.uniform(0, 2 * math.pi), size))

    while len(placed["reed"]) < 1100:
        x, z = random.uniform(-95, 95), random.uniform(-90, 6)
        if 0.99 < shore(x, z) < 1.0 + 0.06 * (1 + waves(x, z, 25, 4)):
            put("reed", x, z, random.uniform(0.6, 1.3))
    while len(placed["straw"]) + len(placed["grass"]) < 11000:
        away = 3.0 + 70.0 * random.uniform() ** 1.25
        aside = random.uniform(-0.85, 0.85) * (away + 4)
        x, z = CAMERA[0] + 0.13 * away + aside, CAMERA[2] - away
        if shore(x, z) > 1.03:
            dry = waves(x, z, 14, 6) + random.uniform(-0.5, 0.5) > -0.05
            put("straw" if dry else "grass", x, z, random.uniform(0.6, 1.35))
    while len(placed["red bush"]) + len(placed["olive bush"]) < 170:
        x, z = random.uniform(-70, 60), random.uniform(-70, 8)
        near = math.hypot(x - CAMERA[0], z - CAMERA[2])
        if near > 7 and shore(x, z) > 1.07 and waves(x, z, 17, 9) > 0.12:
            put("red bush" if random.uniform() < 0.45 else "olive bush", x, z, random.uniform(0.5, 1.15))
    return placed


def writePlants(path, kinds, placed):
    glb = Glb()
    shapes = {}
    for name in dict.fromkeys(shape for shape, _, _ in kinds.values()):
        tree = SHAPES[name]()
        wood = None
        if tree.wood:
            wood = {"attributes": {"POSITION": glb.vectors(tree.wood), "NORMAL": glb.vectors(tree.woodNormals)},
                    "indices": glb.indices(tree.woodTriangles)}
        shapes[name] = (wood, {"attributes": {"POSITION": glb.vectors(tree.leaves)}})

    def material(name, colour):
        return glb.add("materials", {"name": name, "doubleSided": True, "pbrMetallicRoughness": {
            "baseColorFactor": scenefile.srgb(colour) + [1], "metallicFactor": 0, "roughnessFactor": 0.8}})

    nodes, count = [], 0
    for kind, places in placed.items():
        shape, bark, leaves = kinds[kind]
        wood, crown = shapes[shape]
        primitives = [{**crown, "material": material(kind + " leaves", leaves)}]
        if wood:
            primitives.insert(0, {**wood, "material": material(kind + " bark", bark)})
        mesh = glb.add("meshes", {"name": kind, "primitives": primitives})
        instances = {"TRANSLATION": glb.vectors([at for at, _, _ in places], target=None),
                     "ROTATION": glb.vectors([(0, math.sin(turn / 2), 0, math.cos(turn / 2)) for _, turn, _ in places],
                                             target=None),
                     "SCALE": glb.vectors([(size, size, size) for _, _, size in places], target=None)}
        nodes.append(glb.add("nodes", {"name": kind, "mesh": mesh,
                                       "extensions": {"EXT_mesh_gpu_instancing": {"attributes": instances}}}))
        count += len(places)
    glb.document["extensionsUsed"] = glb.document["extensionsRequired"] = ["EXT_mesh_gpu_instancing"]
    glb.document["scenes"] = [{"nodes": nodes}]
    glb.write(path)
    print(count, "instances")


def scene():
    eye = (CAMERA[0], height(CAMERA[0], CAMERA[2]) + 2.2, CAMERA[2])
    return {
        "description": "Hills around a lake in autumn: ten thousand trees of one glTF file, which are six octrees. "
                       "Made by tools/scenes/forest.py.",
        "materials": {
            "ground": {"albedo": {"noise": {"scale": 9, "octaves": 6, "seed": 4,
                                            "colours": [[0.10, 0.085, 0.035], [0.26, 0.15, 0.045]]}}},
            "water": {"albedo": [0.012, 0.022, 0.024], "roughness": 0.03},
        },
        "assets": {
            "trees": {"file": "forest/trees.glb", "share": True, "voxels": {"resolution": 512}},
            "undergrowth": {"file": "forest/undergrowth.glb", "share": True, "voxels": {"resolution": 256}},
            "ground": {"heightmap": {"file": "forest/ground.png", "size": [WIDTH, DEPTH], "height": HIGHEST - LOWEST}},
            "water": {"quad": {"corner": [-130, 0, -20], "u": [270, 0, 0], "v": [0, 0, -210]},
                      "voxels": {"resolution": 256}},
        },
        "instances": {"trees": {"asset": "trees"}, "undergrowth": {"asset": "undergrowth"},
                      "water": {"asset": "water", "material": "water"},
                      "ground": {"asset": "ground", "material": "ground", "translate": [0, LOWEST, MIDDLE]}},
        "cameras": {"main": {"position": list(eye), "target": list(TARGET), "verticalFov": 38}},
        "environment": {"type": "sky", "turbidity": 3.2, "groundAlbedo": 0.12,
                        "sun": {"elevation": 17, "azimuth": 128}},
        "film": {"size": [1280, 720], "exposure": "auto"},
        "voxels": {"resolution": 3072, "surface": "planes"},
        "integrator": {"samplesPerPixel": 512},
        "bloom": {"enabled": True},
    }


if __name__ == "__main__":
    (scenefile.SCENES / "forest").mkdir(exist_ok=True)
    writePlants(scenefile.SCENES / "forest" / "trees.glb", KINDS, grow())
    writePlants(scenefile.SCENES / "forest" / "undergrowth.glb", UNDERGROWTH, growUndergrowth())
    (scenefile.SCENES / "forest" / "ground.png").write_bytes(groundPng())
    scenefile.write("forest.json", scene())
