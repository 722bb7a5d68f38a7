#include "voxel/surface/triangle_distance.h"

#include <algorithm>
#include <cmath>

namespace aureole {

namespace {

/// What rounding may take from a square of a distance within a few voxels, by far.
constexpr double kSlack = 1e-9;
/// What rounding may take from the bounds of visited points, in voxels.
constexpr double kBoundMargin = 1e-6;

double inverse(double x) {
    return x > 0.0 ? 1.0 / x : 0.0;
}

} // namespace

TriangleDistance::TriangleDistance(const SnappedTriangle& triangle) {
    for (std::size_t i = 0; i < 3; ++i) {
        vertices_[i] = glm::dvec3(triangle[i]) / double{kSnapUnits};
    }
    for (std::size_t i = 0; i < 3; ++i) {
        edges_[i] = vertices_[(i + 1) % 3] - vertices_[i];
        perSquare_[i] = inverse(glm::dot(edges_[i], edges_[i]));
    }
    normal_ = glm::cross(edges_[0], edges_[1]);
    perNormalSquare_ = inverse(glm::dot(normal_, normal_));
    for (std::size_t i = 0; i < 3; ++i) {
        inwards_[i] = glm::cross(normal_, edges_[i]);
    }
    const glm::dvec3 facing = glm::abs(normal_);
    along_ = facing.x >= facing.y && facing.x >= facing.z ? 0 : (facing.y >= facing.z ? 1 : 2);
    findLines();
}

/// The sides of the projected triangle; where it has no area, those of its longest edge.
void TriangleDistance::findLines() {
    const int u = (along_ + 1) % 3;
    const int v = (along_ + 2) % 3;
    const auto line = [&](std::size_t edge, double turn) {
        const glm::dvec3& e = edges_[edge];
        const double length = std::hypot(e[u], e[v]);
        if (length == 0.0) {
            return Line{};
        }
        Line l{-turn * e[v] / length, turn * e[u] / length, 0.0};
        l.c = -l.a * vertices_[edge][u] - l.b * vertices_[edge][v];
        return l;
    };
    if (normal_[along_] != 0.0) {
        for (std::size_t i = 0; i < 3; ++i) {
            lines_[i] = line(i, normal_[along_] > 0.0 ? 1.0 : -1.0);
        }
        return;
    }
    const auto longest = static_cast<std::size_t>(
        std::max_element(edges_.begin(), edges_.end(),
                         [](const glm::dvec3& a, const glm::dvec3& b) { return glm::dot(a, a) < glm::dot(b, b); }) -
        edges_.begin());
    lines_[0] = line(longest, 1.0);
    lines_[1] = line(longest, -1.0);
}

double TriangleDistance::squared(const glm::ivec3& point, double best) const {
    // Differences of numbers with eight bits of fraction are exact.
    const std::array<glm::dvec3, 3> from = {glm::dvec3(point) - vertices_[0], glm::dvec3(point) - vertices_[1],
                                            glm::dvec3(point) - vertices_[2]};
    if (perNormalSquare_ > 0.0) {
        const double over = glm::dot(normal_, from[0]);
        const double square = over * over * perNormalSquare_;
        if (square >= best + kSlack) {
            return best;
        }
        if (glm::dot(inwards_[0], from[0]) >= 0.0 && glm::dot(inwards_[1], from[1]) >= 0.0 &&
            glm::dot(inwards_[2], from[2]) >= 0.0) {
            return std::min(best, square);
        }
    }
    for (std::size_t i = 0; i < 3; ++i) {
        const double t = std::clamp(glm::dot(from[i], edges_[i]) * perSquare_[i], 0.0, 1.0);
        const glm::dvec3 to = from[i] - edges_[i] * t;
        best = std::min(best, glm::dot(to, to));
    }
    return best;
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
    if (normal_[along_] == 0.0) {
        return cells;
    }
    const int u = (along_ + 1) % 3;
    const int v = (along_ + 2) % 3;
    const double slope = 1.0 / normal_[along_];
    const double middle =
        vertices_[0][along_] -
        (normal_[u] * (point[u] - vertices_[0][u]) + normal_[v] * (point[v] - vertices_[0][v])) * slope;
    const double half = reach * glm::length(normal_) * std::abs(slope) + kBoundMargin;
    return {std::max(cells.x, static_cast<int>(std::ceil(middle - half))),
            std::min(cells.y, static_cast<int>(std::floor(middle + half)))};
}

} // namespace aureole
