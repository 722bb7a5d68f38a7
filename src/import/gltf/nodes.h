#pragma once

#include <cstdint>
#include <functional>

#include "import/gltf/document.h"

namespace aureole::gltf {

/// A node of the scene with its place in the world.
struct PlacedNode {
    JsonValue json;
    glm::dmat4 world{1.0};
};

/// Calls `visit` for every node of the default scene that is not hidden (KHR_node_visibility), parents first, in the
/// order of the file. Throws Error (BadInput)
/// where the nodes are no tree.
void visitNodes(const Document& document, const std::function<void(const PlacedNode&)>& visit);

/// The transforms of a node's copies: EXT_mesh_gpu_instancing, or the node's own alone.
std::vector<glm::dmat4> instanceTransforms(const Document& document, const PlacedNode& node);

} // namespace aureole::gltf
