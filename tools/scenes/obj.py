"""A minimal writer of Wavefront OBJ files, with lengths in metres."""

import contextlib
import math


class Obj:
    """Faces of materials of one library. Faces without texture coordinates of their own lie by their largest plane."""

    def __init__(self, library):
        self.lines = ["# Made by a script of tools/scenes.", f"mtllib {library}"]
        self.counts = {"v": {}, "vt": {}, "vn": {}}
        self.offset = (0.0, 0.0, 0.0)

    @contextlib.contextmanager
    def moved(self, offset):
        self.offset = offset
        yield
        self.offset = (0.0, 0.0, 0.0)

    def material(self, name):
        self.lines.append(f"usemtl {name}")

    def _index(self, kind, values, digits):
        text = " ".join(f"{round(value, digits) + 0.0:g}" for value in values)
        known = self.counts[kind]
        if text not in known:
            known[text] = len(known) + 1
            self.lines.append(f"{kind} {text}")
        return known[text]

    def polygon(self, points, uvs, normals=None):
        corners = []
        for i, (point, uv) in enumerate(zip(points, uvs)):
            corner = f"{self._index('v', [p + o for p, o in zip(point, self.offset)], 4)}/{self._index('vt', uv, 3)}"
            corners.append(corner + (f"/{self._index('vn', normals[i], 3)}" if normals else ""))
        self.lines.append("f " + " ".join(corners))

    def face(self, points, tile):
        """A flat one, its texture `tile` metres wide."""
        a, b, c = points[:3]
        u, v = ([q - p for p, q in zip(a, other)] for other in (b, c))
        cross = [u[i - 2] * v[i - 1] - u[i - 1] * v[i - 2] for i in range(3)]
        normal = [n / math.hypot(*cross) for n in cross]
        axis = max(range(3), key=lambda i: abs(normal[i]))
        first, second = ((2, 1), (0, 2), (0, 1))[axis]
        self.polygon(points, [(p[first] / tile, p[second] / tile) for p in points], [normal] * len(points))

    def box(self, low, high):
        (x0, y0, z0), (x1, y1, z1) = low, high
        for points in ([(x0, y0, z1), (x1, y0, z1), (x1, y1, z1), (x0, y1, z1)],
                       [(x1, y0, z0), (x0, y0, z0), (x0, y1, z0), (x1, y1, z0)],
                       [(x1, y0, z1), (x1, y0, z0), (x1, y1, z0), (x1, y1, z1)],
                       [(x0, y0, z0), (x0, y0, z1), (x0, y1, z1), (x0, y1, z0)],
                       [(x0, y1, z1), (x1, y1, z1), (x1, y1, z0), (x0, y1, z0)],
                       [(x0, y0, z0), (x1, y0, z0), (x1, y0, z1), (x0, y0, z1)]):
            self.face(points, 1)

    def lathe(self, profile, segments, centre=(0.0, 0.0)):
        """Turns (radius, height) about an axis along Y; outward is to the right of the profile's way."""
        for (r0, y0), (r1, y1) in zip(profile, profile[1:]):
            length = math.hypot(r1 - r0, y1 - y0)
            out, up = (y1 - y0) / length, (r0 - r1) / length
            for i in range(segments):
                angles = [2 * math.pi * (i + k) / segments for k in (0, 1)]
                corners = [(r0, y0, angles[1]), (r0, y0, angles[0]), (r1, y1, angles[0]), (r1, y1, angles[1])]
                if r1 == 0:
                    corners = corners[:3]
                points = [(centre[0] + r * math.cos(a), y, centre[1] + r * math.sin(a)) for r, y, a in corners]
                normals = [(out * math.cos(a), up, out * math.sin(a)) for _, _, a in corners]
                self.polygon(points, [(a / (2 * math.pi), y) for _, y, a in corners], normals)

    def sheet(self, point, columns, rows, tiles):
        """A grid of point(i, j), the first row at the top, with the texture `tiles` times across it."""
        for j in range(rows):
            for i in range(columns):
                places = [(i, j + 1), (i + 1, j + 1), (i + 1, j), (i, j)]
                self.polygon([point(*place) for place in places],
                             [(tiles[0] * a / columns, tiles[1] * (1 - b / rows)) for a, b in places])

    def write(self, path):
        path.write_text("\n".join(self.lines) + "\n")
        print(path)
