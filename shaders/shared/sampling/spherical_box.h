// Boxes seen from a point: directions to them that are uniform in solid angle, and the density of any direction.
//
// A box shows a point one to three of its sides, which are rectangles (spherical_rectangle.h) and do not overlap. It is
// mirrored so that the point is above its middle on every axis: the sides that are seen then are the upper ones.
#ifndef AUREOLE_SHARED_SPHERICAL_BOX_H
#define AUREOLE_SHARED_SPHERICAL_BOX_H

#include "shared/sampling/spherical_rectangle.h"

SHARED_BEGIN

/// A box about the origin with its sides along the axes, as seen from a point.
struct SeenBox {
    vec3 halves;  ///< half of its size
    vec3 point;   ///< from which it is seen, mirrored: no component is below 0
    vec3 mirror;  ///< 1 or -1 for each axis
    vec3 measure; ///< of the side across each axis: how often directions go through it, 0 where it is not seen; its
                  ///< solid angle, or nearly that where it is seen as small
};

#define NO_SIDE 3u

SHARED_INLINE float onAxis(vec3 v, uint axis) {
    return axis == 0u ? v.x : axis == 1u ? v.y : v.z;
}

/// What lies along the side across an axis: the other two axes, in their order.
SHARED_INLINE vec2 alongSide(vec3 v, uint axis) {
    return vec2(axis == 0u ? v.y : v.x, axis == 2u ? v.y : v.z);
}

SHARED_INLINE vec3 fromSide(uint axis, float across, vec2 along) {
    return axis == 0u   ? vec3(across, along.x, along.y)
           : axis == 1u ? vec3(along.x, across, along.y)
                        : vec3(along.x, along.y, across);
}

SHARED_INLINE SeenRectangle sideOf(SeenBox box, uint axis) {
    vec2 halves = alongSide(box.halves, axis);
    vec2 foot = alongSide(box.point, axis);
    SeenRectangle side;
    side.low = -halves - foot;
    side.high = halves - foot;
    side.height = onAxis(box.point, axis) - onAxis(box.halves, axis);
    return side;
}

/// The box with these halves as seen from `point`. From within nothing is seen: all measures are 0.
SHARED_INLINE SeenBox seeBox(vec3 halves, vec3 point) {
    SeenBox box;
    box.halves = halves;
    box.mirror = vec3(point.x < 0.0f ? -1.0f : 1.0f, point.y < 0.0f ? -1.0f : 1.0f, point.z < 0.0f ? -1.0f : 1.0f);
    box.point = abs(point);
    box.measure = vec3(0.0f);
    box.measure = vec3(seenMeasure(sideOf(box, 0u)), seenMeasure(sideOf(box, 1u)), seenMeasure(sideOf(box, 2u)));
    return box;
}

/// Chooses one of the sides that are seen, for a uniform number; NO_SIDE where none is.
SHARED_INLINE uint chooseSide(SeenBox box, float u) {
    float rest = u * (box.measure.x + box.measure.y + box.measure.z);
    uint chosen = NO_SIDE;
    for (uint axis = 0u; axis < 3u; ++axis) {
        float measure = onAxis(box.measure, axis);
        if (measure > 0.0f && rest >= 0.0f) {
            chosen = axis; // the last one, where rounding leaves something over
            rest -= measure;
        }
    }
    return chosen;
}

/// The way from the point to a place on a side that is seen, for two uniform numbers.
SHARED_INLINE vec3 sampleSide(SeenBox box, uint axis, vec2 u) {
    SeenRectangle side = sideOf(box, axis);
    return fromSide(axis, -side.height, sampleSeenRectangle(side, u)) * box.mirror;
}

/// The density per solid angle of the direction to a place on a side that is seen, at `distance` along `direction`.
SHARED_INLINE float sidePdf(SeenBox box, uint axis, vec3 direction, float distance) {
    float measure = onAxis(box.measure, axis);
    float share = measure / (box.measure.x + box.measure.y + box.measure.z);
    return share * seenRectanglePdf(sideOf(box, axis), measure, distance, abs(onAxis(direction, axis)));
}

/// The side by which a ray from the point goes into the box, at `distance`; NO_SIDE where it goes past.
SHARED_INLINE uint sideEntered(SeenBox box, vec3 direction, OUT(float, distance)) {
    vec3 d = direction * box.mirror;
    vec3 height = box.point - box.halves;
    uint entered = NO_SIDE;
    distance = 0.0f;
    for (uint axis = 0u; axis < 3u; ++axis) {
        float over = onAxis(height, axis);
        float towards = -onAxis(d, axis);
        if (over > 0.0f && over > distance * towards) { // the farthest of the planes that it goes through
            entered = axis;
            distance = towards > 0.0f ? over / towards : 3.0e38f;
        }
    }
    if (entered != NO_SIDE && distance < 3.0e38f) {
        vec2 place = abs(alongSide(box.point, entered) + alongSide(d, entered) * distance);
        vec2 halves = alongSide(box.halves, entered);
        return place.x <= halves.x && place.y <= halves.y ? entered : NO_SIDE;
    }
    return NO_SIDE;
}

SHARED_END
#endif
