#!/usr/bin/env python3
"""Writes scenes/atrium.json and its assets: a court of two storeys of arches, as OBJ files with TGA textures."""

import math

import scenefile
import tga
from canvas import hexColour
from obj import Obj

FOLDER = scenefile.SCENES / "atrium"
BAY, RADIUS, THICK = 3.0, 1.16, 0.6  # of the arcades, in metres
LENGTH, WIDTH, AISLE = 7, 3, 3.0  # bays along the court and across it, and the width of the walks around it
HALF = (LENGTH * BAY / 2, WIDTH * BAY / 2)
LOWER, GALLERY, UPPER, ROOF = 3.1, 5.0, 7.1, 9.0  # heights: where arches begin, and floors


def smooth(random, size, cells):
    """A field of values from 0 to 1 that repeats."""
    lattice = [[random.uniform() for _ in range(cells)] for _ in range(cells)]

    def at(x, y):
        x, y = x * cells / size, y * cells / size
        i, j, u, v = int(x), int(y), x % 1, y % 1
        rows = [lattice[(j + k) % cells] for k in (0, 1)]
        top, bottom = (row[i % cells] * (1 - u) + row[(i + 1) % cells] * u for row in rows)
        return top * (1 - v) + bottom * v
    return at


def texture(size, seed, value, dark, light):
    """A picture of one ramp of colours, in 32 steps: value(x, y, grain) from 0 to 1."""
    random = scenefile.Random(seed)
    octaves = [(smooth(random, size, cells), weight) for cells, weight in ((5, 0.5), (17, 0.3), (61, 0.2))]
    grain = lambda x, y: sum(weight * at(x, y) for at, weight in octaves)
    rows = [[round(31 * min(max(value(x, y, grain(x, y)), 0.0), 1.0)) for x in range(size)] for y in range(size)]
    return tga.indexed(rows, tga.ramp(hexColour(dark), hexColour(light), 32))


def ashlar(x, y, grain):
    """Courses of hewn stone, two blocks and four courses to the picture."""
    course = y // 32
    across = (x + 32 * (course % 2)) % 128
    block = across // 64 + 2 * course
    joint = min(across % 64, y % 32) < 1
    return 0.12 if joint else 0.35 + 0.4 * grain + 0.22 * (block * 37 % 8) / 8


def slabs(x, y, grain):
    """A floor of light slabs with dark lozenges where four of them meet."""
    u, v = (min(c % 64, 64 - c % 64) for c in (x, y))
    if u + v < 14:
        return 0.10 + 0.12 * grain
    return 0.3 if min(u, v) < 1 else 0.62 + 0.36 * grain


def damask(x, y, grain):
    """Rosettes and stripes of a woven cloth."""
    u, v = (x % 64 - 32) / 32, (y % 64 - 32) / 32
    r, a = math.hypot(u, v), math.atan2(v, u)
    petals = r < 0.45 + 0.3 * math.cos(6 * a) and r > 0.18
    ring = 0.82 < r < 0.92
    return (0.95 if petals or ring else 0.5) + 0.1 * (grain - 0.5) - (0.12 if (x + y) % 2 else 0.0)


def vine():
    """Where leaves are on a card of hanging ivy."""
    random, size = scenefile.Random(4), 128
    rows = [[0] * size for _ in range(size)]
    for _ in range(9):
        x, length = random.uniform(8, size - 8), random.uniform(0.45, 1.0) * size
        for y in range(0, int(length), 5):
            x += random.uniform(-2, 2)
            side = random.choice((-1, 1)) * random.uniform(1, 5)
            leaf(rows, x + side, y, random.uniform(3.0, 5.5) * (1.1 - 0.6 * y / size), random.uniform(-0.7, 0.7))
    return tga.grey(rows)


def leaf(rows, cx, cy, size, turn):
    for y in range(int(cy - size), int(cy + size) + 2):
        for x in range(int(cx - size), int(cx + size) + 2):
            u, v = x - cx, y - cy
            a = math.atan2(v, u) + turn
            if 0 <= y < len(rows) and math.hypot(u, v) < size * (0.62 + 0.38 * math.cos(5 * a)):
                rows[y][x % len(rows[0])] = 255


def column(model, height, foot, radius):
    """From its square plinth to its abacus; `foot` is where it stands."""
    r = radius
    model.box((-1.45 * r, foot, -1.45 * r), (1.45 * r, foot + 0.12, 1.45 * r))
    top = foot + height
    profile = [(1.35 * r, foot + 0.12), (1.42 * r, foot + 0.17), (1.3 * r, foot + 0.22), (1.12 * r, foot + 0.25),
               (1.18 * r, foot + 0.3), (1.0 * r, foot + 0.34), (0.97 * r, foot + 0.5 * height), (0.86 * r, top - 0.52),
               (0.95 * r, top - 0.49), (0.88 * r, top - 0.46), (0.92 * r, top - 0.4), (1.1 * r, top - 0.22),
               (1.3 * r, top - 0.16), (1.24 * r, top - 0.14)]
    model.lathe(profile, 24)
    model.box((-1.4 * r, top - 0.14, -1.4 * r), (1.4 * r, top, 1.4 * r))


def archWall(model, spring, top):
    """The wall above a bay's opening, from the springing of its arch to its top."""
    steps = 16
    arc = [(-RADIUS * math.cos(math.pi * i / steps), spring + RADIUS * math.sin(math.pi * i / steps))
           for i in range(steps + 1)]
    line = [(-BAY / 2, spring), *arc, (BAY / 2, spring)]
    for side in (1, -1):
        z = side * THICK / 2
        for (x0, y0), (x1, y1) in zip(line, line[1:]):
            corners = [(x0, y0, z), (x1, y1, z), (x1, top, z), (x0, top, z)]
            model.face(corners if side > 0 else corners[::-1], 2)
        ring = 0.16  # the arch stands out of the wall
        for (x0, y0), (x1, y1) in zip(arc, arc[1:]):
            out = [((x * (1 + ring / RADIUS)), spring + (y - spring) * (1 + ring / RADIUS), z + side * 0.05)
                   for x, y in ((x0, y0), (x1, y1))]
            inner = [(x0, y0, z + side * 0.05), (x1, y1, z + side * 0.05)]
            for corners in ([inner[0], inner[1], out[1], out[0]],
                            [out[0], out[1], (*out[1][:2], z), (*out[0][:2], z)]):
                model.face(corners if side > 0 else corners[::-1], 2)
    for (x0, y0), (x1, y1) in zip(arc, arc[1:]):
        near, far = THICK / 2 + 0.05, -THICK / 2 - 0.05
        model.face([(x0, y0, far), (x1, y1, far), (x1, y1, near), (x0, y0, near)], 1)
    for x0, x1 in ((-BAY / 2, -RADIUS), (RADIUS, BAY / 2)):
        model.face([(x0, spring, -THICK / 2), (x1, spring, -THICK / 2), (x1, spring, THICK / 2), (x0, spring, THICK / 2)], 1)


def cornice(model, y):
    for depth, low, high in ((0.06, -0.22, -0.14), (0.14, -0.14, -0.04), (0.22, -0.04, 0.06)):
        model.box((-BAY / 2, y + low, -THICK / 2 - depth), (BAY / 2, y + high, THICK / 2 + depth))


def balustrade(model, y):
    model.box((-BAY / 2, y + 0.06, -0.1), (BAY / 2, y + 0.16, 0.1))
    model.box((-BAY / 2, y + 0.82, -0.12), (BAY / 2, y + 0.92, 0.12))
    for i in range(9):
        profile = [(0.035, y + 0.16), (0.06, y + 0.2), (0.085, y + 0.36), (0.04, y + 0.6), (0.05, y + 0.74),
                   (0.075, y + 0.82)]
        model.lathe(profile, 10, (-BAY / 2 + (i + 0.5) * BAY / 9, 0.0))


def bay():
    """A bay of both storeys, its court towards +Z; its column stands at its left end."""
    model = Obj("atrium.mtl")
    model.material("carved")
    with model.moved((-BAY / 2, 0, 0)):
        column(model, LOWER, 0.0, 0.24)
        column(model, UPPER - GALLERY - 0.06, GALLERY + 0.06, 0.17)
    for y in (GALLERY, ROOF):
        cornice(model, y)
    balustrade(model, GALLERY)
    model.material("ashlar")
    archWall(model, LOWER, GALLERY - 0.2)
    archWall(model, UPPER, ROOF - 0.2)
    return model


def cloth():
    """A curtain 2.1 m wide and 2.6 m high that hangs in folds from its upper edge, which is at the origin."""
    model = Obj("atrium.mtl")
    model.material("cloth")
    columns, rows, width, height = 72, 12, 2.1, 2.6

    def point(i, j):
        u, v = i / columns, j / rows
        fold = (0.03 + 0.09 * v) * math.sin(2 * math.pi * 7.5 * u + 0.9 * math.sin(5 * v + 3 * u))
        return ((u - 0.5) * width * (1 - 0.06 * v), -height * v - 0.1 * math.sin(math.pi * u) * (1 - v), fold)
    model.sheet(point, columns, rows, (3.0, 3.0))
    return model


def ivy():
    model = Obj("atrium.mtl")
    model.material("ivy")
    model.sheet(lambda i, j: (-0.8 + 1.6 * i / 6, -0.5 * j, 0.05 * math.sin(2.3 * i + j) + 0.04 * j), 6, 3, (1.0, 1.0))
    return model


def fountain():
    model = Obj("atrium.mtl")
    model.material("carved")
    model.lathe([(1.55, 0.0), (1.55, 0.12), (1.4, 0.16), (1.36, 0.5), (1.5, 0.56), (1.5, 0.64), (1.3, 0.64),
                 (1.25, 0.3), (0.2, 0.3)], 48)
    model.lathe([(0.2, 0.3), (0.14, 0.5), (0.1, 0.9), (0.14, 1.2), (0.62, 1.42), (0.66, 1.5), (0.58, 1.5), (0.1, 1.32),
                 (0.09, 1.7), (0.14, 1.76), (0.0, 1.86)], 32)
    model.material("water")
    model.lathe([(1.28, 0.54), (0.0, 0.54)], 48)
    return model


MTL = """# Made by tools/scenes/atrium.py.
newmtl ashlar
Kd 1 1 1
map_Kd ashlar.tga
newmtl carved
Kd 0.66 0.60 0.49
newmtl cloth
Kd 1 1 1
map_Kd damask.tga
newmtl ivy
Kd 0.10 0.19 0.05
map_d ivy.tga
newmtl water
Kd 0.02 0.04 0.04
Pr 0.2
Pm 0
"""


def box(low, high):
    return {"box": {"min": low, "max": high}}


def around(low, high, inner, outer):
    """Four boxes around the court, between two heights, from `inner` to `outer` beyond the arcades."""
    (x, z), a, b = HALF, inner, outer
    return [box([-x - b, low, z + a], [x + b, high, z + b]), box([-x - b, low, -z - b], [x + b, high, -z - a]),
            box([x + a, low, -z - a], [x + b, high, z + a]), box([-x - b, low, -z - a], [-x - a, high, z + a])]


def solids():
    """The boxes, each with its material."""
    x, z = HALF
    boxes = [("floor", box([-x - AISLE - 0.4, -0.15, -z - AISLE - 0.4], [x + AISLE + 0.4, 0, z + AISLE + 0.4]))]
    boxes += [("wall", b) for b in around(-0.15, ROOF + 0.05, AISLE, AISLE + 0.4)]
    boxes += [("plaster", b) for b in around(GALLERY - 0.25, GALLERY, THICK / 2 - 0.02, AISLE + 0.01)]
    boxes += [("plaster", b) for b in around(ROOF - 0.25, ROOF + 0.05, THICK / 2 - 0.02, AISLE + 0.4)]
    boxes += [("wall", box([sx * x - 0.42, 0, sz * z - 0.42], [sx * x + 0.42, ROOF + 0.05, sz * z + 0.42]))
              for sx in (-1, 1) for sz in (-1, 1)]
    return boxes


def instances():
    placed = {}
    for side, (count, offset, turn) in enumerate(((LENGTH, HALF[1], 180), (LENGTH, HALF[1], 0), (WIDTH, HALF[0], 90),
                                                  (WIDTH, HALF[0], 270))):
        for i in range(count):
            angle = math.radians(turn)
            along, away = (i - (count - 1) / 2) * BAY, -offset
            at = [along * math.cos(angle) + away * math.sin(angle), 0, away * math.cos(angle) - along * math.sin(angle)]
            placed[f"bay {side}.{i}"] = {"asset": "bay", "translate": at, "rotate": [0, turn, 0]}
            inwards = [math.sin(angle), 0, math.cos(angle)]
            hung = lambda y, out: [a + out * n for a, n in zip(at, inwards)][:1] + [y] + [at[2] + out * inwards[2]]
            if i % 2 == 1 and side < 2:
                placed[f"cloth {side}.{i}"] = {"asset": "cloth", "translate": hung(LOWER + 0.75, 0), "rotate": [0, turn, 0],
                                               "materials": {"cloth": ("red", "blue", "green")[(i // 2 + side) % 3]}}
            if (i + side) % 3 == 0:
                placed[f"ivy {side}.{i}"] = {"asset": "ivy", "translate": hung(GALLERY + 0.9, 0.42), "rotate": [0, turn, 0]}
    placed["fountain"] = {"asset": "fountain"}
    for index, (material, _) in enumerate(solids()):
        placed[f"{material} {index}"] = {"asset": f"{material} {index}", "material": material}
    return placed


def laid(name, tile, **more):
    return {"albedo": 1, "albedoTexture": {"file": f"atrium/{name}.tga", "mapping": "triplanar", "tile": tile}, **more}


def scene():
    dyed = lambda colour: {"albedo": scenefile.srgb(colour), "albedoTexture": {"file": "atrium/damask.tga"}}
    return {
        "description": "A court of two storeys of arches: OBJ files with TGA textures. Made by tools/scenes/atrium.py.",
        "materials": {
            "floor": laid("slabs", 2.0, roughness=0.45), "wall": laid("ashlar", 2.0),
            "plaster": {"albedo": scenefile.srgb("#d9ccb4")},
            "red": dyed("#c0392b"), "blue": dyed("#2f5fae"), "green": dyed("#3f8f52"),
        },
        "assets": {
            **{name: {"file": f"atrium/{name}.obj"} for name in ("bay", "cloth", "ivy", "fountain")},
            **{f"{material} {index}": shape for index, (material, shape) in enumerate(solids())},
        },
        "instances": instances(),
        "cameras": {
            "court": {"position": [-9.3, 1.75, -2.1], "target": [4.0, 3.7, 1.5], "verticalFov": 56},
            "gallery": {"position": [9.5, 6.6, -5.7], "target": [-4.0, 4.0, 2.5], "verticalFov": 52},
        },
        "camera": "court",
        "environment": {
            "type": "gradient",
            "zenith": [0.42, 0.68, 1.25], "horizon": [1.1, 1.25, 1.45], "ground": [0.2, 0.18, 0.15],
            "sun": {"direction": [-0.42, 1.0, -0.40], "angularDiameter": 0.7, "irradiance": [15.0, 13.2, 10.8]},
        },
        "film": {"size": [1280, 720], "exposure": 0.8},
        "voxels": {"resolution": 2048, "surface": "planes"},
        "integrator": {"samplesPerPixel": 512},
        "bloom": {"enabled": True},
    }


FOLDER.mkdir(exist_ok=True)
(FOLDER / "ashlar.tga").write_bytes(texture(128, 3, ashlar, "#4f4536", "#d9c8a4"))
(FOLDER / "slabs.tga").write_bytes(texture(128, 8, slabs, "#2c2420", "#c9bda6"))
(FOLDER / "damask.tga").write_bytes(texture(64, 6, damask, "#202020", "#ffffff"))
(FOLDER / "ivy.tga").write_bytes(vine())
(FOLDER / "atrium.mtl").write_text(MTL)
for name, make in (("bay", bay), ("cloth", cloth), ("ivy", ivy), ("fountain", fountain)):
    make().write(FOLDER / f"{name}.obj")
scenefile.write("atrium.json", scene())
