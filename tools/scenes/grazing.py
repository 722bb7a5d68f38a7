#!/usr/bin/env python3
"""Writes scenes/grazing.json and scenes/grazing/ring.ply: bodies on a board, askew to all axes of the grid, in light
that grazes the board.

What shading on voxels gets wrong, it shows: stripes where surfaces bend, black rims where they turn from the light,
patterns on the board. tools/grazing_gallery.sh renders it with every surface.
"""

import math

import scenefile

LOW = 5           # degrees of the light over the board
AROUND = 80, 24  # segments of the ring, about its axis and about its tube
TUBE = 0.16


def rotation(degrees):
    """About X, then Y, then Z, as rows."""
    (a, b, c) = (math.radians(angle) for angle in degrees)
    x = [[1, 0, 0], [0, math.cos(a), -math.sin(a)], [0, math.sin(a), math.cos(a)]]
    y = [[math.cos(b), 0, math.sin(b)], [0, 1, 0], [-math.sin(b), 0, math.cos(b)]]
    z = [[math.cos(c), -math.sin(c), 0], [math.sin(c), math.cos(c), 0], [0, 0, 1]]
    return product(z, product(y, x))


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def turned(matrix, vector):
    return [sum(row[k] * vector[k] for k in range(3)) for row in matrix]


ASKEW = rotation((30, 40, 10))


def placed(asset, material, at=(0, 0, 0), angles=(0, 0, 0), scale=1):
    """An instance on the board, which then is turned with all else."""
    turn, moved = product(ASKEW, rotation(angles)), turned(ASKEW, at)
    columns = [[scale * turn[row][column] for row in range(3)] + [0] for column in range(3)]
    return {"asset": asset, "material": material, "matrix": sum(columns, []) + moved + [1]}


def ring():
    around, across = AROUND
    positions, normals, triangles = [], [], []
    for i in range(around):
        a = 2 * math.pi * i / around
        for k in range(across):
            b = 2 * math.pi * k / across
            normal = [math.cos(a) * math.cos(b), math.sin(b), math.sin(a) * math.cos(b)]
            positions.append([math.cos(a) * (1 - TUBE) + TUBE * normal[0], TUBE * normal[1],
                              math.sin(a) * (1 - TUBE) + TUBE * normal[2]])
            normals.append(normal)
            a0, a1 = i * across, (i + 1) % around * across
            b1 = (k + 1) % across
            triangles += [[a0 + k, a0 + b1, a1 + b1], [a0 + k, a1 + b1, a1 + k]]
    return positions, normals, triangles


def writePly(path, positions, normals, triangles):
    """The mesh as text, with as many decimals as scene files have."""
    header = ["ply", "format ascii 1.0", "comment made by tools/scenes/grazing.py", f"element vertex {len(positions)}",
              *(f"property float {name}" for name in ("x", "y", "z", "nx", "ny", "nz")),
              f"element face {len(triangles)}", "property list uchar int vertex_indices", "end_header"]
    vertices = [" ".join(str(scenefile.tidy(v)) for v in [*p, *n]) for p, n in zip(positions, normals)]
    faces = [" ".join(str(v) for v in [3, *t]) for t in triangles]
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join([*header, *vertices, *faces]) + "\n")
    print(path)


writePly(scenefile.SCENES / "grazing/ring.ply", *ring())
x, z = scenefile.polar(math.cos(math.radians(LOW)), 148)
scenefile.write("grazing.json", {
    "description": "Bodies on a board in light that grazes it, for shading on voxels. Made by tools/scenes/grazing.py.",
    "materials": {"board": {"albedo": 0.85}, "body": {"albedo": 0.3}},
    "assets": {"ball": {"sphere": {"subdivisions": 5}}, "box": {"box": {}},
               "board": {"box": {"min": [-2, -0.1, -1.6], "max": [2, 0, 1.6]}}, "ring": {"file": "grazing/ring.ply"}},
    "instances": {
        "board": placed("board", "board"),
        "ball": placed("ball", "body", (-0.85, 0.48, -0.35), scale=0.5),
        "box": placed("box", "body", (0.85, 0.33, -0.55), (0, 35, 0), 0.7),
        "ring": placed("ring", "body", (-0.05, 0.1, 0.75), scale=0.7),
    },
    "cameras": {"main": {"position": turned(ASKEW, (0.5, 3.2, 5.0)), "target": turned(ASKEW, (0.0, 0.1, 0.05)),
                         "up": turned(ASKEW, (0, 1, 0)), "verticalFov": 29}},
    "lights": {"low": {"type": "directional", "intensity": 9,
                       "direction": [-v for v in turned(ASKEW, (x, math.sin(math.radians(LOW)), z))]}},
    "film": {"size": [480, 360]},
    "voxels": {"resolution": 256},
    "integrator": {"samplesPerPixel": 32, "maxDepth": 2},
})
