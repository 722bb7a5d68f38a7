// Lights that are no surfaces (environment, sun, punctual lights), and the choice among all lights.
#ifndef AUREOLE_SHARED_LIGHTS_H
#define AUREOLE_SHARED_LIGHTS_H

#include "shared/light/light_tree.h"
#include "shared/sampling/sampling.h"

SHARED_BEGIN

#define LIGHT_ENVIRONMENT 0u
#define LIGHT_SUN 1u
#define LIGHT_POINT 2u
#define LIGHT_SPOT 3u
#define LIGHT_DIRECTIONAL 4u
#define LIGHT_SURFACES 5u ///< all emissive surfaces together; the backend picks one
#define LIGHT_PLACED 6u   ///< all lights with a place together; a tree picks one (light_tree.h)

/// One light, in the space of its backend; intensities of point and spot lights are scaled to its unit of length.
struct Light {
    uint type;
    float probability; ///< of being chosen; of those in the tree nothing
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
    uint64_t lights;              ///< Light: those of the first choice, then those with a place
    uint64_t choice;              ///< AliasSlot, one for each of the first choice
    uint64_t environment;         ///< vec4: radiance, and the density with which directions are drawn there; row by row
                                  ///< from straight up, columns by atan2 (see environmentUv)
    uint64_t environmentPick;     ///< AliasSlot for each cell between the middles of texels (sampleEnvironment)
    uvec2 environmentSize;        ///< 0 where it is black
    uint lightCount;              ///< of the first choice
    float environmentProbability; ///< of choosing the environment; 0 where it is left to chance
    uint sun;                     ///< index of the sun in `lights`, or lightCount
    uint placed;                  ///< index of LIGHT_PLACED, or lightCount
    uint environmentGroup;        ///< its light group
    uint root;                    ///< of the tree of lights with a place (LightNode::child)
    uint64_t nodes;               ///< LightNode: that tree
    uint64_t trails;              ///< uint: the way to each emitter box in it (unfacedProbability)
};
SHARED_ARRAY(LightParams, 8)

/// A sampled direction of light at a point.
struct LightSample {
    vec3 direction; ///< unit length, towards the light
    float distance; ///< LIGHT_FAR for lights at infinity
    vec3 radiance;  ///< over the pdf's measure: radiance for area lights, intensity / distance^2 for point lights
    float pdf;      ///< per solid angle, the light's probability included; 0: nothing was sampled
    float misPdf;   ///< the density as it is told of a direction that chance finds (LightPick::unfaced): multiple
                    ///< importance sampling weighs by it, alike in both strategies
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

/// Of the part of a sphere between two polar angles, `from` and `from + span`, the share that lies above
/// `from + part * span`: that is linear in the height, by which solid angles go.
SHARED_INLINE float shareAbove(float from, float span, float part) {
    // Differences of cosines as products, which keep their digits next to the poles.
    float whole = sin(0.5f * span) * sin(from + 0.5f * span);
    return sin(0.5f * part * span) * sin(from + 0.5f * part * span) / max(whole, 1e-20f);
}

/// The environment within a cell: between the middles of texels in columns `x0` and `x1` of rows `y0` and `y1`.
SHARED_INLINE vec4 environmentIn(uint64_t params, uint x0, uint x1, uint y0, uint y1, vec2 at) {
    uint64_t texels = AT(LightParams, params, 0).environment;
    uint width = AT(LightParams, params, 0).environmentSize.x;
    vec4 top = mix(AT(vec4, texels, y0 * width + x0), AT(vec4, texels, y0 * width + x1), at.x);
    vec4 bottom = mix(AT(vec4, texels, y1 * width + x0), AT(vec4, texels, y1 * width + x1), at.x);
    return mix(top, bottom, at.y);
}

/// Radiance of the environment in a direction, and the density per solid angle with which it alone is sampled: bilinear
/// in the azimuth and the height, so that the integral over a cell, and draws in it, are exact.
SHARED_INLINE vec4 environmentAt(uint64_t params, vec3 d) {
    uvec2 size = AT(LightParams, params, 0).environmentSize;
    vec2 uv = environmentUv(d);
    float x = uv.x * float(size.x) - 0.5f;
    float y = clamp(uv.y * float(size.y) - 0.5f, 0.0f, float(size.y - 1u));
    uint x0 = (uint(floor(x) + float(size.x))) % size.x;
    uint y0 = min(uint(y), max(size.y, 2u) - 2u);
    float span = SHARED_PI / float(size.y);
    vec2 at = vec2(x - floor(x), shareAbove((float(y0) + 0.5f) * span, span, y - float(y0)));
    return environmentIn(params, x0, (x0 + 1u) % size.x, y0, min(y0 + 1u, size.y - 1u), at);
}

/// The direction at `down` of 0 to 1 of the height of a ring of cells, the one below the middles of row `ring - 1`, at
/// `u` of a turn (environmentUv).
SHARED_INLINE vec3 directionInRing(uint rows, uint ring, float u, float down) {
    bool upper = 2u * ring <= rows;
    // From the pole that is nearer: squared sines of half the angles keep their digits there.
    float nearer = float(upper ? ring : rows - ring);
    float low = sin(max(nearer - 0.5f, 0.0f) * (0.5f * SHARED_PI) / float(rows));
    float high = sin(min(nearer + 0.5f, float(rows)) * (0.5f * SHARED_PI) / float(rows));
    float squared = mix(low * low, high * high, upper ? down : 1.0f - down);
    float sinTheta = 2.0f * sqrt(squared * (1.0f - squared));
    float phi = (u - 0.5f) * 2.0f * SHARED_PI;
    float height = 1.0f - 2.0f * squared;
    return vec3(sinTheta * sin(phi), upper ? height : -height, -sinTheta * cos(phi));
}

/// `pick` are random bits for the cell, `u` uniform numbers for the point in it. Cells lie in rings from straight up;
/// the first and the last one are half as high and have one row of texels at both of their edges.
SHARED_INLINE LightSample sampleEnvironment(uint64_t params, uvec2 pick, vec2 u) {
    uvec2 size = AT(LightParams, params, 0).environmentSize;
    uint64_t texels = AT(LightParams, params, 0).environment;
    float unused;
    uint cell = sampleAliasBits(AT(LightParams, params, 0).environmentPick, size.x * (size.y + 1u), pick, unused);
    uint x0 = cell % size.x;
    uint x1 = (x0 + 1u) % size.x;
    uint ring = cell / size.x;
    uint y0 = max(ring, 1u) - 1u;
    uint y1 = min(ring, size.y - 1u);
    vec2 left = vec2(AT(vec4, texels, y0 * size.x + x0).w, AT(vec4, texels, y1 * size.x + x0).w);
    vec2 right = vec2(AT(vec4, texels, y0 * size.x + x1).w, AT(vec4, texels, y1 * size.x + x1).w);
    vec2 at;
    at.y = sampleLinear(left.x + right.x, left.y + right.y, u.y);
    at.x = sampleLinear(mix(left.x, left.y, at.y), mix(right.x, right.y, at.y), u.x);
    vec4 found = environmentIn(params, x0, x1, y0, y1, at);
    LightSample s;
    s.direction = directionInRing(size.y, ring, (float(x0) + 0.5f + at.x) / float(size.x), at.y);
    s.distance = LIGHT_FAR;
    s.radiance = vec3(found.x, found.y, found.z);
    s.pdf = found.w;
    s.misPdf = found.w;
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
    s.misPdf = 1.0f;
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

/// Draws a light for a receiver by two words of random bits: by power among the environment, lights without a place
/// and those with one, and of these by the tree. There is at least one light. `left` is what the first choice leaves of
/// the first word: a uniform number, independent of the light.
SHARED_INLINE LightPick chooseLight(uint64_t params, LightReceiver receiver, uvec2 bits, OUT(float, left)) {
    uint first = sampleAliasBits(AT(LightParams, params, 0).choice, AT(LightParams, params, 0).lightCount,
                                 uvec2(bits.x, 0u), left);
    float probability = AT(Light, AT(LightParams, params, 0).lights, first).probability;
    LightPick pick;
    if (first == AT(LightParams, params, 0).placed) {
        pick = drawFromTree(AT(LightParams, params, 0).nodes, AT(LightParams, params, 0).root, receiver, bits.y);
        pick.probability *= probability;
        pick.unfaced *= probability;
    } else {
        pick.light = first;
        pick.probability = probability;
        pick.unfaced = probability;
    }
    return pick;
}

/// The sample of a light, with the density of drawing both.
SHARED_INLINE LightSample ofPick(LightPick pick, LightSample s) {
    s.misPdf = s.pdf * pick.unfaced;
    s.pdf = s.pdf * pick.probability;
    return s;
}

/// Samples a light that was drawn, which is neither LIGHT_SURFACES nor an emitter box, from `point`, with uniform
/// numbers of its own, and the word and the number that are left of the choice: few lights need both.
SHARED_INLINE LightSample sampleLight(uint64_t params, LightPick pick, vec3 point, uint bits, float left, vec2 u) {
    Light light = AT(Light, AT(LightParams, params, 0).lights, pick.light);
    LightSample s;
    if (light.type == LIGHT_ENVIRONMENT) {
        s = sampleEnvironment(params, uvec2(bits, bitsOf(left)), u);
    } else {
        s = samplePunctual(light, point, u);
    }
    return ofPick(pick, s);
}

SHARED_END
#endif
