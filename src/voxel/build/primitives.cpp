#include "voxel/build/primitives.h"

#include <algorithm>
#include <limits>

#include "core/error.h"
#include "scene/scene_memory.h"
#include "scene/surface.h"

namespace aureole {

namespace {

struct Place {
    std::uint32_t owner;
    std::uint32_t index;
};

/// Which owner's range holds `number`, where ranges follow each other and end at `ends`.
Place findOwner(const std::vector<std::uint64_t>& ends, std::uint64_t begin, std::uint64_t number) {
    const auto owner = std::upper_bound(ends.begin(), ends.end(), number);
    const std::uint64_t first = owner == ends.begin() ? begin : *std::prev(owner);
    return {static_cast<std::uint32_t>(owner - ends.begin()), static_cast<std::uint32_t>(number - first)};
}

} // namespace

Primitives::Primitives(const Scene& scene, const VoxelGrid& grid, bool thin)
    : scene_(scene)
    , grid_(grid)
    , memoryLeft_(memoryLeftBy(scene))
    , thin_(thin) {
    std::uint64_t count = 0;
    for (const MeshInstance& instance : scene.meshInstances) {
        count += scene.meshes[instance.mesh].triangles.size();
        triangleEnds_.push_back(count);
        glass_.push_back(aureole::isGlass(materialOf(scene, instance)));
        hasGlass_ = hasGlass_ || glass_.back();
    }
    const std::uint64_t triangles = count;
    cells_.resize(scene.voxelModels.size());
    for (const VoxelInstance& instance : scene.voxelInstances) {
        std::vector<ExposedCell>& cells = cells_[instance.model];
        if (cells.empty()) {
            addCells(scene.voxelModels[instance.model], cells);
        }
        count += cells.size();
        requireSceneMemory(scene, memoryLeft_, kPlacedBytes * count);
        cellEnds_.push_back(count);
        const VoxelModel& model = scene.voxelModels[instance.model];
        glassLevelSets_.push_back(model.isLevelSet() && aureole::isGlass(scene.materials[model.materials[1]]));
        hasGlass_ = hasGlass_ || glassLevelSets_.back();
        transforms_.push_back(cells.empty() ? ModelTransform{} : modelTransform(grid, instance));
    }
    if (count > std::numeric_limits<std::uint32_t>::max()) {
        fail(ExitCode::BadInput, "{}: the scene has {} triangles and voxels, more than {}", scene.file.string(), count,
             std::numeric_limits<std::uint32_t>::max());
    }
    triangles_ = static_cast<std::uint32_t>(triangles);
    count_ = static_cast<std::uint32_t>(count);
}

void Primitives::addCells(const VoxelModel& model, std::vector<ExposedCell>& cells) {
    cells = exposedCells(model, scene_.materials, [&](std::size_t count) {
        const std::uint64_t bytes = count * sizeof(ExposedCell);
        requireSceneMemory(scene_, memoryLeft_, bytes, fmt::format("voxel model '{}': ", model.name));
        memoryLeft_ -= bytes;
    });
}

TriangleId Primitives::triangle(std::uint32_t primitive) const {
    const Place place = findOwner(triangleEnds_, 0, primitive);
    return {place.owner, place.index};
}

CellId Primitives::cell(std::uint32_t primitive) const {
    const Place place = findOwner(cellEnds_, triangles_, primitive);
    return {place.owner, &cells_[scene_.voxelInstances[place.owner].model][place.index]};
}

SnappedTriangle Primitives::snapped(const TriangleId& id) const {
    const MeshInstance& instance = scene_.meshInstances[id.instance];
    const Mesh& mesh = scene_.meshes[instance.mesh];
    const glm::dvec3 last = glm::dvec3(grid_.size) * double{kSnapUnits} - 1.0;
    SnappedTriangle snapped;
    for (int i = 0; i < 3; ++i) {
        const glm::vec3& position = mesh.positions[mesh.triangles[id.triangle][i]];
        const glm::dvec3 world(instance.worldFromMesh * glm::dvec4(position, 1.0));
        const glm::dvec3 units = (world - grid_.origin) / grid_.voxelSize * double{kSnapUnits};
        snapped[static_cast<std::size_t>(i)] = glm::ivec3(glm::clamp(units + 0.5, glm::dvec3(0.0), last));
    }
    return snapped;
}

CellCoverage Primitives::coverage(const CellId& id) const {
    return {grid_, transforms_[id.instance], id.cell->cell, model(id.instance).isLevelSet()};
}

} // namespace aureole
