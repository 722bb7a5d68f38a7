// Scattering at surfaces: bsdfEvaluate and bsdfSample agree with each other for every model.
//
// Directions are of unit length, in the space of the scatterer's normal, and point away from the surface: `outgoing`
// back along the path, `incoming` to where its light comes from. Values are f * |cos| of the incoming direction.
//
// Scatterers have `outgoing` on their normal's side (makeScatterer sees to that); where numbers disagree nothing is
// scattered. Directions of which the shading normal and the surface itself say different sides are the backend's to
// drop: its surface must not be crossed unless `transmitted`.
#ifndef AUREOLE_SHARED_BSDF_H
#define AUREOLE_SHARED_BSDF_H

#include "shared/bsdf/bsdf_dielectric.h"
#include "shared/bsdf/bsdf_metallic.h"
#include "shared/bsdf/bsdf_smooth.h"
#include "shared/bsdf/material.h"
#include "shared/sampling/sampling.h"

SHARED_BEGIN

SHARED_INLINE BsdfValue evaluateLambert(Scatterer surface, vec3 incoming) {
    BsdfValue result;
    float cosine = max(dot(surface.normal, incoming), 0.0f);
    result.pdf = cosineHemispherePdf(cosine);
    result.value = surface.albedo * result.pdf;
    return result;
}

SHARED_INLINE BsdfSample sampleLambert(Scatterer surface, vec2 u) {
    BsdfSample s;
    s.direction = fromLocal(surface.normal, sampleCosineHemisphere(u));
    s.weight = surface.albedo;
    s.pdf = cosineHemispherePdf(dot(surface.normal, s.direction));
    s.isDelta = 0u;
    s.transmitted = 0u;
    return s;
}

/// Black, with a pdf of 0, for pairs of directions that are not scattered into each other, and for all of a delta
/// distribution. `tables` is PathParams::bsdfTables.
SHARED_INLINE BsdfValue bsdfEvaluate(uint64_t tables, Scatterer surface, vec3 outgoing, vec3 incoming) {
    SHARED_UNUSED(tables);
    SHARED_UNUSED(outgoing);
    if ((HAS_MODEL(MODEL_MIRROR) && surface.model == MODEL_MIRROR) ||
        (HAS_MODEL(MODEL_THIN_GLASS) && surface.model == MODEL_THIN_GLASS)) {
        return noValue();
    }
    if (HAS_MODEL(MODEL_DIELECTRIC) && surface.model == MODEL_DIELECTRIC) {
        if (isSmoothDielectric(surface) != 0u) {
            return noValue();
        }
        return evaluateRoughDielectric(tables, surface, toLocal(surface.normal, outgoing),
                                       toLocal(surface.normal, incoming));
    }
    if (HAS_MODEL(MODEL_METALLIC_ROUGHNESS) && surface.model == MODEL_METALLIC_ROUGHNESS) {
        return evaluateMetallic(tables, surface, toLocal(surface.normal, outgoing), toLocal(surface.normal, incoming));
    }
    return evaluateLambert(surface, incoming);
}

/// Draws an incoming direction by uniform numbers.
SHARED_INLINE BsdfSample bsdfSample(uint64_t tables, Scatterer surface, vec3 outgoing, vec3 u) {
    SHARED_UNUSED(tables);
    if (HAS_MODEL(MODEL_MIRROR) && surface.model == MODEL_MIRROR) {
        return sampleMirror(surface, outgoing);
    }
    if (HAS_MODEL(MODEL_THIN_GLASS) && surface.model == MODEL_THIN_GLASS) {
        return sampleThinGlass(surface, outgoing, u.z);
    }
    if (HAS_MODEL(MODEL_DIELECTRIC) && surface.model == MODEL_DIELECTRIC) {
        if (isSmoothDielectric(surface) != 0u) {
            return sampleSmoothDielectric(surface, outgoing, u.z);
        }
        BsdfSample s = sampleRoughDielectric(tables, surface, toLocal(surface.normal, outgoing), u);
        s.direction = fromLocal(surface.normal, s.direction);
        return s;
    }
    if (HAS_MODEL(MODEL_METALLIC_ROUGHNESS) && surface.model == MODEL_METALLIC_ROUGHNESS) {
        BsdfSample s = sampleMetallic(tables, surface, toLocal(surface.normal, outgoing), u);
        s.direction = fromLocal(surface.normal, s.direction);
        return s;
    }
    return sampleLambert(surface, vec2(u.x, u.y));
}

SHARED_END
#endif
