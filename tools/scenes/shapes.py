"""Shapes for scene generators, as (positions, normals, triangles)."""

import math


def spline(points, steps):
    """A Catmull-Rom curve through the points."""
    padded = [points[0]] + list(points) + [points[-1]]
    curve = []
    for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:]):
        for i in range(steps):
            t = i / steps
            curve.append(tuple(0.5 * (2 * q + (r - p) * t + (2 * p - 5 * q + 4 * r - s) * t * t +
                                      (3 * q - p - 3 * r + s) * t**3) for p, q, r, s in zip(a, b, c, d)))
    return curve + [tuple(points[-1])]


def revolve(curves, segments):
    """Turns curves of (radius, height) about the Y axis; outward is to their right.

    Each curve is smooth and begins where the last one ended, with an edge between them. Where the first begins and the
    last ends on the axis, the surface is closed.
    """
    positions, normals, triangles = [], [], []
    angles = [2 * math.pi * j / segments for j in range(segments)] + [0.0]
    for curve in curves:
        first = len(positions)
        for i, (radius, height) in enumerate(curve):
            before, after = curve[max(i - 1, 0)], curve[min(i + 1, len(curve) - 1)]
            dr, dh = after[0] - before[0], after[1] - before[1]
            length = math.hypot(dr, dh)
            for angle in angles:
                c, s = math.cos(angle), math.sin(angle)
                positions.append((radius * c, height, radius * s))
                normals.append((dh / length * c, -dr / length, dh / length * s))
        row = segments + 1
        for i in range(len(curve) - 1):
            for j in range(segments):
                a = first + i * row + j
                if curve[i][0] > 0:
                    triangles.append((a, a + row, a + 1))
                if curve[i + 1][0] > 0:
                    triangles.append((a + 1, a + row, a + row + 1))
    return positions, normals, triangles


def arc(centre, radius, start, end, steps):
    """Part of a circle in the plane of (radius, height), by angles in degrees; it touches the axis exactly."""
    points = []
    for i in range(steps + 1):
        angle = math.radians(start + (end - start) * i / steps)
        r = centre[0] + radius * math.cos(angle)
        points.append((0.0 if abs(r) < 1e-9 else r, centre[1] + radius * math.sin(angle)))
    return points


def writeModel(path, shape):
    """A binary glTF file with one mesh."""
    from glb import Glb
    positions, normals, triangles = shape
    model = Glb()
    material = model.add("materials", {"name": "default"})
    mesh = model.add("meshes", {"primitives": [{"attributes": {"POSITION": model.vectors(positions),
                                                               "NORMAL": model.vectors(normals)},
                                                "indices": model.indices(triangles), "material": material}]})
    model.add("scenes", {"nodes": [model.add("nodes", {"mesh": mesh})]})
    path.parent.mkdir(exist_ok=True)
    model.write(path)
