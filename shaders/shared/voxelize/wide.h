// Arithmetic in double that gives the same bits on the CPU and the GPU, but for quotients and roots, which Vulkan does
// not promise to round correctly: products and sums in the order of glm's, and none of them fused.
#ifndef AUREOLE_SHARED_WIDE_H
#define AUREOLE_SHARED_WIDE_H

#include "shared/lang.h"

#ifdef __cplusplus

namespace aureole::shared {
using glm::dvec2;
using glm::dvec3;
using std::int64_t;
} // namespace aureole::shared
/// A literal of type double; in GLSL one that a float holds exactly.
#define WIDE(x) (x)

#else

#define WIDE(x) double(x)

#endif

/// A quotient of two such, for what no float holds: rounded as the literal would be.
#define WIDE_RATIO(a, b) (WIDE(a) / WIDE(b))

SHARED_BEGIN

SHARED_INLINE double wideDot(dvec3 a, dvec3 b) {
    PRECISE double result = a.x * b.x + a.y * b.y + a.z * b.z;
    return result;
}

SHARED_INLINE dvec3 wideCross(dvec3 a, dvec3 b) {
    PRECISE dvec3 result = dvec3(a.y * b.z - b.y * a.z, a.z * b.x - b.z * a.x, a.x * b.y - b.x * a.y);
    return result;
}

SHARED_INLINE double wideLength(dvec3 v) {
    return sqrt(wideDot(v, v));
}

SHARED_INLINE dvec3 wideNormalize(dvec3 v) {
    PRECISE dvec3 result = v * (WIDE(1.0) / wideLength(v));
    return result;
}

/// `sum` and a share of a value.
SHARED_INLINE dvec3 addShare(dvec3 sum, double share, vec3 value) {
    PRECISE dvec3 result = sum + share * dvec3(value);
    return result;
}

SHARED_INLINE double addShare(double sum, double share, float value) {
    PRECISE double result = sum + share * double(value);
    return result;
}

SHARED_INLINE float plainDot(vec3 a, vec3 b) {
    PRECISE float result = a.x * b.x + a.y * b.y + a.z * b.z;
    return result;
}

SHARED_INLINE vec3 plainCross(vec3 a, vec3 b) {
    PRECISE vec3 result = vec3(a.y * b.z - b.y * a.z, a.z * b.x - b.z * a.x, a.x * b.y - b.x * a.y);
    return result;
}

SHARED_INLINE float plainLength(vec3 v) {
    return sqrt(plainDot(v, v));
}

SHARED_INLINE vec3 plainNormalize(vec3 v) {
    PRECISE vec3 result = v * (1.0f / plainLength(v));
    return result;
}

SHARED_END
#endif
