"""glTF: millions of nodes, deep trees, circles, broken references, and what a buffer may be."""

import base64
import json
import struct

from case import Case, refused, unharmed

TRIANGLE = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
INDICES = struct.pack("<3H", 0, 1, 2)


def data_uri(data):
    return "data:application/octet-stream;base64," + base64.b64encode(data).decode()


def document(positions=TRIANGLE, indices=INDICES, **changes):
    """A triangle as embedded glTF; `changes` replace members of the root."""
    data = positions + indices
    root = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": len(positions) // 12, "type": "VEC3"},
                          {"bufferView": 1, "componentType": 5123, "count": len(indices) // 2, "type": "SCALAR"}],
            "bufferViews": [{"buffer": 0, "byteLength": len(positions)},
                            {"buffer": 0, "byteOffset": len(positions), "byteLength": len(indices)}],
            "buffers": [{"byteLength": len(data), "uri": data_uri(data)}]}
    root.update(changes)
    return root


def gltf(**changes):
    return json.dumps(document(**changes))


def glb(text, binary=b"", json_length=None, length=None):
    text, binary = text.encode(), binary + bytes(-len(binary) % 4)
    text += b" " * (-len(text) % 4)
    body = struct.pack("<II", len(text) if json_length is None else json_length, 0x4E4F534A) + text
    if binary:
        body += struct.pack("<II", len(binary), 0x004E4942) + binary
    return b"glTF" + struct.pack("<II", 2, 12 + len(body) if length is None else length) + body


def nodes_text(nodes, roots):
    """A document of very many nodes, whose texts are given."""
    text = gltf(nodes=[], scenes=[{"nodes": []}])
    text = text.replace('"nodes": []', f'"nodes": [{",".join(roots)}]', 1)
    return text.replace('"nodes": []', f'"nodes": [{",".join(nodes)}]', 1)


def trees():
    count = 1_000_000
    chain = [f'{{"children":[{i + 1}]}}' for i in range(count - 1)] + ['{"mesh":0}']
    yield Case("chain.gltf", nodes_text(chain, ["0"]))
    wide = [f'{{"mesh":0,"translation":[{i % 1000},{i // 1000},0]}}' for i in range(count)]
    yield Case("wide.gltf", nodes_text(wide, map(str, range(count))))
    yield refused("circle.gltf", gltf(nodes=[{"children": [1]}, {"children": [0], "mesh": 0}]), "reached twice")
    yield refused("itself.gltf", gltf(nodes=[{"children": [0], "mesh": 0}]), "reached twice")
    yield refused("no_node.gltf", gltf(nodes=[{"children": [7], "mesh": 0}]))
    yield refused("no_scene.gltf", gltf(scene=3))
    yield refused("no_mesh.gltf", gltf(nodes=[{"mesh": 1}]))
    yield refused("flat.gltf", gltf(nodes=[{"mesh": 0, "scale": [0, 0, 0]}]), "area")
    yield Case("mirrored.gltf", gltf(nodes=[{"mesh": 0, "scale": [-1, 1, 1]}]))
    yield unharmed("huge_scales.gltf", gltf(nodes=[{"children": [1], "scale": [1e30] * 3},
                                                   {"mesh": 0, "scale": [1e30] * 3}]))
    deep = gltf(nodes=[{"children": [i + 1], "scale": [1e9] * 3} for i in range(99)] + [{"mesh": 0}])
    yield refused("beyond_all_scales.gltf", deep)


def nesting():
    for name, open_one, close_one in (("lists", "[", "]"), ("objects", '{"a":', "}")):
        deep = open_one * 1_000_000 + "0" + close_one * 1_000_000
        yield unharmed(f"nested_{name}.gltf", gltf(extras=0).replace('"extras": 0', f'"extras": {deep}'))
        yield refused(f"open_{name}.gltf", open_one * 1_000_000)
    yield refused("number.gltf", gltf(scene=0).replace('"scene": 0', '"scene": 1e999'))
    yield refused("not_utf8.gltf", gltf(extras="name").encode().replace(b"name", b"\xff\xfe"))
    yield Case("marked.gltf", b"\xef\xbb\xbf" + gltf().encode())


def references():
    views, accessors = document()["bufferViews"], document()["accessors"]
    yield refused("index_beyond.gltf", gltf(indices=struct.pack("<3H", 0, 1, 3)), "expected less than 3")
    yield refused("count.gltf", gltf(accessors=[{**accessors[0], "count": 2**53}, accessors[1]]))
    yield refused("offset.gltf", gltf(accessors=[{**accessors[0], "byteOffset": 2**63}, accessors[1]]))
    yield refused("view.gltf", gltf(bufferViews=[{**views[0], "byteLength": 2**40}, views[1]]))
    yield refused("sparse.gltf", gltf(accessors=[{**accessors[0], "sparse": {
        "count": 4_000_000_000, "indices": {"bufferView": 1, "componentType": 5123}, "values": {"bufferView": 0}}},
        accessors[1]]))
    yield refused("nan.gltf", gltf(positions=struct.pack("<9f", 0, 0, 0, float("nan"), 0, 0, 0, 1, 0)))
    yield Case("no_indices.gltf", gltf(meshes=[{"primitives": [{"attributes": {"POSITION": 0}}]}]))
    yield refused("lines.gltf", gltf(meshes=[{"primitives": [{"attributes": {"POSITION": 0}, "mode": 1}]}]))
    picture = {"meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],
               "textures": [{"source": 0}], "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]}
    yield refused("no_texture.gltf", gltf(**picture, images=[{"uri": "gone.png"}]), "gone.png")
    yield refused("bad_texture.gltf", gltf(**picture, images=[{"uri": data_uri(b"no picture")}]))


def buffers():
    def buffer(uri, **more):
        return gltf(buffers=[{"byteLength": 42, "uri": uri}], **more)

    inside = TRIANGLE + INDICES
    yield Case("beside.gltf", buffer("a%20b%C3%BC.bin"), beside={"a bü.bin": inside})
    yield Case("dotted.gltf", buffer("./a.bin"), beside={"a.bin": inside})
    yield refused("gone.gltf", buffer("gone.bin"), "gone.bin")
    yield refused("short.gltf", buffer("a.bin"), beside={"a.bin": inside[:20]})
    yield refused("absolute.gltf", buffer("/etc/passwd"), "absolute")
    yield refused("outside.gltf", buffer("../../../../etc/passwd"), "leaves the scene folder")
    yield refused("escaped.gltf", buffer("%2e%2e/%2e%2e/%2e%2e/etc/passwd"), "leaves the scene folder")
    yield refused("remote.gltf", buffer("https://localhost/a.bin"), "URL")
    yield refused("unencoded.gltf", buffer("data:,plain"))
    yield refused("bad_base64.gltf", buffer("data:application/octet-stream;base64,@@@@"))
    yield refused("zero_byte.gltf", buffer("a%00.bin"))
    text = json.dumps(document(buffers=[{"byteLength": 42}]))
    yield Case("whole.glb", glb(text, inside))
    yield Case("Würfel 立方体.glb", glb(text, inside))
    yield Case("tab\there\x1b[31m.glb", glb(text, inside))
    yield refused("no_binary.glb", glb(text))
    yield refused("long_json.glb", glb(text, inside, json_length=2**32 - 4))
    yield unharmed("long.glb", glb(text, inside, length=2**32 - 4))
    yield refused("cut_short.glb", glb(text, inside)[:-9])
    yield refused("version_1.glb", b"glTF" + struct.pack("<II", 1, 12))


def cases():
    yield from trees()
    yield from nesting()
    yield from references()
    yield from buffers()
