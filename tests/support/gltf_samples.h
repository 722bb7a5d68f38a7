#pragma once

// Compressed glTF documents that other programs wrote.

#include <string>

namespace aureole::test {

/// Khronos' sample "Box" (by Cesium, CC BY 4.0), compressed by Draco with edgebreaker and quantisation.
inline std::string dracoBox() {
    return R"({"asset": {"version": "2.0"}, "nodes": [{"mesh": 0}],
"meshes": [{"name": "box", "primitives": [{"attributes": {"NORMAL": 1, "POSITION": 2}, "indices": 0,
  "extensions": {"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {"NORMAL": 0, "POSITION": 1}}}}]}],
"accessors": [{"componentType": 5123, "count": 36, "type": "SCALAR"},
  {"componentType": 5126, "count": 24, "type": "VEC3"}, {"componentType": 5126, "count": 24, "type": "VEC3"}],
"bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 118}],
"extensionsUsed": ["KHR_draco_mesh_compression"], "extensionsRequired": ["KHR_draco_mesh_compression"],
"buffers": [{"byteLength": 118, "uri": "data:application/octet-stream;base64,)"
           "RFJBQ08CAgEBAAAACAwBCwAAA19bCgEBEFUEXOONRgL/AAAAAQABAAkDAAECAQEJAwAAAwEBAQADAwEwARADACSWEwokBAAAAAD/"
           "PwAAAAAA"
           R"(vwAAAL8AAAC/AACAPw4GAwEBAQEBQAEA/wMAAP8BAAD/AqFBCg=="}]})";
}

/// That box, quantised and compressed by meshoptimizer, with octahedral normals; without the buffer to fall back to.
inline std::string meshoptBox() {
    return R"({"asset": {"version": "2.0"}, "nodes": [{"scale": [0.5, 0.5, 0.5], "mesh": 0}],
"meshes": [{"name": "box", "primitives": [{"attributes": {"NORMAL": 1, "POSITION": 2}, "indices": 0}]}],
"accessors": [{"bufferView": 0, "componentType": 5123, "count": 36, "type": "SCALAR"},
  {"bufferView": 1, "componentType": 5120, "count": 24, "type": "VEC3", "normalized": true},
  {"bufferView": 2, "componentType": 5122, "count": 24, "type": "VEC3", "normalized": true}],
"bufferViews": [{"buffer": 1, "byteLength": 72, "extensions": {"EXT_meshopt_compression":
    {"buffer": 0, "byteOffset": 0, "byteLength": 29, "mode": "TRIANGLES", "byteStride": 2, "count": 36}}},
  {"buffer": 1, "byteOffset": 72, "byteLength": 96, "byteStride": 4, "extensions": {"EXT_meshopt_compression":
    {"buffer": 0, "byteOffset": 32, "byteLength": 62, "mode": "ATTRIBUTES", "filter": "OCTAHEDRAL", "byteStride": 4,
     "count": 24}}},
  {"buffer": 1, "byteOffset": 168, "byteLength": 192, "byteStride": 8, "extensions": {"EXT_meshopt_compression":
    {"buffer": 0, "byteOffset": 96, "byteLength": 109, "mode": "ATTRIBUTES", "byteStride": 8, "count": 24}}}],
"extensionsRequired": ["KHR_mesh_quantization", "EXT_meshopt_compression"],
"buffers": [{"byteLength": 208, "uri": "data:application/octet-stream;base64,)"
           "4fAQ8BDwEPAQ8BDwEAB2h1ZneKmGZYlomAFpAAAAAACgBQAAwMD+/cDAAAD9AwUAwMDA/f7+wMAAAP3+AAAAAAAAAAAAAAAAAAAAAAAA"
           "AAAAAAAAAAAAAAAAAAB/AAAAoAYDQwQ0MABDQ8AMAAAEAwUZJkCZgAQAAAoAMEAANDQwAENDQ0MAAAAABQSAZkCZmQAABgAAAEAwQDBA"
           R"(zAAAAAMEBQAISEhIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABgAGA/38AAAAAAA=="},
  {"byteLength": 360, "extensions": {"EXT_meshopt_compression": {"fallback": true}}}]})";
}

} // namespace aureole::test
