#pragma once

#include <cstdint>
#include <vector>

#include "import/gltf/animation.h"
#include "import/gltf/document.h"

namespace aureole::gltf {

/// A node's transform in its parent: as it has it, or as a pose has that. Throws Error (BadInput) where it is moved and
/// has a matrix.
glm::dmat4 localTransform(const JsonValue& node, const NodePose* pose);

/// How a mesh is deformed: by its morph targets, and then by the joints of its skin.
struct MeshPose {
    std::vector<double> weights;    ///< of the morph targets
    std::vector<glm::dmat4> joints; ///< from a vertex at rest to the world; none where it has no skin

    bool none() const { return weights.empty() && joints.empty(); }
};

/// The nodes of a file, posed: where they are, and how their meshes are deformed.
class PosedNodes {
public:
    PosedNodes(const Document& document, Pose pose);

    /// What the pose says of a node; null where it says nothing.
    const NodePose* find(std::uint32_t node) const;

    /// The node above one; kNone of a root.
    std::uint32_t parentOf(std::uint32_t node) const { return parents_[node]; }

    /// How the mesh of a node is deformed. Throws Error (BadInput) for what is wrong with its skin and its weights.
    MeshPose meshPose(std::uint32_t node, const JsonValue& json, const JsonValue& mesh) const;

private:
    glm::dmat4 worldOf(std::uint32_t node) const;
    std::vector<glm::dmat4> jointsOf(const JsonValue& skin) const;

    const Document& document_;
    Pose pose_;
    std::vector<std::uint32_t> parents_; ///< kNone: a root
};

} // namespace aureole::gltf
