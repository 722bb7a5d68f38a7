// What functions of BSDFs give. Values are f * |cos| of the incoming direction, densities per solid angle.
#ifndef AUREOLE_SHARED_BSDF_VALUE_H
#define AUREOLE_SHARED_BSDF_VALUE_H

#include "shared/lang.h"

SHARED_BEGIN

struct BsdfValue {
    vec3 value; ///< f * |cos|
    float pdf;  ///< of bsdfSample, per solid angle
};

struct BsdfSample {
    vec3 direction;
    vec3 weight; ///< f * |cos| / pdf; black where the path ends
    float pdf;   ///< per solid angle; of a delta distribution, its probability; 0 where the path ends
    uint isDelta;
    uint transmitted; ///< 1: to the other side of the surface
};

SHARED_INLINE BsdfValue noValue() {
    BsdfValue none;
    none.value = vec3(0.0f);
    none.pdf = 0.0f;
    return none;
}

SHARED_INLINE BsdfSample noSample() {
    BsdfSample none;
    none.direction = vec3(0.0f, 0.0f, 1.0f);
    none.weight = vec3(0.0f);
    none.pdf = 0.0f;
    none.isDelta = 0u;
    none.transmitted = 0u;
    return none;
}

SHARED_INLINE BsdfSample deltaSample(vec3 direction, vec3 weight, float probability, uint transmitted) {
    BsdfSample s;
    s.direction = direction;
    s.weight = weight;
    s.pdf = probability;
    s.isDelta = 1u;
    s.transmitted = transmitted;
    return s;
}

SHARED_END
#endif
