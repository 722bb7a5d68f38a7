#include "voxel/build/grid.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.h"
#include "core/threads/parallel.h"
#include "model/triangle_area.h"
#include "voxel/build/coverage.h"

namespace aureole {

namespace {

constexpr std::uint32_t kBoundsTrianglesPerTask = 1U << 14U;

bool finite(const glm::dvec3& p) {
    return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

std::string meshNames(const Scene& scene) {
    constexpr std::size_t kNamed = 8;
    std::string names;
    for (std::size_t i = 0; i < scene.meshes.size() && i < kNamed; ++i) {
        names += fmt::format("{}'{}'", i > 0 ? ", " : "", scene.meshes[i].name);
    }
    return scene.meshes.size() > kNamed ? fmt::format("{} and {} more", names, scene.meshes.size() - kNamed) : names;
}

struct MeshExtent {
    Bounds bounds;
    bool hasArea = false;
};

void addTriangle(const Scene& scene, const MeshInstance& instance, std::size_t index, MeshExtent& extent) {
    const Mesh& mesh = scene.meshes[instance.mesh];
    std::array<glm::dvec3, 3> corners;
    for (int i = 0; i < 3; ++i) {
        const std::uint32_t vertex = mesh.triangles[index][i];
        if (vertex >= mesh.positions.size()) {
            fail(ExitCode::BadInput, "{}: mesh '{}': triangle {} refers to vertex {}, but there are {}",
                 scene.file.string(), mesh.name, index, vertex, mesh.positions.size());
        }
        const glm::dvec3 world(instance.worldFromMesh * glm::dvec4(mesh.positions[vertex], 1.0));
        if (!finite(world)) {
            fail(ExitCode::BadInput,
                 "{}: mesh '{}': vertex {} of triangle {} is at ({}, {}, {}), expected finite numbers",
                 scene.file.string(), mesh.name, vertex, index, world.x, world.y, world.z);
        }
        extent.bounds.add(world);
        corners[static_cast<std::size_t>(i)] = world;
    }
    extent.hasArea = extent.hasArea || hasArea(corners);
}

MeshExtent measureInstance(const Scene& scene, const MeshInstance& instance) {
    const std::size_t triangles = scene.meshes[instance.mesh].triangles.size();
    std::vector<MeshExtent> parts((triangles + kBoundsTrianglesPerTask - 1) / kBoundsTrianglesPerTask);
    parallelFor(static_cast<std::int64_t>(parts.size()), 1, [&](std::int64_t task) {
        const auto part = static_cast<std::size_t>(task);
        const std::size_t end = std::min<std::size_t>(triangles, (part + 1) * kBoundsTrianglesPerTask);
        for (std::size_t i = part * kBoundsTrianglesPerTask; i < end; ++i) {
            addTriangle(scene, instance, i, parts[part]);
        }
    });
    MeshExtent whole;
    for (const MeshExtent& part : parts) {
        whole.bounds.add(part.bounds);
        whole.hasArea = whole.hasArea || part.hasArea;
    }
    return whole;
}

/// Adds a voxel model's box; whether it has a solid cell.
bool addModel(const Scene& scene, const VoxelInstance& instance, Bounds& bounds) {
    const VoxelModel& model = scene.voxelModels[instance.model];
    const std::uint64_t cells = std::uint64_t{model.size.x} * model.size.y * model.size.z;
    if (cells != model.cells.size() && !model.isLevelSet()) {
        fail(ExitCode::BadInput, "{}: voxel model '{}' has {} cells, expected {} x {} x {}", scene.file.string(),
             model.name, model.cells.size(), model.size.x, model.size.y, model.size.z);
    }
    if (!model.isLevelSet() &&
        std::all_of(model.cells.begin(), model.cells.end(), [](std::uint8_t cell) { return cell == 0; })) {
        return false;
    }
    const double determinant = glm::determinant(glm::dmat3(instance.worldFromModel));
    if (!std::isnormal(determinant)) {
        fail(ExitCode::BadInput, "{}: voxel model '{}' has a transform that cannot be inverted", scene.file.string(),
             model.name);
    }
    for (unsigned corner = 0; corner < 8; ++corner) {
        const Bounds box{glm::dvec3(0.0), glm::dvec3(model.size)};
        const glm::dvec3 world(instance.worldFromModel * glm::dvec4(box.corner(corner), 1.0));
        if (!finite(world)) {
            fail(ExitCode::BadInput, "{}: voxel model '{}' has a corner at ({}, {}, {}), expected finite numbers",
                 scene.file.string(), model.name, world.x, world.y, world.z);
        }
        bounds.add(world);
    }
    return true;
}

/// The bounds of all that has an area; none where nothing is in the scene.
Bounds sceneBounds(const Scene& scene, bool mayBeEmpty) {
    Bounds bounds;
    bool solid = false;
    for (const VoxelInstance& instance : scene.voxelInstances) {
        solid = addModel(scene, instance, bounds) || solid;
    }
    for (const MeshInstance& instance : scene.meshInstances) {
        const MeshExtent extent = measureInstance(scene, instance);
        bounds.add(extent.bounds);
        solid = solid || extent.hasArea;
    }
    if (solid) {
        return bounds;
    }
    if (mayBeEmpty && bounds.empty()) {
        return {};
    }
    const std::string names = meshNames(scene);
    if (names.empty()) {
        fail(ExitCode::BadInput, "{}: nothing to voxelise: no mesh and no solid voxel", scene.file.string());
    }
    fail(ExitCode::BadInput, "{}: nothing to voxelise: {} {}", scene.file.string(), names,
         bounds.empty() ? "without a triangle in the scene" : "with triangles of zero area only");
}

} // namespace

std::uint32_t octreeLevels(const glm::uvec3& size) {
    const std::uint64_t longest = std::max({size.x, size.y, size.z});
    std::uint32_t levels = 2;
    while ((std::uint64_t{1} << (2U * levels)) < longest) {
        ++levels;
    }
    return levels;
}

VoxelGrid fitGrid(const Scene& scene, std::uint32_t resolution, bool mayBeEmpty) {
    if (resolution < kMinimumResolution || resolution > kMaximumResolution) {
        fail(ExitCode::BadInput, "{}: voxel resolution {} is outside {} to {}", scene.file.string(), resolution,
             kMinimumResolution, kMaximumResolution);
    }
    const Bounds bounds = sceneBounds(scene, mayBeEmpty);
    VoxelGrid grid;
    if (bounds.empty()) {
        return grid;
    }
    const glm::dvec3 extent = bounds.extent();
    grid.origin = bounds.min;
    grid.voxelSize = std::max({extent.x, extent.y, extent.z}) / resolution;
    if (!std::isnormal(grid.voxelSize)) {
        fail(ExitCode::BadInput, "{}: the scene's longest side of {} m cannot be divided into voxels",
             scene.file.string(), grid.voxelSize * resolution);
    }
    for (int axis = 0; axis < 3; ++axis) {
        // Rounded as vertices are, so that a side that ends on a boundary but for rounding gets no further voxel.
        const auto units = static_cast<std::uint32_t>(std::llround(extent[axis] / grid.voxelSize * kSnapUnits));
        grid.size[axis] = std::clamp((units + kSnapUnits - 1) / kSnapUnits, 1U, resolution);
    }
    return grid;
}

} // namespace aureole
