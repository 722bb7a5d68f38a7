// Scattering at surfaces, and at points of media: bsdfEvaluate and bsdfSample agree with each other for every model.
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
#include "shared/bsdf/phase.h"
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

/// What bsdfEvaluate gives for a surface that is all of its model.
SHARED_INLINE BsdfValue evaluateModel(uint64_t tables, Scatterer surface, vec3 outgoing, vec3 incoming) {
    SHARED_UNUSED(tables);
    SHARED_UNUSED(outgoing);
    if (HAS_MEDIA && surface.model == MODEL_MEDIUM) {
        return evaluatePhase(surface, outgoing, incoming);
    }
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

SHARED_INLINE BsdfSample sampleModel(uint64_t tables, Scatterer surface, vec3 outgoing, vec3 u) {
    SHARED_UNUSED(tables);
    if (HAS_MEDIA && surface.model == MODEL_MEDIUM) {
        return samplePhase(surface, outgoing, vec2(u.x, u.y));
    }
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

/// What the rest of the light finds: of a mixture, metal has the same part in the whole as before.
SHARED_INLINE Scatterer opaquePart(Scatterer surface) {
    Scatterer opaque = surface;
    opaque.model = MODEL_METALLIC_ROUGHNESS;
    opaque.metalness =
        surface.masked != METALNESS_IS_METAL ? 0.0f : min(surface.metalness / (1.0f - glassShare(surface)), 1.0f);
    opaque.clearcoat = 0.0f;
    return opaque;
}

/// Black, with a pdf of 0, for pairs of directions that are not scattered into each other, and for all of a delta
/// distribution. `tables` is PathParams::bsdfTables.
SHARED_INLINE BsdfValue bsdfEvaluate(uint64_t tables, Scatterer surface, vec3 outgoing, vec3 incoming) {
    BsdfValue found = evaluateModel(tables, surface, outgoing, incoming);
    if (isPartialGlass(surface) != 0u) {
        BsdfValue rest = evaluateModel(tables, opaquePart(surface), outgoing, incoming);
        float share = glassShare(surface);
        found.value = rest.value + (found.value - rest.value) * share;
        found.pdf = rest.pdf + (found.pdf - rest.pdf) * share;
    }
    return found;
}

/// Draws an incoming direction by uniform numbers.
SHARED_INLINE BsdfSample bsdfSample(uint64_t tables, Scatterer surface, vec3 outgoing, vec3 u) {
    if (isPartialGlass(surface) == 0u) {
        return sampleModel(tables, surface, outgoing, u);
    }
    float share = glassShare(surface);
    Scatterer part = surface;
    float below = 0.0f;
    if (u.z >= share) {
        part = opaquePart(surface);
        below = share;
        share = 1.0f - share;
    }
    BsdfSample s = sampleModel(tables, part, outgoing, vec3(u.x, u.y, min((u.z - below) / share, 0.99999994f)));
    if (s.isDelta != 0u) {
        s.pdf *= share;
    } else if (s.pdf > 0.0f) {
        BsdfValue all = bsdfEvaluate(tables, surface, outgoing, s.direction);
        s.pdf = all.pdf;
        s.weight = all.value / all.pdf;
    }
    return s;
}

SHARED_END
#endif
