#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "import/gltf/animation.h"
#include "import/gltf/nodes.h"
#include "import/gltf/posed_nodes.h"

namespace aureole::gltf {

/// Finds the parts of a model that a clip moves as wholes: what hangs on a node that it moves, but for what hangs on
/// another such node below. Nodes that are sheared or flat at times move none, nor do those that would take more poses
/// than a part may have.
class ClipParts {
public:
    /// All outlive this.
    ClipParts(const Document& document, const Clip& clip, const PosedNodes& nodes, std::vector<ClipPart>& parts)
        : document_(document)
        , clip_(clip)
        , nodes_(nodes)
        , parts_(parts) {}

    /// The number of the part that a node belongs to, made where it is the first of it; kNone where it is in none.
    std::uint32_t partOf(const PlacedNode& node);

private:
    std::vector<ClipPose> posesOf(std::uint32_t mover);

    const Document& document_;
    const Clip& clip_;
    const PosedNodes& nodes_;
    std::vector<ClipPart>& parts_;
    std::map<std::uint32_t, std::uint32_t> numbers_; ///< by the node that moves it
    std::size_t poses_ = 0;                          ///< of all parts
};

} // namespace aureole::gltf
