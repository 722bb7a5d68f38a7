// GGX microfacets, of one alpha in all directions, in the frame whose Z axis is the surface's normal. Walter et al.,
// "Microfacet Models for Refraction through Rough Surfaces" (2007); Heitz, "Understanding the Masking-Shadowing
// Function in Microfacet-Based BRDFs", JCGT 2014.
#ifndef AUREOLE_SHARED_BSDF_GGX_H
#define AUREOLE_SHARED_BSDF_GGX_H

#include "shared/sampling/rng.h"
#include "shared/sampling/sampling.h"

SHARED_BEGIN

/// Below this alpha a surface is taken to be smooth: directions of single precision do not resolve its lobes.
#define GGX_SMOOTH 1e-4f

/// Density of microfacet normals, by projected area.
SHARED_INLINE float ggxDistribution(vec3 h, float alpha) {
    float squared = alpha * alpha;
    float stretched = h.x * h.x + h.y * h.y + squared * (h.z * h.z);
    return squared / (SHARED_PI * stretched * stretched);
}

/// Length of a direction after the surface is stretched to alpha 1; (1 + 2 Lambda) times the cosine.
SHARED_INLINE float ggxStretch(vec3 w, float alpha) {
    return sqrt(w.z * w.z + alpha * alpha * (w.x * w.x + w.y * w.y));
}

/// Smith's masking over the cosine, G1 / cos.
SHARED_INLINE float ggxMaskingOverCosine(vec3 w, float alpha) {
    return 2.0f / (w.z + ggxStretch(w, alpha));
}

/// G1, by the cosine.
SHARED_INLINE float ggxMasking(float cosine, float alpha) {
    return 2.0f * cosine / (cosine + sqrt(cosine * cosine + alpha * alpha * (1.0f - cosine * cosine)));
}

/// Height-correlated masking and shadowing of a reflection over both cosines: G2 / (cos cos), which stays finite.
SHARED_INLINE float ggxVisibility(vec3 a, vec3 b, float alpha) {
    return 2.0f / (a.z * ggxStretch(b, alpha) + b.z * ggxStretch(a, alpha));
}

/// The microfacet normal for a point of the cap that is left of the unit sphere: `azimuth` is its unit vector in the
/// plane, x in [0, 1] falls evenly with its height. `stretched` is the direction that sees it, of a surface of alpha 1.
SHARED_INLINE vec3 visibleNormalAt(vec3 stretched, float alpha, vec2 azimuth, float x) {
    float height = (1.0f - x) * (1.0f + stretched.z); // of the cap's point, plus that of `stretched`
    float z = height - stretched.z;
    float sinTheta = sqrt(max(0.0f, 1.0f - z * z));
    vec3 h = vec3(sinTheta * azimuth.x + stretched.x, sinTheta * azimuth.y + stretched.y, height);
    return normalize(vec3(alpha * h.x, alpha * h.y, max(h.z, 1e-9f)));
}

SHARED_INLINE vec3 stretchDirection(vec3 w, float alpha) {
    return normalize(vec3(alpha * w.x, alpha * w.y, w.z));
}

/// Draws a microfacet normal from those visible from `w` (w.z > 0). Dupuy and Benyoub, "Sampling Visible GGX Normals
/// with Spherical Caps", HPG 2023.
SHARED_INLINE vec3 sampleVisibleNormal(vec3 w, float alpha, vec2 u) {
    float phi = 2.0f * SHARED_PI * u.x;
    return visibleNormalAt(stretchDirection(w, alpha), alpha, vec2(cos(phi), sin(phi)), u.y);
}

SHARED_INLINE float visibleNormalPdf(vec3 w, vec3 h, float alpha) {
    return ggxMaskingOverCosine(w, alpha) * max(dot(w, h), 0.0f) * ggxDistribution(h, alpha);
}

/// The share of what a visible microfacet reflects that gets past the others.
SHARED_INLINE float reflectedShare(vec3 outgoing, vec3 incoming, float alpha) {
    return incoming.z <= 0.0f
               ? 0.0f
               : min(ggxVisibility(outgoing, incoming, alpha) * incoming.z / ggxMaskingOverCosine(outgoing, alpha),
                     1.0f);
}

/// The share of what it refracts, to a direction below the surface, that gets past the others.
SHARED_INLINE float refractedShare(vec3 incoming, float alpha) {
    vec3 below = vec3(incoming.x, incoming.y, -incoming.z);
    return below.z <= 0.0f ? 0.0f : min(ggxMaskingOverCosine(below, alpha) * below.z, 1.0f);
}

/// How often sampling begins anew where masking and shadowing stop what a microfacet scatters. So directions are drawn
/// as what is scattered is distributed, by no function that could be inverted, and all have the same weight. Would
/// paths end instead, those that go on would weigh 1 / albedo: after some bounces inside of rough glass few would carry
/// all the light.
#define GGX_TRIES 16u

/// Probability that one of the tries succeeds; `albedo` is that of single scattering.
SHARED_INLINE float ggxSuccess(float albedo) {
    float failure = max(0.0f, 1.0f - albedo);
    failure *= failure;
    failure *= failure;
    failure *= failure;
    return 1.0f - failure * failure;
}

/// Uniform numbers for the next try, a hash of those of the last one.
SHARED_INLINE vec3 ggxTryAgain(vec3 u, uint attempt) {
    uvec3 bits = floatBitsToUint(u);
    uvec4 hashed = pcg4d(uvec4(bits.x, bits.y, bits.z, attempt));
    return vec3(unitFloat(hashed.x), unitFloat(hashed.y), unitFloat(hashed.z));
}

SHARED_INLINE vec2 invertVisibleNormal(vec3 w, vec3 h, float alpha) {
    vec3 stretched = stretchDirection(w, alpha);
    vec3 m = normalize(vec3(h.x, h.y, alpha * h.z)); // its mirror image of `stretched` is on the cap
    vec3 c = m * (2.0f * dot(stretched, m)) - stretched;
    float phi = atan2(c.y, c.x);
    return vec2((phi < 0.0f ? phi + 2.0f * SHARED_PI : phi) / (2.0f * SHARED_PI),
                1.0f - (c.z + stretched.z) / (1.0f + stretched.z));
}

SHARED_END
#endif
