#include "voxel/build/coverage.h"

#include <algorithm>

#include "core/set_bits.h"

namespace aureole {

TriangleCoverage::TriangleCoverage(const SnappedTriangle& triangle, bool thin)
    : vertex_(triangle[0])
    , low_(glm::min(triangle[0], glm::min(triangle[1], triangle[2])))
    , high_(glm::max(triangle[0], glm::max(triangle[1], triangle[2])))
    , plane_(shared::coveragePlane(triangle[0], triangle[1], triangle[2]))
    , thin_(thin) {
    for (int i = 0; i < 3; ++i) {
        projections_[static_cast<std::size_t>(i)] =
            shared::coverageProjection(triangle[0], triangle[1], triangle[2], i);
    }
}

/// The plane's function at a point: 0 on it.
Int128 TriangleCoverage::planeAt(const glm::ivec3& point) const {
    return Int128{plane_.x} * (point.x - vertex_.x) + Int128{plane_.y} * (point.y - vertex_.y) +
           Int128{plane_.z} * (point.z - vertex_.z);
}

/// The candidates that the plane meets, of cubes whose cells are too wide for 64 bits.
std::uint64_t TriangleCoverage::widePlaneMask(std::uint64_t candidates, const CellCube& cube) const {
    const std::array<std::int64_t, 3> normal = {plane_.x, plane_.y, plane_.z};
    std::array<std::array<Int128, 4>, 3> steps{};
    Int128 lowest = plane_.sign > 0 ? 1 : 0;
    Int128 highest = plane_.sign < 0 ? -1 : 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const Int128 step = Int128{normal[axis]} * (Int128{1} << cube.shift);
        steps[axis] = {0, step, 2 * step, 3 * step};
        (step > 0 ? lowest : highest) -= step;
    }
    const Int128 atOrigin = planeAt(cube.origin);
    std::uint64_t mask = 0;
    for (const std::uint32_t bit : setBits(candidates)) {
        const glm::uvec3 cell = shared::bitCell(bit);
        const Int128 value = atOrigin + steps[0][cell.x] + steps[1][cell.y] + steps[2][cell.z];
        mask |= static_cast<std::uint64_t>(value >= lowest && value <= highest) << bit;
    }
    return mask;
}

/// The candidates with an axis segment through their middle that the triangle crosses.
std::uint64_t TriangleCoverage::crossedMask(std::uint64_t candidates, const CellCube& cube) const {
    const std::int64_t atOrigin = shared::coveragePlaneAt(plane_, cube.origin - vertex_);
    std::uint64_t crossed = 0;
    for (const shared::CoverageProjection& projection : projections_) {
        crossed |= shared::coverageCrossedMask(candidates, projection, plane_, cube.origin, atOrigin);
    }
    return crossed;
}

std::uint64_t TriangleCoverage::mask(const CellCube& cube) const {
    const std::uint64_t touched = touchedMask(cube);
    return thin_ && cube.shift == kSnapBits ? crossedMask(touched, cube) : touched;
}

std::uint64_t TriangleCoverage::touchedMask(const CellCube& cube) const {
    const glm::ivec3 low = (low_ - cube.origin) >> cube.shift;
    const glm::ivec3 high = (high_ - cube.origin) >> cube.shift;
    std::uint64_t mask = shared::coverageRangeMask(low, high);
    if (shared::coverageIsRow(low, high) != 0) {
        return mask;
    }
    for (std::size_t i = 0; i < 3 && mask != 0; ++i) {
        mask &= shared::coverageProjectionMask(projections_[i], cube.origin, cube.shift, 0);
    }
    if (mask == 0 || plane_.sign == 0) {
        return mask;
    }
    if (cube.shift > COVERAGE_NARROW_SHIFT) {
        return widePlaneMask(mask, cube);
    }
    const std::int64_t atOrigin = shared::coveragePlaneAt(plane_, cube.origin - vertex_);
    return shared::coveragePlaneMask(mask, plane_, atOrigin, cube.shift, 0);
}

/// Whether a line along x through (y, z) meets the triangle.
bool TriangleCoverage::insideSilhouette(int y, int z) const {
    const shared::CoverageProjection& seen = projections_[2];
    const std::array<const shared::CoverageEdge*, 3> edges = {&seen.first, &seen.second, &seen.third};
    return std::all_of(edges.begin(), edges.end(),
                       [&](const shared::CoverageEdge* edge) { return edge->a * y + edge->b * z + edge->c >= 0; });
}

void TriangleCoverage::crossRows(const glm::ivec3& corner, int side, RowPoints points,
                                 std::vector<RowCrossing>& crossings) const {
    const std::int64_t along = plane_.x;
    if (along == 0) {
        return;
    }
    const int count = side + (points == RowPoints::Corners ? 1 : 0);
    const int first = points == RowPoints::Corners ? 0 : kSnapUnits / 2;
    const glm::ivec3 low = glm::max(((low_ - corner) >> kSnapBits) - 1, glm::ivec3(0));
    const glm::ivec3 high = glm::min((high_ - corner) >> kSnapBits, glm::ivec3(count - 1));
    for (int z = low.z; z <= high.z; ++z) {
        for (int y = low.y; y <= high.y; ++y) {
            const glm::ivec3 start = corner + glm::ivec3(0, y, z) * kSnapUnits + glm::ivec3(0, first, first);
            if (!insideSilhouette(start.y, start.z)) {
                continue;
            }
            // The moved plane's function is never 0, and changes its sign once along the row.
            const Int128 atStart = planeAt(start) - (plane_.sign > 0 ? 1 : 0);
            const auto crossedBefore = [&](int units) {
                return (atStart + Int128{along} * units >= 0) != (atStart >= 0);
            };
            if (!crossedBefore(side * kSnapUnits)) {
                continue;
            }
            int x = 0;
            for (int step = side; step > 0; step /= 2) {
                x += x + step <= count && !crossedBefore((x + step - 1) * kSnapUnits + first) ? step : 0;
            }
            crossings.push_back({static_cast<std::uint16_t>(z * count + y), static_cast<std::uint8_t>(x),
                                 static_cast<std::int8_t>(along < 0 ? 1 : -1)});
        }
    }
}

} // namespace aureole
