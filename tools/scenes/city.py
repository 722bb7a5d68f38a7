#!/usr/bin/env python3
"""Writes scenes/city.json and scenes/city/city.vox: a city of voxels after sunset, its windows lit.

A voxel is a metre. The model is in MagicaVoxel's format, whose Z axis points up.
"""

import struct

import scenefile

SIZE, HEIGHT = 160, 96
ROAD, BLOCK = 8, 24  # a road along each block
random = scenefile.Random(20261121)

# Palette: sRGB colour, and how strongly it glows in MagicaVoxel's terms (a share, and a power of ten).
PALETTE = {
    "asphalt": ("#2a2c30", None), "pavement": ("#6d6a64", None), "grass": ("#3f5a2a", None), "leaf": ("#4c6b2c", None),
    "trunk": ("#4a3524", None), "concrete": ("#a39a8c", None), "brick": ("#8a4a36", None), "slate": ("#4d5560", None),
    "sandstone": ("#c0a579", None), "glass": ("#1c2733", None), "roof": ("#35383c", None), "line": ("#c9c4b0", None),
    "warm": ("#ffc27a", (1.0, 0.55)), "cool": ("#cfe2ff", (1.0, 0.35)), "neon": ("#ff3d6e", (1.0, 1.0)),
    "teal": ("#28e0c8", (1.0, 0.9)), "lamp": ("#ffd9a0", (1.0, 1.45)), "beacon": ("#ff2a1a", (1.0, 1.6)),
    "tail": ("#ff2010", (1.0, 0.9)), "head": ("#fff4dc", (1.0, 1.2)),
}
INDEX = {name: i + 1 for i, name in enumerate(PALETTE)}
WALLS = ["concrete", "brick", "slate", "sandstone", "concrete"]
cells = {}


def fill(x0, x1, y0, y1, z0, z1, name):
    for x in range(max(x0, 0), min(x1, SIZE)):
        for y in range(max(y0, 0), min(y1, SIZE)):
            for z in range(max(z0, 0), min(z1, HEIGHT)):
                cells[x, y, z] = name


def ground():
    for x in range(SIZE):
        for y in range(SIZE):
            along, across = x % (ROAD + BLOCK), y % (ROAD + BLOCK)
            road = along < ROAD or across < ROAD
            dashed = along == ROAD // 2 and across >= ROAD and across % 6 < 3
            dashed = dashed or across == ROAD // 2 and along >= ROAD and along % 6 < 3
            cells[x, y, 0] = "line" if dashed else "asphalt" if road else "pavement"


def tower(x0, y0, x1, y1, height, wall):
    """A block with rows of windows, some of them lit, stepped back towards the top."""
    setbacks = [(0, height)] if height < 30 else [(0, int(0.6 * height)), (2, int(0.85 * height)), (4, height)]
    floor, bottom = 4, 1
    for inset, top in setbacks:
        a, b, c, d = x0 + inset, y0 + inset, x1 - inset, y1 - inset
        if c - a < 4 or d - b < 4:
            break
        fill(a, c, b, d, bottom, top, wall)
        fill(a, c, b, d, top - 1, top, "roof")
        for z in range(max(bottom, 3), top - 2):
            if z % floor in (0, 3):
                continue
            for x in range(a + 1, c - 1):
                for y, seed in ((b, 0), (d - 1, 1)):
                    window(x, y, z, x, seed)
            for y in range(b + 1, d - 1):
                for x, seed in ((a, 2), (c - 1, 3)):
                    window(x, y, z, y, seed)
        bottom = top
    if height > 60:
        x, y = (x0 + x1) // 2, (y0 + y1) // 2
        fill(x, x + 1, y, y + 1, height, height + 9, "slate")
        cells[x, y, min(height + 9, HEIGHT - 1)] = "beacon"


LIT = {}


def window(x, y, z, along, side):
    if along % 3 == 0:
        return
    key = (x if side > 1 else y, side, along // 3, z // 4, x // 32, y // 32)
    if key not in LIT:
        LIT[key] = "warm" if random.uniform() < 0.24 else "cool" if random.uniform() < 0.08 else "glass"
    cells[x, y, z] = LIT[key]


def park(x0, y0):
    fill(x0, x0 + BLOCK, y0, y0 + BLOCK, 0, 1, "grass")
    for _ in range(14):
        x, y = (int(random.uniform(2, BLOCK - 3)) for _ in range(2))
        tree(x0 + x, y0 + y)


def tree(x, y):
    top = int(random.uniform(4, 7))
    fill(x, x + 1, y, y + 1, 1, top, "trunk")
    for dx in range(-2, 3):
        for dy in range(-2, 3):
            for dz in range(-1, 4):
                if dx * dx + dy * dy + (dz - 1) ** 2 <= 5.2:
                    fill(x + dx, x + dx + 1, y + dy, y + dy + 1, top + dz, top + dz + 1, "leaf")


def blocks():
    for bx in range(0, SIZE, ROAD + BLOCK):
        for by in range(0, SIZE, ROAD + BLOCK):
            x, y = bx + ROAD, by + ROAD
            if (bx, by) in ((64, 32), (96, 96)):
                park(x, y)
                continue
            middle = 1 - (abs(bx - 64) + abs(by - 80)) / 170
            if random.uniform() < 0.35:
                wall = random.choice(WALLS)
                tower(x + 1, y + 1, x + 23, y + 23, 4 * int(4 + 19 * middle * random.uniform(0.55, 1.0)), wall)
            else:
                for dx in (1, 13):
                    for dy in (1, 13):
                        height = 4 * int(2 + 14 * middle * random.uniform(0.25, 1.0))
                        tower(x + dx, y + dy, x + dx + 10, y + dy + 10, height, random.choice(WALLS))


def streets():
    for x in range(0, SIZE, 16):
        for y in range(ROAD, SIZE, ROAD + BLOCK):
            if x % (ROAD + BLOCK) >= ROAD:
                fill(x, x + 1, y, y + 1, 1, 5, "slate")
                cells[x, y - 1, 4] = "lamp"
    for _ in range(90):
        lane, place = int(random.uniform(0, SIZE // (ROAD + BLOCK))) * (ROAD + BLOCK), int(random.uniform(2, SIZE - 6))
        forth = random.uniform() < 0.5
        across = lane + (2 if forth else 5)
        body = random.choice(["slate", "concrete", "brick", "roof"])
        front = place + 3 if forth else place
        back = place if forth else place + 3
        if random.uniform() < 0.5:
            fill(place, place + 4, across, across + 2, 1, 2, body)
            cells[front, across, 1] = cells[front, across + 1, 1] = "head"
            cells[back, across, 1] = cells[back, across + 1, 1] = "tail"
        else:
            fill(across, across + 2, place, place + 4, 1, 2, body)
            cells[across, front, 1] = cells[across + 1, front, 1] = "head"
            cells[across, back, 1] = cells[across + 1, back, 1] = "tail"


def signs():
    walls = [c for c, name in sorted(cells.items()) if name in WALLS and 6 < c[2] < 24]
    for _ in range(26):
        x, y, z = random.choice(walls)
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            if (x + dx, y + dy, z) not in cells:
                name = random.choice(["neon", "teal"])
                fill(x + dx, x + dx + 1, y + dy, y + dy + 1, z, z + 6, name)
                break


def visible():
    """Only what touches air."""
    around = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
    return {c: name for c, name in cells.items()
            if any((c[0] + d[0], c[1] + d[1], c[2] + d[2]) not in cells for d in around)}


def chunk(name, content, children=b""):
    return name.encode() + struct.pack("<II", len(content), len(children)) + content + children


def dictionary(entries):
    text = struct.pack("<I", len(entries))
    for item in (part for pair in entries.items() for part in pair):
        text += struct.pack("<I", len(item)) + item.encode()
    return text


def writeVox(path):
    shown = visible()
    voxels = b"".join(struct.pack("<4B", *c, INDEX[name]) for c, name in sorted(shown.items()))
    colours = [bytes.fromhex(code[1:]) + b"\xff" for code, _ in PALETTE.values()]
    children = chunk("SIZE", struct.pack("<3I", SIZE, SIZE, HEIGHT))
    children += chunk("XYZI", struct.pack("<I", len(shown)) + voxels)
    children += chunk("RGBA", b"".join(colours) + bytes(4 * (256 - len(colours))))
    for name, (_, glow) in PALETTE.items():
        if glow:
            properties = {"_type": "_emit", "_emit": f"{glow[0]:g}", "_flux": f"{glow[1]:g}"}
            children += chunk("MATL", struct.pack("<i", INDEX[name]) + dictionary(properties))
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"VOX " + struct.pack("<I", 150) + chunk("MAIN", b"", children))
    print(path, len(shown), "voxels")


ground()
blocks()
streets()
signs()
writeVox(scenefile.SCENES / "city" / "city.vox")
scenefile.write("city.json", {
    "description": "A city of voxels after sunset. Made by tools/scenes/city.py.",
    "assets": {"city": {"file": "city/city.vox"}},
    "instances": {"city": {"asset": "city"}},
    "cameras": {"front": {"position": [100, 64, 112], "target": [0, 30, -8], "verticalFov": 42}},
    "environment": {"type": "gradient", "zenith": [0.06, 0.10, 0.24], "horizon": [0.8, 0.34, 0.17],
                    "ground": [0.2, 0.1, 0.07]},
    "film": {"size": [1280, 720], "exposure": 1},
    "voxels": {"resolution": 512, "normals": "face"},
    "integrator": {"samplesPerPixel": 256},
    "bloom": {"enabled": True},
})
