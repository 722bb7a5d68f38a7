#pragma once

// The one place that configures glm. Conventions: right-handed, Y up, column vectors, lengths in metres.
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include <limits>

namespace aureole {

inline constexpr double kPi = 3.14159265358979323846;

/// An axis-aligned box; empty until something is added.
struct Bounds {
    glm::dvec3 min{std::numeric_limits<double>::infinity()};
    glm::dvec3 max{-std::numeric_limits<double>::infinity()};

    void add(const glm::dvec3& point) {
        min = glm::min(min, point);
        max = glm::max(max, point);
    }
    void add(const Bounds& other) {
        min = glm::min(min, other.min);
        max = glm::max(max, other.max);
    }
    bool empty() const { return !(min.x <= max.x && min.y <= max.y && min.z <= max.z); }
    /// Whether the point is within or on the box.
    bool holds(const glm::dvec3& point) const {
        return glm::all(glm::greaterThanEqual(point, min)) && glm::all(glm::lessThanEqual(point, max));
    }
    glm::dvec3 extent() const { return max - min; }
    glm::dvec3 centre() const { return 0.5 * (min + max); }
    /// One of its eight corners, by `number` from 0 to 7: bits 0, 1 and 2 say whether it is at the largest x, y and z.
    glm::dvec3 corner(unsigned number) const {
        return {(number & 1U) != 0 ? max.x : min.x, (number & 2U) != 0 ? max.y : min.y,
                (number & 4U) != 0 ? max.z : min.z};
    }
};

/// Of a box whose corners the matrix moves; empty where the box is.
inline Bounds transformed(const Bounds& box, const glm::dmat4& matrix) {
    Bounds bounds;
    for (unsigned number = 0; number < 8 && !box.empty(); ++number) {
        bounds.add(glm::dvec3(matrix * glm::dvec4(box.corner(number), 1.0)));
    }
    return bounds;
}

} // namespace aureole
