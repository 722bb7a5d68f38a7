"""Triangles in plain Python: the shapes of scene files, moving and joining meshes, PLY files."""

import math
import sys
from array import array
from dataclasses import dataclass

IDENTITY = ((1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0))  # rows of an affine matrix


@dataclass
class Mesh:
    """Positions and unit normals (x, y, z), one of each for a vertex, and triangles of three indices, counter-clockwise
    seen from the front."""

    positions: list
    normals: list
    triangles: list


def add(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def minus(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def scaled(a, factor):
    return (a[0] * factor, a[1] * factor, a[2] * factor)


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(a):
    return scaled(a, 1 / max(math.hypot(*a), 1e-30))


def area(mesh):
    """Of all triangles together, in the square of the unit of length."""
    p = mesh.positions
    return sum(math.hypot(*cross(minus(p[b], p[a]), minus(p[c], p[a]))) for a, b, c in mesh.triangles) / 2


def product(left, right):
    """The affine matrix that applies `right` first."""
    bottom = (0.0, 0.0, 0.0, 1.0)
    return tuple(
        tuple(sum(row[k] * (*right, bottom)[k][column] for k in range(4)) for column in range(4)) for row in left
    )


def transformed(mesh, matrix):
    """The mesh moved by an affine matrix that can be inverted; it is turned inside out by no mirror."""
    rows = [row[:3] for row in matrix]
    # Rows of the inverse's transpose, but for a factor: normals stay perpendicular to their surface.
    turned = [cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1])]
    mirrors = sum(x * y for x, y in zip(rows[0], turned[0])) < 0
    if mirrors:
        turned = [scaled(row, -1) for row in turned]
    (a, b, c, x0), (d, e, f, y0), (g, h, i, z0) = matrix
    positions = [
        (a * x + b * y + c * z + x0, d * x + e * y + f * z + y0, g * x + h * y + i * z + z0)
        for x, y, z in mesh.positions
    ]
    (a, b, c), (d, e, f), (g, h, i) = turned
    normals = [unit((a * x + b * y + c * z, d * x + e * y + f * z, g * x + h * y + i * z)) for x, y, z in mesh.normals]
    return Mesh(positions, normals, [t[::-1] for t in mesh.triangles] if mirrors else mesh.triangles)


def joined(meshes):
    whole = Mesh([], [], [])
    for mesh in meshes:
        first = len(whole.positions)
        whole.positions += mesh.positions
        whole.normals += mesh.normals
        whole.triangles += [(a + first, b + first, c + first) for a, b, c in mesh.triangles]
    return whole


def behind(mesh, distance):
    """The same surface seen from the other side, and as far behind itself."""
    positions = [minus(p, scaled(n, distance)) for p, n in zip(mesh.positions, mesh.normals)]
    return Mesh(positions, [scaled(n, -1) for n in mesh.normals], [t[::-1] for t in mesh.triangles])


def faceted(positions, triangles):
    """A mesh without normals of its own: each triangle gets those of its plane."""
    mesh = Mesh([], [], [])
    for corners in triangles:
        a, b, c = (tuple(map(float, positions[i])) for i in corners)
        first = len(mesh.positions)
        mesh.positions += [a, b, c]
        mesh.normals += [unit(cross(minus(b, a), minus(c, a)))] * 3
        mesh.triangles.append((first, first + 1, first + 2))
    return mesh


def quad(corner, u, v):
    """A parallelogram from `corner` along u and v, which faces u x v."""
    corners = [corner, add(corner, u), add(add(corner, u), v), add(corner, v)]
    return Mesh(corners, [unit(cross(u, v))] * 4, [(0, 1, 2), (0, 2, 3)])


def box_faces(low, high):
    """The six faces as (corner, u, v), facing outwards."""
    x, y, z = (high[0] - low[0], 0.0, 0.0), (0.0, high[1] - low[1], 0.0), (0.0, 0.0, high[2] - low[2])
    return [
        (add(low, z), x, y),
        (add(low, x), scaled(x, -1), y),
        (low, z, y),
        (add(add(low, x), z), scaled(z, -1), y),
        (add(add(low, y), z), x, scaled(z, -1)),
        (low, x, z),
    ]


def sphere(centre, radius, subdivisions):
    """An icosahedron whose triangles are divided in four as often as told, all corners on the sphere."""
    height, ring = 1 / math.sqrt(5), 2 / math.sqrt(5)
    points = [(0.0, 1.0, 0.0)]
    for i in range(10):
        angle = math.pi / 5 * i
        points.append((ring * math.cos(angle), height if i % 2 == 0 else -height, -ring * math.sin(angle)))
    points.append((0.0, -1.0, 0.0))
    triangles = []
    for i in range(0, 10, 2):
        upper, lower, next_upper, next_lower = 1 + i, 2 + i, 1 + (i + 2) % 10, 2 + (i + 2) % 10
        triangles += [
            (0, upper, next_upper),
            (upper, lower, next_upper),
            (next_upper, lower, next_lower),
            (lower, 11, next_lower),
        ]
    for _ in range(subdivisions):
        triangles = divided(points, triangles)
    return Mesh([add(centre, scaled(p, radius)) for p in points], points, triangles)


def divided(points, triangles):
    """Each triangle as four; adds the middles of edges, pushed out to the unit sphere, to the points."""
    middles = {}

    def middle(a, b):
        edge = (min(a, b), max(a, b))
        if edge not in middles:
            middles[edge] = len(points)
            points.append(unit(add(points[a], points[b])))
        return middles[edge]

    smaller = []
    for a, b, c in triangles:
        ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
        smaller += [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    return smaller


def cuts(start, length, size):
    """Where an edge passes multiples of `size`, as shares of the edge, its ends included."""
    low, high = min(start, start + length), max(start, start + length)
    inner = ((i * size - start) / length for i in range(math.ceil(low / size), math.floor(high / size) + 1))
    return [0.0, *sorted(s for s in inner if 1e-9 < s < 1 - 1e-9), 1.0]


def checkered(faces, size):
    """Parts of axis-aligned faces by the colour, 0 or 1, that a checker of cubes with edges of `size` has there."""
    parts = ([], [])
    for corner, u, v in faces:
        normal = unit(cross(u, v))
        steps = []
        for edge in (u, v):
            axis = max(range(3), key=lambda i, edge=edge: abs(edge[i]))
            places = cuts(corner[axis], edge[axis], size)
            steps.append(list(zip(places, places[1:])))
        for u0, u1 in steps[0]:
            for v0, v1 in steps[1]:
                centre = add(add(corner, scaled(u, (u0 + u1) / 2)), scaled(v, (v0 + v1) / 2))
                # A face in a plane of the checker has the colour of the cube below it.
                cell = [math.floor(c / size - 1e-3 * n) for c, n in zip(centre, normal)]
                first = add(add(corner, scaled(u, u0)), scaled(v, v0))
                parts[sum(cell) & 1].append((first, scaled(u, u1 - u0), scaled(v, v1 - v0)))
    return parts


def little_endian(values):
    if sys.byteorder == "big":
        values.byteswap()
    return values


def write_ply(path, mesh):
    """A binary PLY file of single precision, with normals."""
    vertices = array("f", (c for p, n in zip(mesh.positions, mesh.normals) for c in (*p, *n)))
    indices = little_endian(array("i", (i for t in mesh.triangles for i in t))).tobytes()
    faces = b"".join(b"\3" + indices[at : at + 12] for at in range(0, len(indices), 12))
    head = [
        "ply",
        "format binary_little_endian 1.0",
        f"element vertex {len(mesh.positions)}",
        *(f"property float {name}" for name in ("x", "y", "z", "nx", "ny", "nz")),
        f"element face {len(mesh.triangles)}",
        "property list uchar int vertex_indices",
        "end_header",
        "",
    ]
    path.write_bytes("\n".join(head).encode() + little_endian(vertices).tobytes() + faces)


def read_ply(path):
    """What write_ply wrote: arrays of numbers of positions, normals and triangles."""
    data = path.read_bytes()
    end = data.index(b"end_header\n") + 11
    words = data[:end].decode().split()
    vertices, faces = int(words[words.index("vertex") + 1]), int(words[words.index("face") + 1])
    middle = end + 24 * vertices
    expected = middle + 13 * faces
    if len(data) != expected:
        raise ValueError(f"{path}: found {len(data)} bytes, expected {expected} by its header")
    numbers = array("f", data[end:middle])
    indices = array("i", b"".join(data[at + 1 : at + 13] for at in range(middle, len(data), 13)))
    little_endian(numbers), little_endian(indices)
    positions, normals = array("f", bytes(12 * vertices)), array("f", bytes(12 * vertices))
    for axis in range(3):
        positions[axis::3], normals[axis::3] = numbers[axis::6], numbers[axis + 3 :: 6]
    return positions, normals, indices
