// How a point of a medium scatters light: the phase function of Henyey and Greenstein, "Diffuse radiation in the
// galaxy" (1941), whose mean cosine is the anisotropy.
#ifndef AUREOLE_SHARED_PHASE_H
#define AUREOLE_SHARED_PHASE_H

#include "shared/bsdf/bsdf_value.h"
#include "shared/bsdf/material.h"
#include "shared/sampling/sampling.h"

SHARED_BEGIN

/// The density per solid angle at `height`, 1 - cosine of the angle to the axis; anisotropy 0 to below 1. By heights,
/// as cosines keep no digits next to a narrow peak.
SHARED_INLINE float henyeyGreenstein(float anisotropy, float height) {
    float near = 1.0f - anisotropy;
    float squared = near * near + 2.0f * anisotropy * height;
    return near * (1.0f + anisotropy) / (4.0f * SHARED_PI * squared * sqrt(squared));
}

/// The height at which the share `u` of the light lies farther from the axis.
SHARED_INLINE float sampleHenyeyGreenstein(float anisotropy, float u) {
    float near = 1.0f - anisotropy;
    float denominator = near + 2.0f * anisotropy * u;
    return near * (1.0f - u) * (near * (1.0f + anisotropy) / denominator + near) / denominator;
}

/// Where most of the light comes from that a medium scatters to `outgoing`: from behind, or, with an anisotropy below
/// 0, from there.
SHARED_INLINE vec3 phaseAxis(Scatterer medium, vec3 outgoing) {
    return medium.anisotropy < 0.0f ? outgoing : -outgoing;
}

SHARED_INLINE float phaseDensity(Scatterer medium, vec3 outgoing, vec3 incoming) {
    vec3 difference = incoming - phaseAxis(medium, outgoing);
    return henyeyGreenstein(abs(medium.anisotropy), 0.5f * dot(difference, difference));
}

SHARED_INLINE BsdfValue evaluatePhase(Scatterer medium, vec3 outgoing, vec3 incoming) {
    BsdfValue result;
    result.pdf = phaseDensity(medium, outgoing, incoming);
    result.value = medium.albedo * result.pdf;
    return result;
}

SHARED_INLINE BsdfSample samplePhase(Scatterer medium, vec3 outgoing, vec2 u) {
    float height = clamp(sampleHenyeyGreenstein(abs(medium.anisotropy), u.x), 0.0f, 2.0f);
    float sine = sqrt(height * (2.0f - height));
    float phi = 2.0f * SHARED_PI * u.y;
    BsdfSample s;
    s.direction =
        normalize(fromLocal(phaseAxis(medium, outgoing), vec3(sine * cos(phi), sine * sin(phi), 1.0f - height)));
    s.weight = medium.albedo;
    s.pdf = henyeyGreenstein(abs(medium.anisotropy), height);
    s.isDelta = 0u;
    s.transmitted = 0u;
    return s;
}

SHARED_END
#endif
