#pragma once

// The tree of boxes by which rays find the instances of a scene (shared/octree/grid_instance.h).

#include <cstdint>
#include <span>
#include <vector>

#include "core/math.h"
#include "shared/octree/grid_instance.h"

namespace aureole {

/// A binary tree over the boxes of instances 0, 1, ..., split by the surface area heuristic at one of 16 planes (Wald,
/// "On fast Construction of SAH-based Bounding Volume Hierarchies", 2007), evenly where their middles are one place. At
/// least one box, at most MOST_INSTANCES; the same tree for the same boxes. Boxes in the nodes are rounded outwards.
std::vector<shared::InstanceNode> makeInstanceTree(std::span<const Bounds> boxes);

} // namespace aureole
