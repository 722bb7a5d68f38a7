// How far light gets through media whose densities differ from place to place. A ray goes from one part with a majorant
// to the next, and meets collisions by those majorants, of which a share is real: Woodcock, Murphy, Hemmings and
// Longworth, "Techniques used in the GEM code for Monte Carlo neutronics calculations" (1965). Where only what is left
// of light is asked for, each collision leaves the share that is not: ratio tracking, Novak, Selle and Jarosz,
// "Residual Ratio Tracking for Estimating Attenuation in Participating Media" (2014). Parts with majorants are nodes of
// the volumes' trees: Szirmay-Kalos, Toth and Magdics, "Free Path Sampling in High Resolution Inhomogeneous
// Participating Media" (2011). Media may overlap; their extinctions add up.
#ifndef AUREOLE_SHARED_TRACKING_H
#define AUREOLE_SHARED_TRACKING_H

#include "shared/bsdf/material.h"
#include "shared/luminance.h"
#include "shared/media/volume.h"
#include "shared/path/medium.h"
#include "shared/sampling/rng.h"

SHARED_BEGIN

/// A node of a volume that light passes with at most so many collisions is gone through as one.
#define VOLUME_THIN 0.25f
/// What a shadow ray must have left to be followed in any case.
#define FOLLOWED_LIGHT 0.1f

/// The number of the traits of no medium.
#define NO_TRAITS 0xFFFFFFFFu

/// A ray, and what it goes through.
struct MediaSegment {
    uint64_t volumes; ///< Volume
    uint volumeCount;
    uint64_t materials; ///< MaterialTraits
    vec3 origin;
    vec3 direction;
    float distance;        ///< where it ends
    MediumStretch stretch; ///< of a homogeneous medium
    uint medium;           ///< number of that one's traits, or NO_TRAITS
};

/// A part of a way, from where it was asked for.
struct MediaPart {
    float to;
    vec3 most; ///< the largest extinction in it
};

/// Where media act on a path.
struct MediaDraw {
    float distance; ///< from the start of the ray
    uint scatters;  ///< 1: the path is scattered there; 0: it gets through
    vec3 weight;    ///< of its throughput
    vec3 emitted;   ///< what it finds on its way, over its throughput
    uint medium;    ///< number of the traits of what scatters it
};

/// Random numbers beyond those that a path counts: of one ray, as many as it takes.
struct MediaNumbers {
    uvec4 key;
    uint count;
};

#define NUMBERS_OF_PATHS 0x6C8E9CF5u
#define NUMBERS_OF_LIGHT 0xA3EC647Eu

/// Those of a ray that starts at `origin`, for a use (NUMBERS_OF_).
SHARED_INLINE MediaNumbers mediaNumbers(Rng rng, vec3 origin, uint use) {
    MediaNumbers numbers;
    uvec3 place = floatBitsToUint(origin);
    numbers.key =
        uvec4(rng.pixel ^ use, rng.index ^ place.x, rng.dimension ^ place.y, rng.seed + (place.z ^ reverseBits(use)));
    numbers.count = 0u;
    return numbers;
}

SHARED_INLINE vec4 nextNumbers(INOUT(MediaNumbers, numbers)) {
    uvec4 bits = pcg4d(uvec4(numbers.key.x, numbers.key.y, numbers.key.z, numbers.key.w + numbers.count * 0x9E3779B9u));
    numbers.count += 1u;
    return vec4(unitFloat(bits.x), unitFloat(bits.y), unitFloat(bits.z), unitFloat(bits.w));
}

/// `t` and `more`, and more by its last digit at least: rays through what is very dense come to an end too.
SHARED_INLINE float furtherOn(float t, float more) {
    return max(t + more, t * 1.00000012f);
}

SHARED_INLINE float channelOf(vec3 v, uint channel) {
    return channel == 0u ? v.x : channel == 1u ? v.y : v.z;
}

SHARED_INLINE vec3 extinctionOf(uint64_t materials, uint number) {
    return AT(MaterialTraits, materials, number).scattering + AT(MaterialTraits, materials, number).absorption;
}

/// The part of the way that starts `t` after its start and has one majorant; `homogeneous` says whether the stretch
/// counts.
SHARED_INLINE MediaPart mediaPartAt(MediaSegment segment, float t, bool homogeneous) {
    MediaPart part;
    part.to = segment.distance;
    part.most = vec3(0.0f);
    if (homogeneous && t < segment.stretch.to) {
        bool within = t >= segment.stretch.from;
        part.to = min(part.to, within ? segment.stretch.to : segment.stretch.from);
        part.most = within ? segment.stretch.extinction : vec3(0.0f);
    }
    for (uint i = 0u; i < segment.volumeCount; ++i) {
        Volume volume = AT(Volume, segment.volumes, i);
        VolumeRay ray = volumeRay(volume, segment.origin, segment.direction);
        if (ray.reach.y <= max(t, ray.reach.x)) {
            continue;
        }
        if (ray.reach.x > t) {
            part.to = min(part.to, ray.reach.x);
            continue;
        }
        // A little ahead, so that a ray which stands at a face is in what it comes to. Densities are continuous, so
        // that the largest one of that holds for this little too.
        float perCell = 1.0f / length(ray.direction);
        float ahead = max((1e-3f + 1e-6f * volumeSide(volume)) * perCell, 4e-7f * t);
        vec3 extinction = extinctionOf(segment.materials, volume.material);
        float thin = VOLUME_THIN / max(largestOf(extinction) * perCell, 1e-30f);
        VolumePart cells = volumePartAt(volume, ray.origin + ray.direction * (t + ahead), thin);
        vec3 end =
            cells.low + vec3(ray.direction.x > 0.0f ? cells.side : 0.0f, ray.direction.y > 0.0f ? cells.side : 0.0f,
                             ray.direction.z > 0.0f ? cells.side : 0.0f);
        vec3 leaves = (end - ray.origin) / ray.direction;
        float leave = min(min(leaves.x, min(leaves.y, leaves.z)), ray.reach.y);
        part.to = min(part.to, max(leave, t + ahead));
        part.most = part.most + extinction * cells.most;
    }
    return part;
}

/// What a density of 1 emits at a point, per length: temperatures are interpolated, not their colours.
SHARED_INLINE vec3 volumeEmission(MediaSegment segment, Volume volume, vec3 point) {
    if (volume.temperatures == 0u) {
        return volume.emission;
    }
    Volume temperatures = AT(Volume, segment.volumes, volume.temperatures);
    float share = volumeDensityAt(temperatures, volumePoint(temperatures, point)) / volume.hottest;
    float place = float(VOLUME_COLOURS - 1u) * min(share, 1.0f);
    uint below = min(uint(place), VOLUME_COLOURS - 2u);
    vec3 colour = mix(AT(vec3, volume.colours, below), AT(vec3, volume.colours, below + 1u), place - float(below));
    return volume.emission * colour;
}

/// The extinction there; `homogeneous` as above, where it is true with what is emitted.
SHARED_INLINE vec3 mediaAt(MediaSegment segment, float t, bool homogeneous, OUT(vec3, emission)) {
    bool within = homogeneous && t >= segment.stretch.from && t < segment.stretch.to;
    vec3 sum = within ? segment.stretch.extinction : vec3(0.0f);
    emission = vec3(0.0f);
    vec3 point = segment.origin + segment.direction * t;
    for (uint i = 0u; i < segment.volumeCount; ++i) {
        Volume volume = AT(Volume, segment.volumes, i);
        float density = volumeDensityAt(volume, volumePoint(volume, point));
        if (homogeneous && density > 0.0f) {
            emission = emission + volumeEmission(segment, volume, point) * density;
        }
        sum = sum + extinctionOf(segment.materials, volume.material) * density;
    }
    return sum;
}

/// Chooses, by a uniform number, which of the media scatters a path of that weight of its channels, by what each
/// scatters there. Returns the chosen one's scattering over the chance that it was chosen.
SHARED_INLINE vec3 chooseMedium(MediaSegment segment, float t, vec3 part, float u, OUT(uint, medium)) {
    bool within = t >= segment.stretch.from && t < segment.stretch.to;
    vec3 chosen = within ? segment.stretch.scattering : vec3(0.0f);
    float total = dot(part, chosen);
    float own = total;
    medium = segment.medium;
    vec3 point = segment.origin + segment.direction * t;
    for (uint i = 0u; i < segment.volumeCount; ++i) {
        Volume volume = AT(Volume, segment.volumes, i);
        float density = volumeDensityAt(volume, volumePoint(volume, point));
        medium = medium == NO_TRAITS ? volume.material : medium; // of what scatters nothing: the path ends there
        vec3 scattering = AT(MaterialTraits, segment.materials, volume.material).scattering * density;
        float share = dot(part, scattering);
        total += share;
        float chance = share > 0.0f ? share / total : 0.0f;
        if (u < chance) {
            u = u / chance;
            chosen = scattering;
            own = share;
            medium = volume.material;
        } else {
            u = (u - chance) / (1.0f - chance);
        }
    }
    return own > 0.0f ? chosen * (total / own) : vec3(0.0f);
}

/// What is left behind the first `distance` of a way by what a stretch of it absorbs.
SHARED_INLINE vec3 leftByStretch(MediumStretch stretch, vec3 absorption, float distance) {
    return transmittanceOver(absorption, clamp(distance - stretch.from, 0.0f, stretch.to - stretch.from));
}

/// Draws where media scatter a path: `u` are four uniform numbers that go first. The collisions are those of one
/// channel's majorant, which each is as often as its part in the path's throughput; all weights are as if they were
/// those of all channels (drawInMedium): Miller, Georgiev and Jarosz, "A null-scattering path integral formulation of
/// light transport" (2019). Where extinctions have one colour, weights are the albedo. What glows is found at all
/// collisions, real or not. What a stretch absorbs that scatters nothing is known, and no collision.
SHARED_INLINE MediaDraw drawInMedia(MediaSegment segment, vec3 throughput, vec4 u, INOUT(MediaNumbers, numbers)) {
    vec3 part = channelParts(throughput);
    uint channel = u.y < part.x ? 0u : u.y < part.x + part.y ? 1u : 2u;
    vec3 ratio = vec3(1.0f); // of the densities of what was drawn, by channel, over that of the one it was drawn by
    float depth = opticalDepth(u.x);
    float t = 0.0f;
    bool absorbs = largestOf(segment.stretch.scattering) <= 0.0f;
    vec3 absorption = absorbs ? segment.stretch.extinction : vec3(0.0f);
    segment.stretch.extinction = absorbs ? vec3(0.0f) : segment.stretch.extinction;
    MediaDraw draw;
    draw.scatters = 0u;
    draw.emitted = vec3(0.0f);
    draw.medium = segment.medium;
    while (t < segment.distance) {
        MediaPart next = mediaPartAt(segment, t, true);
        float most = channelOf(next.most, channel);
        float whole = next.to - t;
        bool collides = depth < most * whole;
        float gone = collides ? depth / most : whole;
        vec3 beyond = (next.most - vec3(most)) * min(gone, FOG_FAR);
        ratio = ratio * vec3(exp(-beyond.x), exp(-beyond.y), exp(-beyond.z));
        t = collides ? furtherOn(t, gone) : next.to;
        if (!collides) {
            depth = depthBehind(depth, most, whole);
            continue;
        }
        vec3 emission;
        vec3 found = mediaAt(segment, t, true, emission);
        vec3 extinction = min(found, next.most);
        vec3 left = leftByStretch(segment.stretch, absorption, t);
        draw.emitted = draw.emitted + emission * left * ratio / max(dot(part, ratio * next.most), 1e-30f);
        float real = channelOf(extinction, channel);
        if (u.z * most < real) {
            draw.scatters = 1u;
            draw.distance = t;
            vec3 scattering = chooseMedium(segment, t, part, u.w, draw.medium);
            // By what was found, as scattering is: next to a face there may be more than `most`, which may be near 0.
            draw.weight = scattering * left * ratio / max(dot(part, ratio * found), 1e-30f);
            return draw;
        }
        ratio = ratio * (next.most - extinction) / max(most - real, 1e-30f);
        u = nextNumbers(numbers);
        depth = opticalDepth(u.x);
    }
    draw.distance = segment.distance;
    draw.weight = ratio / max(dot(part, ratio), 1e-30f) * leftByStretch(segment.stretch, absorption, segment.distance);
    return draw;
}

/// What volumes leave of light that goes the way, the stretch not counted: an estimate whose mean it is.
SHARED_INLINE vec3 volumeTransmittance(MediaSegment segment, INOUT(MediaNumbers, numbers)) {
    vec3 left = vec3(1.0f);
    vec4 u = nextNumbers(numbers);
    float depth = opticalDepth(u.x);
    float t = 0.0f;
    while (t < segment.distance) {
        MediaPart next = mediaPartAt(segment, t, false);
        float most = largestOf(next.most);
        float whole = next.to - t;
        if (depth >= most * whole) {
            depth = depthBehind(depth, most, whole);
            t = next.to;
            continue;
        }
        t = furtherOn(t, depth / most);
        vec3 emission;
        left = left * (vec3(1.0f) - min(mediaAt(segment, t, false, emission) / most, vec3(1.0f)));
        float brightest = largestOf(left);
        if (brightest < FOLLOWED_LIGHT) {
            if (u.y * FOLLOWED_LIGHT >= brightest) {
                return vec3(0.0f);
            }
            left = left * (FOLLOWED_LIGHT / brightest);
        }
        u = nextNumbers(numbers);
        depth = opticalDepth(u.x);
    }
    return left;
}

SHARED_END
#endif
