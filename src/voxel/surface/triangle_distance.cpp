#include "voxel/surface/triangle_distance.h"

#include <algorithm>
#include <cmath>

namespace aureole {

namespace {

/// What rounding may take from the bounds of visited points, in voxels.
constexpr double kBoundMargin = 1e-6;

} // namespace

TriangleDistance::TriangleDistance(const SnappedTriangle& triangle) {
    for (std::size_t i = 0; i < 3; ++i) {
        vertices_[i] = glm::dvec3(triangle[i]) / double{kSnapUnits};
    }
    triangle_ = shared::distanceTriangle(vertices_[0], vertices_[1], vertices_[2]);
    const glm::dvec3 facing = glm::abs(triangle_.normal);
    along_ = facing.x >= facing.y && facing.x >= facing.z ? 0 : (facing.y >= facing.z ? 1 : 2);
    findLines();
}

/// The sides of the projected triangle; where it has no area, those of its longest edge.
void TriangleDistance::findLines() {
    const int u = (along_ + 1) % 3;
    const int v = (along_ + 2) % 3;
    const std::array<glm::dvec3, 3> edges = {triangle_.firstEdge, triangle_.secondEdge, triangle_.thirdEdge};
    const auto line = [&](std::size_t edge, double turn) {
        const glm::dvec3& e = edges[edge];
        const double length = std::hypot(e[u], e[v]);
        if (length == 0.0) {
            return Line{};
        }
        Line l{-turn * e[v] / length, turn * e[u] / length, 0.0};
        l.c = -l.a * vertices_[edge][u] - l.b * vertices_[edge][v];
        return l;
    };
    if (triangle_.normal[along_] != 0.0) {
        for (std::size_t i = 0; i < 3; ++i) {
            lines_[i] = line(i, triangle_.normal[along_] > 0.0 ? 1.0 : -1.0);
        }
        return;
    }
    const auto longest = static_cast<std::size_t>(
        std::max_element(edges.begin(), edges.end(),
                         [](const glm::dvec3& a, const glm::dvec3& b) { return glm::dot(a, a) < glm::dot(b, b); }) -
        edges.begin());
    lines_[0] = line(longest, 1.0);
    lines_[1] = line(longest, -1.0);
}

/// The integers of an axis within reach of the triangle's bounds.
glm::ivec2 TriangleDistance::range(int axis, const glm::ivec3& low, const glm::ivec3& high, double reach) const {
    const double first = std::min({vertices_[0][axis], vertices_[1][axis], vertices_[2][axis]}) - reach;
    const double end = std::max({vertices_[0][axis], vertices_[1][axis], vertices_[2][axis]}) + reach;
    return {std::max(low[axis], static_cast<int>(std::ceil(first))),
            std::min(high[axis], static_cast<int>(std::floor(end)))};
}

/// The part of `columns` at which a row passes the projected triangle within reach.
glm::ivec2 TriangleDistance::columnRange(int row, glm::ivec2 columns, double reach) const {
    double first = columns.x;
    double end = columns.y;
    for (const Line& line : lines_) {
        const double rest = -reach - kBoundMargin - line.b * row - line.c; // a u >= rest
        if (std::abs(line.a) < kBoundMargin) {
            if (rest > kBoundMargin * (std::abs(first) + std::abs(end))) {
                return {0, -1};
            }
        } else if (line.a > 0.0) {
            first = std::max(first, rest / line.a - kBoundMargin);
        } else {
            end = std::min(end, rest / line.a + kBoundMargin);
        }
    }
    return {static_cast<int>(std::ceil(first)), static_cast<int>(std::floor(end))};
}

/// The part of `cells` of a column that is within reach of the triangle's plane.
glm::ivec2 TriangleDistance::cellRange(const glm::ivec3& point, glm::ivec2 cells, double reach) const {
    if (triangle_.normal[along_] == 0.0) {
        return cells;
    }
    const int u = (along_ + 1) % 3;
    const int v = (along_ + 2) % 3;
    const double slope = 1.0 / triangle_.normal[along_];
    const double middle = vertices_[0][along_] - (triangle_.normal[u] * (point[u] - vertices_[0][u]) +
                                                  triangle_.normal[v] * (point[v] - vertices_[0][v])) *
                                                     slope;
    const double half = reach * glm::length(triangle_.normal) * std::abs(slope) + kBoundMargin;
    return {std::max(cells.x, static_cast<int>(std::ceil(middle - half))),
            std::min(cells.y, static_cast<int>(std::floor(middle + half)))};
}

} // namespace aureole
