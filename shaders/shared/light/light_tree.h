// A tree of the lights that have a place, punctual ones and boxes of emissive voxels: how one of them is chosen for a
// point, by bounds of what each branch may bring there. After Conty Estevez and Kulla, "Importance Sampling of Many
// Lights with Adaptive Tree Splitting" (2018).
#ifndef AUREOLE_SHARED_LIGHT_TREE_H
#define AUREOLE_SHARED_LIGHT_TREE_H

#include "shared/octree/attributes.h"
#include "shared/sampling/rng.h"

SHARED_BEGIN

/// A branch, or a light. Branches lie side by side in pairs.
struct LightNode {
    vec3 middle;     ///< of a ball around all of it, in the space of the backend: weighted by intensity
    float radius;    ///< of that ball
    float intensity; ///< by luminance, the mean over all directions it shines in
    float cosCone;   ///< of the half-angle about its axis that it shines in; below -1: everywhere
    uint axis;       ///< of the cone, by packNormal
    uint child;      ///< index of the first node of its pair, or LIGHT_LEAF | what is asked of the backend
};
SHARED_ARRAY(LightNode, 16)

#define LIGHT_LEAF 0x80000000u
/// The leaf is an emitter box, not one of LightParams::lights.
#define LIGHT_LEAF_BOX 0x40000000u
#define LIGHT_LEAF_INDEX 0x3FFFFFFFu

/// The least squared distance at which light in a ball counts, as a share of its squared radius. Of several forms and
/// values this one has the least variance of lights in layers and in space (tests/bench/record/lights.md).
#define LIGHT_NEAREST 0.2f

#define RECEIVES_AHEAD 0u  ///< what comes from the normal's side, by the cosine
#define RECEIVES_BOTH 1u   ///< what comes from behind as well
#define RECEIVES_AROUND 2u ///< all alike: a point in a medium has no normal

/// Where light is looked for.
struct LightReceiver {
    vec3 point;
    vec3 normal;
    uint sides; ///< RECEIVES_: which light counts
};

/// A light that was drawn.
struct LightPick {
    uint light;        ///< index in LightParams::lights, or LIGHT_LEAF_BOX | index of a box
    float probability; ///< of drawing it
    float unfaced;     ///< of drawing it for a receiver of which only the point is known
};

/// The mean height over a receiver's plane of what of a ball lies above it, if heights are spread evenly.
SHARED_INLINE float meanHeight(float middle, float radius) {
    float top = middle + radius;
    return middle >= radius ? middle : top > 0.0f ? top * top / (4.0f * radius) : 0.0f;
}

/// Whether a branch may shine at what lies `squared` from the middle of its ball, squared, in `direction` (not of unit
/// length) from there.
SHARED_INLINE uint shinesAt(LightNode node, vec3 direction, float squared) {
    float radius2 = node.radius * node.radius;
    if (node.cosCone < -1.0f || squared <= radius2) {
        return 1u;
    }
    // Within the cone widened by the angle under which the ball is seen, whose cosine and sine, times the distance, are
    // these.
    float cosSeen = sqrt(squared - radius2);
    float sinCone = sqrt(max(1.0f - node.cosCone * node.cosCone, 0.0f));
    if (node.cosCone * node.radius <= -sinCone * cosSeen) {
        return 1u; // the two make up half a turn
    }
    // Both are not below half a turn together, so that cosines fall; a rounding more counts as within.
    float least = node.cosCone * cosSeen - sinCone * node.radius;
    return dot(unpackNormal(node.axis), direction) >= least - 1e-4f * sqrt(squared) ? 1u : 0u;
}

/// How much a branch may bring to a receiver, by which it is chosen: first with all that is known, then without the
/// receiver's normal. Of one point light the first is what it brings, but for what is in its way. Where this is 0, so
/// is the light.
SHARED_INLINE vec2 lightImportance(LightNode node, LightReceiver receiver) {
    vec3 towards = node.middle - receiver.point;
    float squared = dot(towards, towards);
    float counted = max(squared, max(LIGHT_NEAREST * node.radius * node.radius, 1e-20f));
    float unfaced = shinesAt(node, -towards, squared) != 0u ? min(node.intensity / counted, 1e30f) : 0.0f;
    if (receiver.sides == RECEIVES_AROUND) {
        return vec2(unfaced, unfaced);
    }
    float height = dot(receiver.normal, towards);
    float above = meanHeight(height, node.radius);
    if (receiver.sides == RECEIVES_BOTH) {
        above += meanHeight(-height, node.radius);
    }
    return vec2(unfaced * above / sqrt(counted), unfaced);
}

/// The least probability of a branch that may bring anything: one that is never drawn, or by far more often than its
/// probability says, as random numbers have no more digits, would not be unbiased.
#define LIGHT_LEAST_SHARE 0.0000152587890625f // 2^-16

/// The probability of a branch beside another one, by their importance.
SHARED_INLINE float shareOfBranch(float importance, float other) {
    float sum = importance + other;
    if (sum <= 0.0f) {
        return 0.5f; // neither shines, as bounds of both together do not tell
    }
    float share = importance / sum;
    return min(importance, other) > 0.0f ? clamp(share, LIGHT_LEAST_SHARE, 1.0f - LIGHT_LEAST_SHARE) : share;
}

/// Draws a leaf below `root` (LightNode::child) by a number that is stretched again at each branch. `bits` is a
/// random word, which makes new numbers where the digits of the first are used up.
SHARED_INLINE LightPick drawFromTree(uint64_t nodes, uint root, LightReceiver receiver, uint bits) {
    LightPick pick;
    pick.light = root;
    pick.probability = 1.0f;
    pick.unfaced = 1.0f;
    uint u = bits;       // uniform, times 2^32
    float digits = 1.0f; // the part of the first numbers that u is stretched from
    while ((pick.light & LIGHT_LEAF) == 0u) {
        LightNode first = AT(LightNode, nodes, pick.light);
        LightNode second = AT(LightNode, nodes, pick.light + 1u);
        vec2 a = lightImportance(first, receiver);
        vec2 b = lightImportance(second, receiver);
        float share = shareOfBranch(a.x, b.x);
        uint border = share < 1.0f ? uint(share * 4294967296.0f) : 0u;
        bool isFirst = share >= 1.0f || u < border;
        pick.light = isFirst ? first.child : second.child;
        pick.unfaced *= isFirst ? shareOfBranch(a.y, b.y) : shareOfBranch(b.y, a.y);
        share = isFirst ? share : shareOfBranch(b.x, a.x);
        pick.probability *= share;
        u = uint(min(float(isFirst ? u : u - border) / share, 4294967040.0f));
        digits *= share;
        if (digits < 0.00390625f) {
            bits = pcg4d(uvec4(bits, pick.light, 0u, 0u)).x;
            u = bits;
            digits = 1.0f;
        }
    }
    pick.light = pick.light & ~LIGHT_LEAF;
    return pick;
}

/// The probability with which drawFromTree draws a leaf where only the point of a receiver is known. `trail` says which
/// branches lead to it: the lowest bit is 1 where the first one is the second of its pair.
SHARED_INLINE float unfacedProbability(uint64_t nodes, uint root, uint trail, vec3 point) {
    LightReceiver receiver;
    receiver.point = point;
    receiver.normal = vec3(0.0f);
    receiver.sides = RECEIVES_AHEAD;
    float probability = 1.0f;
    while ((root & LIGHT_LEAF) == 0u) {
        LightNode taken = AT(LightNode, nodes, root + (trail & 1u));
        LightNode other = AT(LightNode, nodes, root + ((trail & 1u) ^ 1u));
        probability *= shareOfBranch(lightImportance(taken, receiver).y, lightImportance(other, receiver).y);
        root = taken.child;
        trail = trail >> 1u;
    }
    return probability;
}

SHARED_END
#endif
