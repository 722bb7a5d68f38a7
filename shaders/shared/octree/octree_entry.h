#ifndef AUREOLE_SHARED_OCTREE_ENTRY_H
#define AUREOLE_SHARED_OCTREE_ENTRY_H

#include "shared/lang.h"

SHARED_BEGIN

/// What a ray that comes to an octree needs of its OctreeView until it hits a voxel. Octrees of several chunks need the
/// rest as well.
struct OctreeEntry {
    uint64_t nodes;  ///< the first chunk
    uint64_t leaves; ///< likewise
    uint64_t starts;
    uint levels;
    uint startBits;
};

SHARED_END
#endif
