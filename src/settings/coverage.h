#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace aureole {

/// Which voxels of a surface are solid.
enum class Coverage : std::uint32_t {
    Conservative = 0, ///< every voxel that the surface touches: 26-separating
    Thin = 1,         ///< fewest: 6-separating
    Solid = 2,        ///< Conservative, and the inside of closed meshes
};

/// "conservative", "thin", "solid", in the order of their numbers.
inline const std::vector<std::string>& coverageNames() {
    static const std::vector<std::string> names = {"conservative", "thin", "solid"};
    return names;
}

} // namespace aureole
