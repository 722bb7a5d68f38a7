#pragma once

#include <array>
#include <vector>

#include "import/gltf/posed_nodes.h"
#include "model/mesh.h"

namespace aureole::gltf {

/// What a morph target adds to each vertex; none where it leaves that alone.
struct MorphTarget {
    std::vector<glm::vec3> positions;
    std::vector<glm::vec3> normals;
    std::vector<glm::vec3> tangents;
};

/// Up to eight joints of each vertex: which, and how much they count. As many sets of four as the file has.
struct Influences {
    std::vector<std::vector<glm::uvec4>> joints;
    std::vector<std::vector<glm::vec4>> weights; ///< not below 0; scaled to a sum of 1 where they are used
};

/// Moves the vertices of a mesh by its morph targets, weighted, then by its joints: linear blend skinning, as glTF 2.0
/// has it (sections 3.7.2.2 and 3.7.3.3). Then it is in the world where it has joints, else in the node's coordinates.
/// Influences are of joints that are there.
void deform(const MeshPose& pose, const std::vector<MorphTarget>& targets, const Influences& influences, Mesh& mesh);

} // namespace aureole::gltf
