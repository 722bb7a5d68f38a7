#include "voxel/build/clip.h"

#include <algorithm>

namespace aureole {

namespace {

/// How far a point lies inside the half-space beyond a bound, or up to it.
template <int axis, bool upTo>
double inside(const glm::dvec3& point, double bound) {
    return upTo ? bound - point[axis] : point[axis] - bound;
}

/// Writes the part of a polygon, which has a corner, in a half-space.
template <int axis, bool upTo>
void clipToHalfSpace(const Polygon& polygon, double bound, Polygon& clipped) {
    clipped.count = 0;
    double fromInside = inside<axis, upTo>(polygon.points[0], bound);
    const double firstInside = fromInside;
    for (std::size_t i = 0; i < polygon.count; ++i) {
        const bool last = i + 1 == polygon.count;
        const glm::dvec3& from = polygon.points[i];
        const glm::dvec3& to = polygon.points[last ? 0 : i + 1];
        const double toInside = last ? firstInside : inside<axis, upTo>(to, bound);
        if (fromInside >= 0.0) {
            clipped.points[clipped.count++] = from;
        }
        if ((fromInside > 0.0 && toInside < 0.0) || (fromInside < 0.0 && toInside > 0.0)) {
            glm::dvec3& cut = clipped.points[clipped.count++];
            cut = from + (to - from) * (fromInside / (fromInside - toInside));
            cut[axis] = bound;
        }
        fromInside = toInside;
    }
}

} // namespace

template <int axis>
const Polygon& clipToSlab(const Polygon& polygon, double low, double high, ClippedPolygon& room) {
    double lowest = high;
    double highest = low;
    for (std::size_t i = 0; i < polygon.count; ++i) {
        lowest = std::min(lowest, polygon.points[i][axis]);
        highest = std::max(highest, polygon.points[i][axis]);
    }
    const Polygon* clipped = &polygon;
    if (lowest < low) {
        clipToHalfSpace<axis, false>(*clipped, low, room.fromLow);
        clipped = &room.fromLow;
    }
    if (highest > high) {
        clipToHalfSpace<axis, true>(*clipped, high, room.whole);
        clipped = &room.whole;
    }
    return *clipped;
}

template const Polygon& clipToSlab<0>(const Polygon&, double, double, ClippedPolygon&);
template const Polygon& clipToSlab<1>(const Polygon&, double, double, ClippedPolygon&);
template const Polygon& clipToSlab<2>(const Polygon&, double, double, ClippedPolygon&);

} // namespace aureole
