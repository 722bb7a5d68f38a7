// The path integrator: what happens to a path at a surface and in the sky. A backend finds the hits, says what lies
// there, and calls these in order; both backends therefore estimate the same integral with the same numbers.
//
// Next-event estimation and BSDF sampling are combined by the power heuristic and, in lobes, by the balance heuristic
// (Veach 1997, sections 9.2.2 and 9.2.4).
#ifndef AUREOLE_SHARED_PATH_H
#define AUREOLE_SHARED_PATH_H

#include "shared/bsdf/bsdf.h"
#include "shared/bsdf/scatter.h"
#include "shared/light/lights.h"
#include "shared/luminance.h"
#include "shared/path/camera.h"
#include "shared/path/film_layers.h"
#include "shared/path/medium.h"
#include "shared/sampling/rng.h"

SHARED_BEGIN

#define STRATEGY_BSDF 0u
#define STRATEGY_LIGHTS 1u
#define STRATEGY_MIS 2u

/// Surface hits after which Russian roulette takes part of the paths that have lost nothing too, so that all paths end.
/// Taken earlier, of paths that stay inside of glass for longer than roulette lets them the few that are left weigh so
/// much that the variance is infinite.
#define ROULETTE_ALWAYS 128u
/// Hits after which roulette does so where a medium scatters, since light gets through clouds by hundreds of
/// scatterings: those of which roulette left but a few would be specks. Random numbers of a path are counted to 2^15;
/// this takes a fifth.
#define ROULETTE_ALWAYS_IN_MEDIA 2048u

/// Connections are taken by roulette below this share of what a matt surface has in the same direction, with at least
/// that probability: so little costs hardly any noise, and what weighs four times is not rare
/// (tests/bench/record/sampling.md).
#define CONNECTION_ALWAYS 0.1f
#define CONNECTION_LEAST 0.25f

/// Densities of a surface's own sampling above this, 1 / pi, are those of lobes: no matt surface has them.
#define LOBE_DENSITY 0.3183099f

/// The medium that a path is in: 0 outside of everything, else the number of the material of the solid, plus 1.
#define MEDIUM_NONE 0u

struct PathParams {
    CameraParams camera;
    LightParams lights;
    uint64_t materials;  ///< MaterialTraits
    uint64_t bsdfTables; ///< what BSDFs look up (bsdf_tables.h)
    uint seed;
    uint maxDepth; ///< surface hits; 0 is unlimited
    uint strategy;
    uint samplerKind;     ///< SAMPLER_
    uint sampling;        ///< SAMPLING_
    uint rouletteStart;   ///< surface hits after which Russian roulette starts, by what paths have lost
    float rouletteWeight; ///< of paths that survive it; those that weigh as much yet are not taken
    uint cameraMedium;    ///< that paths start in, as PathState::medium; MEDIUM_NONE where that is not known
    uint fog;             ///< the medium outside of everything, numbered as materials are; MEDIUM_NONE: none
    float fogTop;         ///< the height below which it is
    uint media;           ///< 1: some medium scatters, or there is fog or a volume
    uint64_t volumes;     ///< Volume: densities in space (media/volume.h), which add to what else is there
    uint volumeCount;
    uint volumesAct;      ///< 1: some of them scatters or glows, else all absorb alone
    uint64_t cameraPoses; ///< MotionPose of a camera that moves while the shutter is open; 0: it stands
    uint motionSteps;     ///< between the poses of all that moves
    float shutterEase;    ///< share of its time in which the shutter opens and closes
};
SHARED_ARRAY(PathParams, 8)

/// How directions are drawn at surfaces. GLSL includers may define it as a specialization constant.
#ifndef PATH_SAMPLING
#define PATH_SAMPLING(params) (AT(PathParams, params, 0).sampling)
#endif

/// Whether media are seen to by pathTravel and segmentTransmittance (path_travel.h), instead of absorption by
/// pathArrive and pathConnect.
#ifdef __cplusplus
#define MEDIA_SCATTER(params) (AT(PathParams, params, 0).media != 0u)
#define HAS_VOLUMES(params) (AT(PathParams, params, 0).volumeCount != 0u)
#else
#define MEDIA_SCATTER(params) HAS_MEDIA
#define HAS_VOLUMES(params) (HAS_MEDIA && HAS_MODEL(MODEL_VOLUME) && AT(PathParams, params, 0).volumeCount != 0u)
#endif

/// Whether the camera moves while the shutter is open. GLSL includers may define it as a specialization constant.
#ifndef CAMERA_MOVES
#define CAMERA_MOVES(params) (AT(PathParams, params, 0).cameraPoses != 0u)
#endif

// Addresses of the parts of PathParams, for functions that take them.
#define PATH_CAMERA(params) (params)
#define PATH_LIGHTS(params) ((params) + uint64_t(360))
/// What a backend keeps behind PathParams starts after so many bytes.
#define PATH_PARAMS_SIZE uint64_t(536)
#ifdef __cplusplus
static_assert(offsetof(PathParams, camera) == 0 && offsetof(PathParams, lights) == 360);
static_assert(sizeof(PathParams) == PATH_PARAMS_SIZE);
#endif

/// One sample of a pixel on its way.
struct PathState {
    Rng rng;
    uint depth;    ///< surface hits so far
    float bsdfPdf; ///< of the direction that the path came by; below 0: no other strategy could have found it
    uint medium;
    float compression; ///< radiance here over that of the same light in empty space, by the surfaces of glass that the
                       ///< path has come to; 0: to none yet
    float straightDistance; ///< in the backend's length: straight on through panes, from where the path came by
                            ///< `bsdfPdf` to where its ray starts; on its arrival to there
    vec3 throughput;
    vec3 radiance;
#ifdef __cplusplus
    uint64_t layers; ///< FilmLayers, 0: none; devices keep both addresses elsewhere
    uint64_t record; ///< what the path finds of them
#endif
};

/// What a backend says of a hit: of a surface, or a point within a medium.
struct SurfaceHit {
    Scatterer surface;
    vec3 outgoing; ///< unit length, back along the path
    uint material; ///< number of its traits
    uint entering; ///< 1 where the path arrives from outside of the solid that the surface bounds
    uint pane;     ///< 1: connections to lights go on through it (isClearPane)
};

/// What a path finds on its arrival at a hit.
struct Arrival {
    float distance; ///< from the last surface, in the backend's length
    vec3 position;  ///< in the backend's space
    vec3 emission;
    float lightPdf; ///< per solid angle: of finding this point by light sampling, all choices included; 0: impossible
};

/// A connection to a light: add `contribution` to the path's radiance if the way is free.
struct LightConnection {
    vec3 direction;
    float distance; ///< LIGHT_FAR: to the sky; a ray to an emissive voxel ends where it meets one, whatever this says
    vec3 contribution; ///< black: nothing to trace
    uint lightGroup;
    uint transmitted; ///< 1: the way to the light starts on the other side of the surface
};

/// The weight of light found by a strategy of density `own` that the other one finds with density `other`, where the
/// surface's own sampling, one of these, has the density `bsdfPdf`. In a lobe, where that is more than any matt
/// surface's, it is the balance heuristic: there the power heuristic leaves too much to one strategy alone
/// (tests/bench/record/sampling.md).
SHARED_INLINE float misWeight(float own, float other, float bsdfPdf) {
    // Divided first, so that large densities do not overflow.
    float ratio = other / own;
    return 1.0f / (1.0f + (bsdfPdf > LOBE_DENSITY ? ratio : ratio * ratio));
}

/// The random numbers of a sample of a pixel.
SHARED_INLINE Rng beginNumbers(uint64_t params, uint pixel, uint index) {
    Rng rng;
    rng.seed = AT(PathParams, params, 0).seed;
    rng.pixel = pixel;
    rng.index = index;
    rng.dimension = 0u;
    RNG_SET_SAMPLER(rng, AT(PathParams, params, 0).samplerKind);
    return rng;
}

/// The dimension that the times of samples are of: no path comes to it.
#define TIME_DIMENSION 0xFFFFFFFFu

/// The time before which a share of the light falls in, of a shutter that opens evenly for a half of `ease`, is open,
/// and closes as it opened: the inverse of the integral of a trapezoid.
SHARED_INLINE float timeOfLight(float share, float ease) {
    float ramp = 0.5f * ease;
    float duringRamp = 0.5f * ramp / (1.0f - ramp);
    float fromEnd = min(share, 1.0f - share);
    if (fromEnd >= duringRamp) {
        return ramp + (share - duringRamp) * (1.0f - ramp);
    }
    float time = sqrt(2.0f * ramp * (1.0f - ramp) * fromEnd);
    return share < 0.5f ? time : 1.0f - time;
}

/// The time of a sample, as a share of that in which the shutter is open. It follows from which sample it is, so that
/// it need not be kept.
SHARED_INLINE float timeOfSample(uint64_t params, uint pixel, uint index) {
    Rng rng = beginNumbers(params, pixel, index);
    rng.dimension = TIME_DIMENSION;
    return timeOfLight(unitFloat(rngNextBits(rng).x), AT(PathParams, params, 0).shutterEase);
}

/// The ray of a sample of a pixel that starts its path, which takes its first random numbers.
SHARED_INLINE CameraRay pathCameraRay(uint64_t params, uvec2 pixel, INOUT(Rng, rng)) {
    vec4 u = rngNext(rng);
    uint64_t camera = PATH_CAMERA(params);
    CameraPlace place;
    if (CAMERA_MOVES(params)) {
        float time = timeOfSample(params, rng.pixel, rng.index);
        place = cameraPlaceIn(
            poseAt(AT(PathParams, params, 0).cameraPoses, 0u, AT(PathParams, params, 0).motionSteps, time));
    } else {
        place = cameraPlace(camera);
    }
    return sampleCameraAt(camera, place, pixel, vec2(u.x, u.y), vec2(u.z, u.w));
}

SHARED_INLINE PathState beginPath(uint64_t params, uint pixel, uint index) {
    PathState path;
    path.rng = beginNumbers(params, pixel, index);
    path.depth = 0u;
    path.bsdfPdf = -1.0f;
    path.medium = MEDIUM_NONE;
    path.compression = 0.0f;
    if (HAS_MODEL(MODEL_DIELECTRIC) && AT(PathParams, params, 0).cameraMedium != MEDIUM_NONE) {
        path.medium = AT(PathParams, params, 0).cameraMedium;
        float ior = AT(MaterialTraits, AT(PathParams, params, 0).materials, path.medium - 1u).ior;
        path.compression = ior * ior;
    }
    path.straightDistance = 0.0f;
    path.throughput = vec3(1.0f);
    path.radiance = vec3(0.0f);
#ifdef __cplusplus
    path.layers = 0;
    path.record = 0;
#endif
    return path;
}

/// Adds light of a light group that reached the camera after `depth` scatterings. All that a path gathers goes through
/// here, but what glows before its layers have begun (pathGatherGlow).
SHARED_INLINE void pathGather(INOUT(PathState, path), vec3 radiance, uint lightGroup) {
    vec3 kept = radiance;
    if (HAS_LAYERS(path)) {
        kept = layersGather(PATH_LAYERS(path), PATH_RECORD(path), path.depth, radiance, lightGroup);
    }
    path.radiance = path.radiance + kept;
}

/// Notes what media that glow sent to a path on its way to its first hit or miss, with which its layers begin: till
/// then it has gathered nothing else.
SHARED_INLINE void pathGatherGlow(PathState path) {
    if (HAS_MEDIA && path.depth == 0u && largestOf(path.radiance) > 0.0f) {
        layersGather(PATH_LAYERS(path), PATH_RECORD(path), 0u, path.radiance, 0u);
    }
}

/// The weight of light found by BSDF sampling that light sampling finds with density `lightPdf`.
SHARED_INLINE float bsdfWeight(uint strategy, float bsdfPdf, float lightPdf) {
    if (bsdfPdf < 0.0f || lightPdf <= 0.0f || strategy == STRATEGY_BSDF) {
        return 1.0f;
    }
    return strategy == STRATEGY_LIGHTS ? 0.0f : misWeight(bsdfPdf, lightPdf, bsdfPdf);
}

/// What light is multiplied by that a path meets in empty space: the sky's, and that of lamps outside of glass. A path
/// that has left a solid unseen, through a gap of its mesh or past an edge of its voxels, has done so unbent, and
/// radiance changes by the square of the index all the same. 1 but for rounding where every surface was met. Radiance
/// over the square of the index is what is kept (Veach 1997, section 5.2).
SHARED_INLINE float spaceCompression(float compression) {
    return HAS_MODEL(MODEL_DIELECTRIC) && compression > 0.0f ? compression : 1.0f;
}

/// By how much the surface that a path goes through changes `compression`.
SHARED_INLINE float compressionAcross(SurfaceHit hit) {
    return HAS_MODEL(MODEL_DIELECTRIC) && hit.surface.model == MODEL_DIELECTRIC ? hit.surface.eta * hit.surface.eta
                                                                                : 1.0f;
}

/// Adds the sky's light to a path that leaves the scene.
SHARED_INLINE void pathMiss(uint64_t params, INOUT(PathState, path), vec3 direction) {
    if (HAS_LAYERS(path)) {
        uint isHidden = layersMiss(PATH_LAYERS(path), PATH_RECORD(path), path.depth);
        pathGatherGlow(path);
        if (isHidden != 0u) {
            return;
        }
    }
    uint64_t lights = PATH_LIGHTS(params);
    uint strategy = AT(PathParams, params, 0).strategy;
    vec3 throughput = path.throughput * spaceCompression(path.compression);
    if (AT(LightParams, lights, 0).environmentSize.x > 0u) {
        vec4 sky = environmentAt(lights, direction);
        float chosen = AT(LightParams, lights, 0).environmentProbability;
        float weight = bsdfWeight(strategy, path.bsdfPdf, chosen * sky.w);
        pathGather(path, throughput * vec3(sky.x, sky.y, sky.z) * weight, AT(LightParams, lights, 0).environmentGroup);
    }
    uint sunIndex = AT(LightParams, lights, 0).sun;
    if (sunIndex < AT(LightParams, lights, 0).lightCount) {
        Light sun = AT(Light, AT(LightParams, lights, 0).lights, sunIndex);
        if (sunCovers(sun, direction) > 0.0f) {
            float weight = bsdfWeight(strategy, path.bsdfPdf, sun.probability * uniformConePdf(sun.coneHeight));
            pathGather(path, throughput * sun.intensity * weight, sun.group);
        }
    }
}

/// The share of light that goes `distance` through a medium (Beer's law). A way to the sky is taken to have left it.
SHARED_INLINE vec3 mediumTransmittance(uint64_t params, uint medium, float distance) {
    if (!HAS_MODEL(MODEL_DIELECTRIC) || medium == MEDIUM_NONE || distance >= LIGHT_FAR) {
        return vec3(1.0f);
    }
    return transmittanceOver(AT(MaterialTraits, AT(PathParams, params, 0).materials, medium - 1u).absorption, distance);
}

/// The medium of a way of that length. One to the sky has left every solid, also by a gap that nobody saw.
SHARED_INLINE uint mediumOver(uint medium, float distance) {
    return distance < LIGHT_FAR ? medium : MEDIUM_NONE;
}

/// Which medium a path must have come through to arrive at this hit. A dielectric's surface knows: whoever arrives on
/// its inner side is in it, whoever arrives on its outer side is not. So an open mesh is wrong for one segment at most,
/// and so is a camera in glass of which nobody knows.
///
/// Solids of glass may stand inside each other, but a path only knows the one whose surface it crossed last, and every
/// surface is taken to have empty space on its other side. Overlapping solids, as of a drink that reaches into its
/// glass, are two surfaces and what lies between them.
SHARED_INLINE uint mediumOfArrival(uint medium, SurfaceHit hit) {
    if (!HAS_MODEL(MODEL_DIELECTRIC) || hit.surface.model != MODEL_DIELECTRIC) {
        return medium;
    }
    uint own = hit.material + 1u;
    return hit.entering == 0u ? own : medium == own ? MEDIUM_NONE : medium;
}

/// The medium on the other side of a hit.
SHARED_INLINE uint mediumAhead(uint medium, SurfaceHit hit) {
    if (!HAS_MODEL(MODEL_DIELECTRIC) || hit.surface.model != MODEL_DIELECTRIC) {
        return medium; // panes have the same on both sides
    }
    return hit.entering != 0u ? hit.material + 1u : MEDIUM_NONE;
}

/// Whether a surface is one that connections to lights go on through, dimmed by what it lets through straight on: a
/// pane, or that of a solid of index 1, which bends nothing. Of one that glows they end at its light.
///
/// A path that goes straight on through it by chance does what a connection does. So it keeps the density by which it
/// came, and its way from there, and what it finds is weighed as if nothing stood between: both strategies tell each
/// other's densities without regard to such surfaces, and their weights add up to 1.
SHARED_INLINE uint isClearPane(uint model, float ior, vec3 emission) {
    bool clear = model == MODEL_THIN_GLASS || bendsNothing(model, ior);
    return HAS_MODEL(MODEL_THIN_GLASS) && clear && largestOf(emission) <= 0.0f ? 1u : 0u;
}

/// Whether a path may leave its hit number `depth`, counted from 1.
SHARED_INLINE uint mayGoOn(uint64_t params, uint depth) {
    uint maxDepth = AT(PathParams, params, 0).maxDepth;
    return maxDepth != 0u && depth >= maxDepth ? 0u : 1u;
}

/// What a path finds where its ray hits nothing.
SHARED_INLINE SurfaceHit noHit(OUT(Arrival, arrival)) {
    arrival.distance = LIGHT_FAR;
    arrival.position = vec3(0.0f);
    arrival.emission = vec3(0.0f);
    arrival.lightPdf = 0.0f;
    SurfaceHit hit;
    hit.surface = mattScatterer(vec3(0.0f, 0.0f, 1.0f), vec3(0.0f));
    hit.outgoing = vec3(0.0f, 0.0f, 1.0f);
    hit.material = 0u;
    hit.entering = 1u;
    hit.pane = 0u;
    return hit;
}

/// Whether a path stands at a point within a medium.
SHARED_INLINE bool isInMedium(SurfaceHit hit) {
    return HAS_MEDIA && hit.surface.model == MODEL_MEDIUM;
}

/// Which light counts for what stands there (LightReceiver::sides).
SHARED_INLINE uint sidesReceived(SurfaceHit hit) {
    bool isGlass = HAS_MODEL(MODEL_DIELECTRIC) && hit.surface.model == MODEL_DIELECTRIC;
    return isInMedium(hit) ? RECEIVES_AROUND : isGlass ? RECEIVES_BOTH : RECEIVES_AHEAD;
}

/// Adds the light that a hit surface emits, and counts the hit. `instance` is that of layersHit. Returns 0 where the
/// path is at its full depth, or has noted all that is wanted of it.
SHARED_INLINE uint pathArrive(uint64_t params, INOUT(PathState, path), SurfaceHit hit, Arrival arrival, uint instance) {
    float weight = bsdfWeight(AT(PathParams, params, 0).strategy, path.bsdfPdf, arrival.lightPdf);
    path.medium = mediumOfArrival(path.medium, hit);
    if (HAS_MODEL(MODEL_DIELECTRIC) && path.compression == 0.0f && !isInMedium(hit)) {
        // The camera's side of the first surface: inside of glass only where that is the inner side of glass.
        path.compression = hit.entering != 0u ? 1.0f : 1.0f / compressionAcross(hit);
    }
    if (!MEDIA_SCATTER(params)) {
        path.throughput = path.throughput * mediumTransmittance(params, path.medium, arrival.distance);
    }
    uint ends = 0u;
    if (HAS_LAYERS(path)) {
        ends = layersHit(PATH_LAYERS(path), PATH_RECORD(path), PATH_CAMERA(params), path.depth, path.throughput,
                         hit.surface, arrival.position, hit.material, instance);
        pathGatherGlow(path);
    }
    float outside = path.medium == MEDIUM_NONE ? spaceCompression(path.compression) : 1.0f;
    vec3 emitted = path.throughput * arrival.emission * (weight * outside);
    if (largestOf(emitted) > 0.0f) {
        pathGather(path, emitted, AT(MaterialTraits, AT(PathParams, params, 0).materials, hit.material).lightGroup);
    }
    path.depth += 1u;
    path.straightDistance += HAS_MODEL(MODEL_THIN_GLASS) ? arrival.distance : 0.0f;
    return ends != 0u ? 0u : mayGoOn(params, path.depth);
}

/// What a connection is multiplied by where roulette takes part of those that bring little: 0 of one that is not to be
/// traced. A surface scatters little off its lobe, and little is left for connections where its own sampling finds the
/// light better: so `density` is that of this sampling times the weight of the connection, and `matt` what the density
/// of a matt surface is. Light that only grazes a surface may be all that it gets.
SHARED_INLINE float rouletteOfConnection(Rng rng, float density, float matt) {
    float survival = clamp(density / max(CONNECTION_ALWAYS * matt, 1e-20f), CONNECTION_LEAST, 1.0f);
    if (survival >= 1.0f) {
        return 1.0f;
    }
    // A number of its own: those of the stream are spread for what they are drawn for.
    uvec4 bits = pcg4d(uvec4(rng.pixel, rng.index, rng.dimension, ~rng.seed));
    return unitFloat(bits.x) < survival ? 1.0f / survival : 0.0f;
}

/// What a light sample brings to the path at a hit. Where media scatter, what they leave of it is to be multiplied by
/// when the way is known (segmentTransmittance).
SHARED_INLINE LightConnection pathConnect(uint64_t params, PathState path, SurfaceHit hit, LightSample s) {
    LightConnection connection;
    connection.direction = s.direction;
    connection.distance = s.distance;
    connection.contribution = vec3(0.0f);
    connection.lightGroup = s.group;
    connection.transmitted = !isInMedium(hit) && dot(hit.surface.normal, s.direction) < 0.0f ? 1u : 0u;
    // What has no extent is found by no other strategy.
    if (s.pdf > 0.0f && (s.isDelta != 0u || AT(PathParams, params, 0).strategy != STRATEGY_BSDF)) {
        BsdfValue scattered =
            bsdfEvaluate(AT(PathParams, params, 0).bsdfTables, hit.surface, hit.outgoing, s.direction);
        float weight = 1.0f;
        if (s.isDelta == 0u && AT(PathParams, params, 0).strategy == STRATEGY_MIS) {
            // What bounds say to be dark from there, drawn where all is, is left to chance: both densities may be 0.
            float bsdfPdf = scatterPdf(PATH_SAMPLING(params), hit.surface, s.direction, scattered.pdf);
            weight = s.misPdf > 0.0f ? misWeight(s.misPdf, bsdfPdf, bsdfPdf) : 0.0f;
        }
        if (s.isDelta == 0u) {
            float cosine = isInMedium(hit) ? 0.25f : abs(dot(hit.surface.normal, s.direction));
            weight *= rouletteOfConnection(path.rng, weight * scattered.pdf, cosineHemispherePdf(cosine));
        }
        uint medium = connection.transmitted != 0u ? mediumAhead(path.medium, hit) : path.medium;
        vec3 left = MEDIA_SCATTER(params) ? vec3(1.0f) : mediumTransmittance(params, medium, s.distance);
        connection.contribution = path.throughput * scattered.value * s.radiance * left * (weight / s.pdf);
        if (medium == MEDIUM_NONE || s.distance >= LIGHT_FAR) {
            float across = connection.transmitted != 0u ? compressionAcross(hit) : 1.0f;
            connection.contribution = connection.contribution * spaceCompression(path.compression * across);
        }
    }
    return connection;
}

/// Panes after which a connection ends, of which next to nothing is left. Rounding may keep a ray at one pane.
#define MOST_PANES 256u

/// What is left of a connection behind the pane that it has come to `distance` after its start, its pane number
/// `panes`; `depth` is the number of that hit, as if the path had gone there.
SHARED_INLINE LightConnection connectThroughPane(uint64_t params, LightConnection connection, SurfaceHit hit,
                                                 float distance, uint depth, uint panes) {
    connection.contribution = connection.contribution * paneTransmittance(hit.surface, hit.outgoing);
    if (hit.pane == 0u || panes > MOST_PANES || mayGoOn(params, depth) == 0u) {
        connection.contribution = vec3(0.0f);
    }
    connection.distance -= connection.distance >= LIGHT_FAR ? 0.0f : distance;
    connection.transmitted = 1u;
    return connection;
}

/// Draws the direction in which a path goes on from a hit; `transmitted` is 1 where that is on the other side of the
/// surface. Returns 0 where the path ends.
SHARED_INLINE uint pathScatter(uint64_t params, INOUT(PathState, path), SurfaceHit hit, OUT(vec3, direction),
                               OUT(uint, transmitted)) {
    vec4 u = rngNext(path.rng);
    BsdfSample s = scatterSample(PATH_SAMPLING(params), AT(PathParams, params, 0).bsdfTables, hit.surface, hit.outgoing,
                                 vec3(u.x, u.y, u.z));
    direction = s.direction;
    transmitted = s.transmitted;
    path.throughput = path.throughput * s.weight;
    if (!HAS_MODEL(MODEL_THIN_GLASS) || hit.pane == 0u || s.transmitted == 0u) {
        path.bsdfPdf = s.isDelta != 0u ? -1.0f : s.pdf;
        path.straightDistance = 0.0f;
    }
    float brightest = largestOf(path.throughput);
    if (brightest <= 0.0f || s.pdf <= 0.0f) {
        return 0u;
    }
    if (s.transmitted != 0u) {
        path.medium = mediumAhead(path.medium, hit);
        path.compression *= compressionAcross(hit);
    }
    if (path.depth >= AT(PathParams, params, 0).rouletteStart) {
        brightest *= spaceCompression(path.compression); // what refraction takes inside of a solid is no loss
        uint always = isInMedium(hit) ? ROULETTE_ALWAYS_IN_MEDIA : ROULETTE_ALWAYS;
        float survival = min(brightest / AT(PathParams, params, 0).rouletteWeight, path.depth < always ? 1.0f : 0.95f);
        if (u.w >= survival) {
            return 0u;
        }
        path.throughput = path.throughput / survival;
    }
    return 1u;
}

SHARED_END
#endif
