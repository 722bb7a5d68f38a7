// Where the traversal finds what it needs at every step. main() calls prepareTraversal() first, all invocations of it.

#include "shared/specialization.h"

layout(constant_id = SPEC_TRACE_ONE_CHUNK) const bool kOneChunk = false;
layout(constant_id = SPEC_TRACE_OCTREE_LEVELS) const uint kLevels = 0u;

#ifndef TRAVERSAL_LEVELS // includers may know them from elsewhere
#define TRAVERSAL_LEVELS(view) AT(OctreeView, view, 0).levels
#endif
#define OCTREE_LEVELS(view) (kLevels != 0u ? kLevels : TRAVERSAL_LEVELS(view))

// Kept at hand: the look-up of a chunk would be one more load for each of a node. Includers that know them from
// elsewhere say so.
#ifndef TRAVERSAL_ONLY_NODES
uint64_t onlyNodes;
uint64_t onlyLeaves;
#define TRAVERSAL_ONLY_NODES onlyNodes
#define TRAVERSAL_ONLY_LEAVES onlyLeaves
#define TRAVERSAL_LOOK_UP
#endif
#ifndef TRAVERSAL_NODE_READ // an expression for each time that a node, or a leaf mask, is read
#define TRAVERSAL_NODE_READ 0
#define TRAVERSAL_LEAF_READ 0
#endif
#define OCTREE_NODE_CHUNK(view, chunk)                                                                                 \
    (TRAVERSAL_NODE_READ, kOneChunk ? TRAVERSAL_ONLY_NODES : AT(OctreeView, view, 0).nodes[chunk])
#define OCTREE_LEAF_CHUNK(view, chunk)                                                                                 \
    (TRAVERSAL_LEAF_READ, kOneChunk ? TRAVERSAL_ONLY_LEAVES : AT(OctreeView, view, 0).leaves[chunk])
#define OCTREE_IN_CHUNK(index, shift) (kOneChunk ? (index) : (index) & ((1u << (shift)) - 1u))

#include "shared/octree/reach.h"

// In workgroup memory, where an index that differs between lanes costs less than in registers.
shared uint traversalStacks[OCTREE_MAX_LEVELS * gl_WorkGroupSize.x];
#define TRAVERSAL_STACK(state, level) traversalStacks[(level)*gl_WorkGroupSize.x + gl_LocalInvocationIndex]

shared uvec2 reachTable[REACH_ENTRIES];
#define TRAVERSAL_REACH(entry) reachTable[entry]
// Includers with short workgroups may say that it lies in memory already: it is copied from there.
#ifndef TRAVERSAL_REACH_SOURCE
#define TRAVERSAL_REACH_SOURCE(entry) reachableCells(entry)
#endif

void prepareTraversal(uint64_t view) {
#ifdef TRAVERSAL_LOOK_UP
    onlyNodes = AT(OctreeView, view, 0).nodes[0];
    onlyLeaves = AT(OctreeView, view, 0).leaves[0];
#endif
    for (uint i = gl_LocalInvocationIndex; i < REACH_ENTRIES; i += gl_WorkGroupSize.x) {
        reachTable[i] = TRAVERSAL_REACH_SOURCE(i);
    }
    barrier();
}
