// What surfaces are made of: what a hit says of the place itself, and what all places of one material share.
#ifndef AUREOLE_SHARED_MATERIAL_H
#define AUREOLE_SHARED_MATERIAL_H

#include "shared/lang.h"

SHARED_BEGIN

#define MODEL_LAMBERT 0u
#define MODEL_METALLIC_ROUGHNESS 1u ///< glTF's
#define MODEL_MIRROR 2u             ///< perfect; reflects the albedo, whatever the angle
#define MODEL_DIELECTRIC 3u         ///< bounds a solid of another index of refraction
#define MODEL_THIN_GLASS 4u         ///< a pane, both of its interfaces in one hit
#define MODEL_ROUGH_DIELECTRIC 5u   ///< of MATERIAL_MODELS alone: some dielectric is rough
#define MODEL_TWO_DIELECTRICS 6u    ///< of MATERIAL_MODELS alone: more than one material is a dielectric
#define MODEL_TRAITS 7u        ///< of MATERIAL_MODELS alone: the traits of some material are not those of mattTraits
#define MODEL_PARTIAL_GLASS 8u ///< of MATERIAL_MODELS alone: some glass lets only a part of the light through
#define MODEL_CLEARCOAT 9u     ///< of MATERIAL_MODELS alone: some metallic-roughness has a clear coat
#define MODEL_MEDIUM 10u       ///< a point within a medium (phase.h); of MATERIAL_MODELS: some medium scatters
#define MODEL_VOLUME 11u       ///< of MATERIAL_MODELS alone: there are volumes (media/volume.h)

/// The models that let light through, a bit for each.
#define MODELS_OF_GLASS ((1u << MODEL_DIELECTRIC) | (1u << MODEL_THIN_GLASS))

/// Which models a pipeline carries, a bit for each. GLSL includers may define it as a specialization constant, so that
/// what a scene does not use costs nothing.
#ifndef MATERIAL_MODELS
#define MATERIAL_MODELS 0xFFFFFFFFu
#endif
#define HAS_MODEL(model) ((MATERIAL_MODELS & (1u << (model))) != 0u)
#define HAS_TRAITS HAS_MODEL(MODEL_TRAITS)

/// What the metalness of partial glass is (MaterialTraits::masked).
#define METALNESS_IS_METAL 0u
#define METALNESS_IS_MASK 1u    ///< the share that is neither glass nor metal
#define METALNESS_IS_OPACITY 2u ///< the same, and the rest is not glass but nothing: the surface is blended (isBlended)

/// Whether media scatter. GLSL includers may define it, so that modules for scenes without do not hold what it takes.
#ifndef HAS_MEDIA
#define HAS_MEDIA HAS_MODEL(MODEL_MEDIUM)
#endif

// The constants of a material by which it scatters light as they are (MaterialConstants): type, name and usual value of
// each. They are members of MaterialTraits and of Scatterer, which are filled in by this list.
//
//   transmission  of solids and panes: 1, or the share of light that finds glass where nothing is metal
//   clearcoat     of metallic-roughness: how much of a clear coat is on it, 0 to 1; clearcoatRoughness is of that
//   masked        of partial glass: METALNESS_IS_METAL, _MASK or _OPACITY
//   anisotropy    of what scatters in a solid: the mean cosine by which it turns light, -1 to 1
#define MATERIAL_CONSTANTS(CONSTANT)                                                                                   \
    CONSTANT(float, transmission, 1.0f)                                                                                \
    CONSTANT(float, clearcoat, 0.0f)                                                                                   \
    CONSTANT(float, clearcoatRoughness, 0.0f)                                                                          \
    CONSTANT(uint, masked, 0u)                                                                                         \
    CONSTANT(float, anisotropy, 0.0f)

#define MATERIAL_MEMBER(type, name, usual) type name;
#define MATERIAL_USUAL(type, name, usual) traits.name = usual;
#define MATERIAL_SCATTERED(type, name, usual) surface.name = traits.name;

/// What all of a material has in common.
struct MaterialTraits {
    uint model;
    float ior;       ///< index of refraction: of the solid, of the pane, of the coat of metallic-roughness
    vec3 absorption; ///< of the solid's inside, per unit of the backend's length (Beer's law)
    vec3 scattering; ///< as absorption
    uint lightGroup; ///< that its emission belongs to
    uint table;      ///< of a dielectric: its directional albedo (bsdf_tables.h); 0: it is smooth everywhere
    MATERIAL_CONSTANTS(MATERIAL_MEMBER)
};
SHARED_ARRAY(MaterialTraits, 4)

/// Whether the surface of a solid sends light straight on: its index is that of what is around it, 1.
SHARED_INLINE bool bendsNothing(uint model, float ior) {
    return model == MODEL_DIELECTRIC && ior == 1.0f;
}

/// Those of Lambert's model with the usual constants, which pipelines without HAS_TRAITS need not look up. The light
/// group may be another: no path scatters by it.
SHARED_INLINE MaterialTraits mattTraits() {
    MaterialTraits traits;
    traits.model = MODEL_LAMBERT;
    traits.ior = 1.5f;
    traits.absorption = vec3(0.0f);
    traits.scattering = vec3(0.0f);
    traits.lightGroup = 0u;
    traits.table = 0u;
    MATERIAL_CONSTANTS(MATERIAL_USUAL)
    return traits;
}

/// What a surface scatters like, where it was hit.
struct Scatterer {
    vec3 normal;     ///< for shading, unit length, on the side that the path arrived on
    vec3 albedo;     ///< components in [0, 1]
    float roughness; ///< glTF's: the root of GGX's alpha
    float metalness;
    uint model;
    float eta; ///< index of refraction of the side ahead over that of the side that the path is on; of panes and coats,
               ///< their own index
    uint table; ///< MaterialTraits::table
    MATERIAL_CONSTANTS(MATERIAL_MEMBER)
};

/// The sine of the lowest mirror image that bendNormal makes.
#define BEND_SINE 0.005f

/// Bends the shading normal so that the mirror image of `outgoing` is above the surface of normal `side`, both of unit
/// length and dot(side, outgoing) > 0: at half that height at least, but for what is higher than BEND_SINE, so that
/// rounding does not put it below. Afterwards `outgoing` is above the shading hemisphere's horizon, so that models that
/// depend on it meet no impossible direction, and mirrors show no black rims. Keller et al., "The Iray Light Transport
/// Simulation and Rendering System" (2017), appendix A.3.
SHARED_INLINE vec3 bendNormal(vec3 normal, vec3 side, vec3 outgoing) {
    vec3 mirrored = normal * (2.0f * dot(normal, outgoing)) - outgoing;
    float least = min(0.5f * dot(side, outgoing), BEND_SINE);
    float below = dot(side, mirrored) - least;
    if (below >= 0.0f) {
        return normal;
    }
    // The mirror image goes up along the surface's normal, as far as that.
    vec3 lifted = mirrored - side * dot(side, mirrored);
    float squaredLift = dot(lifted, lifted);
    if (squaredLift <= 1e-6f) {
        return side;
    }
    lifted = lifted * sqrt((1.0f - least * least) / squaredLift) + side * least;
    vec3 bent = outgoing + lifted;
    float squared = dot(bent, bent);
    return squared > 1e-6f ? bent / sqrt(squared) : side;
}

/// A Scatterer where a surface of unit normal `side`, which dot(side, outgoing) >= 0, is hit; `normal` is its shading
/// normal on the same side. Lambert's model does not depend on `outgoing` and keeps its normal.
SHARED_INLINE Scatterer makeScatterer(MaterialTraits traits, uint entering, vec3 normal, vec3 side, vec3 outgoing) {
    Scatterer surface;
    surface.model = traits.model;
    surface.normal = normal;
    surface.eta = traits.ior;
    surface.table = traits.table;
    MATERIAL_CONSTANTS(MATERIAL_SCATTERED)
    if (HAS_TRAITS && traits.model != MODEL_LAMBERT) {
        surface.normal = bendNormal(normal, side, outgoing);
    }
    if (HAS_MODEL(MODEL_DIELECTRIC) && traits.model == MODEL_DIELECTRIC && entering == 0u) {
        surface.eta = 1.0f / traits.ior;
    }
    surface.albedo = vec3(0.0f);
    surface.roughness = 0.0f;
    surface.metalness = 0.0f;
    return surface;
}

/// Sets what no material of the scene has to what mattTraits have, so that it takes no register.
SHARED_INLINE void forgetUnused(INOUT(Scatterer, surface)) {
    if (!HAS_MODEL(MODEL_PARTIAL_GLASS)) {
        surface.transmission = 1.0f;
        surface.masked = 0u;
    }
    if (!HAS_MODEL(MODEL_CLEARCOAT)) {
        surface.clearcoat = 0.0f;
        surface.clearcoatRoughness = 0.0f;
    }
}

/// Whether a surface is glass for some of the light only (KHR_materials_transmission), and metallic-roughness of the
/// same index and roughness for the rest.
SHARED_INLINE uint isPartialGlass(Scatterer surface) {
    return HAS_MODEL(MODEL_PARTIAL_GLASS) && surface.transmission < 1.0f &&
                   ((1u << surface.model) & MODELS_OF_GLASS) != 0u
               ? 1u
               : 0u;
}

/// Whether a surface lies over what is behind it by its opacity alone: the rest of the light passes as if nothing were
/// there, neither reflected nor tinted.
SHARED_INLINE uint isBlended(Scatterer surface) {
    return HAS_MODEL(MODEL_PARTIAL_GLASS) && surface.masked == METALNESS_IS_OPACITY ? 1u : 0u;
}

/// The share of light that finds glass: none where the surface is metal, or masked.
SHARED_INLINE float glassShare(Scatterer surface) {
    return surface.transmission * (1.0f - surface.metalness);
}

/// What scatters by mattTraits.
SHARED_INLINE Scatterer mattScatterer(vec3 normal, vec3 albedo) {
    Scatterer surface = makeScatterer(mattTraits(), 1u, normal, normal, normal);
    surface.albedo = albedo;
    surface.roughness = 1.0f;
    return surface;
}

SHARED_END
#endif
