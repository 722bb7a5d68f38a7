#pragma once

// How meshes become voxels.

#include <cstdint>
#include <string>
#include <vector>

#include "settings/limits.h"
#include "settings/surface_kind.h"

namespace aureole {

enum class VoxelNormals { Smooth, Face };

struct VoxelSettings {
    std::uint32_t resolution = 512; ///< voxels along the longest side; kMinimumResolution to kMaximumResolution
    VoxelNormals normals = VoxelNormals::Smooth;
    SurfaceKind surface = SurfaceKind::Cubes;
    double error = kDefaultSurfaceError; ///< of planes, in voxels; kMinimumSurfaceError to kMaximumSurfaceError
    std::vector<std::string> given;      ///< which of these the scene has keys for
};

} // namespace aureole
