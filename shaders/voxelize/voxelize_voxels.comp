#version 460
// The attributes of each voxel, from the triangles of its block in their order, as voxel/surface/surface_average.cpp
// makes them on the CPU.

#include "voxelize/voxelize_part.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer AttributesOut {
    VoxelAttributes at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 8) writeonly buffer TermOut {
    VoxelTerm at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer MaterialOut {
    VoxelMaterial at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer EmittingOut {
    VoxelEmitting at[];
};

uint fragmentsFirst;
uint fragmentsEnd;
ivec3 blockCorner; ///< in 1/256 voxel
uint voxelBit;

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
    float largest = max(positive.x, max(positive.y, positive.z));
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
#define PHASE_DONE 7u

SurfaceAverage averageOfVoxel() {
    SurfaceAverage average = noAverage();
    SurfaceSums sums = noSums();
    EdgeFinder finder = noEdge();
    uint first = nextFragment(fragmentsFirst);
    bool isOne = nextFragment(first + 1u) == fragmentsEnd;
    uint material = 0u;
    precise double share = WIDE(0.0);
    double mostShare = WIDE(-1.0);
    uint phase = PHASE_SAMPLES;
    while (phase != PHASE_DONE) {
        for (uint i = first; i < fragmentsEnd; i = nextFragment(i + 1u)) {
            VoxelTriangle triangle = triangleOf(i);
            SurfaceSample part = samplePart(triangle, blockCorner, voxelBit);
            if (phase == PHASE_SAMPLES) {
                if (isOne) {
                    averageOfOne(part, average);
                } else {
                    addSample(sums, part);
                }
            } else if (phase == PHASE_NORMALS) {
                addNormal(sums, part);
            } else if (phase == PHASE_SHARES) {
                share = part.point.material == material ? share + part.weight : share;
            } else if (phase == PHASE_BENDS) {
                addBend(sums, part, average.geometricNormal);
            } else if (phase == PHASE_EDGE_SAMPLES) {
                addEdgeSample(finder, part);
            } else if (phase == PHASE_EDGE_CORNERS) {
                addCorners(finder, triangle, blockCorner, voxelBit);
            } else {
                widenEdge(finder, part);
            }
        }
        if (phase == PHASE_SAMPLES) {
            phase = isOne ? PHASE_DONE : PHASE_NORMALS;
        } else if (phase == PHASE_NORMALS) {
            averageMeans(sums, average);
            if (sums.sameEmission == 0u) {
                average.emission = quantisedRadiance(vec3(sums.emission / sums.emitting));
            }
            material = nextMaterial(0u);
            phase = sums.sameMaterial == 0u ? PHASE_SHARES : PHASE_BENDS;
        } else if (phase == PHASE_SHARES) {
            // Of equal shares that of the lower number stays.
            average.material = share > mostShare ? material : average.material;
            mostShare = max(mostShare, share);
            share = WIDE(0.0);
            material = nextMaterial(material + 1u);
            phase = material == ~0u ? PHASE_BENDS : PHASE_SHARES;
        } else if (phase == PHASE_BENDS) {
            averageBends(sums, average);
            phase = average.crease != 0u ? PHASE_EDGE_SAMPLES : PHASE_DONE;
        } else if (phase == PHASE_EDGE_SAMPLES) {
            bool hasTwo = finder.isEdge != 0u && finder.second.heaviest >= WIDE(0.0);
            phase = hasTwo ? PHASE_EDGE_CORNERS : PHASE_DONE;
        } else if (phase == PHASE_EDGE_CORNERS) {
            phase = isEdgeFound(finder) != 0u ? PHASE_EDGE_WIDTHS : PHASE_DONE;
        } else {
            describeEdge(finder, average);
            phase = PHASE_DONE;
        }
    }
    return average;
}

void main() {
    uint voxel = invocation();
    if (voxel >= push.count) {
        return;
    }
    uint block = rangeOf(WORK(voxelOffsets), push.parents, voxel);
    uint key = AT(uint, WORK(blockKeys), block);
    voxelBit = bitOfRank(AT(uvec2, WORK(blockMasks), block), voxel - AT(uint, WORK(voxelOffsets), block));
    fragmentsFirst = AT(uint, WORK(blockFirst), block);
    fragmentsEnd = AT(uint, WORK(blockFirst), block + 1u);
    blockCorner = AT(VoxelBrick, WORK(bricks), key >> WORK(cellBits)).corner;
    for (uint digit = 0u; 6u * digit < WORK(cellBits); ++digit) {
        blockCorner += ivec3(bitCell((key >> (6u * digit)) & 63u)) << (COVERAGE_SNAP_BITS + 2 + 2 * int(digit));
    }
    SurfaceAverage average = averageOfVoxel();
    VoxelSurface surface = surfaceOfAverage(average);
    AttributesOut(WORK(attributes)).at[voxel] = packAttributes(surface);
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
        VoxelMaterial material;
        material.emission = average.emission;
        material.material = average.material;
        MaterialOut(WORK(materials)).at[voxel] = material;
    }
    if (WORK(emitting) != uint64_t(0)) {
        VoxelEmitting emitting;
        emitting.area = float(average.emitting);
        emitting.share = share;
        EmittingOut(WORK(emitting)).at[voxel] = emitting;
    }
}
