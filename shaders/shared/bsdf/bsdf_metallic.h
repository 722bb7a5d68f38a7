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
//
// On top there may be a clear coat (KHR_materials_clearcoat), a GGX lobe of index 1.5. What it does not reflect, T,
// reaches the surface under it: the diffuse part gets it as above, T(o) T(i) / Tavg, where Tavg is that of both coats
// less the lower one's, the specular part min(T(o), T(i)).
// Both are reciprocal, and neither gives more than T(o), which the extension's own formula, T(o) alone, gives.
#ifndef AUREOLE_SHARED_BSDF_METALLIC_H
#define AUREOLE_SHARED_BSDF_METALLIC_H

#include "shared/bsdf/bsdf_ggx.h"
#include "shared/bsdf/bsdf_tables.h"
#include "shared/bsdf/bsdf_value.h"
#include "shared/bsdf/fresnel.h"
#include "shared/bsdf/material.h"
#include "shared/luminance.h"

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

/// The average of coatAlbedo(), weighted by the cosine.
SHARED_INLINE CoatAlbedo averageCoatAlbedo(uint64_t tables, float roughness) {
    CoatAlbedo average;
    average.whole = 1.0f;
    average.schlick = 1.0f / 21.0f;
    if (roughness * roughness >= GGX_SMOOTH) {
        vec2 entry = lookUpAverageAlbedo(tables, ALBEDO_COAT, roughness);
        average.whole = entry.x;
        average.schlick = entry.y;
    }
    return average;
}

/// The specular lobes of coat and metal: reflectance is `normal` + `grazing` (1 - cos)^5, compensation included.
struct Specular {
    vec3 normal;
    vec3 grazing;
    float share; ///< probability of sampling them: their part of what is reflected
    float all;   ///< about what is reflected by these and the diffuse surface together
};

SHARED_INLINE Specular specularOf(Scatterer surface, CoatAlbedo albedo) {
    float coat = fresnelNormal(surface.eta);
    vec3 metal = (vec3(1.0f) + surface.albedo * (1.0f / albedo.whole - 1.0f)) * surface.metalness;
    Specular lobes;
    lobes.normal = vec3((1.0f - surface.metalness) * coat) + metal * surface.albedo;
    lobes.grazing = vec3((1.0f - surface.metalness) * (1.0f - coat)) + metal * (vec3(1.0f) - surface.albedo);
    vec3 specular = lobes.normal * albedo.whole + lobes.grazing * albedo.schlick;
    vec3 diffuse = surface.albedo * ((1.0f - surface.metalness) * throughCoat(surface, albedo));
    float a = largestOf(specular);
    float b = largestOf(diffuse);
    lobes.share = b <= 0.0f ? 1.0f : a / (a + b);
    lobes.all = a + b;
    return lobes;
}

#define CLEARCOAT_NORMAL 0.04f ///< its reflectance at normal incidence

/// By how much the average of what gets through both coats is more than the product of both averages, over that of the
/// lower: both let less through at grazing angles. It is 0.96 (2 / 132 - 1 / 21^2) / (1 - 1 / 21) where both are
/// smooth, the most.
#define CLEARCOAT_OVERLAP 0.013f

/// What the clear coat says of the outgoing direction.
struct Clearcoat {
    CoatAlbedo albedo;
    float through; ///< let through to what is under it
    float share;   ///< probability of sampling its lobe; 0: there is none
};

/// What the clear coat lets through.
SHARED_INLINE float throughClearcoat(Scatterer surface, CoatAlbedo albedo) {
    return 1.0f - surface.clearcoat * mix(albedo.schlick, albedo.whole, CLEARCOAT_NORMAL);
}

SHARED_INLINE Clearcoat clearcoatOf(uint64_t tables, Scatterer surface, Specular lobes, float cosine) {
    Clearcoat top;
    top.albedo.whole = 1.0f;
    top.albedo.schlick = 0.0f;
    top.through = 1.0f;
    top.share = 0.0f;
    if (HAS_MODEL(MODEL_CLEARCOAT) && surface.clearcoat > 0.0f) {
        top.albedo = coatAlbedo(tables, surface.clearcoatRoughness, cosine);
        top.through = throughClearcoat(surface, top.albedo);
        top.share = (1.0f - top.through) / (1.0f - top.through + top.through * lobes.all);
    }
    return top;
}

/// Puts the clear coat on the values of what is under it, given as `diffuse` and `specular`.
SHARED_INLINE vec3 underClearcoat(uint64_t tables, Scatterer surface, Clearcoat top, float cosine, vec3 diffuse,
                                  vec3 specular) {
    CoatAlbedo average = averageCoatAlbedo(tables, surface.clearcoatRoughness);
    float through = throughClearcoat(surface, coatAlbedo(tables, surface.clearcoatRoughness, cosine));
    float all = throughClearcoat(surface, average) + CLEARCOAT_OVERLAP * surface.clearcoat;
    return diffuse * (top.through * through / all) + specular * min(top.through, through);
}

/// GGX's lobe of white microfacets for a pair of directions; `fresnel` is the cosine that their Fresnel term takes.
SHARED_INLINE float whiteLobe(float alpha, vec3 outgoing, vec3 incoming, OUT(float, fresnel)) {
    vec3 h = normalize(outgoing + incoming);
    fresnel = max(dot(outgoing, h), 0.0f);
    return 0.25f * ggxDistribution(h, alpha) * ggxVisibility(outgoing, incoming, alpha) * incoming.z;
}

/// All lobes for a pair of directions above the surface.
SHARED_INLINE BsdfValue metallicValue(uint64_t tables, Scatterer surface, CoatAlbedo from, Specular lobes,
                                      Clearcoat top, vec3 outgoing, vec3 incoming) {
    BsdfValue result;
    float cosine = cosineHemispherePdf(incoming.z);
    vec3 diffuse = vec3(0.0f);
    vec3 specular = vec3(0.0f);
    result.pdf = (1.0f - lobes.share) * cosine;
    if (lobes.share < 1.0f) {
        CoatAlbedo to = coatAlbedo(tables, surface.roughness, incoming.z);
        float through = throughCoat(surface, from) * throughCoat(surface, to) /
                        throughCoat(surface, averageCoatAlbedo(tables, surface.roughness));
        diffuse = surface.albedo * ((1.0f - surface.metalness) * through * cosine);
    }
    float facing;
    float alpha = surface.roughness * surface.roughness;
    if (alpha >= GGX_SMOOTH) {
        float reflected = whiteLobe(alpha, outgoing, incoming, facing);
        specular = (lobes.normal + lobes.grazing * schlickWeight(facing)) * reflected;
        result.pdf += lobes.share * reflected * ggxSuccess(from.whole) / from.whole;
    }
    result.value = diffuse + specular;
    if (HAS_MODEL(MODEL_CLEARCOAT) && top.share > 0.0f) {
        result.value = underClearcoat(tables, surface, top, incoming.z, diffuse, specular);
        result.pdf *= 1.0f - top.share;
        alpha = surface.clearcoatRoughness * surface.clearcoatRoughness;
        if (alpha >= GGX_SMOOTH) {
            float reflected = whiteLobe(alpha, outgoing, incoming, facing);
            float fresnel = mix(schlickWeight(facing), 1.0f, CLEARCOAT_NORMAL);
            result.value = result.value + vec3(surface.clearcoat * fresnel * reflected);
            result.pdf += top.share * reflected * ggxSuccess(top.albedo.whole) / top.albedo.whole;
        }
    }
    return result;
}

SHARED_INLINE BsdfValue evaluateMetallic(uint64_t tables, Scatterer surface, vec3 outgoing, vec3 incoming) {
    if (outgoing.z <= 0.0f || incoming.z <= 0.0f) {
        return noValue();
    }
    CoatAlbedo from = coatAlbedo(tables, surface.roughness, outgoing.z);
    Specular lobes = specularOf(surface, from);
    Clearcoat top = clearcoatOf(tables, surface, lobes, outgoing.z);
    return metallicValue(tables, surface, from, lobes, top, outgoing, incoming);
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
    Clearcoat top = clearcoatOf(tables, surface, lobes, outgoing.z);
    vec3 mirrored = vec3(-outgoing.x, -outgoing.y, outgoing.z);
    float alpha = surface.roughness * surface.roughness;
    float coatAlpha = surface.clearcoatRoughness * surface.clearcoatRoughness;
    float under = 1.0f - top.share;
    float choice = (u.z - top.share) / under;
    BsdfSample s;
    s.isDelta = 0u;
    s.transmitted = 0u;
    if (HAS_MODEL(MODEL_CLEARCOAT) && u.z < top.share) {
        if (coatAlpha < GGX_SMOOTH) {
            return deltaSample(mirrored, vec3((1.0f - top.through) / top.share), top.share, 0u);
        }
        s.direction = sampleSpecular(outgoing, coatAlpha, vec3(u.x, u.y, u.z / top.share));
    } else if (choice < lobes.share) {
        if (alpha < GGX_SMOOTH) {
            vec3 fresnel = (lobes.normal + lobes.grazing * from.schlick) * top.through;
            float probability = lobes.share * under;
            return deltaSample(mirrored, fresnel / probability, probability, 0u);
        }
        s.direction = sampleSpecular(outgoing, alpha, vec3(u.x, u.y, choice / lobes.share));
    } else {
        s.direction = sampleCosineHemisphere(vec2(u.x, u.y));
    }
    if (s.direction.z <= 0.0f) {
        return noSample();
    }
    BsdfValue all = metallicValue(tables, surface, from, lobes, top, outgoing, s.direction);
    if (all.pdf <= 0.0f) {
        return noSample();
    }
    s.pdf = all.pdf;
    s.weight = all.value / all.pdf;
    return s;
}

SHARED_END
#endif
