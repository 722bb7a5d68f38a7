#pragma once

// The shapes that a scene file describes itself: boxes, spheres, quads and meshes.

#include <optional>
#include <span>
#include <string>

#include "model/mesh.h"
#include "model/primitives.h"
#include "scene/json/json_reader.h"

namespace aureole {

/// The mesh of an asset that is no model file. That of a sphere is empty, and made later.
struct Shape {
    Mesh mesh;
    std::optional<Sphere> sphere;
    std::string fileHash; ///< of a heightmap, whose memory is counted already; else empty
};

/// Reads a shape by the key that an asset has it under. Nothing, with problems noted, where it is wrong.
struct ShapeReader {
    const char* key;
    std::optional<Shape> (*read)(const ValueReader& value);
};

std::span<const ShapeReader> shapeReaders();

} // namespace aureole
