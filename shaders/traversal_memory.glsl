// Where the traversal keeps its stack and its table of reachable cells: in workgroup memory, where an index that
// differs between lanes costs less than in registers. main() calls prepareTraversal() first, all invocations of it.

#include "shared/reach.h"

shared uint traversalStacks[OCTREE_MAX_LEVELS * gl_WorkGroupSize.x];
#define TRAVERSAL_STACK(state, level) traversalStacks[(level)*gl_WorkGroupSize.x + gl_LocalInvocationIndex]

shared uvec2 reachTable[REACH_ENTRIES];
#define TRAVERSAL_REACH(entry) reachTable[entry]

void prepareTraversal() {
    for (uint i = gl_LocalInvocationIndex; i < REACH_ENTRIES; i += gl_WorkGroupSize.x) {
        reachTable[i] = reachableCells(i);
    }
    barrier();
}
