#include "octree_copy.h"

#include <optional>
#include <type_traits>
#include <vector>

namespace aureole::test {

namespace {

template <typename T>
Array<T> copied(const Array<T>& values) {
    return std::vector<T>(values.begin(), values.end());
}

TreeEncoding copied(const TreeEncoding& tree) {
    return {copied(tree.nodes), copied(tree.leaves), copied(tree.surfaces), copied(tree.leafOffsets),
            copied(tree.leafGroups)};
}

DagEncoding copied(const DagEncoding& dag) {
    return {copied(dag.masks), copied(dag.surfaces), copied(dag.words)};
}

PlanesEncoding copied(const PlanesEncoding& planes) {
    return {copied(planes.nodes), copied(planes.slabs)};
}

FieldEncoding copied(const FieldEncoding& field) {
    return {copied(field.tree), copied(field.distances)};
}

std::optional<EmitterArrays> copied(const std::optional<EmitterArrays>& lamps) {
    if (!lamps) {
        return std::nullopt;
    }
    EmitterArrays copy;
    copy.boxes = copied(lamps->boxes);
    copy.facings = copied(lamps->facings);
    copy.slices = copied(lamps->slices);
    copy.rows = copied(lamps->rows);
    return copy;
}

using test::sameBytes; // which those of encodings would hide

bool sameBytes(const TreeEncoding& a, const TreeEncoding& b) {
    return sameBytes(a.nodes, b.nodes) && sameBytes(a.leaves, b.leaves) && sameBytes(a.surfaces, b.surfaces) &&
           sameBytes(a.leafOffsets, b.leafOffsets) && sameBytes(a.leafGroups, b.leafGroups);
}

bool sameBytes(const DagEncoding& a, const DagEncoding& b) {
    return sameBytes(a.masks, b.masks) && sameBytes(a.surfaces, b.surfaces) && sameBytes(a.words, b.words);
}

bool sameBytes(const PlanesEncoding& a, const PlanesEncoding& b) {
    return sameBytes(a.nodes, b.nodes) && sameBytes(a.slabs, b.slabs);
}

bool sameBytes(const FieldEncoding& a, const FieldEncoding& b) {
    return sameBytes(a.tree, b.tree) && sameBytes(a.distances, b.distances);
}

/// Whether two octrees have the same encoding, and the same in it.
bool sameEncoding(const Octree& a, const Octree& b) {
    return std::visit(
        []<typename A, typename B>(const A& one, const B& other) {
            if constexpr (std::is_same_v<A, B>) {
                return sameBytes(one, other);
            } else {
                return false;
            }
        },
        a.encoding, b.encoding);
}

} // namespace

Octree copyOf(const Octree& octree) {
    Octree copy;
    copy.grid = octree.grid;
    copy.levels = octree.levels;
    copy.isShape = octree.isShape;
    std::visit([&](const auto& encoding) { copy.encoding = copied(encoding); }, octree.encoding);
    copy.attributes = copied(octree.attributes);
    copy.leafAverages = copied(octree.leafAverages);
    copy.nodeAverages = copied(octree.nodeAverages);
    copy.leafMaterials = copied(octree.leafMaterials);
    copy.nodeMaterials = copied(octree.nodeMaterials);
    copy.palette = copied(octree.palette);
    copy.materialRuns = copied(octree.materialRuns);
    copy.materials = copied(octree.materials);
    copy.lamps = copied(octree.lamps);
    copy.voxels = octree.voxels;
    copy.coverage = octree.coverage;
    copy.metadata = octree.metadata;
    return copy;
}

bool identical(const EmitterArrays& a, const EmitterArrays& b) {
    return sameBytes(a.boxes, b.boxes) && sameBytes(a.facings, b.facings) && sameBytes(a.slices, b.slices) &&
           sameBytes(a.rows, b.rows);
}

bool identical(const Octree& a, const Octree& b) {
    return a.levels == b.levels && a.isShape == b.isShape && a.grid.size == b.grid.size &&
           a.grid.origin == b.grid.origin && sameEncoding(a, b) && sameBytes(a.leafAverages, b.leafAverages) &&
           sameBytes(a.nodeAverages, b.nodeAverages) && sameBytes(a.leafMaterials, b.leafMaterials) &&
           sameBytes(a.nodeMaterials, b.nodeMaterials) && sameBytes(a.attributes, b.attributes) &&
           sameBytes(a.palette, b.palette) && sameBytes(a.materialRuns, b.materialRuns) &&
           sameBytes(a.materials, b.materials) && a.lamps.has_value() == b.lamps.has_value() &&
           (!a.lamps || identical(*a.lamps, *b.lamps));
}

} // namespace aureole::test
