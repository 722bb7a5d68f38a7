// Scenes of several octrees: where each instance of one stands, and the tree of boxes by which a ray finds the
// instances that it comes to.
//
// A ray walks the tree without a stack, nearer children first: each node knows where a ray goes on that is done with
// it, one way for each octant of directions (ropes of a tree of boxes: Torres, Martin and Gavilanes, "Ray Casting using
// a Roped BVH with CUDA", 2009). One word tells where it stands, so that a suspended ray keeps little.
#ifndef AUREOLE_SHARED_GRID_INSTANCE_H
#define AUREOLE_SHARED_GRID_INSTANCE_H

#include "shared/octree/octree_entry.h"
#include "shared/octree/traversal.h"
#include "shared/path/motion_pose.h"

SHARED_BEGIN

/// An instance of an octree. The space of the scene and that of the grid, which fills [1, 2]^3, are affine images of
/// each other: columns of the matrices both ways, about the middle of the grid. What a ray needs to come in stands
/// first, in 96 bytes, as lanes that read instances far from each other pay for every line of memory.
struct GridInstance {
    vec3 gridX; ///< what the scene's unit vector along X is in the grid
    vec3 gridY;
    vec3 gridZ;
    vec3 middle;  ///< of the grid, in the scene
    vec3 boxHigh; ///< VoxelParams::boxHigh of the octree
    uint grid;    ///< number of the octree
    OctreeEntry octree;
    vec3 sceneX; ///< what the grid's unit vector along X is in the scene
    vec3 sceneY;
    vec3 sceneZ;
    float determinant; ///< of the matrix into the grid, its magnitude
    uint firstLamp;    ///< number of its first GridLamp
    uint padding;
};
SHARED_ARRAY(GridInstance, 8)

/// A lamp of an instance.
struct GridLamp {
    uint instance;
    uint box; ///< EmitterBox of its octree
};
SHARED_ARRAY(GridLamp, 8)

/// A box around instances, in the scene. Node 0 is the root, node 1 is none; of others two lie side by side, of which
/// the first is lower along the axis that their parent is split across.
struct InstanceNode {
    vec3 low;
    uint child; ///< first of two nodes | axis of the split << INSTANCE_AXIS_SHIFT, or INSTANCE_LEAF | the instance
    vec3 high;
    uint padding;
    uint past[8]; ///< the node at which a ray goes on that is done with this one, by its octant, or INSTANCES_DONE
};
SHARED_ARRAY(InstanceNode, 16)

#define INSTANCE_LEAF 0x80000000u
#define INSTANCE_AXIS_SHIFT 29u
#define INSTANCE_CHILD 0x1FFFFFFFu

/// The most instances of a scene: nodes are numbered in 29 bits.
#define MOST_INSTANCES 0x0FFFFFFFu
#define NO_INSTANCE 0xFFFFFFFFu

// Where a ray stands in the tree, besides at a node.
#define INSTANCES_DONE 0xFFFFFFFEu ///< it has seen all
#define INSTANCE_OWN 0xFFFFFFFFu   ///< it is in the instance that it starts in, and goes through the tree afterwards

/// The side of a voxel in the grid of an octree of so many levels.
SHARED_INLINE float voxelSizeOf(uint levels) {
    return uintBitsToFloat((127u - 2u * levels) << 23u);
}

/// An instance in a pose, of which `size` are the lengths of its grid's unit vectors in the scene; what stays as it is
/// is that of `still`.
SHARED_INLINE GridInstance instanceInPose(GridInstance still, MotionPose pose) {
    TurnedAxes axes = turnedAxes(pose.turn);
    vec3 inverse = vec3(1.0f) / pose.size;
    GridInstance instance = still;
    instance.sceneX = axes.x * pose.size.x;
    instance.sceneY = axes.y * pose.size.y;
    instance.sceneZ = axes.z * pose.size.z;
    instance.gridX = vec3(axes.x.x, axes.y.x, axes.z.x) * inverse;
    instance.gridY = vec3(axes.x.y, axes.y.y, axes.z.y) * inverse;
    instance.gridZ = vec3(axes.x.z, axes.y.z, axes.z.z) * inverse;
    instance.middle = pose.place + (instance.sceneX * pose.middle.x + instance.sceneY * pose.middle.y +
                                    instance.sceneZ * pose.middle.z);
    instance.determinant = abs(inverse.x * inverse.y * inverse.z);
    return instance;
}

SHARED_INLINE vec3 sumOfColumns(vec3 x, vec3 y, vec3 z, vec3 v) {
    PRECISE vec3 first = x * v.x;
    PRECISE vec3 second = y * v.y;
    PRECISE vec3 third = z * v.z;
    PRECISE vec3 sum = first + second + third;
    return sum;
}

SHARED_INLINE vec3 vectorInGrid(GridInstance instance, vec3 v) {
    return sumOfColumns(instance.gridX, instance.gridY, instance.gridZ, v);
}

SHARED_INLINE vec3 vectorInScene(GridInstance instance, vec3 v) {
    return sumOfColumns(instance.sceneX, instance.sceneY, instance.sceneZ, v);
}

SHARED_INLINE vec3 pointInGrid(GridInstance instance, vec3 p) {
    PRECISE vec3 point = vectorInGrid(instance, p - instance.middle) + vec3(1.5f);
    return point;
}

SHARED_INLINE vec3 pointInScene(GridInstance instance, vec3 p) {
    PRECISE vec3 point = vectorInScene(instance, p - vec3(1.5f)) + instance.middle;
    return point;
}

/// A normal goes by the transposed inverse of what points go by, so that it stays across its surface, and on its side
/// of that where the instance is mirrored too.
SHARED_INLINE vec3 normalInScene(GridInstance instance, vec3 n) {
    return normalize(vec3(dot(instance.gridX, n), dot(instance.gridY, n), dot(instance.gridZ, n)));
}

SHARED_INLINE vec3 normalInGrid(GridInstance instance, vec3 n) {
    return normalize(vec3(dot(instance.sceneX, n), dot(instance.sceneY, n), dot(instance.sceneZ, n)));
}

/// How many times larger solid angles about a direction of the scene, of unit length, are in the grid.
SHARED_INLINE float solidAngleInGrid(GridInstance instance, vec3 direction) {
    float stretch = length(vectorInGrid(instance, direction));
    return instance.determinant / (stretch * stretch * stretch);
}

/// Whether a ray comes to a box before it has gone `reach`. `inverse` are the reciprocals of its direction.
SHARED_INLINE uint meetsBox(vec3 low, vec3 high, vec3 origin, vec3 inverse, float reach) {
    vec3 a = (low - origin) * inverse;
    vec3 b = (high - origin) * inverse;
    vec3 near = min(a, b);
    vec3 far = max(a, b);
    float enter = max(max(near.x, near.y), max(near.z, 0.0f));
    float leave = min(far.x, min(far.y, far.z));
    return enter <= leave && enter < reach ? 1u : 0u;
}

/// Bit a: the direction goes down along axis a.
SHARED_INLINE uint octantOf(vec3 direction) {
    return (direction.x < 0.0f ? 1u : 0u) | (direction.y < 0.0f ? 2u : 0u) | (direction.z < 0.0f ? 4u : 0u);
}

/// Where a ray goes on that has met the box of an inner node, which has that `child`.
SHARED_INLINE uint nearerChild(uint child, uint octant) {
    return (child & INSTANCE_CHILD) + ((octant >> ((child >> INSTANCE_AXIS_SHIFT) & 3u)) & 1u);
}

SHARED_END
#endif
