// The rough surface of a solid of glass: GGX with exact Fresnel, after Walter et al. 2007. The solid's smooth surface
// is in bsdf_smooth.h, with what is said there of radiance.
//
// Light that microfacets scatter more than once is given back by division by the directional albedo of single
// scattering, after Turquin, "Practical multiple scattering compensation for microfacet models" (2019): it goes where
// single scattering goes, no further lobe is needed, and the white furnace is exact. (It is not reciprocal; a
// reciprocal lobe would be diffuse, which the light that leaves rough glass after two bounces is not.)
#ifndef AUREOLE_SHARED_BSDF_DIELECTRIC_H
#define AUREOLE_SHARED_BSDF_DIELECTRIC_H

#include "shared/bsdf_ggx.h"
#include "shared/bsdf_tables.h"
#include "shared/bsdf_value.h"
#include "shared/fresnel.h"
#include "shared/material.h"

SHARED_BEGIN

/// Whether the surface scatters into single directions. So it does where its index is all but 1, as microfacets turn
/// light by no more than alpha * |eta - 1|.
SHARED_INLINE uint isSmoothDielectric(Scatterer surface) {
    float alpha = surface.roughness * surface.roughness;
    return !HAS_MODEL(MODEL_ROUGH_DIELECTRIC) || surface.table == 0u || alpha < GGX_SMOOTH ||
                   alpha * abs(surface.eta - 1.0f) < 2e-5f
               ? 1u
               : 0u;
}

/// What single scattering leaves of light that arrives from `outgoing`.
SHARED_INLINE float dielectricAlbedo(uint64_t tables, Scatterer surface, float cosine) {
    vec2 albedo = lookUpAlbedo(tables, surface.table, cosine, surface.roughness);
    return ggxMasking(cosine, surface.roughness * surface.roughness) + (surface.eta < 1.0f ? albedo.y : albedo.x);
}

/// In the frame of the normal, outgoing.z > 0.
SHARED_INLINE BsdfValue evaluateReflection(Scatterer surface, vec3 outgoing, vec3 incoming, float albedo) {
    float alpha = surface.roughness * surface.roughness;
    vec3 h = normalize(outgoing + incoming);
    float reflected = fresnelDielectric(max(dot(outgoing, h), 0.0f), surface.eta) * ggxDistribution(h, alpha) * 0.25f;
    BsdfValue result;
    result.value = vec3(reflected * ggxVisibility(outgoing, incoming, alpha) * incoming.z / albedo);
    result.pdf = reflected * ggxMaskingOverCosine(outgoing, alpha);
    return result;
}

/// Likewise, incoming.z < 0.
SHARED_INLINE BsdfValue evaluateTransmission(Scatterer surface, vec3 outgoing, vec3 incoming, float albedo) {
    float alpha = surface.roughness * surface.roughness;
    vec3 h = outgoing + incoming * surface.eta;
    float size = length(h);
    if (size <= 0.0f) {
        return noValue();
    }
    h = h * ((h.z < 0.0f ? -1.0f : 1.0f) / size);
    float ahead = -dot(incoming, h);
    float behind = dot(outgoing, h);
    if (ahead <= 0.0f || behind <= 0.0f) {
        return noValue(); // seen from its back
    }
    // o.h + eta i.h, as the length of o + eta i, whose direction is h but for the sign.
    float jacobian = surface.eta * surface.eta * ahead / (size * size);
    BsdfValue result;
    result.pdf = (1.0f - fresnelDielectric(behind, surface.eta)) * visibleNormalPdf(outgoing, h, alpha) * jacobian;
    vec3 below = vec3(incoming.x, incoming.y, -incoming.z);
    float masking = ggxMaskingOverCosine(below, alpha) * below.z;
    result.value = surface.albedo * (result.pdf * masking / (surface.eta * surface.eta * albedo));
    return result;
}

SHARED_INLINE BsdfValue evaluateRoughDielectric(uint64_t tables, Scatterer surface, vec3 outgoing, vec3 incoming) {
    if (outgoing.z <= 0.0f || incoming.z == 0.0f) {
        return noValue();
    }
    float albedo = dielectricAlbedo(tables, surface, outgoing.z);
    if (incoming.z > 0.0f) {
        return evaluateReflection(surface, outgoing, incoming, albedo);
    }
    return evaluateTransmission(surface, outgoing, incoming, albedo);
}

SHARED_INLINE BsdfSample sampleRoughDielectric(uint64_t tables, Scatterer surface, vec3 outgoing, vec3 u) {
    if (outgoing.z <= 0.0f) {
        return noSample();
    }
    float alpha = surface.roughness * surface.roughness;
    float albedo = dielectricAlbedo(tables, surface, outgoing.z);
    vec3 h = sampleVisibleNormal(outgoing, alpha, vec2(u.x, u.y));
    float behind = max(dot(outgoing, h), 0.0f);
    float reflectance = fresnelDielectric(behind, surface.eta);
    BsdfSample s;
    s.isDelta = 0u;
    if (u.z < reflectance) {
        s.direction = normalize(reflectAbout(outgoing, h));
        if (s.direction.z <= 0.0f) {
            return noSample();
        }
        float masking = ggxMaskingOverCosine(outgoing, alpha);
        s.pdf = 0.25f * reflectance * masking * ggxDistribution(h, alpha);
        s.weight = vec3(ggxVisibility(outgoing, s.direction, alpha) * s.direction.z / (masking * albedo));
        s.transmitted = 0u;
        return s;
    }
    float eta = surface.eta;
    float ahead = max(refractedCosine(behind, eta), 0.0f);
    s.direction = refractAbout(outgoing, h, eta, ahead);
    if (s.direction.z >= 0.0f || ahead <= 0.0f) {
        return noSample();
    }
    float size = behind - eta * ahead;
    s.pdf = (1.0f - reflectance) * visibleNormalPdf(outgoing, h, alpha) * eta * eta * ahead / (size * size);
    vec3 below = vec3(s.direction.x, s.direction.y, -s.direction.z);
    s.weight = surface.albedo * (ggxMaskingOverCosine(below, alpha) * below.z / (eta * eta * albedo));
    s.transmitted = 1u;
    return s;
}

SHARED_END
#endif
