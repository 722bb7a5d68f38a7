// Layers of the film beside the picture: what the first hits look like, and the light taken apart. Backends keep what
// the path of a sample finds in memory of its own, its record, since few paths need it and registers are dear; the
// records of an item's samples are added up in their order.
#ifndef AUREOLE_SHARED_FILM_LAYERS_H
#define AUREOLE_SHARED_FILM_LAYERS_H

#include "shared/bsdf/bsdf_dielectric.h"
#include "shared/luminance.h"
#include "shared/path/camera.h"

SHARED_BEGIN

// The floats that every item's sums start with. A record has floats at the same places, but none for LAYER_HITS, and
// its id is below 0, else the same, while the path has met nothing but mirrors and clear glass.
#define LAYER_HITS 0u ///< samples that hit something
#define LAYER_ID 1u   ///< of the first sample: its material plus 1, 0 where it hit nothing; below 0: not known yet
#define LAYER_FIRST 2u

// The layers that paths add to, by their place in kAovs (settings/aov.h).
#define AOV_ALBEDO 0u
#define AOV_NORMAL 1u
#define AOV_POSITION 2u
#define AOV_DEPTH 3u
#define AOV_ID 4u
#define AOV_DIRECT 5u
#define AOV_INDIRECT 6u
#define AOV_EMISSION 7u
#define AOV_GROUPS 8u    ///< three floats for each light group
#define AOV_INSTANCE 13u ///< of the first sample, as the id: the number of the instance that it hit, plus 1
#define AOV_COUNT 15u    ///< rows of kAovs

/// In a set of layers, a bit for each: light is clamped.
#define LAYERS_CLAMP AOV_COUNT

/// Which layers are wanted.
struct FilmLayers {
    uint count;            ///< floats of an item
    uint light;            ///< index of the first of them that is 0 until a path adds to it or sets it; those before
                           ///< are set at the first hit
    uint first[AOV_COUNT]; ///< of each layer: the index of its first float among the sums, or 0
    uint transparent;      ///< 1: camera rays do not see the environment
    uint alone;            ///< 1: paths end where the look of what they see is known
    float clamp;           ///< of what indirect light brings at once; 0: none
};
SHARED_ARRAY(FilmLayers, 4)

#ifdef __cplusplus
#define LAYER_AT(record, index) (reinterpret_cast<float*>(record)[index])
#define HAS_LAYERS(path) ((path).layers != 0)
#define PATH_LAYERS(path) ((path).layers)
#define PATH_RECORD(path) ((path).record)
#else
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer LayerArray {
    float at[];
};
// GLSL includers with layers define whether there are any, the address of FilmLayers, that of the path's record, and
// where records are not floats behind one another, what makes a float of one.
#ifndef LAYER_AT
#define LAYER_AT(record, index) LayerArray(record).at[index]
#endif
#ifndef HAS_LAYERS
#define HAS_LAYERS(path) false
#define PATH_LAYERS(path) uint64_t(0)
#define PATH_RECORD(path) uint64_t(0)
#endif
#endif

/// The layers that a pipeline may fill, a bit for each. GLSL includers may define it as a specialization constant, so
/// that what nobody wants costs nothing.
#ifndef LAYERS_FILLED
#define LAYERS_FILLED 0xFFFFFFFFu
#endif

/// The index of a layer's first float; 0 where it is not wanted.
SHARED_INLINE uint layerFirst(uint64_t layers, uint aov) {
    return ((LAYERS_FILLED >> aov) & 1u) != 0u ? AT(FilmLayers, layers, 0).first[aov] : 0u;
}

SHARED_INLINE void layerSet(uint64_t record, uint at, vec3 value) {
    LAYER_AT(record, at) = value.x;
    LAYER_AT(record, at + 1u) = value.y;
    LAYER_AT(record, at + 2u) = value.z;
}

SHARED_INLINE void layerAdd(uint64_t record, uint at, vec3 value) {
    LAYER_AT(record, at) += value.x;
    LAYER_AT(record, at + 1u) += value.y;
    LAYER_AT(record, at + 2u) += value.z;
}

/// Whether the sum at `index` is what the first sample says, and not a sum; `instance`: FilmLayers::first of
/// AOV_INSTANCE.
SHARED_INLINE bool isOfFirstSample(uint index, uint instance) {
    return index == LAYER_ID || (index == instance && instance != 0u);
}

/// The sum at `index` of an item before its first sample.
SHARED_INLINE float layerBefore(uint index, uint instance) {
    return isOfFirstSample(index, instance) ? -1.0f : 0.0f;
}

/// What a sample adds to the sum at `index`.
SHARED_INLINE float layerOfSample(uint64_t record, uint index) {
    if (index == LAYER_HITS) {
        return LAYER_AT(record, LAYER_ID) != 0.0f ? 1.0f : 0.0f;
    }
    return index == LAYER_ID ? abs(LAYER_AT(record, LAYER_ID)) : LAYER_AT(record, index);
}

/// The sum at `index` of an item after a sample.
SHARED_INLINE float layerAfter(float before, uint64_t record, uint index, uint instance) {
    float value = layerOfSample(record, index);
    return !isOfFirstSample(index, instance) ? before + value : before < 0.0f ? value : before;
}

/// Whether a part of the samples adds to the sum at `index`: all parts do, but to what the first sample says the first
/// one alone.
SHARED_INLINE bool layerCounts(uint index, uint instance, bool isFirst) {
    return !isOfFirstSample(index, instance) || isFirst;
}

/// Begins the record of a path at its first hit or miss, of which every path has one, so that nothing else has to clear
/// records. The floats from `from` on become 0.
SHARED_INLINE void layersBegin(uint64_t layers, uint64_t record, float id, uint from) {
    LAYER_AT(record, LAYER_ID) = id;
    uint count = AT(FilmLayers, layers, 0).count;
    for (uint i = from; i < count; ++i) {
        LAYER_AT(record, i) = 0.0f;
    }
}

/// Notes light that reached the camera after a number of scatterings. Returns it clamped.
SHARED_INLINE vec3 layersGather(uint64_t layers, uint64_t record, uint scatterings, vec3 radiance, uint lightGroup) {
    vec3 kept = radiance;
    if (((LAYERS_FILLED >> LAYERS_CLAMP) & 1u) != 0u) {
        float limit = AT(FilmLayers, layers, 0).clamp;
        float brightest = largestOf(radiance);
        if (limit > 0.0f && scatterings > 1u && brightest > limit) {
            kept = radiance * (limit / brightest);
        }
    }
    uint at = scatterings == 0u   ? layerFirst(layers, AOV_EMISSION)
              : scatterings == 1u ? layerFirst(layers, AOV_DIRECT)
                                  : layerFirst(layers, AOV_INDIRECT);
    if (at != 0u) {
        layerAdd(record, at, kept);
    }
    uint groups = layerFirst(layers, AOV_GROUPS);
    if (groups != 0u) {
        layerAdd(record, groups + 3u * lightGroup, kept);
    }
    return kept;
}

/// Whether a path may go on from a surface that scatters clearly.
#define MAY_SCATTER_CLEARLY                                                                                            \
    ((MATERIAL_MODELS & ((1u << MODEL_MIRROR) | (1u << MODEL_DIELECTRIC) | (1u << MODEL_THIN_GLASS))) != 0u)

/// Whether a surface scatters into single directions, for the most part, so that a denoiser wants to know what is seen
/// in it.
SHARED_INLINE uint scattersClearly(Scatterer surface) {
    if (!MAY_SCATTER_CLEARLY) {
        return 0u;
    }
    if (isPartialGlass(surface) != 0u && glassShare(surface) < 0.5f) {
        return 0u;
    }
    uint clear = surface.model == MODEL_DIELECTRIC ? isSmoothDielectric(surface) : 0u;
    return surface.model == MODEL_MIRROR || surface.model == MODEL_THIN_GLASS ? 1u : clear;
}

/// Notes the look of a surface, or nothing yet where it scatters clearly.
SHARED_INLINE void layersLook(uint64_t layers, uint64_t record, vec3 throughput, Scatterer surface, uint clearly) {
    uint at = layerFirst(layers, AOV_ALBEDO);
    if (at != 0u) {
        vec3 seen = clearly != 0u ? vec3(0.0f) : throughput * surface.albedo;
        layerSet(record, at, vec3(min(seen.x, 1.0f), min(seen.y, 1.0f), min(seen.z, 1.0f)));
    }
    at = layerFirst(layers, AOV_NORMAL);
    if (at != 0u) {
        layerSet(record, at, clearly != 0u ? vec3(0.0f) : surface.normal);
    }
}

/// Notes where a path's first hit is.
SHARED_INLINE void layersPlace(uint64_t layers, uint64_t record, uint64_t camera, vec3 position) {
    uint at = layerFirst(layers, AOV_POSITION);
    if (at != 0u) {
        layerSet(record, at, position);
    }
    at = layerFirst(layers, AOV_DEPTH);
    if (at != 0u) {
        // Along the view axis; a picture of the whole sphere has none.
        vec3 offset = position - AT(CameraParams, camera, 0).position;
        LAYER_AT(record, at) = AT(CameraParams, camera, 0).projection == CAMERA_EQUIRECTANGULAR
                                   ? length(offset)
                                   : dot(offset, AT(CameraParams, camera, 0).forward);
    }
}

/// Notes a hit. `scatterings`: those before it; `throughput`: of the path on its arrival; `instance`: the number of
/// what was hit, plus 1, or 0 within a medium. Returns 1 where the path is to end there, as nothing else is wanted of
/// it.
SHARED_INLINE uint layersHit(uint64_t layers, uint64_t record, uint64_t camera, uint scatterings, vec3 throughput,
                             Scatterer surface, vec3 position, uint material, uint instance) {
    uint clearly = scattersClearly(surface);
    if (scatterings == 0u) {
        float id = float(material + 1u);
        layersBegin(layers, record, clearly != 0u ? -id : id, AT(FilmLayers, layers, 0).light);
        layersPlace(layers, record, camera, position);
        uint at = layerFirst(layers, AOV_INSTANCE);
        if (at != 0u) {
            LAYER_AT(record, at) = float(instance);
        }
        layersLook(layers, record, throughput, surface, clearly);
    } else if (MAY_SCATTER_CLEARLY && clearly == 0u && LAYER_AT(record, LAYER_ID) < 0.0f) {
        LAYER_AT(record, LAYER_ID) = -LAYER_AT(record, LAYER_ID);
        layersLook(layers, record, throughput, surface, 0u);
    }
    return AT(FilmLayers, layers, 0).alone != 0u && clearly == 0u ? 1u : 0u;
}

/// Notes that a path left the scene. Returns 1 where what lies behind must not show.
SHARED_INLINE uint layersMiss(uint64_t layers, uint64_t record, uint scatterings) {
    if (scatterings != 0u) {
        return 0u;
    }
    layersBegin(layers, record, 0.0f, LAYER_FIRST);
    return AT(FilmLayers, layers, 0).transparent;
}

SHARED_END
#endif
