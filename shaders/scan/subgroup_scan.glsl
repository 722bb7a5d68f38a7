// Reduce and scan over a subgroup, for the shaders scan_*.comp and sort_*.comp.
//
// SCAN_TYPE and SCAN_OPERATION (shared/scan.h) come from the build. kNative chooses between the device's own subgroup
// arithmetic and shuffles: Kogge and Stone, "A Parallel Algorithm for the Efficient Solution of a General Class of
// Recurrence Equations" (1973), log2 of the subgroup size steps. Lanes of a subgroup need not run in lockstep, so an
// execution barrier stands before every subgroup operation (`subgroupMeet`): call these functions in subgroup-uniform
// control flow with all lanes present.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_EXT_control_flow_attributes : require

#include "shared/scan.h"
#include "shared/specialization.h"

layout(local_size_x_id = SPEC_SCAN_WORKGROUP_SIZE) in;
#include "gpu/dispatch.glsl"
layout(constant_id = SPEC_SCAN_SUBGROUP_SIZE) const uint kSubgroupSize = 32u;
layout(constant_id = SPEC_SCAN_SUBGROUPS) const uint kSubgroups = 1u;
layout(constant_id = SPEC_SCAN_NATIVE) const uint kNative = 0u;

layout(constant_id = SPEC_SCAN_LOCKSTEP) const uint kLockstep = 0u;

const uint kMostShuffles = 7u; // log2 of the largest subgroup there is

#if SCAN_TYPE == SCAN_U32
#define Item uint
#define Item2 uvec2
#define Item3 uvec3
#define Item4 uvec4
#define ITEM_BYTES 4
#elif SCAN_TYPE == SCAN_I32
#define Item int
#define Item2 ivec2
#define Item3 ivec3
#define Item4 ivec4
#define ITEM_BYTES 4
#elif SCAN_TYPE == SCAN_F32
#define Item float
#define Item2 vec2
#define Item3 vec3
#define Item4 vec4
#define ITEM_BYTES 4
#else
#define Item uint64_t
#define Item2 u64vec2
#define Item3 u64vec3
#define Item4 u64vec4
#define ITEM_BYTES 8
#endif

#if SCAN_OPERATION == SCAN_ADD
#define COMBINE(a, b) ((a) + (b))
#define NATIVE_REDUCE subgroupAdd
#define NATIVE_INCLUSIVE subgroupInclusiveAdd
#define NATIVE_EXCLUSIVE subgroupExclusiveAdd
#define IDENTITY Item(0)
#elif SCAN_OPERATION == SCAN_MULTIPLY
#define COMBINE(a, b) ((a) * (b))
#define NATIVE_REDUCE subgroupMul
#define NATIVE_INCLUSIVE subgroupInclusiveMul
#define NATIVE_EXCLUSIVE subgroupExclusiveMul
#define IDENTITY Item(1)
#elif SCAN_OPERATION == SCAN_MIN
#define COMBINE(a, b) min(a, b)
#define NATIVE_REDUCE subgroupMin
#define NATIVE_INCLUSIVE subgroupInclusiveMin
#define NATIVE_EXCLUSIVE subgroupExclusiveMin
#if SCAN_TYPE == SCAN_U32
#define IDENTITY 0xFFFFFFFFu
#elif SCAN_TYPE == SCAN_I32
#define IDENTITY 0x7FFFFFFF
#else
#define IDENTITY uintBitsToFloat(0x7F800000u)
#endif
#elif SCAN_OPERATION == SCAN_MAX
#define COMBINE(a, b) max(a, b)
#define NATIVE_REDUCE subgroupMax
#define NATIVE_INCLUSIVE subgroupInclusiveMax
#define NATIVE_EXCLUSIVE subgroupExclusiveMax
#if SCAN_TYPE == SCAN_U32
#define IDENTITY 0u
#elif SCAN_TYPE == SCAN_I32
#define IDENTITY int(0x80000000u)
#else
#define IDENTITY uintBitsToFloat(0xFF800000u)
#endif
#elif SCAN_OPERATION == SCAN_AND
#define COMBINE(a, b) ((a) & (b))
#define NATIVE_REDUCE subgroupAnd
#define NATIVE_INCLUSIVE subgroupInclusiveAnd
#define NATIVE_EXCLUSIVE subgroupExclusiveAnd
#define IDENTITY Item(~0u)
#elif SCAN_OPERATION == SCAN_OR
#define COMBINE(a, b) ((a) | (b))
#define NATIVE_REDUCE subgroupOr
#define NATIVE_INCLUSIVE subgroupInclusiveOr
#define NATIVE_EXCLUSIVE subgroupExclusiveOr
#define IDENTITY Item(0)
#else
#define COMBINE(a, b) ((a) ^ (b))
#define NATIVE_REDUCE subgroupXor
#define NATIVE_INCLUSIVE subgroupInclusiveXor
#define NATIVE_EXCLUSIVE subgroupExclusiveXor
#define IDENTITY Item(0)
#endif

/// Has the lanes of a subgroup wait for each other where they may run apart. Lavapipe's never do, and from Mesa 25 on
/// it takes an execution barrier of a subgroup for one of the workgroup, which subgroups that went elsewhere never
/// reach.
void subgroupMeet() {
    if (kLockstep == 0u) {
        subgroupBarrier();
    }
}

Item combine(Item before, Item after) {
    return COMBINE(before, after);
}

// Not every device shuffles or adds 64-bit integers across a subgroup. Shuffles move them as halves; native additions
// work on limbs of 22, 22 and 20 bits, whose sums over a subgroup cannot overflow 32 bits.
#if SCAN_TYPE == SCAN_U64
#define SHUFFLE(function, x, y) packUint2x32(function(unpackUint2x32(x), y))
uvec3 limbsOf(uint64_t x) {
    return uvec3(uint(x) & 0x3FFFFFu, uint(x >> 22) & 0x3FFFFFu, uint(x >> 44));
}
uint64_t fromLimbs(uvec3 limbs) {
    return uint64_t(limbs.x) + (uint64_t(limbs.y) << 22) + (uint64_t(limbs.z) << 44);
}
#define NATIVE(function, x) fromLimbs(function(limbsOf(x)))
#else
#define SHUFFLE(function, x, y) function(x, y)
#define NATIVE(function, x) function(x)
#endif

/// What lane `lane` holds, the same for all lanes.
Item subgroupRead(Item value, uint lane) {
    subgroupMeet();
    return SHUFFLE(subgroupShuffle, value, lane);
}

/// What the lane before this one holds; the identity in lane 0.
Item subgroupShift(Item value) {
    subgroupMeet();
    Item below = SHUFFLE(subgroupShuffleUp, value, 1u);
    return gl_SubgroupInvocationID == 0u ? IDENTITY : below;
}

/// All lanes' values combined, the same for all lanes.
Item subgroupReduce(Item value) {
    if (kNative != 0u) {
        subgroupMeet();
        value = NATIVE(NATIVE_REDUCE, value);
    } else {
        [[unroll]] for (uint step = 0u; step < kMostShuffles; ++step) {
            if ((1u << step) < kSubgroupSize) {
                subgroupMeet();
                value = combine(value, SHUFFLE(subgroupShuffleXor, value, 1u << step));
            }
        }
    }
    return value;
}

/// The values of lanes 0 to this one combined.
Item subgroupInclusive(Item value) {
    if (kNative != 0u) {
        subgroupMeet();
        value = NATIVE(NATIVE_INCLUSIVE, value);
    } else {
        [[unroll]] for (uint step = 0u; step < kMostShuffles; ++step) {
            if ((1u << step) < kSubgroupSize) {
                subgroupMeet();
                Item below = SHUFFLE(subgroupShuffleUp, value, 1u << step);
                value = gl_SubgroupInvocationID >= (1u << step) ? combine(below, value) : value;
            }
        }
    }
    return value;
}

/// The values of the lanes before this one combined; the identity in lane 0.
Item subgroupExclusive(Item value) {
    if (kNative != 0u) {
        subgroupMeet();
        value = NATIVE(NATIVE_EXCLUSIVE, value);
    } else {
        value = subgroupShift(subgroupInclusive(value));
    }
    return value;
}

/// The exclusive scan, and all lanes' values combined.
Item subgroupExclusive(Item value, out Item total) {
    Item before = subgroupExclusive(value);
    total = subgroupRead(combine(before, value), kSubgroupSize - 1u);
    return before;
}

/// Scans up to four consecutive items in registers, inclusively; the last is their total. Unused ones hold the
/// identity.
Item4 scanItems(Item4 items) {
    items.y = combine(items.x, items.y);
    items.z = combine(items.y, items.z);
    items.w = combine(items.z, items.w);
    return items;
}

/// Items with what comes before all of them.
Item4 precededItems(Item before, Item4 items) {
    return Item4(combine(before, items.x), combine(before, items.y), combine(before, items.z),
                 combine(before, items.w));
}

/// The output of an invocation: its inclusively scanned items with what comes before them.
Item4 scannedItems(Item4 items, Item before, bool exclusive) {
    Item4 scanned = precededItems(before, items);
    return exclusive ? Item4(before, scanned.x, scanned.y, scanned.z) : scanned;
}
