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

/// Which models a pipeline carries, a bit for each. GLSL includers may define it as a specialization constant, so that
/// what a scene does not use costs nothing.
#ifndef MATERIAL_MODELS
#define MATERIAL_MODELS 0xFFFFFFFFu
#endif
#define HAS_MODEL(model) ((MATERIAL_MODELS & (1u << (model))) != 0u)

/// What all of a material has in common.
struct MaterialTraits {
    uint model;
    float ior;       ///< index of refraction: of the solid, of the pane, of the coat of metallic-roughness
    vec3 absorption; ///< of the solid's inside, per unit of the backend's length (Beer's law)
    uint lightGroup; ///< that its emission belongs to
};
SHARED_ARRAY(MaterialTraits, 4)

/// What a surface scatters like, where it was hit.
struct Scatterer {
    vec3 normal;     ///< for shading, unit length, on the side that the path arrived on
    vec3 albedo;     ///< components in [0, 1]
    float roughness; ///< glTF's: the root of GGX's alpha
    float metalness;
    uint model;
    float eta; ///< index of refraction of the side ahead over that of the side that the path is on; 1 for opaque models
};

SHARED_END
#endif
