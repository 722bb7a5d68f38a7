"""OBJ, PLY, STL and OFF: numbers at the ends of their ranges, broken indices and counts, odd layouts."""

import math
import struct

from case import Case, refused, unharmed

CORNERS = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
# What stands in all coordinates: the scale and the shift of a tetrahedron, and whether it can be rendered: models are
# 1e-15 to 1e10 metres long, and single precision loses the shape of what is small and far away.
EXTENTS = {"large": (1e9, 0.0, True), "huge": (1e30, 0.0, False), "small": (1e-14, 0.0, True),
           "tiny": (1e-30, 0.0, False), "denormal": (1e-42, 0.0, False), "far": (1.0, 1e6, True),
           "lost": (1.0, 1e9, False), "beyond": (1e39, 0.0, False)}


def corners(scale=1.0, shift=0.0):
    return [tuple(scale * x + shift for x in corner) for corner in CORNERS]


def obj(points, faces=FACES, head=""):
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in points]
    lines += ["f " + " ".join(str(i + 1) for i in face) for face in faces]
    return head + "\n".join(lines) + "\n"


def ply(points, faces=FACES, form="ascii", count=None, properties=("x", "y", "z")):
    head = f"ply\nformat {form} 1.0\nelement vertex {len(points) if count is None else count}\n"
    head += "".join(f"property float {name}\n" for name in properties)
    head += f"element face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n"
    if form == "ascii":
        rows = [" ".join(map(repr, point)) for point in points]
        rows += [" ".join(map(str, (len(face), *face))) for face in faces]
        return (head + "\n".join(rows) + "\n").encode()
    order = "<" if "little" in form else ">"
    body = b"".join(struct.pack(f"{order}{len(point)}f", *point) for point in points)
    return head.encode() + body + b"".join(struct.pack(f"{order}B{len(f)}i", len(f), *f) for f in faces)


def ascii_stl(points, name=" shape"):
    text = f"solid{name}\n"
    for face in FACES:
        text += "facet normal 0 0 0\nouter loop\n"
        text += "".join("vertex {!r} {!r} {!r}\n".format(*points[i]) for i in face)
        text += "endloop\nendfacet\n"
    return text + f"endsolid{name}\n"


def binary_stl(points, count=None, head=b"made"):
    body = b"".join(struct.pack("<12fH", 0, 0, 0, *points[f[0]], *points[f[1]], *points[f[2]], 0) for f in FACES)
    return head.ljust(80, b" ") + struct.pack("<I", len(FACES) if count is None else count) + body


def off(points, faces=FACES, head="OFF\n"):
    rows = [f"{len(points)} {len(faces)} 0"] + [" ".join(map(repr, point)) for point in points]
    return head + "\n".join(rows + [" ".join(map(str, (len(face), *face))) for face in faces]) + "\n"


def extents():
    for name, (scale, shift, can_be_seen) in EXTENTS.items():
        points = corners(scale, shift)
        make = Case if can_be_seen else refused
        yield make(f"{name}.obj", obj(points))
        yield make(f"{name}.ply", ply(points))
        yield make(f"{name}_ascii.stl", ascii_stl(points))
        yield make(f"{name}.off", off(points))
        if name != "beyond":
            yield make(f"{name}_binary.ply", ply(points, form="binary_big_endian"))
            yield make(f"{name}_binary.stl", binary_stl(points))


def not_finite():
    for name, value in (("nan", math.nan), ("inf", math.inf), ("minus_inf", -math.inf)):
        points = [*CORNERS[:3], (value, 0.0, 1.0)]
        yield refused(f"{name}.obj", obj(points))
        yield refused(f"{name}.ply", ply(points, form="binary_little_endian"))
        yield refused(f"{name}_ascii.ply", ply(points))
        yield refused(f"{name}.stl", binary_stl(points))
        yield refused(f"{name}.off", off(points))


def indices():
    for name, face in (("beyond", (0, 1, 4)), ("far_beyond", (0, 1, 2147483646)), ("negative", (0, 1, -7))):
        yield refused(f"index_{name}.obj", obj(CORNERS, [face]))
        yield refused(f"index_{name}.ply", ply(CORNERS, [face]))
        yield refused(f"index_{name}_binary.ply", ply(CORNERS, [face], "binary_little_endian"))
        yield refused(f"index_{name}.off", off(CORNERS, [face]))
    yield refused("index_0.obj", obj(CORNERS, [(-1, 0, 1)]))
    yield refused("index_large.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99999999999999999999\n")
    yield Case("from_the_end.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\n")


def counts():
    yield refused("more_than_there_are.ply", ply(CORNERS, form="binary_little_endian", count=2_000_000_000))
    yield refused("negative.ply", ply(CORNERS, count=-1))
    yield Case("no_face.ply", ply(CORNERS, []))  # a cloud of points
    yield refused("cut_short.ply", ply(CORNERS, form="binary_little_endian")[:-5])
    yield unharmed("more_than_there_are.stl", binary_stl(CORNERS, 4_000_000_000))
    yield unharmed("fewer_than_there_are.stl", binary_stl(CORNERS, 1))
    yield refused("none.stl", binary_stl(CORNERS, 0)[:84])
    yield Case("starts_like_text.stl", binary_stl(CORNERS, head=b"solid of bytes"))
    yield refused("more_than_there_are.off", off(CORNERS).replace("4 4 0", "4 400000000 0"))
    yield refused("negative.off", off(CORNERS).replace("4 4 0", "-4 4 0"))
    for extension in ("obj", "ply", "stl", "off"):
        yield refused(f"empty.{extension}", "")
        yield refused(f"zeros.{extension}", bytes(5000))


def layouts():
    plain = obj(CORNERS)
    yield Case("returns.obj", plain.replace("\n", "\r\n"))
    yield Case("unended.obj", plain.rstrip("\n"))
    yield Case("continued.obj", plain.replace("f 1 3 2", "f 1 \\\n3 2"))
    yield Case("no_such_uvs.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n" + "vn 0 0 1\n" * 3 + "f 1/1/1 2/2/2 3/3/3\n")
    yield Case("names.obj", plain.replace("f 1", "o Würfel 立方体\ng Größe\ns 1\nf 1", 1))
    yield Case("one_shape_many_times.obj", plain + "".join(f"o n{i}\nf 1 2 3\n" for i in range(20_000)))
    yield Case("long_comment.obj", "#" + "x" * 10_000_000 + "\n" + plain)
    ring = [(math.cos(i / 500), math.sin(i / 500), 0.0) for i in range(3000)]
    yield Case("large_polygon.obj", obj(ring, [range(len(ring))]))
    yield refused("no_area.obj", obj([(0, 0, 0), (1, 1, 1), (2, 2, 2)], [(0, 1, 2)]), "has no area")
    yield refused("points.obj", obj(CORNERS, []))
    yield Case("quick.ply", ply([(*p, 0, 0, 1) for p in CORNERS], properties=("x", "y", "z", "nx", "ny", "nz")))
    yield Case("names.ply", ply(CORNERS).replace(b"element vertex", "comment größer\nelement vertex".encode(), 1))
    yield Case("nameless.stl", ascii_stl(CORNERS, ""))
    yield Case("names.stl", ascii_stl(CORNERS, " Würfel 立方体"))
    yield Case("commented.off", off(CORNERS, head="OFF\n# a comment\n\n"))
    yield Case("bare.off", off(CORNERS, head=""))
    yield Case("spaced.off", off(CORNERS).replace("\n", "\n\n \r\n"))
    yield Case("joined.off", off(CORNERS, head="OFF"))


def cases():
    yield from extents()
    yield from not_finite()
    yield from indices()
    yield from counts()
    yield from layouts()
