#pragma once

#include <vector>

#include "core/math.h"

namespace aureole {

/// Of all that is added, the points that lie farthest along each of some directions all around and along the axes: the
/// corners of its convex hull, or, where that is round, of one that lacks 3 % of its radius at most.
class ExtremePoints {
public:
    ExtremePoints();

    void add(const glm::dvec3& point);
    /// Adds the corners of a box, which may be empty.
    void add(const Bounds& box);
    /// Whether nothing within that box would change anything.
    bool hold(const Bounds& box) const;

    /// Each of them once.
    std::vector<glm::dvec3> points() const;

private:
    std::vector<glm::dvec3> farthest_; ///< along each direction
    std::vector<double> reach_;        ///< of these along it
};

} // namespace aureole
