// How a path chooses its next direction at a surface: by the surface's own distribution, or over the hemisphere without
// regard to it, for comparison. All are estimators of the same integral; the weights of multiple importance sampling
// use scatterPdf, the density of the choice made.
#ifndef AUREOLE_SHARED_SCATTER_H
#define AUREOLE_SHARED_SCATTER_H

#include "shared/bsdf/bsdf.h"

SHARED_BEGIN

#define SAMPLING_BSDF 0u
#define SAMPLING_COSINE 1u
#define SAMPLING_UNIFORM 2u

/// Metallic-roughness smoother than this is a mirror or next to one: a direction over the hemisphere finds its
/// reflection never, or once in a million times.
#define SCATTER_LEAST_ROUGHNESS 0.1f

/// Whether a direction at the surface is drawn over the hemisphere. Where a surface has a delta distribution, or
/// scatters to its other side, its own sampling is the only one that finds everything, whatever was asked for.
SHARED_INLINE uint scatterOverHemisphere(uint sampling, Scatterer surface) {
    if (sampling == SAMPLING_BSDF) {
        return 0u;
    }
    if (HAS_MODEL(MODEL_METALLIC_ROUGHNESS) && surface.model == MODEL_METALLIC_ROUGHNESS) {
        bool shines = HAS_MODEL(MODEL_CLEARCOAT) && surface.clearcoat > 0.0f &&
                      surface.clearcoatRoughness < SCATTER_LEAST_ROUGHNESS;
        return surface.roughness >= SCATTER_LEAST_ROUGHNESS && !shines ? 1u : 0u;
    }
    return surface.model == MODEL_LAMBERT ? 1u : 0u;
}

/// Density per solid angle of scatterSample, given that of bsdfSample in the same direction.
SHARED_INLINE float scatterPdf(uint sampling, Scatterer surface, vec3 incoming, float bsdfPdf) {
    if (scatterOverHemisphere(sampling, surface) == 0u) {
        return bsdfPdf;
    }
    float cosine = dot(surface.normal, incoming);
    if (cosine <= 0.0f) {
        return 0.0f;
    }
    return sampling == SAMPLING_COSINE ? cosineHemispherePdf(cosine) : uniformConePdf(1.0f);
}

/// Draws an incoming direction by uniform numbers.
SHARED_INLINE BsdfSample scatterSample(uint sampling, uint64_t tables, Scatterer surface, vec3 outgoing, vec3 u) {
    if (scatterOverHemisphere(sampling, surface) == 0u) {
        return bsdfSample(tables, surface, outgoing, u);
    }
    vec2 square = vec2(u.x, u.y);
    BsdfSample s;
    s.direction = fromLocal(surface.normal, sampling == SAMPLING_COSINE ? sampleCosineHemisphere(square)
                                                                        : sampleUniformCone(square, 1.0f));
    BsdfValue scattered = bsdfEvaluate(tables, surface, outgoing, s.direction);
    s.pdf = scatterPdf(sampling, surface, s.direction, scattered.pdf);
    s.weight = s.pdf > 0.0f ? scattered.value / s.pdf : vec3(0.0f);
    s.isDelta = 0u;
    s.transmitted = 0u;
    return s;
}

SHARED_END
#endif
