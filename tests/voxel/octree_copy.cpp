#include "octree_copy.h"

#include <cstring>
#include <vector>

namespace aureole::test {

namespace {

template <typename T>
bool sameBytes(const Array<T>& a, const Array<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

template <typename T>
Array<T> copied(const Array<T>& values) {
    return std::vector<T>(values.begin(), values.end());
}

} // namespace

Octree copyOf(const Octree& octree) {
    Octree copy;
    copy.grid = octree.grid;
    copy.levels = octree.levels;
    copy.nodes = copied(octree.nodes);
    copy.leaves = copied(octree.leaves);
    copy.surfaces = copied(octree.surfaces);
    copy.leafOffsets = copied(octree.leafOffsets);
    copy.leafGroups = copied(octree.leafGroups);
    copy.dag = copied(octree.dag);
    copy.attributes = copied(octree.attributes);
    copy.slabs = copied(octree.slabs);
    copy.distances = copied(octree.distances);
    copy.leafAverages = copied(octree.leafAverages);
    copy.nodeAverages = copied(octree.nodeAverages);
    copy.leafMaterials = copied(octree.leafMaterials);
    copy.nodeMaterials = copied(octree.nodeMaterials);
    copy.palette = copied(octree.palette);
    copy.materialRuns = copied(octree.materialRuns);
    copy.materials = copied(octree.materials);
    copy.voxels = octree.voxels;
    copy.coverage = octree.coverage;
    copy.encoding = octree.encoding;
    copy.metadata = octree.metadata;
    return copy;
}

bool identical(const Octree& a, const Octree& b) {
    return a.levels == b.levels && a.grid.size == b.grid.size && a.grid.origin == b.grid.origin &&
           sameBytes(a.nodes, b.nodes) && sameBytes(a.leaves, b.leaves) && sameBytes(a.leafAverages, b.leafAverages) &&
           sameBytes(a.nodeAverages, b.nodeAverages) && sameBytes(a.leafMaterials, b.leafMaterials) &&
           sameBytes(a.nodeMaterials, b.nodeMaterials) && sameBytes(a.surfaces, b.surfaces) &&
           sameBytes(a.leafOffsets, b.leafOffsets) && sameBytes(a.leafGroups, b.leafGroups) &&
           sameBytes(a.attributes, b.attributes) && sameBytes(a.distances, b.distances) &&
           sameBytes(a.slabs, b.slabs) && sameBytes(a.dag, b.dag) && a.encoding == b.encoding &&
           sameBytes(a.palette, b.palette) && sameBytes(a.materialRuns, b.materialRuns) &&
           sameBytes(a.materials, b.materials);
}

} // namespace aureole::test
