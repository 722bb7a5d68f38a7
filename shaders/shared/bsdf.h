// Scattering at surfaces: bsdfEvaluate, bsdfPdf and bsdfSample agree with each other for every model.
//
// Directions are of unit length, in the space of the scatterer's normal, and point away from the surface: `outgoing`
// back along the path, `incoming` to where its light comes from. Values are f * |cos| of the incoming direction.
#ifndef AUREOLE_SHARED_BSDF_H
#define AUREOLE_SHARED_BSDF_H

#include "shared/material.h"
#include "shared/sampling.h"

SHARED_BEGIN

struct BsdfValue {
    vec3 value; ///< f * |cos|
    float pdf;  ///< of bsdfSample, per solid angle
};

struct BsdfSample {
    vec3 direction;
    vec3 weight; ///< f * |cos| / pdf; black where the path ends
    float pdf;   ///< per solid angle; of a delta distribution, anything above 0
    uint isDelta;
    uint transmitted; ///< 1: to the other side of the surface
};

/// Black, with a pdf of 0, for pairs of directions that are not scattered into each other, and for all of a delta
/// distribution.
SHARED_INLINE BsdfValue bsdfEvaluate(Scatterer surface, vec3 outgoing, vec3 incoming) {
    SHARED_UNUSED(outgoing);
    BsdfValue result;
    float cosine = max(dot(surface.normal, incoming), 0.0f);
    result.pdf = cosineHemispherePdf(cosine);
    result.value = surface.albedo * result.pdf;
    return result;
}

/// Draws an incoming direction by uniform numbers.
SHARED_INLINE BsdfSample bsdfSample(Scatterer surface, vec3 outgoing, vec3 u) {
    SHARED_UNUSED(outgoing);
    BsdfSample s;
    s.direction = fromLocal(surface.normal, sampleCosineHemisphere(vec2(u.x, u.y)));
    s.weight = surface.albedo;
    s.pdf = cosineHemispherePdf(dot(surface.normal, s.direction));
    s.isDelta = 0u;
    s.transmitted = 0u;
    return s;
}

SHARED_END
#endif
