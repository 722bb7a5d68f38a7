#include "voxelizer/device_triangles.h"

#include <algorithm>
#include <span>
#include <vector>

#include "core/threads/parallel.h"
#include "scene/surface.h"
#include "voxel/surface/triangle_sampler.h"

namespace aureole::voxelizer {

namespace {

constexpr std::int64_t kTrianglesAtOnce = 1 << 12;
/// Triangles that are prepared before they are uploaded: 126 MB of them.
constexpr std::uint32_t kUploadedAtOnce = 1U << 20U;

std::vector<shared::VoxelMeshInstance> instancesOf(const Scene& scene) {
    std::vector<shared::VoxelMeshInstance> instances;
    for (const MeshInstance& instance : scene.meshInstances) {
        const glm::dmat3 matrix = NormalTransform(instance.worldFromMesh).matrix();
        instances.push_back({matrix[0], matrix[1], matrix[2], materialIndexOf(scene, instance),
                             scene.meshes[instance.mesh].normals.empty() ? 0U : 1U});
    }
    return instances;
}

std::vector<shared::VoxelConstants> constantsOf(const Scene& scene) {
    std::vector<shared::VoxelConstants> constants;
    for (const Material& material : scene.materials) {
        constants.push_back({material.albedo, material.roughness, material.emission, material.metalness});
    }
    return constants;
}

std::vector<bool> emittingTriangles(const Scene& scene) {
    std::vector<bool> emitting;
    for (const MeshInstance& instance : scene.meshInstances) {
        emitting.insert(emitting.end(), scene.meshes[instance.mesh].triangles.size(), emits(scene, instance));
    }
    return std::find(emitting.begin(), emitting.end(), true) == emitting.end() ? std::vector<bool>() : emitting;
}

} // namespace

bool emits(const Scene& scene, const MeshInstance& instance) {
    return materialOf(scene, instance).emission != glm::vec3(0.0F);
}

std::string whatIsBeyond(const Scene& scene) {
    if (!scene.voxelInstances.empty()) {
        return "a voxel model";
    }
    for (const MeshInstance& instance : scene.meshInstances) {
        const Mesh& mesh = scene.meshes[instance.mesh];
        const Material& material = materialOf(scene, instance);
        const char* what = variesOverSurface(material)               ? "textures or a pattern"
                           : !mesh.colours.empty()                   ? "colours of vertices"
                           : isGlass(material)                       ? "glass"
                           : material.alphaMode != AlphaMode::Opaque ? "an alpha that is tested"
                                                                     : "";
        if (*what != '\0') {
            return fmt::format("{} on mesh '{}'", what, mesh.name);
        }
    }
    return {};
}

shared::VoxelTriangle prepareTriangle(const Primitives& primitives, std::uint32_t primitive) {
    const Scene& scene = primitives.scene();
    const TriangleId id = primitives.triangle(primitive);
    const MeshInstance& instance = scene.meshInstances[id.instance];
    const Mesh& mesh = scene.meshes[instance.mesh];
    const SnappedTriangle snapped = primitives.snapped(id);
    const LocalTriangle local(snapped);
    const TriangleSurface surface(scene, instance, id.triangle);
    shared::VoxelTriangle prepared{};
    prepared.twiceProjected = local.twiceProjected();
    prepared.areaScale = local.areaScale();
    prepared.first = snapped[0];
    prepared.second = snapped[1];
    prepared.third = snapped[2];
    prepared.plane = local.normal();
    prepared.geometricNormal = surface.worldNormal();
    prepared.instance = id.instance;
    prepared.axis = local.mainAxis();
    if (mesh.normals.empty()) {
        SurfacePoint point;
        surface.at(0.0F, 0.0F, point);
        prepared.firstNormal = point.normal;
    } else {
        const glm::uvec3& index = mesh.triangles[id.triangle];
        prepared.firstNormal = mesh.normals[index.x];
        prepared.secondNormal = mesh.normals[index.y];
        prepared.thirdNormal = mesh.normals[index.z];
    }
    return prepared;
}

DeviceTriangles::DeviceTriangles(const gpu::Device& device, const Primitives& primitives)
    : triangles(device.createBuffer(std::uint64_t{primitives.count()} * sizeof(shared::VoxelTriangle),
                                    gpu::MemoryKind::Device, "voxeliser: triangles"))
    , instances(device.createBufferWith(std::span<const shared::VoxelMeshInstance>(instancesOf(primitives.scene())),
                                        "voxeliser: instances"))
    , constants(device.createBufferWith(std::span<const shared::VoxelConstants>(constantsOf(primitives.scene())),
                                        "voxeliser: materials"))
    , emitting(emittingTriangles(primitives.scene())) {
    std::vector<shared::VoxelTriangle> prepared;
    for (std::uint32_t first = 0; first < primitives.count(); first += kUploadedAtOnce) {
        prepared.resize(std::min(kUploadedAtOnce, primitives.count() - first));
        parallelFor(static_cast<std::int64_t>(prepared.size()), kTrianglesAtOnce, [&](std::int64_t i) {
            prepared[static_cast<std::size_t>(i)] = prepareTriangle(primitives, first + static_cast<std::uint32_t>(i));
        });
        device.upload(triangles, first * sizeof(shared::VoxelTriangle), std::as_bytes(std::span(prepared)));
    }
}

} // namespace aureole::voxelizer
