#include "reference/embree_scene.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "core/error.h"
#include "integrator/volume_tables.h"

namespace aureole {

namespace {

/// Between so many times corners go straight while the shutter is open.
constexpr std::uint32_t kTimeSteps = 64;

RTCRayHit makeRay(const RayStart& start, const glm::vec3& direction, float distance, float near = 0.0F) {
    RTCRayHit query{};
    query.ray.org_x = start.origin.x;
    query.ray.org_y = start.origin.y;
    query.ray.org_z = start.origin.z;
    query.ray.time = start.time;
    query.ray.dir_x = direction.x;
    query.ray.dir_y = direction.y;
    query.ray.dir_z = direction.z;
    query.ray.tnear = near;
    query.ray.tfar = distance;
    query.ray.mask = std::numeric_limits<unsigned>::max();
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    return query;
}

/// Of all that there is, wherever it gets in an animation.
Bounds boundsOf(const Scene& scene) {
    Bounds bounds = volumeBounds(scene);
    for (const MeshInstance& instance : scene.meshInstances) {
        if (instance.motion != kNone) {
            const InstanceMotion& motion = scene.motions.at(instance.motion);
            const glm::dmat4 inInstance = glm::inverse(motion.still.matrix()) * instance.worldFromMesh;
            bounds.add(boundsOfMotion(motion, transformed(boundsOf(scene.meshes[instance.mesh]), inInstance)));
            continue;
        }
        for (const glm::vec3& position : scene.meshes[instance.mesh].positions) {
            bounds.add(glm::dvec3(instance.worldFromMesh * glm::dvec4(position, 1.0)));
        }
    }
    return bounds;
}

/// Puts the origin at the point of the scene that is nearest to the world's: no coordinate grows, and those of a scene
/// far away become small.
Space nearSpace(const Bounds& bounds) {
    Space space;
    if (!bounds.empty()) {
        space.offset = -glm::clamp(glm::dvec3(0.0), bounds.min, bounds.max);
    }
    return space;
}

/// Rounded, a position is off its plane by half an ulp of each coordinate; so are those of planes that touch. Pharr,
/// Jakob and Humphreys, "Physically Based Rendering" (4th edition), section 6.8.6.
float roundingAlong(const glm::vec3& position, const glm::vec3& normal) {
    const glm::vec3 size = glm::abs(position);
    return 0x1p-23F * glm::dot(size, glm::abs(normal)) + 0x1p-26F * std::max({size.x, size.y, size.z});
}

/// Whether a point lies where the ray starts, as far as coordinates tell.
bool isAtStart(const RayStart& start, const glm::dvec3& point) {
    const double away = glm::dot(glm::dvec3(start.side), point - start.point);
    return std::abs(away) <= 4.0 * static_cast<double>(start.rounding);
}

} // namespace

/// What goes with a ray: what is at its ends.
struct EmbreeScene::Query {
    RTCIntersectContext context{}; // first: Embree hands back its address
    const EmbreeScene* scene = nullptr;
    const RayStart* start = nullptr;
    std::optional<glm::dvec3> target;
    bool onlyExits = false; ///< meets only what it would go out of

    Query(const EmbreeScene& of, const RayStart& from, const std::optional<glm::dvec3>& to = {})
        : scene(&of)
        , start(&from)
        , target(to) {
        rtcInitIntersectContext(&context);
        if (from.surface.found() || to) {
            context.filter = skipEnds;
        }
    }
};

RayStart leaveSurface(const TriangleHit& hit, const glm::vec3& side, bool crossed) {
    RayStart start;
    start.time = hit.id.time;
    start.point = hit.position;
    start.surface = hit;
    start.side = side;
    start.crossed = crossed;
    start.mayTouch = crossed || hit.touching != kNone;
    // The ray starts off the triangle by the rounding of its position: on its own side of a surface that touches the
    // triangle, or, where it is to meet that surface, a little before it.
    const glm::vec3 rounded(hit.position);
    start.rounding = roundingAlong(hit.position, side);
    start.origin = rounded + (start.mayTouch ? -2.0F : 1.0F) * start.rounding * side;
    return start;
}

EmbreeScene::EmbreeScene(const Scene& scene, std::size_t firstOfModels, std::optional<ShutterTimes> times)
    : scene_(&scene)
    , times_(times)
    , memory_(std::make_unique<EmbreeMemory>(scene))
    , device_(rtcNewDevice(nullptr))
    , bounds_(boundsOf(scene))
    , space_(nearSpace(bounds_)) {
    if (!device_) {
        fail(ExitCode::Internal, "Embree: the device cannot be made (error {})",
             static_cast<int>(rtcGetDeviceError(nullptr)));
    }
    memory_->watch(device_.get());
    hierarchy_.reset(rtcNewScene(device_.get()));
    rtcSetSceneFlags(hierarchy_.get(), RTC_SCENE_FLAG_ROBUST | RTC_SCENE_FLAG_CONTEXT_FILTER_FUNCTION);
    rtcSetSceneBuildQuality(hierarchy_.get(), RTC_BUILD_QUALITY_HIGH);
    for (std::uint32_t i = 0; i < scene.meshInstances.size(); ++i) {
        addInstance(i, i >= firstOfModels);
    }
    rtcCommitScene(hierarchy_.get());
    memory_->requireHeld();
    if (const RTCError error = rtcGetDeviceError(device_.get()); error != RTC_ERROR_NONE) {
        fail(error == RTC_ERROR_OUT_OF_MEMORY ? ExitCode::OutOfMemory : ExitCode::Internal,
             "Embree: the hierarchy of {} triangles cannot be built (error {})", triangleCount_,
             static_cast<int>(error));
    }
}

void EmbreeScene::addInstance(std::uint32_t instance, bool ofModel) {
    const MeshInstance& placed = scene_->meshInstances[instance];
    const Mesh& mesh = scene_->meshes[placed.mesh];
    auto geometry = std::make_unique<Geometry>();
    geometry->scene = scene_;
    geometry->instance = instance;
    geometry->steps = placed.motion != kNone && times_ && times_->blurs() ? kTimeSteps : 0;
    geometry->mirrored = glm::determinant(glm::dmat3(placed.worldFromMesh)) < 0.0;
    geometry->pane = ofModel && materialOf(*scene_, placed).model == MaterialModel::ThinGlass;
    placeCorners(*geometry);

    RTCGeometry handle = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetGeometryTimeStepCount(handle, geometry->steps + 1);
    for (std::uint32_t step = 0; step <= geometry->steps; ++step) {
        rtcSetSharedGeometryBuffer(handle, RTC_BUFFER_TYPE_VERTEX, step, RTC_FORMAT_FLOAT3,
                                   geometry->vertices.data() + step * (mesh.positions.size() + 1), 0, sizeof(glm::vec3),
                                   mesh.positions.size());
    }
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

void EmbreeScene::placeCorners(Geometry& geometry) const {
    const Mesh& mesh = scene_->meshes[scene_->meshInstances[geometry.instance].mesh];
    // Embree reads 16 bytes at each vertex, so one more element stands behind the last.
    geometry.vertices.reserve((geometry.steps + 1) * (mesh.positions.size() + 1));
    for (std::uint32_t step = 0; step <= geometry.steps; ++step) {
        const float time = static_cast<float>(step) / static_cast<float>(std::max(geometry.steps, 1U));
        const glm::dmat4 worldFromMesh = instanceAt(geometry.instance, time).worldFromMesh;
        for (const glm::vec3& position : mesh.positions) {
            const glm::dvec3 world(worldFromMesh * glm::dvec4(position, 1.0));
            geometry.vertices.emplace_back(space_.point(world));
        }
        geometry.vertices.emplace_back(0.0F);
    }
}

MeshInstance EmbreeScene::instanceAt(std::uint32_t instance, float time) const {
    MeshInstance placed = scene_->meshInstances[instance];
    const std::optional<double> moment = times_ ? std::optional(times_->at(time)) : std::nullopt;
    placed.worldFromMesh = transformAt(*scene_, placed.motion, placed.worldFromMesh, moment);
    return placed;
}

void EmbreeScene::cutAlpha(const RTCFilterFunctionNArguments* arguments) {
    const auto* geometry = static_cast<const Geometry*>(arguments->geometryUserPtr);
    // Where it is does not matter to what is cut away.
    const MeshInstance& instance = geometry->scene->meshInstances[geometry->instance];
    for (unsigned i = 0; i < arguments->N; ++i) {
        if (arguments->valid[i] == 0) {
            continue;
        }
        const SurfacePoint point =
            evaluateSurface(*geometry->scene, instance, RTCHitN_primID(arguments->hit, arguments->N, i),
                            RTCHitN_u(arguments->hit, arguments->N, i), RTCHitN_v(arguments->hit, arguments->N, i));
        if (point.opaque == 0) {
            arguments->valid[i] = 0;
        }
    }
}

/// Whether a point lies in a triangle's plane, but for the rounding of doubles.
bool EmbreeScene::touches(const SceneTriangle& id, const glm::dvec3& point) const {
    const glm::dvec3 a = corner(id, 0);
    const glm::dvec3 normal = glm::cross(corner(id, 1) - a, corner(id, 2) - a);
    const glm::dvec3 size = glm::max(glm::abs(point), glm::abs(a));
    return std::abs(glm::dot(normal, point - a)) <= 0x1p-44 * glm::dot(glm::abs(normal), size);
}

/// Whether a triangle that a ray meets at `point` is of the surface that it leaves: its own triangle, those in one
/// plane with it, or the other one of two that touch, once both are behind.
bool EmbreeScene::isLeft(const RayStart& start, const SceneTriangle& id, const glm::dvec3& point) const {
    const SceneTriangle& own = start.surface.id;
    if (!start.mayTouch || (id.instance == own.instance && id.triangle == own.triangle)) {
        return touches(id, start.point);
    }
    if (!isAtStart(start, point) && !touches(id, start.point)) {
        return false;
    }
    if (id.instance != own.instance) {
        return start.crossed && id.instance == start.surface.touching;
    }
    return glm::dot(normalOf(id), start.surface.geometricNormal) > 0.5F;
}

/// Whether a ray that went into a pane of cells goes out of it at a triangle.
bool EmbreeScene::leavesPane(const RayStart& start, const SceneTriangle& id, const glm::dvec3& direction) const {
    return start.crossed && id.instance == start.surface.id.instance && geometries_[id.instance]->pane &&
           glm::dot(glm::dvec3(normalOf(id)), direction) > 0.0;
}

/// What a ray starts or ends on is no obstacle. It takes no tolerance that would let the ray pass by anything else.
void EmbreeScene::skipEnds(const RTCFilterFunctionNArguments* arguments) {
    const auto* query = reinterpret_cast<const Query*>(arguments->context);
    const RayStart& start = *query->start;
    for (unsigned i = 0; i < arguments->N; ++i) {
        const SceneTriangle id{RTCHitN_geomID(arguments->hit, arguments->N, i),
                               RTCHitN_primID(arguments->hit, arguments->N, i), start.time};
        const glm::dvec3 direction(RTCRayN_dir_x(arguments->ray, arguments->N, i),
                                   RTCRayN_dir_y(arguments->ray, arguments->N, i),
                                   RTCRayN_dir_z(arguments->ray, arguments->N, i));
        const double distance = RTCRayN_tfar(arguments->ray, arguments->N, i);
        if (query->scene->isLeft(start, id, glm::dvec3(start.origin) + distance * direction) ||
            query->scene->leavesPane(start, id, direction) ||
            (query->target && query->scene->touches(id, *query->target)) ||
            (query->onlyExits && glm::dot(glm::dvec3(query->scene->normalOf(id)), direction) <= 0.0)) {
            arguments->valid[i] = 0;
        }
    }
}

TriangleHit EmbreeScene::firstHit(Query& query, const glm::vec3& direction, float near, float far) const {
    const RayStart& start = *query.start;
    RTCRayHit ray = makeRay(start, direction, far, near);
    rtcIntersect1(hierarchy_.get(), &query.context, &ray);
    TriangleHit hit;
    if (ray.hit.geomID == RTC_INVALID_GEOMETRY_ID) {
        return hit;
    }
    hit.id = {ray.hit.geomID, ray.hit.primID, start.time};
    hit.u = ray.hit.u;
    hit.v = ray.hit.v;
    placeHit(hit);
    // From surface to surface, as a medium between them is thick.
    hit.distance = static_cast<float>(glm::distance(hit.position, start.point));
    if (start.mayTouch && isAtStart(start, hit.position)) {
        hit.touching = start.surface.id.instance;
    }
    return hit;
}

TriangleHit EmbreeScene::closestHit(const RayStart& start, const glm::vec3& direction, bool inside) const {
    Query query(*this, start);
    const TriangleHit hit = firstHit(query, direction, 0.0F, std::numeric_limits<float>::infinity());
    const float along = hit.found() ? glm::dot(hit.geometricNormal, direction) : 0.0F;
    if (!inside || along >= 0.0F) {
        return hit;
    }
    const auto distance = static_cast<float>(glm::distance(hit.position, glm::dvec3(start.origin)));
    const float apart = roundingAlong(hit.position, hit.geometricNormal);
    const float reach = 2.0F * apart / -along + 0x1p-21F * distance; // and the rounding of distances
    query.onlyExits = true;
    query.context.filter = skipEnds;
    const TriangleHit exit = firstHit(query, direction, std::max(distance - reach, 0.0F), distance + reach);
    return exit.found() ? exit : hit;
}

void EmbreeScene::placeHit(TriangleHit& hit) const {
    // From the corners: nearer to the surface than origin + distance * direction.
    const glm::dvec3 a = corner(hit.id, 0);
    hit.position =
        a + (corner(hit.id, 1) - a) * static_cast<double>(hit.u) + (corner(hit.id, 2) - a) * static_cast<double>(hit.v);
    hit.geometricNormal = normalOf(hit.id);
}

glm::vec3 EmbreeScene::normalOf(const SceneTriangle& id) const {
    const glm::dvec3 a = corner(id, 0);
    const glm::vec3 normal(glm::normalize(glm::cross(corner(id, 1) - a, corner(id, 2) - a)));
    return geometries_[id.instance]->mirrored ? -normal : normal;
}

bool EmbreeScene::occluded(const RayStart& start, const glm::dvec3& target) const {
    const glm::dvec3 way = target - glm::dvec3(start.origin);
    const double distance = glm::length(way);
    if (distance == 0.0) {
        return false;
    }
    RTCRay ray = makeRay(start, way / distance, static_cast<float>(distance)).ray;
    Query query(*this, start, target);
    rtcOccluded1(hierarchy_.get(), &query.context, &ray);
    return ray.tfar < 0.0F;
}

TriangleHit EmbreeScene::firstObstacle(const RayStart& start, const glm::vec3& direction,
                                       const std::optional<glm::dvec3>& target) const {
    Query query(*this, start, target);
    if (!target) {
        return firstHit(query, direction, 0.0F, std::numeric_limits<float>::infinity());
    }
    const glm::dvec3 way = *target - glm::dvec3(start.origin);
    const double distance = glm::length(way);
    return distance == 0.0 ? TriangleHit{}
                           : firstHit(query, glm::vec3(way / distance), 0.0F, static_cast<float>(distance));
}

bool EmbreeScene::occludedToInfinity(const RayStart& start, const glm::vec3& direction) const {
    RTCRay ray = makeRay(start, direction, std::numeric_limits<float>::infinity()).ray;
    Query query(*this, start);
    rtcOccluded1(hierarchy_.get(), &query.context, &ray);
    return ray.tfar < 0.0F;
}

double EmbreeScene::area(const SceneTriangle& id) const {
    const glm::dvec3 a = corner(id, 0);
    return 0.5 * glm::length(glm::cross(corner(id, 1) - a, corner(id, 2) - a));
}

glm::dvec3 EmbreeScene::corner(const SceneTriangle& id, int index) const {
    const Mesh& mesh = scene_->meshes[scene_->meshInstances[id.instance].mesh];
    const Geometry& geometry = *geometries_[id.instance];
    const std::size_t vertex = mesh.triangles[id.triangle][index];
    if (geometry.steps == 0) {
        return geometry.vertices[vertex];
    }
    const double place = double{id.time} * geometry.steps;
    const auto step = std::min(static_cast<std::uint32_t>(place), geometry.steps - 1);
    const std::size_t at = step * (mesh.positions.size() + 1) + vertex;
    const glm::dvec3 before(geometry.vertices[at]);
    return before + (glm::dvec3(geometry.vertices[at + mesh.positions.size() + 1]) - before) * (place - step);
}

} // namespace aureole
