#pragma once

// The instances of a scene's octrees as paths read them.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "integrator/light_tree.h"
#include "integrator/motion_poses.h"
#include "scene/scene.h"
#include "scene/view.h"
#include "shared/octree/grid_instance.h"
#include "voxel/tree/emitter_boxes.h"
#include "voxel/tree/octree.h"

namespace aureole {

/// The arrays of a scene with grids that VoxelParams points to, and what their lamps are.
struct GridInstances {
    std::vector<shared::GridInstance> instances; ///< without what is known of octrees on a device alone
    std::vector<shared::InstanceNode> nodes;
    std::vector<shared::GridLamp> lamps;
    std::vector<PlacedLight> placed;   ///< the lamps, in their order
    double power = 0.0;                ///< that they send out, in watts by luminance
    std::vector<std::uint32_t> moving; ///< of each instance, as VoxelParams::moving; empty where nothing is blurred
    std::vector<shared::MotionPose> poses;
};

/// What is to be known of an octree to place it.
struct GridShape {
    VoxelGrid grid;
    std::uint32_t levels = 0;

    /// The bounds of the part in use, in the octree's own space.
    Bounds bounds() const { return {grid.origin, grid.origin + glm::dvec3(grid.size) * grid.voxelSize}; }
};

std::vector<GridShape> shapesOf(std::span<const Octree> octrees);

/// The placements where they are at a moment (View). What moves is at least a millionth of the scene wide, and not
/// flat.
std::vector<GridPlacement> placementsAt(const Scene& scene, std::vector<GridPlacement> placements, const Space& space,
                                        std::span<const GridShape> shapes, std::optional<double> moment);

/// The pose of a placement that moves, over time; without a moment where it stands in a picture that is no frame.
PoseOverTime motionOf(const Scene& scene, const GridPlacement& placement, std::optional<double> moment);

/// `shapes` and `emitters` are those of the scene's grids, and the placements those at `moment`. Throws Error
/// (BadInput), naming the instance and, of a moment, the frame, where a placement is flat, or so large or small beside
/// the others that numbers of 32 bits cannot tell, and where there are more instances or lamps than can be counted.
/// `times`, where the scene is blurred, are those of the poses of what moves: its boxes, and the light of its lamps,
/// are of all times together then.
GridInstances makeGridInstances(const Scene& scene, std::span<const GridPlacement> placements, const Space& space,
                                std::span<const GridShape> shapes, std::span<const EmitterArrays> emitters,
                                const std::optional<PoseTimes>& times = {}, std::optional<double> moment = {});

} // namespace aureole
