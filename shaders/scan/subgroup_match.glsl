// Which lanes of a subgroup hold the same digit: ballots, one for each bit (Adinets and Merrill, "Onesweep: A Faster
// Least Significant Digit Radix Sort for GPUs", 2022). Masks have a bit for each lane; on subgroups of up to 32 lanes
// the compiler drops all but the first word.
#extension GL_KHR_shader_subgroup_ballot : require

const uint kDigitBits = 8u;

const uvec4 kAllLanes =
    uvec4(kSubgroupSize < 32u ? (1u << (kSubgroupSize & 31u)) - 1u : ~0u, kSubgroupSize < 64u ? 0u : ~0u,
          kSubgroupSize < 128u ? 0u : ~0u, kSubgroupSize < 128u ? 0u : ~0u);

uint countBitsOf(uvec4 mask) {
    uvec4 counts = uvec4(bitCount(mask));
    return kSubgroupSize <= 32u ? counts.x : counts.x + counts.y + counts.z + counts.w;
}

/// The highest lane of a mask that has one.
uint highestLaneOf(uvec4 mask) {
    return kSubgroupSize <= 32u ? highestBit(mask.x) : subgroupBallotFindMSB(mask);
}

/// The lanes among `lanes` that hold the same digit. To be called in subgroup-uniform control flow by all lanes.
uvec4 peersOf(uint digit, uvec4 lanes) {
    uvec4 peers = lanes;
    [[unroll]] for (uint bit = 0u; bit < kDigitBits; ++bit) {
        uint isSet = (digit >> bit) & 1u;
        subgroupBarrier();
        peers &= subgroupBallot(isSet != 0u) ^ uvec4(isSet - 1u); // no branch: it might part the lanes
    }
    return peers;
}
