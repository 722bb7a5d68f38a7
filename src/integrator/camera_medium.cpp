#include "integrator/camera_medium.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "integrator/camera_params.h"
#include "scene/surface.h"

namespace aureole {

namespace {

/// Winding numbers in closed meshes are 1 but for rounding and cracks.
constexpr double kClosed = 0.99;

/// What is known of the solids of one material.
struct Solid {
    double winding = 0.0; ///< of their surface about the point
    double size = 0.0;    ///< of their bounds, as a volume
};

/// Four times pi of it is the solid angle of a mesh about a point, with its sign: van Oosterom and Strackee 1983.
double windingNumber(const Mesh& mesh, const glm::dvec3& point) {
    double sum = 0.0;
    for (const glm::uvec3& triangle : mesh.triangles) {
        const glm::dvec3 a = glm::dvec3(mesh.positions[triangle.x]) - point;
        const glm::dvec3 b = glm::dvec3(mesh.positions[triangle.y]) - point;
        const glm::dvec3 c = glm::dvec3(mesh.positions[triangle.z]) - point;
        const double la = glm::length(a);
        const double lb = glm::length(b);
        const double lc = glm::length(c);
        sum += std::atan2(glm::dot(a, glm::cross(b, c)),
                          la * lb * lc + glm::dot(a, b) * lc + glm::dot(b, c) * la + glm::dot(c, a) * lb);
    }
    return sum / (2.0 * kPi);
}

void addMeshes(const Scene& scene, const glm::dvec3& point, std::optional<double> moment,
               std::map<std::uint32_t, Solid>& solids) {
    for (const MeshInstance& instance : scene.meshInstances) {
        if (materialOf(scene, instance).model != MaterialModel::Dielectric) {
            continue;
        }
        const Mesh& mesh = scene.meshes[instance.mesh];
        const glm::dmat4 worldFromMesh = transformAt(scene, instance.motion, instance.worldFromMesh, moment);
        const double volume = glm::determinant(glm::dmat3(worldFromMesh));
        const glm::dvec3 inMesh(glm::inverse(worldFromMesh) * glm::dvec4(point, 1.0));
        const Bounds bounds = boundsOf(mesh);
        if (volume == 0.0 || !bounds.holds(inMesh)) {
            continue;
        }
        const glm::dvec3 extent = bounds.extent();
        Solid& solid = solids[materialIndexOf(scene, instance)];
        solid.winding += windingNumber(mesh, inMesh) * (volume < 0.0 ? -1.0 : 1.0);
        solid.size = std::max(solid.size, std::abs(volume) * extent.x * extent.y * extent.z);
    }
}

void addLevelSet(const Scene& scene, const VoxelInstance& instance, const glm::dvec3& inModel,
                 std::map<std::uint32_t, Solid>& solids) {
    const VoxelModel& model = scene.voxelModels[instance.model];
    const std::uint32_t material = model.materials[1];
    if (scene.materials[material].model == MaterialModel::Dielectric &&
        LevelSetSampler(model.levelSet).at(inModel) < 0.0F) {
        const glm::dvec3 size(model.size);
        Solid& solid = solids[material];
        solid.winding += 1.0;
        solid.size = std::max(solid.size, std::abs(glm::determinant(glm::dmat3(instance.worldFromModel))) * size.x *
                                              size.y * size.z);
    }
}

void addModels(const Scene& scene, const glm::dvec3& point, std::optional<double> moment,
               std::map<std::uint32_t, Solid>& solids) {
    for (const VoxelInstance& instance : scene.voxelInstances) {
        const VoxelModel& model = scene.voxelModels[instance.model];
        const glm::dmat4 worldFromModel = transformAt(scene, instance.motion, instance.worldFromModel, moment);
        const glm::dvec3 inModel(glm::inverse(worldFromModel) * glm::dvec4(point, 1.0));
        if (model.isLevelSet()) {
            addLevelSet(scene, instance, inModel, solids);
            continue;
        }
        const glm::dvec3 cell = glm::floor(inModel);
        if (!(glm::all(glm::greaterThanEqual(cell, glm::dvec3(0.0))) &&
              glm::all(glm::lessThan(cell, glm::dvec3(model.size))))) {
            continue;
        }
        const glm::uvec3 at(cell);
        const std::uint8_t index =
            model.cells[at.x + std::size_t{model.size.x} * (at.y + std::size_t{model.size.y} * at.z)];
        const std::uint32_t material = model.materials[index];
        if (index != 0 && material < scene.materials.size() &&
            scene.materials[material].model == MaterialModel::Dielectric) {
            solids[material] = {1.0, 0.0}; // a cell is smaller than what else it is in
        }
    }
}

std::uint32_t mediumAt(const Scene& scene, const glm::dvec3& point, std::optional<double> moment) {
    std::map<std::uint32_t, Solid> solids; // by material
    addMeshes(scene, point, moment, solids);
    addModels(scene, point, moment, solids);
    std::uint32_t inmost = kNone;
    double size = std::numeric_limits<double>::infinity();
    for (const auto& [material, solid] : solids) {
        if (std::abs(solid.winding) > kClosed && solid.size < size) {
            inmost = material;
            size = solid.size;
        }
    }
    return inmost;
}

} // namespace

std::uint32_t cameraMedium(const Scene& scene, const View& view) {
    if (!hasSolidGlass(scene)) {
        return kNone;
    }
    const Camera& camera = cameraOf(scene, view);
    const std::uint32_t medium = mediumAt(scene, camera.position, view.moment);
    if (medium == kNone || camera.projection != Projection::Orthographic) {
        return medium;
    }
    // Of a flat camera rays start all over the picture: its corners tell of that.
    const shared::CameraParams params = makeCameraParams(scene, view, Space{});
    for (const glm::vec2 corner :
         {glm::vec2(-1.0F, -1.0F), glm::vec2(1.0F, -1.0F), glm::vec2(-1.0F, 1.0F), glm::vec2(1.0F)}) {
        const glm::vec3 across = params.right * corner.x + params.up * corner.y;
        if (mediumAt(scene, camera.position + glm::dvec3(across), view.moment) != medium) {
            return kNone;
        }
    }
    return medium;
}

} // namespace aureole
