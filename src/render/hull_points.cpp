#include "render/hull_points.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

#include "voxel/tree/coarse_cells.h"

namespace aureole {

namespace {

/// So many cells tell the shape to within a sixteenth of its size or so.
constexpr std::size_t kCellsOfHull = 2048;

using Corner = std::array<std::int64_t, 3>;

/// The corners of a coarse cell, within the part of the grid in use.
void addCorners(const shared::CoarseCell& cell, const glm::uvec3& size, std::vector<Corner>& corners) {
    const std::uint32_t side = 1U << (cell.words.y >> 16U);
    const glm::uvec3 low(cell.words.x & 0xFFFFU, cell.words.x >> 16U, cell.words.y & 0xFFFFU);
    const glm::uvec3 high = glm::min(low + side, size);
    for (std::uint32_t i = 0; i < 8; ++i) {
        corners.push_back(
            {(i & 1U) != 0 ? high.x : low.x, (i & 2U) != 0 ? high.y : low.y, (i & 4U) != 0 ? high.z : low.z});
    }
}

/// Whether c lies to the left of the way from a to b, seen in the plane of two axes.
bool turnsLeft(const Corner& a, const Corner& b, const Corner& c, std::size_t u, std::size_t v) {
    return (b[u] - a[u]) * (c[v] - a[v]) > (b[v] - a[v]) * (c[u] - a[u]);
}

/// Adds the corners of the convex polygon around points of one plane, in the order of their two axes (Andrew, "Another
/// efficient algorithm for convex hulls in two dimensions", 1979).
void addPolygon(const Corner* first, const Corner* end, std::size_t u, std::size_t v, std::vector<Corner>& kept) {
    const auto half = [&](auto from, auto to) {
        const std::size_t start = kept.size();
        for (; from != to; ++from) {
            while (kept.size() >= start + 2 && !turnsLeft(kept[kept.size() - 2], kept.back(), *from, u, v)) {
                kept.pop_back();
            }
            kept.push_back(*from);
        }
    };
    half(first, end);
    half(std::make_reverse_iterator(end), std::make_reverse_iterator(first));
}

/// Keeps of the points of each plane across an axis those that its others do not hold.
void pruneAcross(std::size_t axis, std::vector<Corner>& corners) {
    const std::size_t u = (axis + 1) % 3;
    const std::size_t v = (axis + 2) % 3;
    std::sort(corners.begin(), corners.end(), [&](const Corner& a, const Corner& b) {
        return std::array{a[axis], a[u], a[v]} < std::array{b[axis], b[u], b[v]};
    });
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    std::vector<Corner> kept;
    for (std::size_t first = 0; first < corners.size();) {
        std::size_t end = first;
        while (end < corners.size() && corners[end][axis] == corners[first][axis]) {
            ++end;
        }
        addPolygon(corners.data() + first, corners.data() + end, u, v, kept);
        first = end;
    }
    corners = std::move(kept);
}

} // namespace

std::vector<glm::dvec3> hullPoints(const Octree& octree) {
    if (octree.voxels == 0) {
        return {};
    }
    std::vector<Corner> corners;
    for (const shared::CoarseCell& cell : coarseCellsUpTo(octree, kCellsOfHull)) {
        addCorners(cell, octree.grid.size, corners);
    }
    for (const std::size_t axis : {0U, 1U, 2U}) {
        pruneAcross(axis, corners);
    }
    std::sort(corners.begin(), corners.end());
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    std::vector<glm::dvec3> points;
    points.reserve(corners.size());
    for (const Corner& corner : corners) {
        points.push_back(octree.grid.origin + octree.grid.voxelSize * glm::dvec3(corner[0], corner[1], corner[2]));
    }
    return points;
}

} // namespace aureole
