// Angles and back, to a few units in the last place of the result. What a device calls atan, sin and cos may be off by
// a part in some thousands of a small angle (Vulkan's limits), and by another one on each device: too much where
// angles are interpolated between others that are almost the same.
#ifndef AUREOLE_SHARED_ANGLES_H
#define AUREOLE_SHARED_ANGLES_H

#include "shared/sampling/sampling.h"

SHARED_BEGIN

/// The angle in [0, pi] of the direction (x, y) to the first axis; y is at least 0, and not both are 0. The polynomial
/// is that of Moshier's Cephes library (atanf).
SHARED_INLINE float angleOf(float x, float y) {
    float across = abs(x);
    float low = min(across, y);
    float high = max(across, y);
    uint steep = low > 0.41421356f * high ? 1u : 0u; // above pi / 8: seen from pi / 4
    float t = steep != 0u ? (low - high) / (low + high) : low / high;
    float z = t * t;
    float series = ((8.05374449538e-2f * z - 1.38776856032e-1f) * z + 1.99777106478e-1f) * z - 3.33329491539e-1f;
    float angle = series * z * t + t;
    angle = steep != 0u ? angle + 0.25f * SHARED_PI : angle;
    angle = y > across ? 0.5f * SHARED_PI - angle : angle;
    return x < 0.0f ? SHARED_PI - angle : angle;
}

/// (cos, sin) of an angle in [0, pi / 2], by Cephes' polynomials (cosf, sinf).
SHARED_INLINE vec2 directionOfAngle(float angle) {
    uint steep = angle > 0.25f * SHARED_PI ? 1u : 0u;
    float a = steep != 0u ? 0.5f * SHARED_PI - angle : angle;
    float z = a * a;
    float sine = ((-1.9515295891e-4f * z + 8.3321608736e-3f) * z - 1.6666654611e-1f) * z * a + a;
    float cosine =
        ((2.443315711809948e-5f * z - 1.388731625493765e-3f) * z + 4.166664568298827e-2f) * z * z - 0.5f * z + 1.0f;
    return steep != 0u ? vec2(sine, cosine) : vec2(cosine, sine);
}

SHARED_END
#endif
