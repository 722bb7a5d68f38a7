// Layers of the film beside the picture: what the first hits look like, and the light taken apart. A backend keeps the
// sums of a work item (or of a sample) in memory of its own, since few paths need them and registers are dear.
#ifndef AUREOLE_SHARED_FILM_LAYERS_H
#define AUREOLE_SHARED_FILM_LAYERS_H

#include "shared/bsdf/bsdf_dielectric.h"
#include "shared/path/camera.h"

SHARED_BEGIN

// The floats that every item's sums start with.
#define LAYER_PENDING 0u ///< 1 while the sample's path has met nothing but mirrors and clear glass
#define LAYER_ID 1u      ///< of the first sample: its material plus 1, 0 where it hit nothing; below 0: not known yet
#define LAYER_HITS 2u    ///< samples that hit something
#define LAYER_FIRST 3u

// The layers that paths add to, by their place in kAovs (settings/aov.h).
#define AOV_ALBEDO 0u
#define AOV_NORMAL 1u
#define AOV_POSITION 2u
#define AOV_DEPTH 3u
#define AOV_DIRECT 5u
#define AOV_INDIRECT 6u
#define AOV_EMISSION 7u
#define AOV_GROUPS 8u ///< three floats for each light group
#define AOV_COUNT 12u ///< rows of kAovs

/// Which layers are wanted.
struct FilmLayers {
    uint count;            ///< floats of an item
    uint first[AOV_COUNT]; ///< of each layer: the index of its first float among the sums, or 0
    uint transparent;      ///< 1: camera rays do not see the environment
    float clamp;           ///< of what indirect light brings at once; 0: none
};
SHARED_ARRAY(FilmLayers, 4)

#ifdef __cplusplus
#define LAYER_SUM(sums, index) (reinterpret_cast<float*>(sums)[index])
#define HAS_LAYERS(path) ((path).layers != 0)
#define PATH_LAYERS(path) ((path).layers)
#define PATH_LAYER_SUMS(path) ((path).layerSums)
#else
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer LayerSumArray {
    float at[];
};
#define LAYER_SUM(sums, index) LayerSumArray(sums).at[index]
// GLSL includers with layers define whether there are any, the address of FilmLayers, and that of the item's sums.
#ifndef HAS_LAYERS
#define HAS_LAYERS(path) false
#define PATH_LAYERS(path) uint64_t(0)
#define PATH_LAYER_SUMS(path) uint64_t(0)
#endif
#endif

SHARED_INLINE void layerAdd(uint64_t sums, uint at, vec3 value) {
    LAYER_SUM(sums, at) += value.x;
    LAYER_SUM(sums, at + 1u) += value.y;
    LAYER_SUM(sums, at + 2u) += value.z;
}

/// To be called before an item's first sample.
SHARED_INLINE void layersReset(uint64_t layers, uint64_t sums) {
    uint count = AT(FilmLayers, layers, 0).count;
    for (uint i = 0u; i < count; ++i) {
        LAYER_SUM(sums, i) = i == LAYER_ID ? -1.0f : 0.0f;
    }
}

/// To be called before each sample.
SHARED_INLINE void layersBegin(uint64_t sums) {
    LAYER_SUM(sums, LAYER_PENDING) = 1.0f;
}

/// Notes light that reached the camera after a number of scatterings. Returns it clamped.
SHARED_INLINE vec3 layersGather(uint64_t layers, uint64_t sums, uint scatterings, vec3 radiance, uint lightGroup) {
    vec3 kept = radiance;
    float limit = AT(FilmLayers, layers, 0).clamp;
    float brightest = max(radiance.x, max(radiance.y, radiance.z));
    if (limit > 0.0f && scatterings > 1u && brightest > limit) {
        kept = radiance * (limit / brightest);
    }
    uint at = AT(FilmLayers, layers, 0).first[AOV_INDIRECT];
    if (scatterings == 0u) {
        at = AT(FilmLayers, layers, 0).first[AOV_EMISSION];
    } else if (scatterings == 1u) {
        at = AT(FilmLayers, layers, 0).first[AOV_DIRECT];
    }
    if (at != 0u) {
        layerAdd(sums, at, kept);
    }
    uint groups = AT(FilmLayers, layers, 0).first[AOV_GROUPS];
    if (groups != 0u) {
        layerAdd(sums, groups + 3u * lightGroup, kept);
    }
    return kept;
}

/// Whether a surface scatters into single directions only, so that a denoiser wants to know what is seen in it.
SHARED_INLINE uint scattersClearly(Scatterer surface) {
    uint clear = surface.model == MODEL_DIELECTRIC ? isSmoothDielectric(surface) : 0u;
    return surface.model == MODEL_MIRROR || surface.model == MODEL_THIN_GLASS ? 1u : clear;
}

/// Notes a hit. `scatterings`: those before it; `throughput`: of the path on its arrival.
SHARED_INLINE void layersHit(uint64_t layers, uint64_t sums, uint64_t camera, uint scatterings, vec3 throughput,
                             Scatterer surface, vec3 position, uint material) {
    if (scatterings == 0u) {
        LAYER_SUM(sums, LAYER_HITS) += 1.0f;
        if (LAYER_SUM(sums, LAYER_ID) < 0.0f) {
            LAYER_SUM(sums, LAYER_ID) = float(material + 1u);
        }
        uint at = AT(FilmLayers, layers, 0).first[AOV_POSITION];
        if (at != 0u) {
            layerAdd(sums, at, position);
        }
        at = AT(FilmLayers, layers, 0).first[AOV_DEPTH];
        if (at != 0u) {
            // Along the view axis; a picture of the whole sphere has none.
            vec3 way = position - AT(CameraParams, camera, 0).position;
            LAYER_SUM(sums, at) += AT(CameraParams, camera, 0).projection == CAMERA_EQUIRECTANGULAR
                                       ? length(way)
                                       : dot(way, AT(CameraParams, camera, 0).forward);
        }
    }
    if (LAYER_SUM(sums, LAYER_PENDING) == 0.0f || scattersClearly(surface) != 0u) {
        return;
    }
    LAYER_SUM(sums, LAYER_PENDING) = 0.0f;
    uint at = AT(FilmLayers, layers, 0).first[AOV_ALBEDO];
    if (at != 0u) {
        vec3 seen = throughput * surface.albedo;
        layerAdd(sums, at, vec3(min(seen.x, 1.0f), min(seen.y, 1.0f), min(seen.z, 1.0f)));
    }
    at = AT(FilmLayers, layers, 0).first[AOV_NORMAL];
    if (at != 0u) {
        layerAdd(sums, at, surface.normal);
    }
}

/// Notes that a path left the scene. Returns 1 where what lies behind must not show.
SHARED_INLINE uint layersMiss(uint64_t layers, uint64_t sums, uint scatterings) {
    if (scatterings != 0u) {
        return 0u;
    }
    if (LAYER_SUM(sums, LAYER_ID) < 0.0f) {
        LAYER_SUM(sums, LAYER_ID) = 0.0f;
    }
    return AT(FilmLayers, layers, 0).transparent;
}

SHARED_END
#endif
