// The rough surface of a solid of glass: GGX with exact Fresnel, after Walter et al. 2007. The solid's smooth surface
// is in bsdf_smooth.h, with what is said there of radiance.
//
// Light that microfacets scatter more than once is given back by division by the directional albedo of single
// scattering, after Turquin, "Practical multiple scattering compensation for microfacet models" (2019): it goes where
// single scattering goes, no further lobe is needed, and the white furnace is exact. (It is not reciprocal; a
// reciprocal lobe would be diffuse, which the light that leaves rough glass after two bounces is not.)
#ifndef AUREOLE_SHARED_BSDF_DIELECTRIC_H
#define AUREOLE_SHARED_BSDF_DIELECTRIC_H

#include "shared/bsdf/bsdf_ggx.h"
#include "shared/bsdf/bsdf_tables.h"
#include "shared/bsdf/bsdf_value.h"
#include "shared/bsdf/fresnel.h"
#include "shared/bsdf/material.h"

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
    vec2 entry = lookUpAlbedo(tables, surface.table, cosine, surface.roughness);
    float albedo = ggxMasking(cosine, surface.roughness * surface.roughness) + (surface.eta < 1.0f ? entry.y : entry.x);
    return clamp(albedo, 1e-6f, 1.0f);
}

/// Density by which single scattering reflects light. In the frame of the normal, outgoing.z > 0.
SHARED_INLINE float reflectedDensity(Scatterer surface, vec3 outgoing, vec3 incoming) {
    float alpha = surface.roughness * surface.roughness;
    vec3 h = normalize(outgoing + incoming);
    return 0.25f * fresnelDielectric(max(dot(outgoing, h), 0.0f), surface.eta) * ggxDistribution(h, alpha) *
           ggxMaskingOverCosine(outgoing, alpha) * reflectedShare(outgoing, incoming, alpha);
}

/// Density by which it refracts light, incoming.z < 0.
SHARED_INLINE float refractedDensity(Scatterer surface, vec3 outgoing, vec3 incoming) {
    float alpha = surface.roughness * surface.roughness;
    vec3 h = outgoing + incoming * surface.eta;
    float size = length(h);
    if (size <= 0.0f) {
        return 0.0f;
    }
    h = h * ((h.z < 0.0f ? -1.0f : 1.0f) / size);
    float ahead = -dot(incoming, h);
    float behind = dot(outgoing, h);
    if (ahead <= 0.0f || behind <= 0.0f) {
        return 0.0f; // seen from its back
    }
    // o.h + eta i.h, as the length of o + eta i, whose direction is h but for the sign.
    float jacobian = surface.eta * surface.eta * ahead / (size * size);
    return (1.0f - fresnelDielectric(behind, surface.eta)) * visibleNormalPdf(outgoing, h, alpha) * jacobian *
           refractedShare(incoming, alpha);
}

SHARED_INLINE BsdfValue evaluateRoughDielectric(uint64_t tables, Scatterer surface, vec3 outgoing, vec3 incoming) {
    if (outgoing.z <= 0.0f || incoming.z == 0.0f) {
        return noValue();
    }
    float albedo = dielectricAlbedo(tables, surface, outgoing.z);
    BsdfValue result;
    if (incoming.z > 0.0f) {
        float density = reflectedDensity(surface, outgoing, incoming) / albedo;
        result.value = vec3(density);
        result.pdf = density * ggxSuccess(albedo);
    } else {
        float density = refractedDensity(surface, outgoing, incoming) / albedo;
        result.value = surface.albedo * (density / (surface.eta * surface.eta));
        result.pdf = density * ggxSuccess(albedo);
    }
    return result;
}

/// What the microfacet of normal h scatters to, by u.z; nothing where it is stopped. The pdf is that of single
/// scattering, the weight what refraction does to radiance.
SHARED_INLINE BsdfSample scatterAtMicrofacet(Scatterer surface, vec3 outgoing, vec3 h, float u) {
    float alpha = surface.roughness * surface.roughness;
    float eta = surface.eta;
    float behind = max(dot(outgoing, h), 0.0f);
    float reflectance = fresnelDielectric(behind, eta);
    float seen = ggxMaskingOverCosine(outgoing, alpha) * ggxDistribution(h, alpha);
    BsdfSample s;
    s.isDelta = 0u;
    if (u < reflectance) {
        s.direction = normalize(reflectAbout(outgoing, h));
        float share = reflectedShare(outgoing, s.direction, alpha);
        if (u >= reflectance * share) {
            return noSample();
        }
        s.pdf = 0.25f * reflectance * seen * share;
        s.weight = vec3(1.0f);
        s.transmitted = 0u;
        return s;
    }
    float ahead = max(refractedCosine(behind, eta), 0.0f);
    s.direction = refractAbout(outgoing, h, eta, ahead);
    float share = refractedShare(s.direction, alpha);
    if (ahead <= 0.0f || u - reflectance >= (1.0f - reflectance) * share) {
        return noSample();
    }
    float size = behind - eta * ahead;
    s.pdf = (1.0f - reflectance) * seen * behind * share * eta * eta * ahead / (size * size);
    s.weight = surface.albedo / (eta * eta);
    s.transmitted = 1u;
    return s;
}

SHARED_INLINE BsdfSample sampleRoughDielectric(uint64_t tables, Scatterer surface, vec3 outgoing, vec3 u) {
    if (outgoing.z <= 0.0f) {
        return noSample();
    }
    float alpha = surface.roughness * surface.roughness;
    vec3 numbers = u;
    for (uint i = 0u; i < GGX_TRIES; ++i) {
        vec3 h = sampleVisibleNormal(outgoing, alpha, vec2(numbers.x, numbers.y));
        BsdfSample s = scatterAtMicrofacet(surface, outgoing, h, numbers.z);
        if (s.pdf > 0.0f) {
            float albedo = dielectricAlbedo(tables, surface, outgoing.z);
            float success = ggxSuccess(albedo);
            s.pdf *= success / albedo;
            s.weight = s.weight / success;
            return s;
        }
        numbers = ggxTryAgain(numbers, i);
    }
    return noSample();
}

SHARED_END
#endif
