// The slab of a voxel: what the phases of voxelize_voxels.comp that planes have besides do.
#ifndef AUREOLE_VOXELIZE_SLAB_GLSL
#define AUREOLE_VOXELIZE_SLAB_GLSL

layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer SlabOut {
    SurfaceSlab at[];
};

#define NO_LAMP ~0u

/// A sample of a lamp whose plane may have all of the voxel's surface on one side.
struct Lamp {
    uint number; ///< of the sample; NO_LAMP: there is none
    vec3 normal;
    vec3 position;
};

SurfaceSlab voxelSlab;
vec3 voxelNormal; ///< for shading, at the voxel's middle
dvec3 blockLow;   ///< in voxels from the brick's corner
dvec3 voxelMiddle;
uint slabDirection;
SlabHeights slabHeights;
NormalMoments slabMoments;
Lamp thisLamp;
Lamp nextLamp;

void slabBegin(ivec3 low) {
    voxelSlab = wholeSlab();
    blockLow = dvec3(low);
    voxelMiddle = blockLow + dvec3(bitCell(voxelBit)) + WIDE(0.5);
    thisLamp.number = NO_LAMP;
    nextLamp.number = NO_LAMP;
}

/// Begins the slab across a normal.
void beginAcross(vec3 normal) {
    slabDirection = packSlabDirection(normal);
    slabHeights = noHeights();
    slabMoments = noMoments();
}

/// The phase that follows once the average is complete.
uint beginSlab(SurfaceAverage average) {
    voxelNormal = average.normal;
    if (average.crease == 0u) {
        beginAcross(average.geometricNormal);
        return PHASE_SLAB;
    }
    return isLampBorder(average) != 0u ? PHASE_LAMPS : PHASE_DONE;
}

void addToSlab(SurfaceSample part, VoxelTriangle triangle) {
    precise dvec3 position = dvec3(part.position) + blockLow;
    addMoment(slabMoments, part.weight, position, dvec3(part.point.normal));
    addHeights(slabHeights, triangle, blockCorner, blockLow, slabAcross(slabDirection, WIDE(1.0)), voxelMiddle);
}

void endSlab(SurfaceAverage average) {
    voxelSlab = slabOfHeights(slabDirection, slabHeights);
    SlabBend bend = bendOfCell(slabMoments, average, voxelSlab, voxelMiddle, WIDE(1.0));
    voxelSlab.bend = bend.bend;
    voxelNormal = bend.normal;
}

/// Notes the heights of a sample's corners over the plane of the lamp at hand, and which lamp is next.
void addLamp(SurfaceAverage average, SurfaceSample part, VoxelTriangle triangle, uint number) {
    if (thisLamp.number != NO_LAMP) {
        takeTriangleForNone(triangle, blockCorner);
        for (uint i = 0u; i < partCount; ++i) {
            precise dvec3 corner = partPoint(i) + blockLow;
            addHeight(slabHeights, lampHeight(thisLamp.normal, corner, blockLow, thisLamp.position));
        }
    }
    bool isBehind = thisLamp.number == NO_LAMP || number > thisLamp.number;
    if (isBehind && nextLamp.number == NO_LAMP && isBlack(part.point.emission) == 0u && isBlack(part.plane) == 0u) {
        nextLamp.number = number;
        nextLamp.normal = lampNormal(part.plane, average.geometricNormal);
        nextLamp.position = part.position;
    }
}

/// Ends the lamp at hand; the phase that follows.
uint endLamp() {
    if (thisLamp.number != NO_LAMP && isOnOneSide(slabHeights) != 0u) {
        beginAcross(thisLamp.normal);
        return PHASE_SLAB;
    }
    thisLamp = nextLamp;
    nextLamp.number = NO_LAMP;
    slabHeights.low = WIDE(0.0);
    slabHeights.high = WIDE(0.0);
    return thisLamp.number == NO_LAMP ? PHASE_DONE : PHASE_LAMPS;
}

/// The surface with the normal at the voxel's middle.
VoxelSurface bentSurface(SurfaceAverage average) {
    average.normal = voxelNormal;
    return surfaceOfAverage(average);
}

#endif
