"""A minimal writer of binary glTF 2.0."""

import json
import struct


class Glb:
    def __init__(self):
        self.binary = bytearray()
        self.document = {"asset": {"version": "2.0", "generator": "aureole tools/scenes"}, "scene": 0, "scenes": [],
                         "nodes": [], "meshes": [], "materials": [], "textures": [], "images": [], "samplers": [],
                         "accessors": [], "bufferViews": [], "buffers": [], "skins": [],
                         "animations": []}

    def add(self, kind, item):
        self.document[kind].append(item)
        return len(self.document[kind]) - 1

    def _view(self, data, **keys):
        self.binary += bytes(-len(self.binary) % 4)
        view = {"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data), **keys}
        self.binary += data
        return self.add("bufferViews", view)

    def vectors(self, values, **keys):
        """An accessor of float vectors, of vertices unless `keys` of the buffer view say otherwise (target=None)."""
        size = len(values[0])
        data = struct.pack(f"<{size * len(values)}f", *(c for v in values for c in v))
        view = {key: value for key, value in {"target": 34962, **keys}.items() if value is not None}
        accessor = {"bufferView": self._view(data, **view), "componentType": 5126, "count": len(values),
                    "type": {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}[size]}
        if size in (1, 3):
            stored = list(zip(*[iter(struct.unpack(f"<{size * len(values)}f", data))] * size))
            accessor["min"] = [min(column) for column in zip(*stored)]
            accessor["max"] = [max(column) for column in zip(*stored)]
        return self.add("accessors", accessor)

    def indices(self, triangles):
        """Of at most 65,535 vertices."""
        flat = [i for triangle in triangles for i in triangle]
        data = struct.pack(f"<{len(flat)}H", *flat)
        return self.add("accessors", {"bufferView": self._view(data, target=34963), "componentType": 5123,
                                      "count": len(flat), "type": "SCALAR"})

    def bytes(self, values):
        """An accessor of four bytes a vertex, such as the numbers of joints."""
        data = bytes(c for value in values for c in value)
        return self.add("accessors", {"bufferView": self._view(data, target=34962), "componentType": 5121,
                                      "count": len(values), "type": "VEC4"})

    def texture(self, name, png, sampler):
        image = self.add("images", {"name": name, "mimeType": "image/png", "bufferView": self._view(png)})
        return self.add("textures", {"name": name, "source": image, "sampler": sampler})

    def write(self, path):
        self.binary += bytes(-len(self.binary) % 4)
        self.document["buffers"] = [{"byteLength": len(self.binary)}]
        text = json.dumps({k: v for k, v in self.document.items() if v != []}, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        body = struct.pack("<II", len(text), 0x4E4F534A) + text + \
            struct.pack("<II", len(self.binary), 0x004E4942) + bytes(self.binary)
        path.write_bytes(struct.pack("<III", 0x46546C67, 2, 12 + len(body)) + body)
        print(path, len(body) + 12)
