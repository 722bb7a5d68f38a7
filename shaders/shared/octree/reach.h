// Which cells of a node a ray can still come to. A ray runs towards larger mirrored coordinates on every axis, so from
// a cell it reaches only those that lie no lower on any. Where none of them is solid, it leaves the node in one step.
//
// GLSL includers say where a table of them lies, before including this: TRAVERSAL_REACH(entry) is
// reachableCells(entry). In workgroup memory a look-up is cheaper than the sum.
#ifndef AUREOLE_SHARED_REACH_H
#define AUREOLE_SHARED_REACH_H

#include "shared/octree/octree.h"

SHARED_BEGIN

#define REACH_ENTRIES 512u

SHARED_INLINE uint reachEntry(uint mirrorAxes, uint bit) {
    return (mirrorAxes << 6u) | bit;
}

/// The cells whose coordinate on an axis is at least `least`, 0 to 4, given those where its low and its high bit is
/// set.
SHARED_INLINE uint cellsFrom(uint least, uint lowBit, uint highBit) {
    return least == 0u   ? 0xFFFFFFFFu
           : least == 1u ? lowBit | highBit
           : least == 2u ? highBit
           : least == 3u ? lowBit & highBit
                         : 0u;
}

SHARED_INLINE uint cellsAhead(uint from, uint mirrored, uint lowBit, uint highBit) {
    return mirrored != 0u ? ~cellsFrom(from + 1u, lowBit, highBit) : cellsFrom(from, lowBit, highBit);
}

/// The cells, as bits of a mask, that a ray mirrored on those axes can come to from the cell of an entry, itself
/// included.
SHARED_INLINE uvec2 reachableCells(uint entry) {
    uvec3 from = bitCell(entry & 63u);
    uint mirrorAxes = entry >> 6u;
    uint across = cellsAhead(from.x, mirrorAxes & 1u, 0xAAAAAAAAu, 0xCCCCCCCCu) &
                  cellsAhead(from.y, mirrorAxes & 2u, 0xF0F0F0F0u, 0xFF00FF00u);
    return uvec2(across & cellsAhead(from.z, mirrorAxes & 4u, 0xFFFF0000u, 0u),
                 across & cellsAhead(from.z, mirrorAxes & 4u, 0xFFFF0000u, 0xFFFFFFFFu));
}

#ifdef __cplusplus
#define TRAVERSAL_REACH(entry) reachableCells(entry)
#endif

SHARED_END
#endif
