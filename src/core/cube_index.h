#pragma once

#include <cstddef>
#include <cstdint>

#include "core/math.h"

namespace aureole {

/// Where a point stands in an array of a cube of `side` points a side: first along x, then y, then z.
inline std::size_t cubeIndex(const glm::ivec3& point, int side) {
    const glm::u64vec3 at(point);
    const auto count = static_cast<std::uint64_t>(side);
    return (at.z * count + at.y) * count + at.x;
}

} // namespace aureole
