// Reflection and refraction at a smooth interface. Unit vectors; `eta` is the index of refraction of the side ahead
// over that of the side of `outgoing`.
#ifndef AUREOLE_SHARED_FRESNEL_H
#define AUREOLE_SHARED_FRESNEL_H

#include "shared/lang.h"

SHARED_BEGIN

SHARED_INLINE vec3 reflectAbout(vec3 outgoing, vec3 normal) {
    return normal * (2.0f * dot(normal, outgoing)) - outgoing;
}

/// Cosine of the refracted direction to the normal's other side by Snell's law; below 0 at total internal reflection.
SHARED_INLINE float refractedCosine(float cosine, float eta) {
    float sinSquared = max(0.0f, 1.0f - cosine * cosine) / (eta * eta);
    return sinSquared >= 1.0f ? -1.0f : sqrt(1.0f - sinSquared);
}

/// Reflectance of an interface of dielectrics for unpolarised light (Fresnel's equations); 1 at total internal
/// reflection. `cosine` is at least 0.
SHARED_INLINE float fresnelDielectric(float cosine, float eta) {
    float ahead = refractedCosine(cosine, eta);
    if (ahead < 0.0f) {
        return 1.0f;
    }
    float p = (eta * cosine - ahead) / max(eta * cosine + ahead, 1e-20f);
    float s = (cosine - eta * ahead) / max(cosine + eta * ahead, 1e-20f);
    return min(0.5f * (p * p + s * s), 1.0f);
}

/// The direction on the other side; `ahead` is refractedCosine() and at least 0.
SHARED_INLINE vec3 refractAbout(vec3 outgoing, vec3 normal, float eta, float ahead) {
    return normalize(normal * (dot(normal, outgoing) / eta - ahead) - outgoing / eta);
}

/// Schlick, "An Inexpensive BRDF Model for Physically-based Rendering" (1994): (1 - cos)^5.
SHARED_INLINE float schlickWeight(float cosine) {
    float x = clamp(1.0f - cosine, 0.0f, 1.0f);
    float squared = x * x;
    return squared * squared * x;
}

/// Reflectance at normal incidence.
SHARED_INLINE float fresnelNormal(float eta) {
    float r = (eta - 1.0f) / (eta + 1.0f);
    return r * r;
}

SHARED_END
#endif
