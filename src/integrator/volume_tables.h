#pragma once

// From the volumes of a scene to what paths read of them, for every backend.

#include <cstdint>
#include <span>
#include <vector>

#include "scene/scene.h"
#include "scene/view.h"
#include "shared/path/path.h"

namespace aureole {

/// Where the arrays of a DensityTree are.
struct VolumeAddresses {
    std::uint64_t nodes = 0;
    std::uint64_t bricks = 0;
};

/// Of all placed volumes, in the world; empty where there is none.
Bounds volumeBounds(const Scene& scene);

/// Each placed volume in a backend's space. `addresses` are those of the scene's volumes; `firstMaterial` is the number
/// of the first one's traits.
std::vector<shared::Volume> makeVolumes(const Scene& scene, const Space& space, std::uint32_t firstMaterial,
                                        std::span<const VolumeAddresses> addresses);

/// Notes the volumes, which are at `address`, for paths.
void describeVolumes(const Scene& scene, std::uint64_t address, shared::PathParams& params);

} // namespace aureole
