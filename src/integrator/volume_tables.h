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
struct DensityAddresses {
    std::uint64_t nodes = 0;
    std::uint64_t bricks = 0;
};

/// Where the arrays of a Volume are; those of its heat only where it has any.
struct VolumeAddresses {
    DensityAddresses densities;
    DensityAddresses temperatures;
    std::uint64_t colours = 0;
};

/// The box around all placed volumes, in the world; empty where there is none.
Bounds volumeBounds(const Scene& scene);

/// Each placed volume in a backend's space, which has so many `materials`, and behind them all the temperatures of
/// those that have some. `addresses` are those of the scene's volumes.
std::vector<shared::Volume> makeVolumes(const Scene& scene, const Space& space, std::size_t materials,
                                        std::span<const VolumeAddresses> addresses);

/// Notes the fog, and the volumes, which are at `volumes`, for paths in a backend that has so many `materials`.
void describeMedia(const Scene& scene, std::size_t materials, std::uint64_t volumes, shared::PathParams& params);

} // namespace aureole
