#pragma once

#include <string>
#include <vector>

#include "import/threemf/document.h"
#include "import/threemf/shades.h"
#include "model/mesh.h"

namespace aureole::threemf {

/// Triangles of an object that share a material, which is left to set. A vertex whose corners look different is there
/// once for each look. Colours of vertices are linear; there are none where nothing has any, as where the material's
/// own are all. Those of plain triangles beside coloured ones are kPlainColour.
struct SurfaceMesh {
    Surface surface;
    Mesh mesh;
};

/// A material's albedo unless told.
inline constexpr glm::vec4 kPlainColour{0.8F, 0.8F, 0.8F, 1.0F};

/// The meshes of an object, whose triangles are gone then. Throws Error (BadInput) for properties that are not there,
/// and for what checkMesh refuses.
std::vector<SurfaceMesh> meshesOf(const Document& document, const std::string& package, ResourceId id, Object& object);

} // namespace aureole::threemf
