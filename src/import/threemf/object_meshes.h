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

/// The meshes of an object, whose triangles are gone then. Warns once of properties that are not there, which are
/// plain. Throws Error (BadInput) for what checkMesh refuses.
std::vector<SurfaceMesh> meshesOf(const Document& document, const std::string& package, ResourceId id, Object& object);

} // namespace aureole::threemf
