#include "model/triangulate.h"

#include <algorithm>

namespace aureole {

namespace {

/// A polygon's corners in the plane, counter-clockwise.
class FlatPolygon {
public:
    FlatPolygon(std::span<const std::uint32_t> corners, const std::vector<glm::vec3>& positions) {
        // Newell's normal: right for corners that are not quite in a plane.
        glm::dvec3 normal(0.0);
        for (std::size_t i = 0; i < corners.size(); ++i) {
            const glm::dvec3 a(positions[corners[i]]);
            const glm::dvec3 b(positions[corners[(i + 1) % corners.size()]]);
            normal += glm::dvec3((a.y - b.y) * (a.z + b.z), (a.z - b.z) * (a.x + b.x), (a.x - b.x) * (a.y + b.y));
        }
        const glm::dvec3 size = glm::abs(normal);
        const glm::length_t axis = size.z >= size.x && size.z >= size.y ? 2 : (size.y >= size.x ? 1 : 0);
        const bool flip = normal[axis] < 0.0;
        for (const std::uint32_t corner : corners) {
            const glm::dvec3 position(positions[corner]);
            const glm::dvec2 flat(position[(axis + 1) % 3], position[(axis + 2) % 3]);
            points_.push_back(flip ? glm::dvec2(flat.y, flat.x) : flat);
        }
    }

    /// Twice the signed area of a triangle of corners.
    double area(std::size_t a, std::size_t b, std::size_t c) const {
        const glm::dvec2 ab = points_[b] - points_[a];
        const glm::dvec2 ac = points_[c] - points_[a];
        return ab.x * ac.y - ab.y * ac.x;
    }

    bool contains(std::size_t a, std::size_t b, std::size_t c, std::size_t point) const {
        if (points_[point] == points_[a] || points_[point] == points_[b] || points_[point] == points_[c]) {
            return false; // a bridge to a hole visits its corners twice
        }
        return area(a, b, point) >= 0.0 && area(b, c, point) >= 0.0 && area(c, a, point) >= 0.0;
    }

private:
    std::vector<glm::dvec2> points_;
};

/// What is left of a polygon whose ears are cut off: a ring of corners.
class Ring {
public:
    Ring(const FlatPolygon& polygon, std::size_t count)
        : polygon_(polygon)
        , next_(count)
        , before_(count)
        , left_(count) {
        for (std::size_t i = 0; i < count; ++i) {
            next_[i] = (i + 1) % count;
            before_[next_[i]] = i;
        }
        for (std::size_t i = 0; i < count; ++i) {
            if (polygon.area(before_[i], i, next_[i]) <= 0.0) {
                reflex_.push_back(i);
            }
        }
    }

    std::size_t left() const { return left_; }
    std::size_t next(std::size_t corner) const { return next_[corner]; }
    std::size_t before(std::size_t corner) const { return before_[corner]; }

    /// Whether a corner can be cut off. What is in its triangle has a reflex corner there, and no corner becomes one.
    bool isEar(std::size_t corner) const {
        const std::size_t a = before_[corner];
        const std::size_t c = next_[corner];
        if (polygon_.area(a, corner, c) <= 0.0) {
            return false;
        }
        return std::none_of(reflex_.begin(), reflex_.end(), [&](std::size_t other) {
            return other != a && other != corner && other != c && polygon_.contains(a, corner, c, other);
        });
    }

    void cut(std::size_t corner) {
        next_[before_[corner]] = next_[corner];
        before_[next_[corner]] = before_[corner];
        --left_;
        const auto found = std::lower_bound(reflex_.begin(), reflex_.end(), corner);
        if (found != reflex_.end() && *found == corner) {
            reflex_.erase(found);
        }
    }

private:
    const FlatPolygon& polygon_;
    std::vector<std::size_t> next_;
    std::vector<std::size_t> before_;
    std::vector<std::size_t> reflex_; ///< of the whole polygon, those that are left; in order
    std::size_t left_;
};

} // namespace

void triangulatePolygon(std::span<const std::uint32_t> corners, const std::vector<glm::vec3>& positions,
                        std::vector<glm::uvec3>& triangles) {
    if (corners.size() == 3) {
        triangles.emplace_back(corners[0], corners[1], corners[2]);
    }
    if (corners.size() <= 3) {
        return;
    }
    const FlatPolygon polygon(corners, positions);
    Ring ring(polygon, corners.size());
    const auto append = [&](std::size_t corner) {
        triangles.emplace_back(corners[ring.before(corner)], corners[corner], corners[ring.next(corner)]);
    };
    std::size_t corner = 1;
    // Going on from the last ear, and not from the start, large polygons take the square of their corners at most.
    for (std::size_t misses = 0; ring.left() > 3; corner = ring.next(corner)) {
        // No ear all around: degenerate or crossing itself.
        if (ring.isEar(corner) || misses == ring.left()) {
            append(corner);
            ring.cut(corner);
            misses = 0;
        } else {
            ++misses;
        }
    }
    append(corner);
}

} // namespace aureole
