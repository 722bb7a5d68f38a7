#pragma once

// The part of a triangle inside each voxel of a block (Sutherland and Hodgman, "Reentrant Polygon Clipping", 1974).

#include <array>
#include <bit>
#include <cstdint>

#include "core/math.h"
#include "shared/octree/octree.h"

namespace aureole {

/// A convex polygon: a triangle cut by up to six planes has at most nine corners.
struct Polygon {
    std::array<glm::dvec3, 12> points;
    std::size_t count = 0;
};

/// Room for a polygon that is cut from below, and then from above.
struct ClippedPolygon {
    Polygon fromLow;
    Polygon whole;
};

/// The part of a polygon with low <= p[axis] <= high; none where less than a point is left. It is the polygon itself or
/// stands in `room`.
template <int axis>
const Polygon& clipToSlab(const Polygon& polygon, double low, double high, ClippedPolygon& room);

/// Calls visit(bit, polygon) for each voxel of the mask, in no particular order, with the part of the triangle in it.
/// Coordinates count voxels from the block's origin. Where rounding leaves nothing, the polygon is empty.
template <typename Visit>
void forEachClipped(const Polygon& triangle, std::uint64_t mask, const Visit& visit) {
    constexpr std::uint64_t kLayer = 0xFFFF; // the cells with z = 0
    constexpr std::uint64_t kRow = 0xF;      // and y = 0
    ClippedPolygon layerRoom;
    ClippedPolygon rowRoom;
    ClippedPolygon cellRoom;
    for (std::uint32_t z = 0; z < 4; ++z) {
        if ((mask & (kLayer << shared::cellBit(0, 0, z))) == 0) {
            continue;
        }
        const Polygon& layer = clipToSlab<2>(triangle, z, z + 1, layerRoom);
        for (std::uint32_t y = 0; y < 4; ++y) {
            const std::uint32_t start = shared::cellBit(0, y, z);
            if ((mask & (kRow << start)) == 0) {
                continue;
            }
            const Polygon& row = clipToSlab<1>(layer, y, y + 1, rowRoom);
            for (std::uint32_t x = 0; x < 4; ++x) {
                if (((mask >> (start + x)) & 1U) != 0) {
                    visit(start + x, clipToSlab<0>(row, x, x + 1, cellRoom));
                }
            }
        }
    }
}

} // namespace aureole
