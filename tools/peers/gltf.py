"""Reads the triangles of binary glTF files, as the demo scenes have them: no textures, animations or compression."""

import json
import struct
from array import array

from triangles import IDENTITY, Mesh, little_endian, product, transformed

LETTERS = {5121: "B", 5123: "H", 5125: "I", 5126: "f"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}


def primitives(path):
    """(mesh in the file's own space, name of the material, the material as glTF says it) of each. Raises ValueError for
    a file that is not as said above."""
    data = path.read_bytes()
    if data[:4] != b"glTF" or data[16:20] != b"JSON":
        raise ValueError(f"{path}: found no binary glTF, expected a .glb file")
    (length,) = struct.unpack_from("<I", data, 12)
    document, binary = json.loads(data[20 : 20 + length]), data[28 + length :]
    found = []

    def visit(node, above, place):
        matrix = product(above, matrix_of(node, f"{path}: {place}"))
        if "mesh" in node:
            for primitive in document["meshes"][node["mesh"]]["primitives"]:
                material = document["materials"][primitive["material"]]
                mesh = mesh_of(document, binary, primitive, f"{path}: /meshes/{node['mesh']}")
                found.append((transformed(mesh, matrix), material.get("name", ""), material))
        for child in node.get("children", []):
            visit(document["nodes"][child], matrix, f"/nodes/{child}")

    for root in document["scenes"][document.get("scene", 0)]["nodes"]:
        visit(document["nodes"][root], IDENTITY, f"/nodes/{root}")
    return found


def matrix_of(node, place):
    if "matrix" in node or "rotation" in node:
        raise ValueError(f"{place}: found a matrix or a rotation, expected translation and scale alone")
    scale, move = node.get("scale", [1, 1, 1]), node.get("translation", [0, 0, 0])
    return tuple(tuple(float(scale[i]) if i == j else 0.0 for j in range(3)) + (float(move[i]),) for i in range(3))


def mesh_of(document, binary, primitive, place):
    if primitive.get("mode", 4) != 4 or "indices" not in primitive or "NORMAL" not in primitive["attributes"]:
        raise ValueError(f"{place}: found strips, fans or no normals, expected indexed triangles with normals")
    positions, normals = (
        vectors(document, binary, primitive["attributes"][name], place) for name in ("POSITION", "NORMAL")
    )
    indices = [i for (i,) in vectors(document, binary, primitive["indices"], place)]
    return Mesh(positions, normals, list(zip(indices[0::3], indices[1::3], indices[2::3])))


def vectors(document, binary, index, place):
    """The tuples of an accessor."""
    accessor = document["accessors"][index]
    view = document["bufferViews"][accessor["bufferView"]]
    letter, width = LETTERS.get(accessor["componentType"]), WIDTHS.get(accessor["type"])
    if letter is None or width is None or "sparse" in accessor:
        raise ValueError(
            f"{place}/accessors/{index}: found type {accessor['componentType']} or sparse values, "
            "expected floats or unsigned numbers"
        )
    values = array(letter)
    size = width * values.itemsize
    if view.get("byteStride", size) != size:
        raise ValueError(f"{place}/accessors/{index}: found a stride of {view['byteStride']} bytes, expected {size}")
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    values.frombytes(binary[start : start + accessor["count"] * size])
    if len(values) != accessor["count"] * width:
        raise ValueError(
            f"{place}/accessors/{index}: found {len(values)} numbers, expected {accessor['count'] * width}"
        )
    little_endian(values)
    return list(zip(*[iter(values)] * width))
