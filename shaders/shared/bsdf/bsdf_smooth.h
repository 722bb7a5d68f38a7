// Smooth interfaces: mirrors, glass and panes. All scatter into single directions.
#ifndef AUREOLE_SHARED_BSDF_SMOOTH_H
#define AUREOLE_SHARED_BSDF_SMOOTH_H

#include "shared/bsdf/bsdf_value.h"
#include "shared/bsdf/fresnel.h"
#include "shared/bsdf/material.h"

SHARED_BEGIN

/// A perfect mirror, which reflects the albedo at any angle.
SHARED_INLINE BsdfSample sampleMirror(Scatterer surface, vec3 outgoing) {
    if (dot(surface.normal, outgoing) <= 0.0f) {
        return noSample();
    }
    return deltaSample(normalize(reflectAbout(outgoing, surface.normal)), surface.albedo, 1.0f, 0u);
}

/// The surface of a solid. Light that goes through is compressed into a smaller solid angle on the side of the larger
/// index, so that its radiance there is larger by eta^2 (Veach 1997, section 5.2); a path that starts at the camera
/// takes 1 / eta^2. The albedo tints what goes through.
SHARED_INLINE BsdfSample sampleSmoothDielectric(Scatterer surface, vec3 outgoing, float u) {
    float eta = surface.eta;
    if (eta == 1.0f) {
        return deltaSample(-outgoing, surface.albedo, 1.0f, 1u);
    }
    float cosine = dot(surface.normal, outgoing);
    if (cosine <= 0.0f) {
        return noSample();
    }
    float reflectance = fresnelDielectric(cosine, eta);
    if (u < reflectance) {
        return deltaSample(normalize(reflectAbout(outgoing, surface.normal)), vec3(1.0f), reflectance, 0u);
    }
    vec3 direction = refractAbout(outgoing, surface.normal, eta, max(refractedCosine(cosine, eta), 0.0f));
    return deltaSample(direction, surface.albedo / (eta * eta), 1.0f - reflectance, 1u);
}

/// Reflectance of a pane: that of its two interfaces, R, and all bounces between them, R + T^2 R (1 + R^2 + ...).
SHARED_INLINE float paneReflectance(float cosine, float eta) {
    float once = fresnelDielectric(cosine, eta);
    return 2.0f * once / (1.0f + once);
}

/// What a pane lets through in a straight line of the light that leaves it towards `outgoing`, or comes from there.
SHARED_INLINE vec3 paneTransmittance(Scatterer surface, vec3 outgoing) {
    if (isBlended(surface) != 0u) {
        return vec3(glassShare(surface));
    }
    float cosine = dot(surface.normal, outgoing);
    float share = isPartialGlass(surface) != 0u ? glassShare(surface) : 1.0f;
    return cosine <= 0.0f ? vec3(0.0f) : surface.albedo * (share * (1.0f - paneReflectance(cosine, surface.eta)));
}

/// A pane of glass in one hit: light goes through in a straight line, tinted by the albedo. A pane has no roughness:
/// frosted glass is a solid, whose two rough surfaces spread what goes through.
SHARED_INLINE BsdfSample sampleThinGlass(Scatterer surface, vec3 outgoing, float u) {
    if (isBlended(surface) != 0u) {
        return deltaSample(-outgoing, vec3(1.0f), 1.0f, 1u);
    }
    float cosine = dot(surface.normal, outgoing);
    if (cosine <= 0.0f) {
        return noSample();
    }
    float reflectance = paneReflectance(cosine, surface.eta);
    if (u < reflectance) {
        return deltaSample(normalize(reflectAbout(outgoing, surface.normal)), vec3(1.0f), reflectance, 0u);
    }
    return deltaSample(-outgoing, surface.albedo, 1.0f - reflectance, 1u);
}

SHARED_END
#endif
