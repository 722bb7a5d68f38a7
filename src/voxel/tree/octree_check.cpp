#include "voxel/tree/octree_check.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/divide_up.h"
#include "core/threads/parallel.h"
#include "shared/octree/attributes.h"
#include "voxel/build/grid.h"
#include "voxel/build/voxel_material.h"
#include "voxel/tree/dag_check.h"
#include "voxel/tree/malformed.h"
#include "voxel/tree/octree_walk.h"

namespace aureole {

namespace {

constexpr std::uint64_t kVoxelsPerTask = std::uint64_t{1} << 20U;

/// Breadth-first, every node's children right behind those of the node before it. Returns the voxels of full nodes.
std::uint64_t checkNodes(const std::filesystem::path& file, const Octree& octree, const TreeEncoding& tree) {
    if (tree.nodes.empty()) {
        refuse(file, "found no nodes, expected a root");
    }
    std::uint64_t full = 0;
    std::uint64_t first = 0;
    std::uint64_t end = 1; // of the level
    for (std::uint32_t level = 0; level + 1 < octree.levels; ++level) {
        const bool lowest = level + 2 == octree.levels;
        const std::uint64_t childLimit = lowest ? tree.leaves.size() : tree.nodes.size();
        std::uint64_t child = lowest ? 0 : end;
        for (std::uint64_t i = first; i < end; ++i) {
            const shared::OctreeNode& node = tree.nodes[i];
            std::uint64_t children = shared::maskCount(maskOf(node));
            const bool isFull = node.flags == OCTREE_NODE_FULL && level > 0 && octree.coverage == Coverage::Solid;
            if (isFull && children == 64 && node.firstChild == 0) {
                full += std::uint64_t{1} << (6U * (octree.levels - level));
                continue;
            }
            if (children == 0 || node.firstChild != child || node.flags != 0 || children > childLimit - child) {
                refuse(file, "node {} has {} children from {}, expected some from {} of {}", i, children,
                       node.firstChild, child, childLimit);
            }
            child += children;
        }
        first = end;
        end = child;
    }
    checkCount(file, "nodes", tree.nodes.size(), first);
    checkCount(file, "leaves", tree.leaves.size(), end);
    return full;
}

struct LeafCounts {
    std::uint64_t voxels = 0;
    std::uint64_t attributes = 0;
};

/// Returns what leaves have in all. Groups of them are checked in parallel.
LeafCounts checkLeaves(const std::filesystem::path& file, const Octree& octree, const TreeEncoding& tree) {
    constexpr std::uint64_t kLine = std::uint64_t{1} << OCTREE_LEAF_LINE_SHIFT;
    constexpr std::uint64_t kGroup = std::uint64_t{1} << OCTREE_LEAF_GROUP_SHIFT;
    const std::uint64_t leaves = tree.leaves.size();
    const bool isCounted = !octree.isShape || octree.encodingKind() == OctreeEncoding::Field;
    const std::uint64_t counted = isCounted ? leaves : 0;
    checkCount(file, "surfaces of leaves", tree.surfaces.size(), octree.coverage == Coverage::Solid ? counted : 0);
    checkCount(file, "lines of leaves", tree.leafOffsets.size(), (counted + kLine - 1) / kLine);
    checkCount(file, "groups of leaves", tree.leafGroups.size(), (counted + kGroup - 1) / kGroup);
    std::vector<LeafCounts> counts(divideUp(leaves, kGroup));
    parallelFor(static_cast<std::int64_t>(counts.size()), 1, [&](std::int64_t number) {
        LeafCounts& count = counts[static_cast<std::size_t>(number)];
        const std::uint64_t first = static_cast<std::uint64_t>(number) * kGroup;
        for (std::uint64_t i = first; i < std::min(first + kGroup, leaves); ++i) {
            if (isCounted && i % kLine == 0 && tree.leafOffsets[i / kLine] != count.attributes) {
                refuse(file, "the attribute base of leaf {} is not {} of its group", i, count.attributes);
            }
            const shared::uvec2 solid = tree.leaves[i];
            const shared::uvec2 surface = tree.surface(i);
            if (solid == shared::uvec2(0)) {
                refuse(file, "leaf {} is empty", i);
            }
            if ((surface.x & ~solid.x) != 0 || (surface.y & ~solid.y) != 0) {
                refuse(file, "leaf {} has attributes for empty voxels", i);
            }
            count.voxels += shared::maskCount(solid);
            count.attributes += shared::maskCount(surface);
        }
    });
    LeafCounts whole;
    for (std::size_t group = 0; group < counts.size(); ++group) {
        if (isCounted && tree.leafGroups[group] != whole.attributes) {
            refuse(file, "the attribute base of leaf {} is not {}", group * kGroup, whole.attributes);
        }
        whole.voxels += counts[group].voxels;
        whole.attributes += counts[group].attributes;
    }
    return whole;
}

TreeTotals checkTree(const std::filesystem::path& file, const Octree& octree, const TreeEncoding& tree) {
    const std::uint64_t full = checkNodes(file, octree, tree);
    const auto [voxels, attributes] = checkLeaves(file, octree, tree);
    return {full + voxels, attributes, tree.leaves.size(), tree.nodes.size()};
}

/// Nodes as those of trees, in the lowest level too; every cell belongs to one of them. Any bits are a slab.
TreeTotals checkPlanes(const std::filesystem::path& file, const Octree& octree, const PlanesEncoding& planes) {
    if (planes.nodes.empty() || octree.coverage != Coverage::Conservative) {
        refuse(file, "found {} nodes of planes of coverage '{}', expected some of 'conservative'", planes.nodes.size(),
               coverageNames()[static_cast<std::size_t>(octree.coverage)]);
    }
    std::uint64_t cells = 0;
    std::uint64_t first = 0;
    std::uint64_t end = 1; // of the level
    for (std::uint32_t level = 0; level < octree.levels; ++level) {
        std::uint64_t child = end;
        for (std::uint64_t i = first; i < end; ++i) {
            const shared::OctreeNode& node = planes.nodes[i];
            const std::uint64_t parts = shared::maskCount(maskOf(node));
            const bool merged = node.flags == OCTREE_NODE_TERMINAL && level > 0;
            const bool hasCells = merged || level + 1 == octree.levels;
            const std::uint64_t count = merged ? 1 : parts;
            const std::uint64_t limit = hasCells ? octree.attributes.size() : planes.nodes.size();
            if (parts == 0 || (node.flags != 0 && !merged) || (!hasCells && node.firstChild != child) ||
                node.firstChild > limit || count > limit - node.firstChild) {
                refuse(file, "node {} has {} parts from {}, expected some of {}", i, parts, node.firstChild, limit);
            }
            child += hasCells ? 0 : count;
            cells += hasCells ? count : 0;
        }
        first = end;
        end = child;
    }
    checkCount(file, "nodes", planes.nodes.size(), first);
    checkCount(file, "slabs", planes.slabs.size(), cells);
    return {cells, cells, 0, planes.nodes.size()};
}

/// A tree of voxels that all have distances, so that a field has no inside. Any bits are distances.
TreeTotals checkField(const std::filesystem::path& file, const Octree& octree, const FieldEncoding& field) {
    if (octree.coverage != Coverage::Conservative) {
        refuse(file, "found coverage '{}' of a field, expected '{}'",
               coverageNames()[static_cast<std::size_t>(octree.coverage)], coverageNames().front());
    }
    const TreeTotals totals = checkTree(file, octree, field.tree);
    checkCount(file, "corner distances", field.distances.size(), totals.attributes);
    return totals;
}

/// What each encoding holds.
struct EncodingCheck {
    const std::filesystem::path& file;
    const Octree& octree;

    TreeTotals operator()(const TreeEncoding& tree) const { return checkTree(file, octree, tree); }
    TreeTotals operator()(const DagEncoding& dag) const { return checkDag(file, octree, dag); }
    TreeTotals operator()(const PlanesEncoding& planes) const { return checkPlanes(file, octree, planes); }
    TreeTotals operator()(const FieldEncoding& field) const { return checkField(file, octree, field); }
};

/// Runs in ascending order, with palettes that follow each other.
void checkRuns(const std::filesystem::path& file, const Octree& octree) {
    shared::MaterialRun before{};
    for (std::size_t i = 0; i < octree.materialRuns.size(); ++i) {
        const shared::MaterialRun& run = octree.materialRuns[i];
        const bool ordered =
            i == 0 ? run.first == 0 && run.base == 0 : run.first > before.first && run.base > before.base;
        if (!ordered || run.first >= octree.attributes.size() || run.base >= octree.palette.size()) {
            refuse(file, "material run {} from voxel {} and entry {} is out of order", i, run.first, run.base);
        }
        before = run;
    }
}

/// Whether no component of an albedo, 10 bits each in steps of 1/1000, is above 1: such a surface would give more light
/// than it gets.
bool albedoFits(std::uint32_t bits) {
    constexpr std::uint32_t kMost = 1000;
    return (bits & 1023U) <= kMost && ((bits >> 10U) & 1023U) <= kMost && ((bits >> 20U) & 1023U) <= kMost;
}

/// Attributes that number at most `entries` entries of a palette.
void checkAttributes(const std::filesystem::path& file, std::span<const shared::VoxelAttributes> attributes,
                     std::uint64_t entries) {
    const auto tasks = static_cast<std::int64_t>((attributes.size() + kVoxelsPerTask - 1) / kVoxelsPerTask);
    parallelFor(tasks, 1, [&](std::int64_t task) {
        const std::uint64_t start = static_cast<std::uint64_t>(task) * kVoxelsPerTask;
        const std::uint64_t end = std::min<std::uint64_t>(start + kVoxelsPerTask, attributes.size());
        for (std::uint64_t i = start; i < end; ++i) {
            const std::uint32_t number = (attributes[i].shading >> ATTRIBUTE_MATERIAL_SHIFT) & ATTRIBUTE_MAX_MATERIAL;
            if (number > entries) {
                refuse(file, "a voxel has material {} of the {} in its palette", number, entries);
            }
            if (!albedoFits(attributes[i].albedo)) {
                refuse(file, "a voxel has an albedo above 1");
            }
        }
    });
}

/// Numbers of materials stay within the array. In whose palette they lie is not checked: a neighbour's material is
/// wrong, but does no harm.
void checkVoxels(const std::filesystem::path& file, const Octree& octree) {
    const std::span<const shared::VoxelAttributes> attributes(octree.attributes);
    const Array<shared::MaterialRun>& runs = octree.materialRuns;
    if (runs.empty()) {
        checkAttributes(file, attributes, ATTRIBUTE_MAX_MATERIAL); // numbers mean nothing
    }
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const std::uint64_t end = i + 1 < runs.size() ? runs[i + 1].first : attributes.size();
        checkAttributes(file, attributes.subspan(runs[i].first, end - runs[i].first),
                        octree.palette.size() - 1 - runs[i].base);
    }
    checkAttributes(file, octree.leafAverages, ATTRIBUTE_MAX_MATERIAL);
    checkAttributes(file, octree.nodeAverages, ATTRIBUTE_MAX_MATERIAL);
}

void checkAverages(const std::filesystem::path& file, const Octree& octree, const TreeTotals& totals) {
    const bool hasRuns = !octree.materialRuns.empty() && !octree.isShape;
    checkCount(file, "averages of leaves", octree.leafAverages.size(), octree.isShape ? 0 : totals.leaves);
    checkCount(file, "averages of nodes", octree.nodeAverages.size(), octree.isShape ? 0 : totals.nodes);
    checkCount(file, "materials of leaves", octree.leafMaterials.size(), hasRuns ? totals.leaves : 0);
    checkCount(file, "materials of nodes", octree.nodeMaterials.size(), hasRuns ? totals.nodes : 0);
}

void checkEmission(const std::filesystem::path& file, const glm::vec3& emission) {
    for (int i = 0; i < 3; ++i) {
        if (!(emission[i] >= 0.0F) || !std::isfinite(emission[i])) {
            refuse(file, "found an emission of ({}, {}, {})", emission.x, emission.y, emission.z);
        }
    }
}

void checkTraits(const std::filesystem::path& file, const MaterialConstants& traits) {
    if (traits.model > MaterialModel::ThinGlass) {
        refuse(file, "found material model {}, expected at most {}", static_cast<std::uint32_t>(traits.model),
               static_cast<std::uint32_t>(MaterialModel::ThinGlass));
    }
    for (const MaterialConstant& row : kMaterialConstants) {
        const auto* const number = std::get_if<float MaterialConstants::*>(&row.member);
        const glm::vec3 values = number != nullptr ? glm::vec3(traits.*(*number))
                                                   : traits.*std::get<glm::vec3 MaterialConstants::*>(row.member);
        for (int i = 0; i < 3; ++i) {
            if (!(values[i] >= static_cast<float>(row.least) && values[i] <= static_cast<float>(row.most))) {
                refuse(file, "found a material with '{}' of {}, expected {} to {}", row.key, values[i], row.least,
                       row.most);
            }
        }
    }
}

void checkMaterials(const std::filesystem::path& file, const Octree& octree) {
    if (octree.materials.empty()) {
        refuse(file, "found no materials");
    }
    for (const MaterialConstants& traits : octree.materials) {
        checkTraits(file, traits);
    }
    if (octree.palette.empty() || !isPlain(octree.palette[0])) {
        refuse(file, "found a palette of {} materials, expected some, the first without emission and number 0",
               octree.palette.size());
    }
    const auto checkNumber = [&](std::uint32_t number) {
        if (number >= octree.materials.size()) {
            refuse(file, "found material {} of {}", number, octree.materials.size());
        }
    };
    for (const shared::VoxelMaterial& entry : octree.palette) {
        checkEmission(file, entry.emission);
        checkNumber(entry.material);
    }
    for (const Array<AverageMaterial>* averages : {&octree.leafMaterials, &octree.nodeMaterials}) {
        forEachIndex(averages->size(), [&](std::size_t i) { checkNumber((*averages)[i].material); });
    }
    checkRuns(file, octree);
}

/// What a shape has in common must suit it: planes tell sides by attributes, and lamps and glass have kinds of voxels.
void checkShape(const std::filesystem::path& file, const Octree& octree) {
    if (octree.encodingKind() == OctreeEncoding::Planes) {
        refuse(file, "found planes that are a shape alone, expected attributes for each cell");
    }
    for (const shared::VoxelMaterial& entry : octree.palette) {
        const MaterialModel model = octree.materials[entry.material].model;
        const bool isGlass = model == MaterialModel::Dielectric || model == MaterialModel::ThinGlass;
        if (entry.emission != glm::vec3(0.0F) || isGlass) {
            refuse(file, "found a shape alone that {}, expected an opaque one that emits nothing",
                   isGlass ? "is of glass" : "emits light");
        }
    }
}

bool isFinite(const glm::vec3& values) {
    return std::isfinite(values.x) && std::isfinite(values.y) && std::isfinite(values.z);
}

/// Every index leads into the array it is for. Whether the boxes are those of the voxels that emit is not checked: with
/// others the light would be wrong, but do no harm.
void checkLamps(const std::filesystem::path& file, const Octree& octree, const EmitterArrays& lamps) {
    checkCount(file, "facings of lamps", lamps.facings.size(), lamps.boxes.size());
    checkCount(file, "slices of lamps", lamps.slices.size(), (std::uint64_t{1} << (2 * octree.levels)) + 1);
    for (std::size_t i = 0; i < lamps.boxes.size(); ++i) {
        const shared::EmitterBox& box = lamps.boxes[i];
        const bool isSane = isFinite(box.middle) && isFinite(box.first) && isFinite(box.second) &&
                            isFinite(box.halves) && isFinite(lamps.facings[i]) && std::isfinite(box.power) &&
                            box.power >= 0.0F && glm::all(glm::greaterThanEqual(box.halves, glm::vec3(0.0F)));
        if (!isSane || box.material >= octree.materials.size() || (box.across > 2 && box.across != NO_SIDE)) {
            refuse(file, "box {} of the lamps has a size, power or material that no box has", i);
        }
    }
    std::uint32_t before = 0;
    for (std::size_t i = 0; i < lamps.slices.size(); ++i) {
        if (lamps.slices[i] < before || lamps.slices[i] > lamps.rows.size()) {
            refuse(file, "slice {} of the lamps begins at row {} of {}, after {}", i, lamps.slices[i],
                   lamps.rows.size(), before);
        }
        before = lamps.slices[i];
    }
    for (std::size_t i = 0; i < lamps.rows.size(); ++i) {
        const shared::EmitterRow& row = lamps.rows[i];
        if ((row.box >= lamps.boxes.size() && row.box != NO_BOX) || row.entry >= octree.palette.size()) {
            refuse(file, "row {} of the lamps has box {} of {} and entry {} of {}", i, row.box, lamps.boxes.size(),
                   row.entry, octree.palette.size());
        }
    }
}

} // namespace

void checkOctree(const std::filesystem::path& file, const Octree& octree) {
    checkCount(file, "levels", octree.levels, octreeLevels(octree.grid.size));
    const TreeTotals totals = std::visit(EncodingCheck{file, octree}, octree.encoding);
    checkCount(file, "voxels", octree.voxels, totals.voxels);
    checkCount(file, "attributes", octree.attributes.size(), octree.isShape ? 1 : totals.attributes);
    checkMaterials(file, octree);
    if (octree.isShape) {
        checkShape(file, octree);
    }
    checkAverages(file, octree, totals);
    checkVoxels(file, octree);
    if (octree.lamps) {
        checkLamps(file, octree, *octree.lamps);
    }
}

} // namespace aureole
