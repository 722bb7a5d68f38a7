#pragma once

// The instances of a scene's octrees as paths read them.

#include <cstdint>
#include <span>
#include <vector>

#include "integrator/light_tree.h"
#include "scene/scene.h"
#include "scene/view.h"
#include "shared/octree/grid_instance.h"
#include "voxel/tree/emitter_boxes.h"
#include "voxel/tree/octree.h"

namespace aureole {

/// The arrays of a scene with grids that VoxelParams points to, and what their lamps are.
struct GridInstances {
    std::vector<shared::GridInstance> instances;
    std::vector<shared::InstanceNode> nodes;
    std::vector<shared::GridLamp> lamps;
    std::vector<PlacedLight> placed; ///< the lamps, in their order
    double power = 0.0;              ///< that they send out, in watts by luminance
};

/// The bounds in the world of the part in use of an octree that is placed so.
Bounds placedBounds(const Octree& octree, const glm::dmat4& worldFromGrid);

/// `octrees` and `emitters` are those of the scene's grids. Throws Error (BadInput), naming the instance, where a
/// placement is flat, or so large or small beside the others that numbers of 32 bits cannot tell, and where there are
/// more instances or lamps than can be counted.
GridInstances makeGridInstances(const Scene& scene, std::span<const GridPlacement> placements, const Space& space,
                                std::span<const Octree> octrees, std::span<const EmitterArrays> emitters);

} // namespace aureole
