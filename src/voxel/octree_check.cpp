#include "voxel/octree_check.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "shared/attributes.h"
#include "voxel/grid.h"

namespace aureole {

namespace {

template <typename... Args>
[[noreturn]] void refuse(const std::filesystem::path& file, fmt::format_string<Args...> format, Args&&... args) {
    fail(ExitCode::BadInput, "{}: the octree is malformed: {}", file.string(),
         fmt::format(format, std::forward<Args>(args)...));
}

void checkCount(const std::filesystem::path& file, const char* what, std::uint64_t found, std::uint64_t expected) {
    if (found != expected) {
        refuse(file, "found {} {}, expected {}", found, what, expected);
    }
}

/// Breadth-first, every node's children right behind those of the node before it.
void checkNodes(const std::filesystem::path& file, const Octree& octree) {
    std::uint64_t first = 0;
    std::uint64_t end = 1; // of the level
    for (std::uint32_t level = 0; level + 1 < octree.levels; ++level) {
        const bool lowest = level + 2 == octree.levels;
        const std::uint64_t childLimit = lowest ? octree.leaves.size() : octree.nodes.size();
        std::uint64_t child = lowest ? 0 : end;
        for (std::uint64_t i = first; i < end; ++i) {
            const shared::OctreeNode& node = octree.nodes[i];
            const std::uint64_t children = shared::maskCount({node.maskLow, node.maskHigh});
            if (children == 0 || node.firstChild != child || node.flags != 0 || children > childLimit - child) {
                refuse(file, "node {} has {} children from {}, expected some from {} of {}", i, children,
                       node.firstChild, child, childLimit);
            }
            child += children;
        }
        first = end;
        end = child;
    }
    checkCount(file, "nodes", octree.nodes.size(), first);
    checkCount(file, "leaves", octree.leaves.size(), end);
}

void checkLeaves(const std::filesystem::path& file, const Octree& octree) {
    constexpr std::uint64_t kLine = std::uint64_t{1} << OCTREE_LEAF_LINE_SHIFT;
    constexpr std::uint64_t kGroup = std::uint64_t{1} << OCTREE_LEAF_GROUP_SHIFT;
    const std::uint64_t leaves = octree.leaves.size();
    checkCount(file, "lines of leaves", octree.leafOffsets.size(), (leaves + kLine - 1) / kLine);
    checkCount(file, "groups of leaves", octree.leafGroups.size(), (leaves + kGroup - 1) / kGroup);
    std::uint64_t voxels = 0;
    for (std::uint64_t i = 0; i < leaves; ++i) {
        const std::uint64_t group = octree.leafGroups[i / kGroup];
        if ((i % kGroup == 0 && group != voxels) ||
            (i % kLine == 0 && group + octree.leafOffsets[i / kLine] != voxels)) {
            refuse(file, "the attribute base of leaf {} is not {}", i, voxels);
        }
        const std::uint32_t count = shared::maskCount(octree.leaves[i]);
        if (count == 0) {
            refuse(file, "leaf {} is empty", i);
        }
        voxels += count;
    }
    checkCount(file, "attributes", octree.attributes.size(), voxels);
}

void checkEmissions(const std::filesystem::path& file, const Octree& octree) {
    if (octree.emissions.empty() || octree.emissions.size() > ATTRIBUTE_MAX_EMISSIONS ||
        octree.emissions[0] != glm::vec3(0.0F)) {
        refuse(file, "found {} emissions, expected from 1 to {}, the first black", octree.emissions.size(),
               ATTRIBUTE_MAX_EMISSIONS);
    }
    for (const glm::vec3& emission : octree.emissions) {
        for (int i = 0; i < 3; ++i) {
            if (!(emission[i] >= 0.0F) || !std::isfinite(emission[i])) {
                refuse(file, "found an emission of ({}, {}, {})", emission.x, emission.y, emission.z);
            }
        }
    }
    for (const shared::VoxelAttributes& attributes : octree.attributes) {
        if ((attributes.metalnessEmission >> 8U) >= octree.emissions.size()) {
            refuse(file, "a voxel has emission {} of {}", attributes.metalnessEmission >> 8U, octree.emissions.size());
        }
    }
}

} // namespace

void checkOctree(const std::filesystem::path& file, const Octree& octree) {
    checkCount(file, "levels", octree.levels, octreeLevels(octree.grid.size));
    checkNodes(file, octree);
    checkLeaves(file, octree);
    checkEmissions(file, octree);
}

} // namespace aureole
