#pragma once

// A scene's cameras and light as MagicaVoxel keeps them; import/vox/vox_look.h reads them.

#include <cstdint>
#include <vector>

#include "core/math.h"
#include "scene/scene.h"
#include "voxel/export/vox_chunks.h"

namespace aureole {

/// A dictionary of one of several.
struct VoxDictionary {
    std::int64_t number = 0;
    VoxAttributes entries;
};

/// The first cameras of a scene, as many as MagicaVoxel has keys for (10), with a warning where there are more.
/// `voxelsFromWorld` goes to voxels in our axes, and keeps angles.
std::vector<VoxDictionary> voxCameras(const Scene& scene, const glm::dmat4& voxelsFromWorld);

/// The settings of sun, sky, ground and film. A softbox, the brightest, stands for the sun where there is none. Skies
/// that are pictures or simulated are left out with a warning, and so is an exposure that is metered.
std::vector<VoxAttributes> voxLight(const Scene& scene);

} // namespace aureole
