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
};

} // namespace aureole
