#include "reference/embree_scene.h"

#include <limits>
#include <type_traits>

#include "core/error.h"

namespace aureole {

namespace {

RTCRayHit makeRay(const glm::vec3& origin, const glm::vec3& direction, float distance) {
    RTCRayHit query{};
    query.ray.org_x = origin.x;
    query.ray.org_y = origin.y;
    query.ray.org_z = origin.z;
    query.ray.dir_x = direction.x;
    query.ray.dir_y = direction.y;
    query.ray.dir_z = direction.z;
    query.ray.tnear = 0.0F;
    query.ray.tfar = distance;
    query.ray.mask = std::numeric_limits<unsigned>::max();
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    return query;
}

} // namespace

EmbreeScene::EmbreeScene(const Scene& scene)
    : scene_(&scene)
    , device_(rtcNewDevice(nullptr)) {
    if (!device_) {
        fail(ExitCode::Internal, "Embree: the device cannot be made (error {})",
             static_cast<int>(rtcGetDeviceError(nullptr)));
    }
    hierarchy_.reset(rtcNewScene(device_.get()));
    rtcSetSceneFlags(hierarchy_.get(), RTC_SCENE_FLAG_ROBUST);
    rtcSetSceneBuildQuality(hierarchy_.get(), RTC_BUILD_QUALITY_HIGH);
    for (std::uint32_t i = 0; i < scene.meshInstances.size(); ++i) {
        addInstance(i);
    }
    rtcCommitScene(hierarchy_.get());
    if (const RTCError error = rtcGetDeviceError(device_.get()); error != RTC_ERROR_NONE) {
        fail(error == RTC_ERROR_OUT_OF_MEMORY ? ExitCode::OutOfMemory : ExitCode::Internal,
             "Embree: the hierarchy of {} triangles cannot be built (error {})", triangleCount_,
             static_cast<int>(error));
    }
}

void EmbreeScene::addInstance(std::uint32_t instance) {
    const MeshInstance& placed = scene_->meshInstances[instance];
    const Mesh& mesh = scene_->meshes[placed.mesh];
    auto geometry = std::make_unique<Geometry>();
    geometry->scene = scene_;
    geometry->instance = instance;
    geometry->mirrored = glm::determinant(glm::dmat3(placed.worldFromMesh)) < 0.0;
    // Embree reads 16 bytes at each vertex, so one more element stands behind the last.
    geometry->vertices.reserve(mesh.positions.size() + 1);
    for (const glm::vec3& position : mesh.positions) {
        const glm::dvec3 world(placed.worldFromMesh * glm::dvec4(position, 1.0));
        bounds_.add(world);
        geometry->vertices.emplace_back(world);
    }
    geometry->vertices.emplace_back(0.0F);

    const RTCGeometry handle = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetSharedGeometryBuffer(handle, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, geometry->vertices.data(), 0,
                               sizeof(glm::vec3), mesh.positions.size());
    rtcSetSharedGeometryBuffer(handle, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, mesh.triangles.data(), 0,
                               sizeof(glm::uvec3), mesh.triangles.size());
    if (materialOf(*scene_, placed).alphaMode != AlphaMode::Opaque) {
        rtcSetGeometryUserData(handle, geometry.get());
        rtcSetGeometryIntersectFilterFunction(handle, cutAlpha);
        rtcSetGeometryOccludedFilterFunction(handle, cutAlpha);
    }
    rtcCommitGeometry(handle);
    rtcAttachGeometryByID(hierarchy_.get(), handle, instance);
    rtcReleaseGeometry(handle);
    geometries_.push_back(std::move(geometry));
    triangleCount_ += mesh.triangles.size();
}

void EmbreeScene::cutAlpha(const RTCFilterFunctionNArguments* arguments) {
    const auto* geometry = static_cast<const Geometry*>(arguments->geometryUserPtr);
    const MeshInstance& instance = geometry->scene->meshInstances[geometry->instance];
    for (unsigned i = 0; i < arguments->N; ++i) {
        if (arguments->valid[i] == 0) {
            continue;
        }
        const SurfacePoint point =
            evaluateSurface(*geometry->scene, instance, RTCHitN_primID(arguments->hit, arguments->N, i),
                            RTCHitN_u(arguments->hit, arguments->N, i), RTCHitN_v(arguments->hit, arguments->N, i));
        if (!point.opaque) {
            arguments->valid[i] = 0;
        }
    }
}

TriangleHit EmbreeScene::closestHit(const glm::vec3& origin, const glm::vec3& direction) const {
    RTCRayHit query = makeRay(origin, direction, std::numeric_limits<float>::infinity());
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1(hierarchy_.get(), &context, &query);
    TriangleHit hit;
    if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) {
        return hit;
    }
    hit.instance = query.hit.geomID;
    hit.triangle = query.hit.primID;
    hit.u = query.hit.u;
    hit.v = query.hit.v;
    hit.distance = query.ray.tfar;
    // From the corners: nearer to the surface than origin + distance * direction.
    const glm::vec3 a = corner(hit.instance, hit.triangle, 0);
    const glm::vec3 b = corner(hit.instance, hit.triangle, 1);
    const glm::vec3 c = corner(hit.instance, hit.triangle, 2);
    hit.position = a * (1.0F - hit.u - hit.v) + b * hit.u + c * hit.v;
    hit.geometricNormal = glm::normalize(glm::cross(b - a, c - a));
    if (geometries_[hit.instance]->mirrored) {
        hit.geometricNormal = -hit.geometricNormal;
    }
    return hit;
}

bool EmbreeScene::occluded(const glm::vec3& origin, const glm::vec3& direction, float distance) const {
    RTCRay ray = makeRay(origin, direction, distance).ray;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded1(hierarchy_.get(), &context, &ray);
    return ray.tfar < 0.0F;
}

glm::vec3 EmbreeScene::corner(std::uint32_t instance, std::uint32_t triangle, int index) const {
    const Mesh& mesh = scene_->meshes[scene_->meshInstances[instance].mesh];
    return geometries_[instance]->vertices[mesh.triangles[triangle][index]];
}

} // namespace aureole
