#!/usr/bin/env python3
"""Writes scenes/fractal.json: a Menger sponge of level 4, cut across its diagonal, lit by glowing cores in its holes.

The plane through the middle, at right angles to a diagonal, cuts the sponge in six-pointed stars. The sponge is made
of sponges of level 2, of which only four kinds are needed: whole ones, and three that the plane cuts. The smallest
cubes have a side of 1 m, the whole has 81 m.
"""

import itertools

import scenefile

SIDE = 9             # small cubes along a level-2 sponge
COUNT = 9            # level-2 sponges along the whole
WHOLE = SIDE * COUNT
PLANE = 1.5 * WHOLE  # x + y + z
CORNERS = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
FACES = {(-1, 0, 0): (0, 4, 7, 3), (1, 0, 0): (1, 2, 6, 5), (0, -1, 0): (0, 1, 5, 4), (0, 1, 0): (3, 7, 6, 2),
         (0, 0, -1): (0, 3, 2, 1), (0, 0, 1): (4, 5, 6, 7)}


def isSolid(cell, levels):
    """Whether a cell of the grid with 3^levels cells a side belongs to the sponge."""
    if any(c < 0 or c >= 3**levels for c in cell):
        return False
    for _ in range(levels):
        if sum(c % 3 == 1 for c in cell) >= 2:
            return False
        cell = [c // 3 for c in cell]
    return True


def clip(polygon, limit):
    """The part of a convex polygon with x + y + z <= limit."""
    result = []
    for a, b in zip(polygon, polygon[1:] + polygon[:1]):
        da, db = limit - sum(a), limit - sum(b)
        if da >= 0:
            result.append(a)
        if da * db < 0:
            t = da / (da - db)
            result.append(tuple(p + (q - p) * t for p, q in zip(a, b)))
    return result


def capOf(cell, limit):
    """Where the plane x + y + z = limit cuts a cell: a convex polygon, counter-clockwise seen from its far side."""
    points = []
    for i, j in itertools.combinations(range(8), 2):
        a, b = ([c + d for c, d in zip(cell, CORNERS[k])] for k in (i, j))
        da, db = limit - sum(a), limit - sum(b)
        if sum(p != q for p, q in zip(a, b)) == 1 and da * db < 0:
            t = da / (da - db)
            points.append(tuple(p + (q - p) * t for p, q in zip(a, b)))
    if len(points) < 3:
        return []
    middle = [sum(p[i] for p in points) / len(points) for i in range(3)]
    # Around the middle, in the plane's axes (1, -1, 0) and (1, 1, -2), the second shortened to the first's length.
    def angle(p):
        x, y, z = (p[i] - middle[i] for i in range(3))
        return cmpAngle(x - y, (x + y - 2 * z) / 3**0.5)
    return sorted(points, key=angle)


def cmpAngle(x, y):
    """Grows with the angle of (x, y) like atan2, by exact operations."""
    q = y / (abs(x) + abs(y))
    return 2 - q if x < 0 else (4 + q if q < 0 else q)


def spongeMesh(limit):
    """A level-2 sponge of side 9, cut at x + y + z = limit."""
    indices, positions, triangles = {}, [], []

    def add(polygon):
        corners = []
        for point in polygon:
            key = tuple(round(c, 4) for c in point)
            if key not in indices:
                indices[key] = len(positions)
                positions.append(list(key))
            corners.append(indices[key])
        for b, c in zip(corners[1:], corners[2:]):
            triangles.append([corners[0], b, c])

    for cell in itertools.product(range(SIDE), repeat=3):
        if not isSolid(cell, 2) or sum(cell) >= limit:
            continue
        for normal, face in FACES.items():
            if not isSolid([c + n for c, n in zip(cell, normal)], 2):
                add(clip([tuple(c + d for c, d in zip(cell, CORNERS[k])) for k in face], limit))
        add(capOf(cell, limit))
    return {"mesh": {"positions": positions, "triangles": triangles}}


def sponge():
    assets = {"whole": spongeMesh(3 * SIDE)}
    instances = {}
    for cell in itertools.product(range(COUNT), repeat=3):
        # The plane as the part sees it.
        limit = PLANE - SIDE * sum(cell)
        if not isSolid(cell, 2) or limit <= 0:
            continue
        name = "whole" if limit >= 3 * SIDE else f"cut at {limit:g}"
        if name not in assets:
            assets[name] = spongeMesh(limit)
        instances["sponge {}{}{}".format(*cell)] = {"asset": name, "material": "stone",
                                                    "translate": [SIDE * c for c in cell]}
    return assets, instances


def glow(material, radius, centre):
    return {"asset": "glow", "material": material, "translate": centre, "scale": radius}


def cores():
    """Glowing balls below the cut: a large one in the middle, smaller ones in the tunnels and in the 20 parts."""
    third = WHOLE / 3
    placed = {"core": glow("gold", 4.5, [WHOLE / 2 - 6] * 3)}
    for axis in range(3):
        centre = [WHOLE / 2] * 3
        centre[axis] = third / 2 - 2
        placed[f"tunnel {'xyz'[axis]}"] = glow("ember", 2.6, centre)
    cold = itertools.cycle(["violet", "ice"])
    for cell in itertools.product(range(3), repeat=3):
        centre = [(c + 0.5) * third for c in cell]
        if not isSolid(cell, 1) or sum(centre) >= PLANE + 0.05 * WHOLE:
            continue
        isCut = sum(cell) == 3
        placed["hole {}{}{}".format(*cell)] = glow(next(cold) if isCut else "ember", 1.7,
                                                   [c - (2.5 if isCut else 0) for c in centre])
    return placed


assets, instances = sponge()
assets["glow"] = {"sphere": {"subdivisions": 4}}
instances.update(cores())

scenefile.write("fractal.json", {
    "description": "A cut Menger sponge lit by glowing cores. Made by tools/scenes/fractal.py.",
    "materials": {
        "stone": {"albedo": scenefile.srgb("#cfc4b6")},
        "gold": {"albedo": 0.2, "emission": [40, 22, 8]},
        "ember": {"albedo": 0.2, "emission": [70, 20, 6]},
        "ice": {"albedo": 0.2, "emission": [12, 70, 110]},
        "violet": {"albedo": 0.2, "emission": [60, 20, 120]},
    },
    "assets": assets,
    "instances": instances,
    "cameras": {
        "section": {"position": [156, 95, 101], "target": [38, 39, 39], "verticalFov": 39},
        "inside": {"position": [40, 37, 3], "target": [38, 42, 40], "verticalFov": 70},
    },
    "camera": "section",
    "environment": {"type": "gradient", "zenith": [0.05, 0.08, 0.18], "horizon": [0.05, 0.045, 0.075],
                    "ground": [0.010, 0.010, 0.018]},
    "film": {"size": [1280, 720], "exposure": 0.5},
    "voxels": {"resolution": 1024},
    "integrator": {"samplesPerPixel": 256},
    "bloom": {"enabled": True},
})
