// The path integrator: what happens to a path at a surface and in the sky. A backend finds the hits, says what lies
// there, and calls these in order; both backends therefore estimate the same integral with the same numbers.
//
// Next-event estimation and BSDF sampling are combined by the power heuristic (Veach 1997, section 9.2.4).
#ifndef AUREOLE_SHARED_PATH_H
#define AUREOLE_SHARED_PATH_H

#include "shared/camera.h"
#include "shared/lights.h"
#include "shared/rng.h"

SHARED_BEGIN

#define STRATEGY_BSDF 0u
#define STRATEGY_LIGHTS 1u
#define STRATEGY_MIS 2u

/// Surface hits after which Russian roulette starts.
#define ROULETTE_START 4u

struct PathParams {
    CameraParams camera;
    LightParams lights;
    uint seed;
    uint maxDepth; ///< surface hits; 0 is unlimited
    uint strategy;
    uint padding;
};
SHARED_ARRAY(PathParams, 8)

// Addresses of the parts of PathParams, for functions that take them.
#define PATH_CAMERA(params) (params)
#define PATH_LIGHTS(params) ((params) + uint64_t(352))
#ifdef __cplusplus
static_assert(offsetof(PathParams, camera) == 0 && offsetof(PathParams, lights) == 352);
#endif

/// One sample of a pixel on its way.
struct PathState {
    Rng rng;
    uint depth;    ///< surface hits so far
    float bsdfPdf; ///< of the direction that the path came by; below 0: no other strategy could have found it
    vec3 throughput;
    vec3 radiance;
};

/// What a backend says of a hit.
struct SurfaceHit {
    vec3 normal; ///< shading normal, turned to the side that the path arrives on
    vec3 albedo;
    vec3 emission;
    float lightPdf; ///< per solid angle: of finding this point by light sampling, all choices included; 0: impossible
};

/// A connection to a light: add `contribution` to the path's radiance if the way is free.
struct LightConnection {
    vec3 direction;
    float distance;
    vec3 contribution; ///< black: nothing to trace
};

SHARED_INLINE float powerHeuristic(float a, float b) {
    // Divided first, so that large densities do not overflow.
    float ratio = b / a;
    return 1.0f / (1.0f + ratio * ratio);
}

SHARED_INLINE PathState beginPath(uint seed, uint pixel, uint index) {
    PathState path;
    path.rng.seed = seed;
    path.rng.pixel = pixel;
    path.rng.index = index;
    path.rng.dimension = 0u;
    path.depth = 0u;
    path.bsdfPdf = -1.0f;
    path.throughput = vec3(1.0f);
    path.radiance = vec3(0.0f);
    return path;
}

/// The weight of light found by BSDF sampling that light sampling finds with density `lightPdf`.
SHARED_INLINE float bsdfWeight(uint strategy, float bsdfPdf, float lightPdf) {
    if (bsdfPdf < 0.0f || lightPdf <= 0.0f || strategy == STRATEGY_BSDF) {
        return 1.0f;
    }
    return strategy == STRATEGY_LIGHTS ? 0.0f : powerHeuristic(bsdfPdf, lightPdf);
}

/// Adds the sky's light to a path that leaves the scene.
SHARED_INLINE void pathMiss(uint64_t params, INOUT(PathState, path), vec3 direction) {
    uint64_t lights = PATH_LIGHTS(params);
    uint strategy = AT(PathParams, params, 0).strategy;
    float chosen = AT(LightParams, lights, 0).environmentProbability;
    if (chosen > 0.0f) {
        float weight = bsdfWeight(strategy, path.bsdfPdf, chosen * environmentPdf(lights, direction));
        path.radiance = path.radiance + path.throughput * environmentRadiance(lights, direction) * weight;
    }
    uint sunIndex = AT(LightParams, lights, 0).sun;
    if (sunIndex < AT(LightParams, lights, 0).lightCount) {
        Light sun = AT(Light, AT(LightParams, lights, 0).lights, sunIndex);
        if (sunCovers(sun, direction) > 0.0f) {
            float weight = bsdfWeight(strategy, path.bsdfPdf, sun.probability * uniformConePdf(sun.coneHeight));
            path.radiance = path.radiance + path.throughput * sun.intensity * weight;
        }
    }
}

/// Adds the light that a hit surface emits, and counts the hit. Returns 0 where the path is at its full depth.
SHARED_INLINE uint pathArrive(uint64_t params, INOUT(PathState, path), SurfaceHit hit) {
    float weight = bsdfWeight(AT(PathParams, params, 0).strategy, path.bsdfPdf, hit.lightPdf);
    path.radiance = path.radiance + path.throughput * hit.emission * weight;
    path.depth += 1u;
    uint maxDepth = AT(PathParams, params, 0).maxDepth;
    return maxDepth != 0u && path.depth >= maxDepth ? 0u : 1u;
}

/// What a light sample brings to the path at a Lambertian hit.
SHARED_INLINE LightConnection pathConnect(uint64_t params, PathState path, SurfaceHit hit, LightSample s) {
    LightConnection connection;
    connection.direction = s.direction;
    connection.distance = s.distance;
    connection.contribution = vec3(0.0f);
    float cosine = dot(hit.normal, s.direction);
    if (s.pdf > 0.0f && cosine > 0.0f) {
        float bsdfPdf = cosineHemispherePdf(cosine);
        float weight = 1.0f;
        if (s.isDelta == 0u && AT(PathParams, params, 0).strategy == STRATEGY_MIS) {
            weight = powerHeuristic(s.pdf, bsdfPdf);
        }
        connection.contribution = path.throughput * hit.albedo * s.radiance * (bsdfPdf * weight / s.pdf);
    }
    return connection;
}

/// Draws the direction in which a path goes on from a Lambertian hit. Returns 0 where the path ends.
SHARED_INLINE uint pathScatter(INOUT(PathState, path), SurfaceHit hit, OUT(vec3, direction)) {
    vec4 u = rngNext(path.rng);
    direction = fromLocal(hit.normal, sampleCosineHemisphere(vec2(u.x, u.y)));
    path.throughput = path.throughput * hit.albedo;
    path.bsdfPdf = cosineHemispherePdf(dot(hit.normal, direction));
    float brightest = max(path.throughput.x, max(path.throughput.y, path.throughput.z));
    if (brightest <= 0.0f || path.bsdfPdf <= 0.0f) {
        return 0u;
    }
    if (path.depth >= ROULETTE_START) {
        float survival = min(brightest, 0.95f);
        if (u.z >= survival) {
            return 0u;
        }
        path.throughput = path.throughput / survival;
    }
    return 1u;
}

SHARED_END
#endif
