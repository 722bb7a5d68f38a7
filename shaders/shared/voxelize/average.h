// What a voxel shows in the mean of its samples: voxel/surface/surface_average.h. A voxel with one sample takes
// averageOfOne. Else the samples are gone through three times, each time in the same order: addSample and addNormal for
// each, then averageMeans, then addBend for each and averageBends.
#ifndef AUREOLE_SHARED_AVERAGE_H
#define AUREOLE_SHARED_AVERAGE_H

#include "shared/octree/attributes.h"
#include "shared/voxelize/sample.h"

SHARED_BEGIN

/// Normals, of parts within a voxel or of whole voxels, whose cosine is below this belong to two sides of a sheet, not
/// to an edge or a corner.
#define SURFACE_OPPOSING WIDE(-0.5)
/// A crease is where the mean of the unit geometric normals is shorter than this: an edge of 90 degrees whose smaller
/// side has more than a tenth of the area, or a bend of more than 50 degrees.
#define SURFACE_CREASE WIDE_RATIO(9.0, 10.0)
/// A crease is also where any part's geometric normal has less than this cosine with the mean: light would leak past
/// even a small part of a wall.
#define SURFACE_APART WIDE(0.5)
/// Or where two parts face each other, as in a narrow gap, or meet at an acute angle: opposing parts are one thin sheet
/// only where they lie back to back and their cosine is beyond this.
#define SURFACE_BACK_TO_BACK WIDE_RATIO(-98.0, 100.0)
/// How far in front of the other, in voxels, the one of two such parts may seem to lie.
#define SURFACE_BACK_TO_BACK_SLACK WIDE_RATIO(1.0, 1000.0)
/// How far in front of a part, in voxels, another lies where the two are hollow between them: beyond rounding.
#define SURFACE_HOLLOW WIDE_RATIO(1.0, 10000.0)

/// A voxel's surface before packing.
struct SurfaceAverage {
    double emitting; ///< area of the part that emits
    double area;     ///< of all samples
    vec3 albedo;
    vec3 normal;
    float roughness;
    float metalness;
    vec3 emission; ///< mean over the part that emits
    vec3 geometricNormal;
    uint crease;
    uint doubleSided; ///< both sides of a thin wall are in the voxel
    uint hollow;      ///< sides from which the samples bend inwards, as in VoxelSurface
    float spread;     ///< sine of the widest angle between geometricNormal and a sample's
    uint material;
    uint edge;        ///< a crease of two sheets (edges.h): geometricNormal, hollow and spread are theirs,
    vec3 otherNormal; ///< this is the normal of the one with less area
};

/// Sums over a voxel's samples.
struct SurfaceSums {
    double weight;
    double roughness;
    double metalness;
    double emitting; ///< weight of what emits
    double heaviest;
    double geometricWeight;
    double facing; ///< weight of the normals that were not turned minus that of those that were
    double spread;
    dvec3 albedo;
    dvec3 emission;
    dvec3 normal;
    dvec3 geometricNormal;
    vec3 firstEmission;
    vec3 heaviestNormal;
    vec3 heaviestGeometric;
    vec3 heaviestPosition;
    vec3 heaviestPlane;
    uint sameEmission;
    uint firstMaterial;
    uint sameMaterial;
    uint crease;
    uint doubleSided;
    uint hollow;
};

SHARED_INLINE uint isUsableNormal(vec3 normal) {
    return plainDot(normal, normal) > 0.25f ? 1u : 0u;
}

SHARED_INLINE uint isBlack(vec3 radiance) {
    return radiance.x == 0.0f && radiance.y == 0.0f && radiance.z == 0.0f ? 1u : 0u;
}

SHARED_INLINE uint isSameRadiance(vec3 a, vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z ? 1u : 0u;
}

SHARED_INLINE SurfaceAverage noAverage() {
    SurfaceAverage average;
    average.emitting = WIDE(0.0);
    average.area = WIDE(0.0);
    average.albedo = vec3(0.0f);
    average.normal = vec3(0.0f, 1.0f, 0.0f);
    average.roughness = 1.0f;
    average.metalness = 0.0f;
    average.emission = vec3(0.0f);
    average.geometricNormal = vec3(0.0f, 1.0f, 0.0f);
    average.crease = 0u;
    average.doubleSided = 0u;
    average.hollow = 0u;
    average.spread = 0.0f;
    average.material = 0u;
    average.edge = 0u;
    average.otherNormal = vec3(0.0f);
    return average;
}

SHARED_INLINE SurfaceSums noSums() {
    SurfaceSums sums;
    sums.weight = WIDE(0.0);
    sums.roughness = WIDE(0.0);
    sums.metalness = WIDE(0.0);
    sums.emitting = WIDE(0.0);
    sums.heaviest = WIDE(0.0);
    sums.geometricWeight = WIDE(0.0);
    sums.facing = WIDE(0.0);
    sums.spread = WIDE(0.0);
    sums.albedo = dvec3(WIDE(0.0));
    sums.emission = dvec3(WIDE(0.0));
    sums.normal = dvec3(WIDE(0.0));
    sums.geometricNormal = dvec3(WIDE(0.0));
    sums.firstEmission = vec3(0.0f);
    sums.heaviestNormal = vec3(0.0f);
    sums.heaviestGeometric = vec3(0.0f);
    sums.heaviestPosition = vec3(0.0f);
    sums.heaviestPlane = vec3(0.0f);
    sums.sameEmission = 1u;
    sums.firstMaterial = 0u;
    sums.sameMaterial = 1u;
    sums.crease = 0u;
    sums.doubleSided = 0u;
    sums.hollow = 0u;
    return sums;
}

SHARED_INLINE void addSample(INOUT(SurfaceSums, sums), SurfaceSample part) {
    if (sums.weight == WIDE(0.0)) {
        sums.firstMaterial = part.point.material;
    }
    if (isBlack(part.point.emission) == 0u) {
        if (sums.emitting == WIDE(0.0)) {
            sums.firstEmission = part.point.emission;
        }
        sums.sameEmission &= part.exactEmission & isSameRadiance(part.point.emission, sums.firstEmission);
        sums.emitting += part.weight;
        sums.emission = addShare(sums.emission, part.weight, part.point.emission);
    }
    sums.sameMaterial &= part.point.material == sums.firstMaterial ? 1u : 0u;
    sums.weight += part.weight;
    sums.albedo = addShare(sums.albedo, part.weight, part.point.albedo);
    sums.roughness = addShare(sums.roughness, part.weight, part.point.roughness);
    sums.metalness = addShare(sums.metalness, part.weight, part.point.metalness);
    if (part.weight > sums.heaviest && isUsableNormal(part.point.normal) != 0u) {
        sums.heaviest = part.weight;
        sums.heaviestNormal = part.point.normal;
        sums.heaviestGeometric = part.point.geometricNormal;
        sums.heaviestPosition = part.position;
        sums.heaviestPlane = part.plane;
    }
}

SHARED_INLINE void addNormal(INOUT(SurfaceSums, sums), SurfaceSample part) {
    if (isUsableNormal(part.point.normal) == 0u) {
        return;
    }
    bool turned = double(plainDot(part.point.normal, sums.heaviestNormal)) < SURFACE_OPPOSING;
    double share = turned ? -part.weight : part.weight;
    sums.normal = addShare(sums.normal, share, part.point.normal);
    sums.facing += share;
    bool geometricTurned = plainDot(part.point.geometricNormal, sums.heaviestGeometric) < 0.0f;
    sums.geometricNormal =
        addShare(sums.geometricNormal, geometricTurned ? -part.weight : part.weight, part.point.geometricNormal);
    sums.geometricWeight += part.weight;
}

/// Compares a sample, however small, with the heaviest one and with the mean geometric normal.
SHARED_INLINE void addBend(INOUT(SurfaceSums, sums), SurfaceSample part, vec3 mean) {
    if (part.hasArea == 0u || isUsableNormal(part.point.normal) == 0u) {
        return;
    }
    dvec3 normal = dvec3(part.point.geometricNormal);
    dvec3 heaviest = dvec3(sums.heaviestGeometric);
    dvec3 apart = dvec3(part.position - sums.heaviestPosition);
    double cosine = wideDot(normal, heaviest);
    double front = wideDot(apart, heaviest);
    sums.spread = max(sums.spread, wideLength(wideCross(normal, dvec3(mean))));
    bool facing = cosine < WIDE(0.0);
    bool bent = abs(wideDot(normal, dvec3(mean))) < SURFACE_APART ||
                (facing && (cosine > SURFACE_BACK_TO_BACK || front > SURFACE_BACK_TO_BACK_SLACK));
    sums.crease |= bent ? 1u : 0u;
    sums.doubleSided |= facing ? 1u : 0u;
    // Hollow from a side: one of the two lies in front of the other, by the planes that positions are in.
    double frontOfHeaviest = wideDot(apart, dvec3(sums.heaviestPlane));
    double back = -wideDot(apart, dvec3(part.plane));
    double frontOfThis = facing ? -back : back;
    uint side = wideDot(heaviest, dvec3(mean)) < WIDE(0.0) ? 1u : 0u;
    sums.hollow |= max(frontOfHeaviest, frontOfThis) > SURFACE_HOLLOW ? 1u << side : 0u;
    sums.hollow |= min(frontOfHeaviest, frontOfThis) < -SURFACE_HOLLOW ? 2u >> side : 0u;
}

SHARED_INLINE vec3 averageNormal(SurfaceSums sums) {
    double size = wideLength(sums.normal);
    if (size > WIDE_RATIO(1.0, 1000.0) * sums.weight) {
        return vec3(sums.normal / (sums.facing < WIDE(0.0) ? -size : size));
    }
    return isUsableNormal(sums.heaviestNormal) != 0u ? plainNormalize(sums.heaviestNormal) : vec3(0.0f, 1.0f, 0.0f);
}

SHARED_INLINE vec3 averageGeometricNormal(SurfaceSums sums, vec3 normal) {
    double size = wideLength(sums.geometricNormal);
    if (size <= WIDE_RATIO(1.0, 1000.0) * sums.weight) {
        return normal;
    }
    vec3 geometric = vec3(sums.geometricNormal / size);
    return plainDot(geometric, normal) < 0.0f ? -geometric : geometric;
}

/// What a voxel shows in the mean, but for what depends on how its samples bend, its emission where that is not the
/// same for all, and its material where that is not.
SHARED_INLINE void averageMeans(SurfaceSums sums, INOUT(SurfaceAverage, average)) {
    average.albedo = vec3(sums.albedo / sums.weight);
    average.normal = averageNormal(sums);
    average.roughness = float(sums.roughness / sums.weight);
    average.metalness = float(sums.metalness / sums.weight);
    average.emission = sums.firstEmission;
    average.emitting = sums.emitting;
    average.geometricNormal = averageGeometricNormal(sums, average.normal);
    average.area = sums.weight;
    average.material = sums.firstMaterial;
}

SHARED_INLINE void averageBends(SurfaceSums sums, INOUT(SurfaceAverage, average)) {
    bool isShort = wideLength(sums.geometricNormal) < SURFACE_CREASE * sums.geometricWeight;
    average.crease = isShort ? 1u : sums.crease;
    average.doubleSided = sums.doubleSided;
    average.hollow = sums.hollow;
    average.spread = float(sums.spread);
}

/// What averageMeans and averageBends make of a voxel's only sample, to the last bit: means of one value are that
/// value, but a normal's length is rounded once more. The emission is the sample's. `average` is noAverage before.
SHARED_INLINE void averageOfOne(SurfaceSample part, INOUT(SurfaceAverage, average)) {
    average.albedo = part.point.albedo;
    average.roughness = part.point.roughness;
    average.metalness = part.point.metalness;
    average.emission = part.point.emission;
    average.emitting = isBlack(part.point.emission) != 0u ? WIDE(0.0) : part.weight;
    average.material = part.point.material;
    average.area = part.weight;
    if (isUsableNormal(part.point.normal) == 0u) {
        average.geometricNormal = average.normal;
        return;
    }
    dvec3 sum = part.weight * dvec3(part.point.normal);
    average.normal = vec3(sum / wideLength(sum));
    dvec3 geometricSum = part.weight * dvec3(part.point.geometricNormal);
    vec3 geometric = vec3(geometricSum / wideLength(geometricSum));
    average.geometricNormal = plainDot(geometric, average.normal) < 0.0f ? -geometric : geometric;
    if (part.hasArea != 0u) {
        average.spread =
            float(wideLength(wideCross(dvec3(part.point.geometricNormal), dvec3(average.geometricNormal))));
    }
}

/// The surface as attributes pack it, without the number of its material.
SHARED_INLINE VoxelSurface surfaceOfAverage(SurfaceAverage average) {
    VoxelSurface surface;
    surface.albedo = average.albedo;
    surface.normal = average.edge != 0u ? average.otherNormal : average.normal;
    surface.roughness = average.roughness;
    surface.metalness = average.metalness;
    surface.material = 0u;
    surface.geometricNormal = average.geometricNormal;
    surface.crease = average.crease;
    surface.doubleSided = average.doubleSided;
    surface.hollow = average.crease != 0u && average.edge == 0u ? 3u : average.hollow;
    surface.spread = average.spread;
    surface.sheet = 0u;
    return surface;
}

SHARED_END
#endif
