// glTF 2.0's metallic-roughness model (specification, appendix B): a metal, and a coated diffuse surface, mixed by
// `metalness`. Directions are in the frame of the normal.
//
// GGX with height-correlated masking and Schlick's Fresnel scatters once. What a metal loses thereby comes back where
// single scattering goes, as a factor 1 + F0 (1 - E) / E after Turquin, "Practical multiple scattering compensation for
// microfacet models" (2019). (The reciprocal form of Kulla and Conty puts it where E is low too; on shiny metals that
// is a rim of directions so thin that samples hardly ever find it.) What a coat loses goes to the diffuse surface under
// it: that gets all that the coat does not reflect, reciprocally, albedo (1 - S(o)) (1 - S(i)) / (pi (1 - Savg)), after
// Kelemen and Szirmay-Kalos, "A Microfacet Based Coupled Specular-Matte BRDF Model with Importance Sampling" (2001),
// where S is the coat's albedo. So a white surface reflects all light, whatever its roughness and metalness.
#ifndef AUREOLE_SHARED_BSDF_METALLIC_H
#define AUREOLE_SHARED_BSDF_METALLIC_H

#include "shared/bsdf/bsdf_ggx.h"
#include "shared/bsdf/bsdf_tables.h"
#include "shared/bsdf/bsdf_value.h"
#include "shared/bsdf/fresnel.h"
#include "shared/bsdf/material.h"

SHARED_BEGIN

/// What a direction says to the lobes.
struct CoatAlbedo {
    float whole;   ///< E: reflected by single scattering if all microfacets are white
    float schlick; ///< W: with (1 - cos)^5 for their Fresnel term
};

SHARED_INLINE CoatAlbedo coatAlbedo(uint64_t tables, float roughness, float cosine) {
    CoatAlbedo albedo;
    albedo.whole = 1.0f;
    albedo.schlick = schlickWeight(cosine);
    if (roughness * roughness >= GGX_SMOOTH) {
        vec2 entry = lookUpAlbedo(tables, ALBEDO_COAT, cosine, roughness);
        albedo.whole = entry.x;
        albedo.schlick = entry.y + entry.x * albedo.schlick;
    }
    return albedo;
}

/// What the coat of a dielectric lets through to the diffuse surface.
SHARED_INLINE float throughCoat(Scatterer surface, CoatAlbedo albedo) {
    return 1.0f - mix(albedo.schlick, albedo.whole, fresnelNormal(surface.eta));
}

/// The average of throughCoat(), weighted by the cosine.
SHARED_INLINE float averageThroughCoat(uint64_t tables, Scatterer surface) {
    CoatAlbedo average;
    average.whole = 1.0f;
    average.schlick = 1.0f / 21.0f;
    if (surface.roughness * surface.roughness >= GGX_SMOOTH) {
        vec2 entry = lookUpAverageAlbedo(tables, ALBEDO_COAT, surface.roughness);
        average.whole = entry.x;
        average.schlick = entry.y;
    }
    return throughCoat(surface, average);
}

/// The specular lobes of coat and metal: reflectance is `normal` + `grazing` (1 - cos)^5, compensation included.
struct Specular {
    vec3 normal;
    vec3 grazing;
    float share; ///< probability of sampling them: their part of what is reflected
};

SHARED_INLINE Specular specularOf(Scatterer surface, CoatAlbedo albedo) {
    float coat = fresnelNormal(surface.eta);
    vec3 metal = (vec3(1.0f) + surface.albedo * (1.0f / albedo.whole - 1.0f)) * surface.metalness;
    Specular lobes;
    lobes.normal = vec3((1.0f - surface.metalness) * coat) + metal * surface.albedo;
    lobes.grazing = vec3((1.0f - surface.metalness) * (1.0f - coat)) + metal * (vec3(1.0f) - surface.albedo);
    vec3 specular = lobes.normal * albedo.whole + lobes.grazing * albedo.schlick;
    vec3 diffuse = surface.albedo * ((1.0f - surface.metalness) * throughCoat(surface, albedo));
    float a = max(specular.x, max(specular.y, specular.z));
    float b = max(diffuse.x, max(diffuse.y, diffuse.z));
    lobes.share = b <= 0.0f ? 1.0f : a / (a + b);
    return lobes;
}

/// Both lobes for a pair of directions above the surface.
SHARED_INLINE BsdfValue metallicValue(uint64_t tables, Scatterer surface, CoatAlbedo from, Specular lobes,
                                      vec3 outgoing, vec3 incoming) {
    BsdfValue result;
    float cosine = cosineHemispherePdf(incoming.z);
    result.value = vec3(0.0f);
    result.pdf = (1.0f - lobes.share) * cosine;
    if (lobes.share < 1.0f) {
        CoatAlbedo to = coatAlbedo(tables, surface.roughness, incoming.z);
        float through = throughCoat(surface, from) * throughCoat(surface, to) / averageThroughCoat(tables, surface);
        result.value = surface.albedo * ((1.0f - surface.metalness) * through * cosine);
    }
    float alpha = surface.roughness * surface.roughness;
    if (alpha >= GGX_SMOOTH) {
        vec3 h = normalize(outgoing + incoming);
        float normals = 0.25f * ggxDistribution(h, alpha);
        vec3 fresnel = lobes.normal + lobes.grazing * schlickWeight(max(dot(outgoing, h), 0.0f));
        float reflected = normals * ggxVisibility(outgoing, incoming, alpha) * incoming.z;
        result.value = result.value + fresnel * reflected;
        result.pdf += lobes.share * reflected * ggxSuccess(from.whole) / from.whole;
    }
    return result;
}

SHARED_INLINE BsdfValue evaluateMetallic(uint64_t tables, Scatterer surface, vec3 outgoing, vec3 incoming) {
    if (outgoing.z <= 0.0f || incoming.z <= 0.0f) {
        return noValue();
    }
    CoatAlbedo from = coatAlbedo(tables, surface.roughness, outgoing.z);
    return metallicValue(tables, surface, from, specularOf(surface, from), outgoing, incoming);
}

/// Draws a direction by the density of what white microfacets reflect; not above the surface where that fails.
SHARED_INLINE vec3 sampleSpecular(vec3 outgoing, float alpha, vec3 u) {
    vec3 numbers = u;
    for (uint i = 0u; i < GGX_TRIES; ++i) {
        vec3 h = sampleVisibleNormal(outgoing, alpha, vec2(numbers.x, numbers.y));
        vec3 incoming = normalize(reflectAbout(outgoing, h));
        if (numbers.z < reflectedShare(outgoing, incoming, alpha)) {
            return incoming;
        }
        numbers = ggxTryAgain(numbers, i);
    }
    return -outgoing;
}

SHARED_INLINE BsdfSample sampleMetallic(uint64_t tables, Scatterer surface, vec3 outgoing, vec3 u) {
    if (outgoing.z <= 0.0f) {
        return noSample();
    }
    CoatAlbedo from = coatAlbedo(tables, surface.roughness, outgoing.z);
    Specular lobes = specularOf(surface, from);
    float alpha = surface.roughness * surface.roughness;
    BsdfSample s;
    s.isDelta = 0u;
    s.transmitted = 0u;
    if (u.z < lobes.share) {
        if (alpha < GGX_SMOOTH) {
            vec3 fresnel = lobes.normal + lobes.grazing * from.schlick;
            return deltaSample(vec3(-outgoing.x, -outgoing.y, outgoing.z), fresnel / lobes.share, lobes.share, 0u);
        }
        s.direction = sampleSpecular(outgoing, alpha, vec3(u.x, u.y, u.z / lobes.share));
    } else {
        s.direction = sampleCosineHemisphere(vec2(u.x, u.y));
    }
    if (s.direction.z <= 0.0f) {
        return noSample();
    }
    BsdfValue all = metallicValue(tables, surface, from, lobes, outgoing, s.direction);
    if (all.pdf <= 0.0f) {
        return noSample();
    }
    s.pdf = all.pdf;
    s.weight = all.value / all.pdf;
    return s;
}

SHARED_END
#endif
