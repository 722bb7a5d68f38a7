#pragma once

#include <cstdint>
#include <functional>

#include <glm/gtc/quaternion.hpp>

#include "import/gltf/document.h"
#include "model/texture.h"

namespace aureole::gltf {

class PosedNodes;

glm::dmat4 compose(const glm::dvec3& translation, const glm::dquat& rotation, const glm::dvec3& scale);

/// A unit quaternion; the identity where the file has a zero one.
glm::dquat makeRotation(double x, double y, double z, double w);

bool isFinite(const glm::dmat4& matrix);

/// A node of the scene with its place in the world.
struct PlacedNode {
    JsonValue json;
    std::uint32_t index = 0;
    glm::dmat4 world{1.0};
    std::uint32_t mover = kNone;   ///< the node at or above it that a pose moves, the nearest
    glm::dmat4 moverFromNode{1.0}; ///< its place there, which no pose changes
};

/// Calls `visit` for every node of the default scene that is not hidden (KHR_node_visibility), parents first, in the
/// order of the file, posed or, where `poses` is null, at rest. Throws Error (BadInput) where the nodes are no tree.
void visitNodes(const Document& document, const PosedNodes* poses, const std::function<void(const PlacedNode&)>& visit);

/// The transforms of a node's copies, where `world` is its own: EXT_mesh_gpu_instancing, or its own alone.
std::vector<glm::dmat4> instanceTransforms(const Document& document, const PlacedNode& node, const glm::dmat4& world);

} // namespace aureole::gltf
