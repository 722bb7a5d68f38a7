#include "octree_use.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "emitter_tables.h"
#include "shared/octree/traversal.h"
#include "voxel/surface/surface_sum.h"

namespace aureole::test {

namespace {

void require(bool kept, const char* otherwise) {
    if (!kept) {
        throw std::logic_error(otherwise);
    }
}

void requireSane(const shared::VoxelAttributes& attributes) {
    const shared::VoxelSurface surface = shared::unpackAttributes(attributes);
    require(std::isfinite(surface.normal.x + surface.normal.y + surface.normal.z), "a normal that is not finite");
    require(surface.albedo.x >= 0.0F && surface.albedo.x <= 1.0F, "an albedo out of range");
}

/// Reads attributes as a renderer does at a hit.
void useAttributes(const Octree& octree, std::uint64_t view, std::uint64_t index) {
    const shared::VoxelAttributes attributes = shared::octreeAttributes(view, index);
    requireSane(attributes);
    if (index != OCTREE_NO_ATTRIBUTES) {
        const std::uint32_t number = shared::unpackAttributes(attributes).material;
        require(shared::octreePaletteIndex(view, index, number) < octree.palette.size(), "no entry of the palette");
    }
}

void castRay(const Octree& octree, std::uint64_t view, const glm::vec3& origin, const glm::vec3& towards) {
    const glm::vec3 direction = shared::traversalDirection(towards);
    shared::Traversal state{};
    const auto side = static_cast<float>(1U << (2 * octree.levels));
    const glm::uvec3 cell(glm::clamp((origin - 1.0F) * side, glm::vec3(0.0F), glm::vec3(side - 1.0F)));
    shared::traversalBegin(view, origin, direction, 1.0F / direction, cell, state);
    for (int hits = 0; hits < 8; ++hits) { // on through what is solid
        std::uint32_t steps = 200'000;
        const std::uint32_t result = shared::traversalRun(view, state, steps);
        require(result != TRAVERSAL_RUNNING, "a ray that does not end");
        if (result == TRAVERSAL_MISS) {
            return;
        }
        const shared::VoxelHit hit = shared::traversalHit(view, state);
        useAttributes(octree, view, shared::hitAttributeIndex(view, hit));
        if (shared::traversalSkip(view, state) == TRAVERSAL_MISS) {
            return;
        }
    }
}

} // namespace

void useOctree(const Octree& octree, std::mt19937_64& random) {
    const shared::OctreeView view = makeView(octree);
    const auto address = reinterpret_cast<std::uint64_t>(&view);
    const std::uint64_t side = std::uint64_t{1} << (2 * octree.levels);
    for (int i = 0; i < 200; ++i) {
        const glm::uvec3 voxel(random() % (side + 2), random() % (side + 2), random() % (side + 2));
        if (octree.encodingKind() == OctreeEncoding::Dag && shared::octreeSolid(address, voxel) != 0) {
            useAttributes(octree, address, shared::dagAttributeIndex(address, voxel));
        }
        const std::optional<shared::VoxelAttributes> attributes = attributesAt(octree, glm::ivec3(voxel));
        require((shared::octreeSolid(address, voxel) != 0) == isSolid(octree, glm::ivec3(voxel)),
                "a voxel that is solid for some only");
        if (attributes) {
            requireSane(*attributes);
        }
    }
    const TreeEncoding* const tree = findTree(octree); // leaves of a DAG have no attributes of their own
    for (std::uint32_t leaf = 0; tree != nullptr && leaf < tree->leaves.size(); ++leaf) {
        for (std::uint32_t bit = 0; bit < 64; ++bit) {
            if (shared::maskHasBit(tree->leaves[leaf], bit) != 0) {
                useAttributes(octree, address, shared::octreeAttributeIndex(address, leaf, bit));
            }
        }
    }
    const auto coordinate = [&] { return 1.0F + static_cast<float>(random() % 4097) / 4096.0F; };
    for (int i = 0; i < 30; ++i) {
        const glm::vec3 origin(coordinate(), coordinate(), coordinate());
        castRay(octree, address, origin, glm::vec3(coordinate(), coordinate(), coordinate()) - 1.5F);
    }
    for (const Array<shared::VoxelAttributes>* averages : {&octree.leafAverages, &octree.nodeAverages}) {
        for (const shared::VoxelAttributes& average : *averages) {
            requireSane(average);
        }
    }
    for (const Array<AverageMaterial>* materials : {&octree.leafMaterials, &octree.nodeMaterials}) {
        for (const AverageMaterial& average : *materials) {
            require(std::isfinite(unpackEmission(average.emission).x), "an emission that is not finite");
        }
    }
    const shared::EmitterTables lamps = octree.lamps ? tablesOf(*octree.lamps) : shared::EmitterTables{};
    for (const EmissiveVoxel& voxel : collectEmissiveVoxels(octree)) {
        require(voxel.entry < octree.palette.size(), "a lit voxel without an entry of the palette");
        require(std::max({voxel.voxel.x, voxel.voxel.y, voxel.voxel.z}) < side, "a lit voxel outside of the grid");
        if (octree.lamps) {
            const shared::EmitterRow row = shared::emitterRow(reinterpret_cast<std::uint64_t>(&lamps), voxel.voxel);
            require(row.box == NO_BOX || (row.box < octree.lamps->boxes.size() && row.entry < octree.palette.size()),
                    "a row of lamps without a box or an entry of the palette");
        }
    }
}

} // namespace aureole::test
