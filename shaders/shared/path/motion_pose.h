// What moves while the shutter is open: poses at some times, and those in between.
#ifndef AUREOLE_SHARED_MOTION_POSE_H
#define AUREOLE_SHARED_MOTION_POSE_H

#include "shared/lang.h"

SHARED_BEGIN

/// Where something is at one of several times that are equally far apart, the first when the shutter opens, the last
/// when it closes. Between two of them its place and its size go evenly, and it turns evenly about one axis: Shoemake,
/// "Animating Rotation with Quaternion Curves" (1985).
struct MotionPose {
    vec4 turn; ///< a quaternion of unit length, its real part last; its sign is that of the shorter way from the last
    vec3 place;
    float angle; ///< between the quaternions of this pose and of the next one, in radians, from 0 to pi / 2
    vec3 size;
    uint padding0;
    vec3 middle; ///< of what is placed, in what is placed, as `size` stretches it
    uint padding1;
};
SHARED_ARRAY(MotionPose, 16)

/// The axes of what is turned so: columns of a matrix.
struct TurnedAxes {
    vec3 x;
    vec3 y;
    vec3 z;
};

SHARED_INLINE TurnedAxes turnedAxes(vec4 turn) {
    vec3 v = vec3(turn.x, turn.y, turn.z);
    vec3 twice = v * 2.0f;
    vec3 squares = twice * v;
    vec3 real = twice * turn.w;
    float xy = twice.x * v.y;
    float yz = twice.y * v.z;
    float zx = twice.z * v.x;
    TurnedAxes axes;
    axes.x = vec3(1.0f - (squares.y + squares.z), xy + real.z, zx - real.y);
    axes.y = vec3(xy - real.z, 1.0f - (squares.z + squares.x), yz + real.x);
    axes.z = vec3(zx + real.y, yz - real.x, 1.0f - (squares.x + squares.y));
    return axes;
}

/// The turn that is a share of the way from one to another, `angle` being between them.
SHARED_INLINE vec4 turnBetween(vec4 from, vec4 to, float angle, float share) {
    float a = 1.0f - share;
    float b = share;
    if (angle > 1e-3f) {
        a = sin(a * angle);
        b = sin(b * angle);
    }
    vec4 sum = from * a + to * b;
    return sum * (1.0f / sqrt(dot(sum, sum)));
}

/// The pose at a time, a share of that from opening to closing, of the `steps` + 1 from number `first` on.
SHARED_INLINE MotionPose poseAt(uint64_t poses, uint first, uint steps, float time) {
    float place = time * float(steps);
    uint step = min(uint(place), steps - 1u);
    float share = place - float(step);
    MotionPose from = AT(MotionPose, poses, first + step);
    MotionPose to = AT(MotionPose, poses, first + step + 1u);
    from.turn = turnBetween(from.turn, to.turn, from.angle, share);
    from.place = from.place + (to.place - from.place) * share;
    from.size = from.size + (to.size - from.size) * share;
    return from;
}

SHARED_END
#endif
