// Where the traversal finds what it needs at every step. main() calls prepareTraversal() first, all invocations of it.

layout(constant_id = 8) const bool kOneChunk = false; // of nodes and one of leaf masks

// Kept at hand: the look-up of a chunk would be one more load for each of a node.
uint64_t onlyNodes;
uint64_t onlyLeaves;
#ifndef TRAVERSAL_NODE_READ // an expression for each time that a node, or a leaf mask, is read
#define TRAVERSAL_NODE_READ 0
#define TRAVERSAL_LEAF_READ 0
#endif
#define OCTREE_NODE_CHUNK(view, chunk)                                                                                 \
    (TRAVERSAL_NODE_READ, kOneChunk ? onlyNodes : AT(OctreeView, view, 0).nodes[chunk])
#define OCTREE_LEAF_CHUNK(view, chunk)                                                                                 \
    (TRAVERSAL_LEAF_READ, kOneChunk ? onlyLeaves : AT(OctreeView, view, 0).leaves[chunk])

#include "shared/reach.h"

// In workgroup memory, where an index that differs between lanes costs less than in registers.
shared uint traversalStacks[OCTREE_MAX_LEVELS * gl_WorkGroupSize.x];
#define TRAVERSAL_STACK(state, level) traversalStacks[(level)*gl_WorkGroupSize.x + gl_LocalInvocationIndex]

shared uvec2 reachTable[REACH_ENTRIES];
#define TRAVERSAL_REACH(entry) reachTable[entry]

void prepareTraversal(uint64_t view) {
    onlyNodes = AT(OctreeView, view, 0).nodes[0];
    onlyLeaves = AT(OctreeView, view, 0).leaves[0];
    for (uint i = gl_LocalInvocationIndex; i < REACH_ENTRIES; i += gl_WorkGroupSize.x) {
        reachTable[i] = reachableCells(i);
    }
    barrier();
}
