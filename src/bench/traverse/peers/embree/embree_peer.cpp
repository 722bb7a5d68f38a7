#include "bench/traverse/peers/embree/embree_peer.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <thread>
#include <utility>

#include <embree3/rtcore.h>
#include <fmt/format.h>

#include "bench/traverse/peers/octree_parts.h"
#include "core/error.h"
#include "core/set_bits.h"
#include "core/stopwatch.h"
#include "core/threads/parallel.h"

namespace aureole::bench {

namespace {

constexpr float kSlack = 1.0F / 1024; ///< in voxels: of boxes, and of where a ray starts
constexpr std::int64_t kRaysAtOnce = 1024;

/// A ray with what it hit.
struct Query {
    RTCIntersectContext context{}; // first: Embree hands back its address
    glm::uvec3 voxel{0};
};

void boundsOfPart(const RTCBoundsFunctionArguments* arguments) {
    const OctreePart& part = static_cast<const OctreePart*>(arguments->geometryUserPtr)[arguments->primID];
    const glm::vec3 low = glm::vec3(part.corner) - kSlack;
    const glm::vec3 high = glm::vec3(part.corner) + (4.0F + kSlack);
    *arguments->bounds_o = {low.x, low.y, low.z, 0.0F, high.x, high.y, high.z, 0.0F};
}

/// Tries the voxels of a part. Rays start outside of all of them, perhaps on a face.
void intersectPart(const RTCIntersectFunctionNArguments* arguments) {
    if (arguments->valid[0] == 0) {
        return;
    }
    const OctreePart& part = static_cast<const OctreePart*>(arguments->geometryUserPtr)[arguments->primID];
    auto& query = *reinterpret_cast<Query*>(arguments->context);
    auto& hit = *reinterpret_cast<RTCRayHit*>(arguments->rayhit);
    const glm::vec3 origin(hit.ray.org_x, hit.ray.org_y, hit.ray.org_z);
    const glm::vec3 inverse = 1.0F / glm::vec3(hit.ray.dir_x, hit.ray.dir_y, hit.ray.dir_z);
    for (const std::uint32_t bit : setBits(part.mask)) {
        const glm::uvec3 voxel = part.corner + shared::bitCell(bit);
        const glm::vec3 a = (glm::vec3(voxel) - origin) * inverse;
        const glm::vec3 b = (glm::vec3(voxel + 1U) - origin) * inverse;
        const glm::vec3 near = glm::min(a, b);
        const glm::vec3 far = glm::max(a, b);
        const float in = std::max({near.x, near.y, near.z});
        const float out = std::min({far.x, far.y, far.z});
        const float distance = in > 0.0F ? in : 0.0F; // no -0, whose bits are not those of a distance
        if (in <= out && in >= -kSlack && out > kSlack && distance < hit.ray.tfar) {
            hit.ray.tfar = distance;
            hit.hit.geomID = arguments->geomID;
            hit.hit.primID = arguments->primID;
            query.voxel = voxel;
        }
    }
}

bool count(void* counter, ssize_t bytes, bool /*after*/) {
    static_cast<std::atomic<std::int64_t>*>(counter)->fetch_add(bytes);
    return true;
}

/// A ray in voxels, which RayRecord has mirrored and between 1 and 2.
RTCRayHit queryOf(const shared::RayRecord& ray, float side, float reach) {
    RTCRayHit query{};
    glm::vec3 direction = shared::rayMagnitudes(ray);
    const glm::vec3 origin =
        side * (shared::mirrorPoint(shared::uintBitsToFloat(shared::rayStart(ray)), shared::rayMirrorAxes(ray)) - 1.0F);
    for (int i = 0; i < 3; ++i) {
        if (((shared::rayMirrorAxes(ray) >> static_cast<std::uint32_t>(i)) & 1U) != 0) {
            direction[i] = -direction[i];
        }
    }
    query.ray.org_x = origin.x;
    query.ray.org_y = origin.y;
    query.ray.org_z = origin.z;
    query.ray.dir_x = direction.x;
    query.ray.dir_y = direction.y;
    query.ray.dir_z = direction.z;
    query.ray.tfar = side * reach;
    query.ray.mask = std::numeric_limits<unsigned>::max();
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    return query;
}

} // namespace

struct EmbreePeer::State {
    void trace(const std::vector<shared::RayRecord>& rays, float reach, std::vector<shared::HitRecord>& hits) const;

    std::atomic<std::int64_t> embreeBytes{0};
    std::vector<OctreePart> parts;
    RTCDevice device = nullptr;
    RTCScene scene = nullptr;
    float side = 1.0F;
    double seconds = 0.0;
};

EmbreePeer::EmbreePeer(const Octree& octree)
    : state_(std::make_unique<State>()) {
    const Stopwatch watch;
    state_->side = std::ldexp(1.0F, 2 * static_cast<int>(octree.levels));
    state_->parts = findParts(octree);
    state_->device = rtcNewDevice(nullptr);
    if (state_->device == nullptr) {
        fail(ExitCode::Internal, "Embree: found no device");
    }
    rtcSetDeviceMemoryMonitorFunction(state_->device, count, &state_->embreeBytes);
    state_->scene = rtcNewScene(state_->device);
    rtcSetSceneFlags(state_->scene, RTC_SCENE_FLAG_ROBUST);
    RTCGeometry geometry = rtcNewGeometry(state_->device, RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(state_->parts.size()));
    rtcSetGeometryUserData(geometry, state_->parts.data());
    rtcSetGeometryBoundsFunction(geometry, boundsOfPart, nullptr);
    rtcSetGeometryIntersectFunction(geometry, intersectPart);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(state_->scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(state_->scene);
    if (rtcGetDeviceError(state_->device) != RTC_ERROR_NONE) {
        fail(ExitCode::OutOfMemory, "Embree: found no memory for {} parts of the octree", state_->parts.size());
    }
    state_->seconds = watch.seconds();
}

EmbreePeer::~EmbreePeer() {
    rtcReleaseScene(state_->scene);
    rtcReleaseDevice(state_->device);
}

std::uint64_t EmbreePeer::bytes() const {
    return static_cast<std::uint64_t>(state_->embreeBytes.load()) + state_->parts.size() * sizeof(OctreePart);
}

std::optional<double> EmbreePeer::buildSeconds() const {
    return state_->seconds;
}

std::string EmbreePeer::name() const {
    return fmt::format("embree, {} cores", std::thread::hardware_concurrency());
}

Spread EmbreePeer::trace(const std::vector<shared::RayRecord>& rays, float reach, std::uint32_t repeats,
                         std::vector<shared::HitRecord>& hits) const {
    constexpr std::uint32_t kMost = 3;
    std::vector<double> times;
    for (std::uint32_t i = 0; i <= std::min(repeats, kMost); ++i) {
        const Stopwatch watch;
        state_->trace(rays, reach, hits);
        if (i > 0) { // the first one touches the memory
            times.push_back(1e6 * watch.seconds());
        }
    }
    return spreadOf(std::move(times));
}

void EmbreePeer::State::trace(const std::vector<shared::RayRecord>& rays, float reach,
                              std::vector<shared::HitRecord>& hits) const {
    hits.resize(rays.size());
    parallelFor(static_cast<std::int64_t>(rays.size()), kRaysAtOnce, [&](std::int64_t number) {
        const auto i = static_cast<std::size_t>(number);
        if (shared::isRay(rays[i]) == 0) {
            return;
        }
        Query query;
        rtcInitIntersectContext(&query.context);
        RTCRayHit ray = queryOf(rays[i], side, reach);
        rtcIntersect1(scene, &query.context, &ray);
        if (ray.hit.geomID == RTC_INVALID_GEOMETRY_ID) {
            hits[i] = shared::packMiss();
        } else {
            hits[i] = shared::packHit({query.voxel, FACE_INSIDE, 0, 0, ray.ray.tfar / side});
        }
    });
}

} // namespace aureole::bench
