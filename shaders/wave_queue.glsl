// What becomes of a wave's rays once they are traced: those that go on are moved to the next wave, without gaps.

layout(push_constant, scalar) uniform Push {
    WavePush push;
};

const uint kNextRays = 0u;
const uint kNextShadows = 1u;
shared uint groupCount[2];
shared uint groupBegin[2];

void prepareQueues() {
    if (gl_LocalInvocationIndex < 2u) {
        groupCount[gl_LocalInvocationIndex] = 0u;
    }
    barrier();
}

// The place of what this invocation has for a queue, if it has anything: ballot and exclusive count over the subgroup,
// then one atomic for the workgroup. All invocations come here, once for a queue.
uint place(uint queue, bool present) {
    subgroupBarrier();
    uvec4 all = subgroupBallot(present);
    uint begin = 0u;
    if (gl_SubgroupInvocationID == 0u) {
        begin = atomicAdd(groupCount[queue], subgroupBallotBitCount(all));
    }
    subgroupBarrier();
    begin = subgroupBroadcast(begin, 0u) + subgroupBallotExclusiveBitCount(all);
    barrier();
    if (gl_LocalInvocationIndex == 0u && groupCount[queue] > 0u) {
        CounterRef counters = CounterRef(push.counters);
        uint next = push.parity ^ 1u;
        groupBegin[queue] = queue == kNextRays ? atomicAdd(counters.value.carried[next], groupCount[queue])
                                               : atomicAdd(counters.value.shadows[next], groupCount[queue]);
    }
    barrier();
    return groupBegin[queue] + begin;
}

// Whether this wave traces shadow rays only: the next one has no room for more of them.
bool drainsShadows() {
    return CounterRef(push.counters).value.shadows[push.parity] > push.capacity;
}

// Moves a ray, which stands at `stand`, and what belongs to it from one queue to another.
void moveRay(uint64_t from, uint i, uint64_t to, uint slot, uint places, WaveHit stand) {
    RayRecord ray = AT(RayRecord, from, i);
    storeRay(to, slot, rayThatResumes(ray));
    storePath(WAVE_OTHERS(to, places), slot, AT(WavePath, WAVE_OTHERS(from, places), i));
    storeHit(WAVE_STANDS(to, places), slot, stand);
}
