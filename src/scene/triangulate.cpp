#include "scene/triangulate.h"

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

/// Whether the corner at `i` of the remaining polygon can be cut off.
bool isEar(const FlatPolygon& polygon, const std::vector<std::size_t>& rest, std::size_t i) {
    const std::size_t a = rest[(i + rest.size() - 1) % rest.size()];
    const std::size_t b = rest[i];
    const std::size_t c = rest[(i + 1) % rest.size()];
    if (polygon.area(a, b, c) <= 0.0) {
        return false;
    }
    return std::none_of(rest.begin(), rest.end(), [&](std::size_t other) {
        return other != a && other != b && other != c && polygon.contains(a, b, c, other);
    });
}

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
    std::vector<std::size_t> rest(corners.size());
    for (std::size_t i = 0; i < rest.size(); ++i) {
        rest[i] = i;
    }
    while (rest.size() > 3) {
        std::size_t ear = 1;
        while (ear < rest.size() && !isEar(polygon, rest, ear)) {
            ++ear;
        }
        if (ear == rest.size() && !isEar(polygon, rest, 0)) {
            ear = 1; // no ear: degenerate or crossing itself
        }
        ear %= rest.size();
        const std::size_t before = (ear + rest.size() - 1) % rest.size();
        triangles.emplace_back(corners[rest[before]], corners[rest[ear]], corners[rest[(ear + 1) % rest.size()]]);
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(ear));
    }
    triangles.emplace_back(corners[rest[0]], corners[rest[1]], corners[rest[2]]);
}

} // namespace aureole
