#pragma once

#include <string>
#include <vector>

#include "import/gltf/document.h"
#include "import/gltf/materials.h"
#include "import/gltf/posed_nodes.h"
#include "model/mesh.h"

namespace aureole::gltf {

/// Reads the triangles of a mesh's primitives, one Mesh each, checked; points and lines are left out with a warning.
/// A primitive without a material gets `kNone`. `label` names the mesh; `uvSets` are those of the materials. Where
/// `pose` deforms nothing, they are as they were modelled.
std::vector<Mesh> readPrimitives(const Document& document, const JsonValue& mesh, const std::string& label,
                                 const std::vector<UvSets>& uvSets, const MeshPose& pose);

} // namespace aureole::gltf
