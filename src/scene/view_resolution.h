#pragma once

// "resolution": "view" and "levels": the resolution of octrees by what the cameras see of them.

#include <cstdint>
#include <string>
#include <vector>

#include "core/math.h"
#include "scene/scene.h"
#include "settings/limits.h"

namespace aureole {

/// An asset that an instance places: its box in its own coordinates. One that moves has several, by the same number.
struct SeenAsset {
    std::string name;
    std::uint32_t instance = kNone; ///< its number; of what is one octree together, any
    Bounds bounds;
    double area = 0.0; ///< of its surfaces, in square metres of its own coordinates
    glm::dmat4 worldFromAsset{1.0};
};

/// The instances of what becomes one octree.
struct SeenOctree {
    std::string name;      ///< of the asset; empty: all assets without an octree of their own
    VoxelSettings voxels;  ///< its resolution is kCountWord where the cameras choose it
    bool isPlaced = false; ///< its space is the asset's, else the world
    std::vector<SeenAsset> assets;
    std::uint32_t least = kMinimumResolution; ///< that may be chosen
};

/// How much memory octrees whose resolution the cameras choose may be expected to take together.
inline constexpr std::uint64_t kViewBytes = std::uint64_t{4} << 30U;

/// What the cameras chose for an octree, or for those of its instances that have a level of detail.
struct ChosenResolution {
    std::size_t octree = 0; ///< index into the octrees that were asked for
    ViewResolution view;
    std::vector<std::uint32_t> instances; ///< that have it, in their order; without levels, none
};

/// Chooses the resolution of each octree: the least power of two, kMinimumResolution to kMaximumResolution, whose
/// voxels are at most as wide as a pixel at the nearest place of any of its assets' boxes that a camera of the scene
/// sees, in all frames of its animation. What none sees, in shadows and mirrors, may have four times as wide ones.
/// Of an octree with levels that is the resolution of its nearest instance, or it is given; each other one has a half
/// of that, a quarter and so on down to kMinimumResolution, the least that will do for it alone.
/// Then, while octrees are expected to take more than `budget` bytes, judged by the area of their surfaces, the
/// resolution of the largest is halved, which makes one of two levels; given ones do not count. Pictures of the scene's
/// film size count, whatever is cropped of them, as parts of one picture need the same voxels. In the order of the
/// octrees, each one's levels from the finest on.
std::vector<ChosenResolution> chooseResolutions(const Scene& scene, const std::vector<SeenOctree>& octrees,
                                                std::uint64_t budget = kViewBytes);

} // namespace aureole
