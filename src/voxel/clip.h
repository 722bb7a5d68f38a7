#pragma once

// The part of a triangle inside each voxel of a block (Sutherland and Hodgman, "Reentrant Polygon Clipping", 1974).

#include <array>
#include <bit>
#include <cstdint>

#include "core/math.h"
#include "shared/octree.h"

namespace aureole {

/// A convex polygon: a triangle cut by up to six planes has at most nine corners.
struct Polygon {
    std::array<glm::dvec3, 12> points;
    std::size_t count = 0;
};

/// The part of a polygon with low <= p[axis] <= high; none where less than a point is left.
Polygon clipToSlab(const Polygon& polygon, int axis, double low, double high);

/// Calls visit(bit, polygon) for each voxel of the mask, in no particular order, with the part of the triangle in it.
/// Coordinates count voxels from the block's origin. Where rounding leaves nothing, the polygon is empty.
template <typename Visit>
void forEachClipped(const Polygon& triangle, std::uint64_t mask, const Visit& visit) {
    // Bits of the cells with z = 0, of those with y = z = 0, and their offsets along each axis.
    constexpr std::uint64_t kLayer = 0x000000000F0F0F0FULL;
    constexpr std::uint64_t kRow = 0x0303ULL;
    constexpr std::array<unsigned, 4> kAlongX = {0, 1, 8, 9};
    constexpr std::array<unsigned, 4> kAlongY = {0, 2, 16, 18};
    constexpr std::array<unsigned, 4> kAlongZ = {0, 4, 32, 36};
    for (std::size_t z = 0; z < 4; ++z) {
        if ((mask & (kLayer << kAlongZ[z])) == 0) {
            continue;
        }
        const Polygon layer = clipToSlab(triangle, 2, static_cast<double>(z), static_cast<double>(z + 1));
        for (std::size_t y = 0; y < 4; ++y) {
            const unsigned start = kAlongZ[z] + kAlongY[y];
            if ((mask & (kRow << start)) == 0) {
                continue;
            }
            const Polygon row = clipToSlab(layer, 1, static_cast<double>(y), static_cast<double>(y + 1));
            for (std::size_t x = 0; x < 4; ++x) {
                const unsigned bit = start + kAlongX[x];
                if (((mask >> bit) & 1U) != 0) {
                    visit(bit, clipToSlab(row, 0, static_cast<double>(x), static_cast<double>(x + 1)));
                }
            }
        }
    }
}

} // namespace aureole
