// Which lanes of a subgroup hold the same digit: ballots, one for each bit (Adinets and Merrill, "Onesweep: A Faster
// Least Significant Digit Radix Sort for GPUs", 2022). Masks have a bit for each lane; on subgroups of up to 32 lanes
// the compiler drops all but the first word.
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_memory_scope_semantics : require

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

/// The lanes among `lanes` that hold the same digit. The barriers order lanes, not memory, of which ballots touch none:
/// what is loaded and drawn between two rows may overlap. To be called in subgroup-uniform control flow by all lanes.
uvec4 peersOf(uint digit, uvec4 lanes) {
    uvec4 peers = lanes;
    [[unroll]] for (uint bit = 0u; bit < kDigitBits; ++bit) {
        uint isSet = (digit >> bit) & 1u;
        controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
        peers &= subgroupBallot(isSet != 0u) ^ uvec4(isSet - 1u); // no branch: it might part the lanes
    }
    return peers;
}
