#include "voxel/build/clip.h"

namespace aureole {

namespace {

/// The part on the side where sign * (p[axis] - bound) >= 0.
Polygon clipToHalfSpace(const Polygon& polygon, int axis, double bound, double sign) {
    Polygon clipped;
    for (std::size_t i = 0; i < polygon.count; ++i) {
        const glm::dvec3& from = polygon.points[i];
        const glm::dvec3& to = polygon.points[i + 1 < polygon.count ? i + 1 : 0];
        const double fromInside = sign * (from[axis] - bound);
        const double toInside = sign * (to[axis] - bound);
        if (fromInside >= 0.0) {
            clipped.points[clipped.count++] = from;
        }
        if ((fromInside > 0.0 && toInside < 0.0) || (fromInside < 0.0 && toInside > 0.0)) {
            glm::dvec3 cut = from + (to - from) * (fromInside / (fromInside - toInside));
            cut[axis] = bound;
            clipped.points[clipped.count++] = cut;
        }
    }
    return clipped;
}

} // namespace

Polygon clipToSlab(const Polygon& polygon, int axis, double low, double high) {
    bool below = false;
    bool above = false;
    for (std::size_t i = 0; i < polygon.count; ++i) {
        below = below || polygon.points[i][axis] < low;
        above = above || polygon.points[i][axis] > high;
    }
    if (below && above) {
        return clipToHalfSpace(clipToHalfSpace(polygon, axis, low, 1.0), axis, high, -1.0);
    }
    if (below) {
        return clipToHalfSpace(polygon, axis, low, 1.0);
    }
    return above ? clipToHalfSpace(polygon, axis, high, -1.0) : polygon;
}

} // namespace aureole
