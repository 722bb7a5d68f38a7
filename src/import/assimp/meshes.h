#pragma once

#include <string>

#include <assimp/mesh.h>

#include "model/mesh.h"

namespace aureole {

/// Which attributes of a format are worth keeping.
struct MeshOptions {
    bool normals = true; ///< STL's only repeat the triangles' own
};

/// The triangles of an assimp mesh, polygons cut up, points and lines left out; checked. The material index is
/// assimp's.
Mesh convertMesh(const aiMesh& source, const MeshOptions& options, const std::string& file);

} // namespace aureole
