#ifndef AUREOLE_SHARED_NORMAL_FRAME_H
#define AUREOLE_SHARED_NORMAL_FRAME_H

#include "shared/lang.h"

SHARED_BEGIN

/// Two unit vectors that are orthogonal to n and to each other. Duff et al., "Building an Orthonormal Basis,
/// Revisited", JCGT 2017.
SHARED_INLINE void normalFrame(vec3 n, OUT(vec3, tangent), OUT(vec3, bitangent)) {
    float s = n.z < 0.0f ? -1.0f : 1.0f;
    float a = -1.0f / (s + n.z);
    float b = n.x * n.y * a;
    tangent = vec3(1.0f + s * n.x * n.x * a, s * b, -s * n.x);
    bitangent = vec3(b, s + n.y * n.y * a, -n.y);
}

SHARED_END

#endif
