#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "shared/lang.h"

// Moves the rays that are some to the front, without gaps: ballot and exclusive scan over the subgroup, one atomic for
// the workgroup. Within a workgroup they keep their order; workgroups follow in the order in which they come.

#include "stream/stream_records.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer CountRef {
    uint value;
};

layout(push_constant, scalar) uniform Push {
    StreamMovePush push;
};

const uint kRows = 4u;           // rays of an invocation, a workgroup apart
const uint kMostSubgroups = 64u; // of 256 invocations: subgroups have at least 4

shared uint begins[kRows * kMostSubgroups]; // of each subgroup's part of a row, first its count

uint partOf(uint row) {
    return row * gl_NumSubgroups + gl_SubgroupID;
}

// Turns the parts' counts into where they begin, for the first subgroup.
void placeParts() {
    uint parts = kRows * gl_NumSubgroups;
    uint total = 0u;
    for (uint first = 0u; first < parts; first += gl_SubgroupSize) {
        uint part = first + gl_SubgroupInvocationID;
        uint count = part < parts ? begins[part] : 0u;
        subgroupBarrier();
        uint before = subgroupExclusiveAdd(count);
        if (part < parts) {
            begins[part] = total + before;
        }
        subgroupBarrier();
        total += subgroupAdd(count);
    }
    uint begin = 0u;
    if (gl_SubgroupInvocationID == 0u && total > 0u) {
        begin = atomicAdd(CountRef(push.other).value, total);
    }
    subgroupBarrier();
    begin = subgroupBroadcast(begin, 0u);
    for (uint part = gl_SubgroupInvocationID; part < parts; part += gl_SubgroupSize) {
        begins[part] += begin;
    }
}

void main() {
    uint base =
        workgroupIndex() * kRows * gl_WorkGroupSize.x + gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
    RayRecord rays[kRows];
    uint places[kRows];
    for (uint row = 0u; row < kRows; ++row) {
        uint i = base + row * gl_WorkGroupSize.x;
        rays[row] = noRay(0u);
        if (i < push.count) {
            rays[row] = AT(RayRecord, push.source, i);
        }
        subgroupBarrier();
        uvec4 present = subgroupBallot(isRay(rays[row]) != 0u);
        places[row] = subgroupBallotExclusiveBitCount(present);
        if (gl_SubgroupInvocationID == 0u) {
            begins[partOf(row)] = subgroupBallotBitCount(present);
        }
    }
    barrier();
    if (gl_SubgroupID == 0u) {
        placeParts();
    }
    barrier();
    for (uint row = 0u; row < kRows; ++row) {
        if (isRay(rays[row]) != 0u) {
            storeRay(push.target, begins[partOf(row)] + places[row], rays[row]);
        }
    }
}
