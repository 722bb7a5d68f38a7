// Lights that are no surfaces (environment, sun, punctual lights), and the choice among all lights.
#ifndef AUREOLE_SHARED_LIGHTS_H
#define AUREOLE_SHARED_LIGHTS_H

#include "shared/sampling/sampling.h"

SHARED_BEGIN

#define LIGHT_ENVIRONMENT 0u
#define LIGHT_SUN 1u
#define LIGHT_POINT 2u
#define LIGHT_SPOT 3u
#define LIGHT_DIRECTIONAL 4u
#define LIGHT_SURFACES 5u ///< all emissive surfaces together; the backend picks one

/// One light, in the space of its backend; intensities of point and spot lights are scaled to its unit of length.
struct Light {
    uint type;
    float probability; ///< of being chosen
    vec3 position;
    vec3 direction;   ///< towards the sun; the way of the light for spot and directional ones
    vec3 intensity;   ///< radiance of a sun, W/sr of point and spot, irradiance of directional
    float coneHeight; ///< sun: 1 - cos of its angular radius
    float cosInner;   ///< spot
    float cosOuter;
    uint group; ///< light group
};
SHARED_ARRAY(Light, 4)

struct LightParams {
    uint64_t lights;          ///< Light
    uint64_t choice;          ///< AliasSlot, one for each light
    uint64_t environment;     ///< vec3: radiances, row by row from straight up, columns by atan2 (see environmentUv)
    uint64_t environmentPick; ///< AliasSlot for each texel
    uvec2 environmentSize;
    uint lightCount;
    float environmentProbability; ///< of choosing the environment; 0 where it is black
    uint sun;                     ///< index of the sun in `lights`, or lightCount
    uint surfaces;                ///< index of LIGHT_SURFACES, or lightCount
    uint environmentGroup;        ///< its light group
    uint padding;
};
SHARED_ARRAY(LightParams, 8)

/// A sampled direction of light at a point.
struct LightSample {
    vec3 direction; ///< unit length, towards the light
    float distance; ///< LIGHT_FAR for lights at infinity
    vec3 radiance;  ///< over the pdf's measure: radiance for area lights, intensity / distance^2 for point lights
    float pdf;      ///< per solid angle, the light's probability included; 0: nothing was sampled
    uint isDelta;   ///< 1 for lights that no other strategy can hit
    uint group;     ///< light group
};

#define LIGHT_FAR 1e30f

/// Sine of a direction's angle to the Y axis. By the other two coordinates, as that of 1 - y^2 keeps no digits next to
/// the poles.
SHARED_INLINE float sineToPole(vec3 d) {
    return sqrt(d.x * d.x + d.z * d.z);
}

/// (u, v) in [0, 1] of a direction: v from straight up (+Y) to down, u = 1/2 towards -Z, growing to the right.
SHARED_INLINE vec2 environmentUv(vec3 d) {
    float u = 0.5f + atan2(d.x, -d.z) / (2.0f * SHARED_PI);
    float v = atan2(sineToPole(d), d.y) / SHARED_PI;
    return vec2(u, v);
}

SHARED_INLINE vec3 environmentDirection(vec2 uv) {
    float phi = (uv.x - 0.5f) * 2.0f * SHARED_PI;
    float theta = uv.y * SHARED_PI;
    float sinTheta = sin(theta);
    return vec3(sinTheta * sin(phi), cos(theta), -sinTheta * cos(phi));
}

/// Bilinear radiance of the environment.
SHARED_INLINE vec3 environmentRadiance(uint64_t params, vec3 d) {
    uvec2 size = AT(LightParams, params, 0).environmentSize;
    uint64_t texels = AT(LightParams, params, 0).environment;
    vec2 uv = environmentUv(d);
    float x = uv.x * float(size.x) - 0.5f;
    float y = clamp(uv.y * float(size.y) - 0.5f, 0.0f, float(size.y - 1u));
    float fx = x - floor(x);
    uint x0 = (uint(floor(x) + float(size.x))) % size.x;
    uint x1 = (x0 + 1u) % size.x;
    uint y0 = uint(y);
    uint y1 = min(y0 + 1u, size.y - 1u);
    float fy = y - float(y0);
    vec3 top = mix(AT(vec3, texels, y0 * size.x + x0), AT(vec3, texels, y0 * size.x + x1), fx);
    vec3 bottom = mix(AT(vec3, texels, y1 * size.x + x0), AT(vec3, texels, y1 * size.x + x1), fx);
    return mix(top, bottom, fy);
}

/// Density per solid angle with which the environment alone is sampled: constant in a texel's (u, v).
SHARED_INLINE float environmentPdf(uint64_t params, vec3 d) {
    uvec2 size = AT(LightParams, params, 0).environmentSize;
    vec2 uv = environmentUv(d);
    uint x = min(uint(max(uv.x, 0.0f) * float(size.x)), size.x - 1u);
    uint y = min(uint(uv.y * float(size.y)), size.y - 1u);
    float probability = AT(AliasSlot, AT(LightParams, params, 0).environmentPick, y * size.x + x).probability;
    return probability * float(size.x) * float(size.y) / (2.0f * SHARED_PI * SHARED_PI * max(sineToPole(d), 1e-6f));
}

/// `pick` are random bits for the texel, `u` uniform numbers for the point in it.
SHARED_INLINE LightSample sampleEnvironment(uint64_t params, uvec2 pick, vec2 u) {
    uvec2 size = AT(LightParams, params, 0).environmentSize;
    uint texel = sampleAliasBits(AT(LightParams, params, 0).environmentPick, size.x * size.y, pick);
    vec2 uv = vec2((float(texel % size.x) + u.x) / float(size.x), (float(texel / size.x) + u.y) / float(size.y));
    LightSample s;
    s.direction = environmentDirection(uv);
    s.distance = LIGHT_FAR;
    s.radiance = environmentRadiance(params, s.direction);
    s.pdf = environmentPdf(params, s.direction);
    s.isDelta = 0u;
    s.group = AT(LightParams, params, 0).environmentGroup;
    return s;
}

/// 1 inside the sun's disc.
SHARED_INLINE float sunCovers(Light sun, vec3 d) {
    // 1 - cos of the angle, without cancellation.
    vec3 difference = d - sun.direction;
    return 0.5f * dot(difference, difference) <= sun.coneHeight ? 1.0f : 0.0f;
}

SHARED_INLINE LightSample samplePunctual(Light light, vec3 point, vec2 u) {
    LightSample s;
    s.isDelta = 1u;
    s.group = light.group;
    s.pdf = 1.0f;
    s.distance = LIGHT_FAR;
    s.radiance = light.intensity;
    if (light.type == LIGHT_SUN) {
        s.direction = fromLocal(light.direction, sampleUniformCone(u, light.coneHeight));
        s.pdf = uniformConePdf(light.coneHeight);
        s.isDelta = 0u;
    } else if (light.type == LIGHT_DIRECTIONAL) {
        s.direction = -light.direction;
    } else {
        vec3 towards = light.position - point;
        float squared = max(dot(towards, towards), 1e-20f);
        s.distance = sqrt(squared);
        s.direction = towards / s.distance;
        s.radiance = light.intensity / squared;
        if (light.type == LIGHT_SPOT) {
            // The falloff recommended by KHR_lights_punctual.
            float span = max(light.cosInner - light.cosOuter, 1e-7f); // a sharp edge
            float fade = clamp((-dot(light.direction, s.direction) - light.cosOuter) / span, 0.0f, 1.0f);
            s.radiance = s.radiance * (fade * fade);
        }
    }
    return s;
}

/// Draws a light by two words of random bits. Returns lightCount where there is none.
SHARED_INLINE uint chooseLight(uint64_t params, uvec2 bits) {
    uint count = AT(LightParams, params, 0).lightCount;
    if (count == 0u) {
        return 0u;
    }
    return sampleAliasBits(AT(LightParams, params, 0).choice, count, bits);
}

/// Samples light `index`, which is not LIGHT_SURFACES, from `point`, with random bits and uniform numbers of its
/// own; the pdf includes the choice of the light.
SHARED_INLINE LightSample sampleLight(uint64_t params, uint index, vec3 point, uvec2 pick, vec2 u) {
    Light light = AT(Light, AT(LightParams, params, 0).lights, index);
    LightSample s;
    if (light.type == LIGHT_ENVIRONMENT) {
        s = sampleEnvironment(params, pick, u);
    } else {
        s = samplePunctual(light, point, u);
    }
    s.pdf = s.pdf * light.probability;
    return s;
}

SHARED_END
#endif
