#pragma once

#include <array>

#include "shared/voxelize/distance.h"
#include "voxel/build/coverage.h"

namespace aureole {

/// The distance of lattice points to a triangle, which may have no area. Lengths are voxels. A distance is a function
/// of the triangle and the point alone, down to its bits (shared/voxelize/distance.h).
class TriangleDistance {
public:
    explicit TriangleDistance(const SnappedTriangle& triangle);

    /// The square of the distance where that is less than `best`, else `best`.
    double squared(const glm::ivec3& point, double best) const {
        return shared::distanceSquare(triangle_, glm::dvec3(point), best);
    }

    /// Calls visit(point) for all points of the lattice in the box from `low` to `high` that are within `reach` of the
    /// triangle, and for some more: in rows along the axis that it faces most, so that the work goes with its area.
    template <typename Visit>
    void visitPoints(const glm::ivec3& low, const glm::ivec3& high, double reach, const Visit& visit) const {
        const int last = (along_ + 2) % 3;
        const glm::ivec2 rows = range(last, low, high, reach);
        glm::ivec3 point(0);
        for (point[last] = rows.x; point[last] <= rows.y; ++point[last]) {
            const int across = (along_ + 1) % 3;
            const glm::ivec2 columns = columnRange(point[last], range(across, low, high, reach), reach);
            for (point[across] = columns.x; point[across] <= columns.y; ++point[across]) {
                const glm::ivec2 cells = cellRange(point, range(along_, low, high, reach), reach);
                for (point[along_] = cells.x; point[along_] <= cells.y; ++point[along_]) {
                    visit(point);
                }
            }
        }
    }

private:
    /// In the projection along the axis that the triangle faces: a u + b v + c >= -reach for all points near enough,
    /// with a^2 + b^2 = 1.
    struct Line {
        double a = 0.0;
        double b = 0.0;
        double c = 1e30;
    };

    void findLines();
    glm::ivec2 range(int axis, const glm::ivec3& low, const glm::ivec3& high, double reach) const;
    glm::ivec2 columnRange(int row, glm::ivec2 columns, double reach) const;
    glm::ivec2 cellRange(const glm::ivec3& point, glm::ivec2 cells, double reach) const;

    std::array<glm::dvec3, 3> vertices_{};
    shared::DistanceTriangle triangle_{};
    int along_ = 0; ///< the axis that it faces most
    std::array<Line, 3> lines_{};
};

} // namespace aureole
