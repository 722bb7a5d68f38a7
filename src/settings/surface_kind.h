#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace aureole {

/// What a voxel shows of the surface inside it.
enum class SurfaceKind : std::uint32_t {
    Cubes = 0,  ///< the voxel's cube
    Planes = 1, ///< a slab fitted to the surface, in place of many voxels where one fits them all
    Field = 2,  ///< where distances at the voxel's corners, interpolated, are 0
};

/// "cubes", "planes", "field", in the order of their numbers.
inline const std::vector<std::string>& surfaceKindNames() {
    static const std::vector<std::string> names = {"cubes", "planes", "field"};
    return names;
}

} // namespace aureole
