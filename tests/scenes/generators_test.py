#!/usr/bin/env python3
"""Runs the scene generators and compares what they write with what is committed.

Usage: generators_test.py REPOSITORY

Scene files must be equal, byte for byte. PNG files are compared by their pixels and models by their numbers, since
other versions of zlib and of the C library's mathematics may give other bytes.
"""

import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zlib

GENERATORS = ["amphorae.py", "cornell.py", "balls.py", "fractal.py", "textured.py", "chess.py", "city.py", "glass.py",
              "still_life.py", "grazing.py", "reaction.py", "atrium.py", "fog.py",
              "cloud.py", "forest.py", "walker.py", "pinwheels.py", "plume.py"]
MOST_BYTES = 1_000_000


def pngPixels(data):
    """The filtered lines of a PNG file: its pixels, whatever the compression."""
    position, packed = 8, b""
    while position < len(data):
        size, kind = struct.unpack_from(">I4s", data, position)
        if kind == b"IDAT":
            packed += data[position + 8:position + 8 + size]
        position += 12 + size
    return zlib.decompress(packed)


def glbParts(data):
    """The JSON of a GLB file without the views' places, and the content of its views."""
    size = struct.unpack_from("<I", data, 12)[0]
    document = json.loads(data[20:20 + size])
    binary = data[28 + size:]
    views = [binary[v["byteOffset"]:v["byteOffset"] + v["byteLength"]] for v in document.pop("bufferViews")]
    document.pop("buffers")
    return document, views


def vdbValues(data):
    """What the leaves of a .vdb file hold, unpacked, whatever the compression."""
    values, at = [], data.find(b"\x78\xda")
    while at >= 0:
        stream = zlib.decompressobj()
        values.append(stream.decompress(data[at:]))
        at = data.find(b"\x78\xda", len(data) - len(stream.unused_data))
    return values


def near(a, b, tolerance):
    if isinstance(a, float) or isinstance(b, float):
        return abs(a - b) <= tolerance
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(near(x, y, tolerance) for x, y in zip(a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(near(a[k], b[k], tolerance) for k in a)
    return a == b


def sameView(a, b):
    if a[:4] == b[:4] == b"\x89PNG":
        return pngPixels(a) == pngPixels(b)
    if a == b or len(a) != len(b):
        return a == b
    floats = [struct.unpack(f"<{len(v) // 4}f", v[:len(v) // 4 * 4]) for v in (a, b)]
    return all(abs(x - y) <= 1e-6 for x, y in zip(*floats))


def same(name, a, b):
    if name.endswith(".png"):
        return pngPixels(a) == pngPixels(b)
    if name.endswith(".glb"):
        (documentA, viewsA), (documentB, viewsB) = glbParts(a), glbParts(b)
        return near(documentA, documentB, 1e-6) and len(viewsA) == len(viewsB) and all(map(sameView, viewsA, viewsB))
    if name.endswith(".vdb"):
        return vdbValues(a) == vdbValues(b)
    return a == b


def largeMeshFaults(script):
    """What is wrong with a small mesh of large_mesh.py: it must be closed, its triangles must face outwards."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "ring.ply"
        subprocess.run([sys.executable, "-B", script, path, "--triangles", "1000"], check=True)
        data = path.read_bytes()
    start = data.index(b"end_header\n") + 11
    vertices, triangles = (int(re.search(rb"element %s (\d+)" % name, data)[1]) for name in (b"vertex", b"face"))
    if triangles < 1000 or len(data) != start + 12 * vertices + 13 * triangles:
        return [f"large_mesh.py: found {len(data)} bytes for {vertices} vertices and {triangles} triangles"]
    points = list(struct.iter_unpack("<3f", data[start:start + 12 * vertices]))
    edges, volume = set(), 0.0
    for count, a, b, c in struct.iter_unpack("<B3i", data[start + 12 * vertices:]):
        if count != 3 or not {(a, b), (b, c), (c, a)}.isdisjoint(edges):
            return ["large_mesh.py: an edge has two triangles on one side"]
        edges |= {(a, b), (b, c), (c, a)}
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = points[a], points[b], points[c]
        volume += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    if any((b, a) not in edges for a, b in edges) or volume <= 0:
        return ["large_mesh.py: the mesh is open or inside out"]
    return []


def largeFogFaults(script):
    """What is wrong with a small cloud of large_fog.py: as many bytes as its grid says, which are of its leaves."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "fog.vdb"
        told = subprocess.run([sys.executable, "-B", script, path, "--voxels", "20000"], check=True, text=True,
                              capture_output=True).stdout
        data = path.read_bytes()
    voxels = int(told.split()[-2])
    _, buffers, end = struct.unpack_from("<3Q", data, data.index(b"HalfFloat") + 13)
    leaf = bytes([255]) * 64 + bytes(1)  # all active, and written as they are
    leaves = [data[at:at + len(leaf)] for at in range(buffers, end, len(leaf) + 1024)]
    if voxels < 20000 or end != len(data) or len(leaves) != voxels // 512 or set(leaves) != {leaf}:
        return [f"large_fog.py: found {len(data)} bytes, {len(leaves)} leaves, for {voxels} voxels in {end} bytes"]
    return []


def main(root):
    bad = largeMeshFaults(root / "tools/scenes/large_mesh.py") + largeFogFaults(root / "tools/scenes/large_fog.py")
    with tempfile.TemporaryDirectory() as folder:
        for generator in GENERATORS:
            subprocess.run([sys.executable, "-B", root / "tools/scenes" / generator, folder], check=True)
        made = [p for p in sorted(pathlib.Path(folder).rglob("*")) if p.is_file()]
        for path in made:
            name = path.relative_to(folder)
            committed = root / "scenes" / name
            if not committed.exists():
                bad.append(f"{name} is not in scenes/")
            elif not same(str(name), path.read_bytes(), committed.read_bytes()):
                bad.append(f"{name} in scenes/ is not what its generator writes")
    for path in (root / "scenes").rglob("*"):
        if path.is_file() and path.stat().st_size > MOST_BYTES:
            bad.append(f"{path.name} has {path.stat().st_size} bytes, expected at most {MOST_BYTES}")
    print("\n".join(bad) or f"{len(made)} files are as generated")
    return 1 if bad or len(made) < len(GENERATORS) else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
