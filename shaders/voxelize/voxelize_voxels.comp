#version 460
// The attributes of each voxel, from the triangles of its block in their order, as voxel/surface/surface_average.cpp
// makes them on the CPU. With PLANES, its slab too, as voxel/surface/plane_brick.cpp does.

#include "shared/luminance.h"
#include "voxelize/voxelize_part.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer AttributesOut {
    VoxelAttributes at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 8) writeonly buffer TermOut {
    VoxelTerm at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer EmittingOut {
    VoxelEmitting at[];
};

uint fragmentsFirst;
uint fragmentsEnd;
ivec3 blockCorner; ///< in 1/256 voxel
uint voxelBit;

/// Of so many triangles in a voxel it is kept what was found when they were gone through first.
#define MOST_KEPT 4u
uint keptFragments[MOST_KEPT];
PartFound keptParts[MOST_KEPT];

/// The next fragment in the voxel from number `i` on.
uint nextFragment(uint i) {
    while (i < fragmentsEnd && maskHasBit(AT(VoxelFragment, WORK(fragments), i).mask, voxelBit) == 0u) {
        ++i;
    }
    return i;
}

VoxelTriangle triangleOf(uint i) {
    return AT(VoxelTriangle, WORK(triangles), AT(VoxelFragment, WORK(fragments), i).triangle);
}

/// Nine bits for the largest component and the same step for the others (voxel/surface/radiance.h).
vec3 quantisedRadiance(vec3 radiance) {
    vec3 positive = max(radiance, vec3(0.0f));
    float largest = largestOf(positive);
    if (!(largest > 0.0f)) {
        return vec3(0.0f);
    }
    int exponent = int(floatBitsToUint(largest) >> 23u) - 126;
    double up = widePower(RADIANCE_BITS - exponent);
    precise dvec3 steps = floor(dvec3(positive) * up + WIDE(0.5));
    return vec3(steps * widePower(exponent - RADIANCE_BITS));
}

/// The lowest number of a material in the voxel from `least` on; ~0 where there is none.
uint nextMaterial(uint least) {
    uint material = ~0u;
    for (uint i = nextFragment(fragmentsFirst); i < fragmentsEnd; i = nextFragment(i + 1u)) {
        uint candidate = AT(VoxelMeshInstance, WORK(instances), triangleOf(i).instance).material;
        material = candidate >= least ? min(material, candidate) : material;
    }
    return material;
}

// What a voxel's samples are gone through for, one after the other. All in one loop, as compilers write out the making
// of a sample wherever it is called.
#define PHASE_SAMPLES 0u
#define PHASE_NORMALS 1u
#define PHASE_SHARES 2u ///< of one material after the other, in a voxel with several
#define PHASE_BENDS 3u
#define PHASE_EDGE_SAMPLES 4u
#define PHASE_EDGE_CORNERS 5u
#define PHASE_EDGE_WIDTHS 6u
#define PHASE_LAMPS 7u ///< of planes: one lamp after the other, in a voxel at a lamp's border
#define PHASE_SLAB 8u
#define PHASE_DONE 9u

/// What the phases hand on.
struct Averaging {
    SurfaceAverage average;
    SurfaceSums sums;
    EdgeFinder finder;
    uint material; ///< whose share is summed up
};

#ifdef PLANES
#include "voxelize/voxelize_slab.glsl"
#endif

/// Takes one sample in, the voxel's `number`th.
void addPart(inout Averaging work, inout double share, uint phase, VoxelTriangle triangle, SurfaceSample part,
             uint number) {
    if (phase == PHASE_SAMPLES) {
        addSample(work.sums, part);
    } else if (phase == PHASE_NORMALS) {
        addNormal(work.sums, part);
    } else if (phase == PHASE_SHARES) {
        share = part.point.material == work.material ? share + part.weight : share;
    } else if (phase == PHASE_BENDS) {
        addBend(work.sums, part, work.average.geometricNormal);
    } else if (phase == PHASE_EDGE_SAMPLES) {
        addEdgeSample(work.finder, part);
    } else if (phase == PHASE_EDGE_CORNERS) {
        addCorners(work.finder, triangle, blockCorner, voxelBit);
#ifdef PLANES
    } else if (phase == PHASE_LAMPS) {
        addLamp(work.average, part, triangle, number);
    } else if (phase == PHASE_SLAB) {
        addToSlab(part, triangle);
#endif
    } else {
        widenEdge(work.finder, part);
    }
}

/// What follows once the average is complete.
uint endAverage(Averaging work) {
#ifdef PLANES
    return beginSlab(work.average);
#else
    return PHASE_DONE;
#endif
}

/// Ends a phase that has seen all samples. Returns the next one.
uint endPhase(inout Averaging work, inout double share, inout double mostShare, uint phase) {
    if (phase == PHASE_SAMPLES) {
        return PHASE_NORMALS;
    }
    if (phase == PHASE_NORMALS) {
        averageMeans(work.sums, work.average);
        if (work.sums.sameEmission == 0u) {
            work.average.emission = quantisedRadiance(vec3(work.sums.emission / work.sums.emitting));
        }
        work.material = nextMaterial(0u);
        return work.sums.sameMaterial == 0u ? PHASE_SHARES : PHASE_BENDS;
    }
    if (phase == PHASE_SHARES) {
        // Of equal shares that of the lower number stays.
        work.average.material = share > mostShare ? work.material : work.average.material;
        mostShare = max(mostShare, share);
        share = WIDE(0.0);
        work.material = nextMaterial(work.material + 1u);
        return work.material == ~0u ? PHASE_BENDS : PHASE_SHARES;
    }
    if (phase == PHASE_BENDS) {
        averageBends(work.sums, work.average);
        return work.average.crease != 0u ? PHASE_EDGE_SAMPLES : endAverage(work);
    }
    if (phase == PHASE_EDGE_SAMPLES) {
        bool hasTwo = work.finder.isEdge != 0u && work.finder.second.heaviest >= WIDE(0.0);
        return hasTwo ? PHASE_EDGE_CORNERS : endAverage(work);
    }
    if (phase == PHASE_EDGE_CORNERS) {
        return isEdgeFound(work.finder) != 0u ? PHASE_EDGE_WIDTHS : endAverage(work);
    }
#ifdef PLANES
    if (phase == PHASE_LAMPS) {
        return endLamp();
    }
    if (phase == PHASE_SLAB) {
        endSlab(work.average);
        return PHASE_DONE;
    }
#endif
    describeEdge(work.finder, work.average);
    return endAverage(work);
}

/// The fragments in the voxel, of which the first are kept.
uint countFragments() {
    uint count = 0u;
    for (uint i = nextFragment(fragmentsFirst); i < fragmentsEnd; i = nextFragment(i + 1u)) {
        if (count < MOST_KEPT) {
            keptFragments[count] = i;
        }
        ++count;
    }
    return count;
}

SurfaceAverage averageOfVoxel() {
    Averaging work;
    work.average = noAverage();
    work.sums = noSums();
    work.finder = noEdge();
    work.material = 0u;
    precise double share = WIDE(0.0);
    double mostShare = WIDE(-1.0);
    uint count = countFragments();
    bool isOne = count == 1u;
    for (uint phase = PHASE_SAMPLES; phase != PHASE_DONE;) {
        uint behind = fragmentsFirst; // the last fragment
        for (uint n = 0u; n < count; ++n) {
            uint i = n < MOST_KEPT ? keptFragments[n] : nextFragment(behind);
            behind = i + 1u;
            VoxelTriangle triangle = triangleOf(i);
            PartFound found;
            // Of edges and slabs the polygon at hand is needed.
            if (phase == PHASE_SAMPLES || phase == PHASE_EDGE_CORNERS || n >= MOST_KEPT || phase >= PHASE_LAMPS) {
                found = findPart(triangle, blockCorner, voxelBit);
            } else {
                found = keptParts[n];
            }
            if (phase == PHASE_SAMPLES && n < MOST_KEPT) {
                keptParts[n] = found;
            }
            SurfaceSample part = sampleOf(triangle, found, voxelBit);
            if (isOne && phase == PHASE_SAMPLES) {
                averageOfOne(part, work.average);
            } else {
                addPart(work, share, phase, triangle, part, n);
            }
        }
        bool isAverage = isOne && phase == PHASE_SAMPLES;
        phase = isAverage ? endAverage(work) : endPhase(work, share, mostShare, phase);
    }
    return work.average;
}

void main() {
    uint voxel = invocationIndex();
    if (voxel >= push.count) {
        return;
    }
    uint block = rangeOf(WORK(voxelOffsets), push.parents, voxel);
    uint key = AT(uint, WORK(blockKeys), block);
    voxelBit = bitOfRank(AT(uvec2, WORK(blockMasks), block), voxel - AT(uint, WORK(voxelOffsets), block));
    fragmentsFirst = AT(uint, WORK(blockFirst), block);
    fragmentsEnd = AT(uint, WORK(blockFirst), block + 1u);
    blockCorner = cornerOfBlock(key);
#ifdef PLANES
    slabBegin(lowOfBlock(key));
#endif
    SurfaceAverage average = averageOfVoxel();
    VoxelSurface surface = surfaceOfAverage(average);
#ifdef PLANES
    AttributesOut(WORK(attributes)).at[voxel] = packAttributes(bentSurface(average));
    SlabOut(WORK(slabs)).at[voxel] = voxelSlab;
#else
    AttributesOut(WORK(attributes)).at[voxel] = packAttributes(surface);
#endif
    float share = float(average.emitting / average.area);
    VoxelTerm term;
    term.area = average.area;
    term.albedo = surface.albedo;
    term.normal = meanNormal(surface);
    term.roughness = surface.roughness;
    term.metalness = surface.metalness;
    term.emission = average.emission * share;
    term.material = average.material;
    TermOut(WORK(terms)).at[voxel] = term;
    if (WORK(materials) != uint64_t(0)) {
        UintOut(WORK(materials)).at[voxel] = average.material;
    }
    if (WORK(emitting) != uint64_t(0)) {
        VoxelEmitting emitting;
        emitting.emission = average.emission;
        emitting.area = float(average.emitting);
        emitting.share = share;
        EmittingOut(WORK(emitting)).at[voxel] = emitting;
    }
}
