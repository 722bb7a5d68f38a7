#pragma once

#include <string>

#include "model/mesh.h"

namespace aureole {

/// Makes sure of what Mesh promises. Throws Error (BadInput) naming `file`, the mesh and the index of the vertex or
/// triangle for positions, texture coordinates and colours that are not finite, and for vertices out of range. Normals
/// are brought to unit length; those that have none become zero, which stands for the triangle's own, and tangents
/// likewise; a warning gives their number.
void checkMesh(Mesh& mesh, const std::string& file);

} // namespace aureole
