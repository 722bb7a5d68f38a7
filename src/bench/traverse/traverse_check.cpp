#include "bench/traverse/traverse_check.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/error.h"
#include "core/threads/parallel.h"
#include "shared/octree/traversal.h"

namespace aureole::bench {

namespace {

constexpr std::uint32_t kSampledRays = 4096;
constexpr std::uint32_t kStepsAtATime = 8;

bool isMiss(const shared::HitRecord& hit) {
    return hit.bits == shared::packMiss().bits;
}

/// Infinite of a miss, and of what is no hit.
float distanceOf(const shared::HitRecord& hit) {
    return isVoxelHit(hit) ? shared::hitDistance(hit) : std::numeric_limits<float>::infinity();
}

constexpr double kRounding = 4.0 / (1U << 23U); // 4 ulps, of positions and in proportion of distances

/// How far, in grid units, a ray meets the face that it hit from the nearest edge of that; infinite where it does not
/// meet it, or at another distance.
double edgeDistance(const shared::RayRecord& ray, const shared::HitRecord& hit, std::uint32_t levels) {
    constexpr double kNowhere = std::numeric_limits<double>::infinity();
    const std::uint32_t face = shared::hitFace(hit);
    if (!isVoxelHit(hit) || face == FACE_INSIDE) {
        return kNowhere;
    }
    const auto axis = static_cast<int>(face / 2);
    if ((face & 1U) != ((shared::rayMirrorAxes(ray) >> (face / 2)) & 1U)) {
        return kNowhere; // a face that the ray leaves by
    }
    const std::uint32_t last = (1U << (2 * levels)) - 1;
    const double side = std::ldexp(1.0, -2 * static_cast<int>(levels));
    glm::dvec3 low;
    for (int i = 0; i < 3; ++i) { // as the ray is mirrored
        const std::uint32_t cell = shared::hitVoxel(hit)[i];
        low[i] = 1.0 + side * (((shared::rayMirrorAxes(ray) >> static_cast<std::uint32_t>(i)) & 1U) != 0 ? last - cell
                                                                                                         : cell);
    }
    const glm::dvec3 origin(shared::uintBitsToFloat(shared::rayStart(ray)));
    const glm::dvec3 direction(shared::rayMagnitudes(ray));
    const double distance = (low[axis] - origin[axis]) / direction[axis];
    if (!(std::abs(distanceOf(hit) - distance) <= kRounding * distance)) {
        return kNowhere;
    }
    const glm::dvec3 point = origin + direction * distance;
    double nearest = side;
    for (int i = 0; i < 3; ++i) {
        const double inside = i == axis ? side : std::min(point[i] - low[i], low[i] + side - point[i]);
        if (inside < -kRounding) {
            return kNowhere;
        }
        nearest = std::min(nearest, std::abs(inside));
    }
    return nearest;
}

void expectSame(const std::string& what, const shared::HitRecord& expected, const shared::HitRecord& found,
                std::size_t pixel, std::uint32_t width) {
    if (expected.bits != found.bits) {
        fail(ExitCode::Internal, "bench traverse: {}: the ray of pixel ({}, {}) hits {}, expected {}", what,
             pixel % width, pixel / width, describeHit(found), describeHit(expected));
    }
}

} // namespace

bool isNoHit(const shared::HitRecord& hit) {
    return hit.bits == glm::uvec4(TraverseArena::kNoHit);
}

bool isVoxelHit(const shared::HitRecord& hit) {
    return !isNoHit(hit) && shared::isSuspended(hit) == 0 && shared::hitFace(hit) <= FACE_INSIDE;
}

std::string describeHit(const shared::HitRecord& hit) {
    if (isNoHit(hit)) {
        return "none";
    }
    if (shared::isSuspended(hit) != 0) {
        return "unfinished";
    }
    if (isMiss(hit)) {
        return "a miss";
    }
    const glm::uvec3 voxel = shared::hitVoxel(hit);
    return fmt::format("face {} of voxel ({}, {}, {}), leaf {}, at {:.9g}", shared::hitFace(hit), voxel.x, voxel.y,
                       voxel.z, shared::hitLeaf(hit), shared::hitDistance(hit));
}

void expectSameHits(const std::string& what, const std::vector<shared::HitRecord>& expected,
                    const std::vector<shared::HitRecord>& found, std::uint32_t width) {
    for (std::size_t pixel = 0; pixel < expected.size(); ++pixel) {
        expectSame(what, expected[pixel], found[pixel], pixel, width);
    }
}

bool meetsEdge(const shared::RayRecord& ray, const shared::HitRecord& hit, std::uint32_t levels) {
    return edgeDistance(ray, hit, levels) <= kRounding;
}

bool differAtEdge(const shared::RayRecord& ray, const shared::HitRecord& expected, const shared::HitRecord& found,
                  std::uint32_t levels) {
    const bool isSameVoxel =
        isVoxelHit(expected) && isVoxelHit(found) && shared::hitVoxel(expected) == shared::hitVoxel(found);
    if (isSameVoxel && shared::hitLeaf(expected) != shared::hitLeaf(found)) {
        return false; // a voxel is in one leaf
    }
    // The ray with the further hit went by the nearer one.
    const bool isFound = distanceOf(found) < distanceOf(expected);
    const shared::HitRecord& nearer = isFound ? found : expected;
    const shared::HitRecord& further = isFound ? expected : found;
    return meetsEdge(ray, nearer, levels) && (isMiss(further) || std::isfinite(edgeDistance(ray, further, levels)));
}

std::size_t expectSameHitsButAtEdges(const std::string& what, const TraverseArena& arena,
                                     const std::vector<shared::HitRecord>& expected,
                                     const std::vector<shared::HitRecord>& found) {
    std::vector<std::size_t> different;
    for (std::size_t pixel = 0; pixel < expected.size(); ++pixel) {
        if (expected[pixel].bits != found[pixel].bits) {
            different.push_back(pixel);
        }
    }
    if (different.empty()) {
        return 0;
    }
    std::vector<shared::RayRecord> rays(expected.size());
    for (const shared::RayRecord& ray : arena.rays()) {
        if (shared::rayPixel(ray) < rays.size()) {
            rays[shared::rayPixel(ray)] = ray;
        }
    }
    const std::uint32_t levels = arena.scene().octree.levels;
    for (const std::size_t pixel : different) {
        if (!differAtEdge(rays[pixel], expected[pixel], found[pixel], levels)) {
            expectSame(what, expected[pixel], found[pixel], pixel, arena.scene().camera.size.x);
        }
    }
    return different.size();
}

void expectAllTraced(const std::string& what, const std::vector<shared::HitRecord>& hits, std::uint32_t live) {
    const auto none = std::count_if(hits.begin(), hits.end(), isNoHit);
    const std::size_t traced = hits.size() - static_cast<std::size_t>(none);
    if (traced != live) {
        fail(ExitCode::Internal, "bench traverse: {}: found {} rays with a result, expected {}", what, traced, live);
    }
}

void expectHitsOfCpu(const std::string& what, const TraverseArena& arena, const std::vector<shared::HitRecord>& hits) {
    const TraverseArena::Sample sample = arena.sample(kSampledRays);
    const shared::OctreeView view = makeView(arena.scene().octree);
    const auto address = reinterpret_cast<std::uint64_t>(&view);
    const StreamTracerOptions tracing = arena.tracing();
    const shared::RayRules rules{tracing.surfaces ? 1U : 0U, tracing.hasReach ? 1U : 0U, arena.queue().reach};
    constexpr std::int64_t kGrain = 256;
    parallelFor(static_cast<std::int64_t>(sample.rays.size()), kGrain, [&](std::int64_t i) {
        const auto at = static_cast<std::size_t>(i);
        const shared::RayRecord& ray = sample.rays[at];
        shared::Traversal state{};
        shared::rayBegin(address, ray, sample.reciprocals[at], state);
        const std::uint32_t key = shared::traversalKey(state);
        shared::RayWay way = shared::rayWayFrom(SIDE_UNKNOWN);
        std::uint32_t status = TRAVERSAL_RUNNING;
        while (status == TRAVERSAL_RUNNING) {
            std::uint32_t steps = kStepsAtATime;
            status = shared::rayRun(address, state, key, steps, way, rules);
        }
        const std::size_t pixel = shared::rayPixel(ray);
        expectSame(what + " on the CPU", hits.at(pixel), shared::packEnd(address, state, status, rules.surfaces), pixel,
                   arena.scene().camera.size.x);
    });
}

} // namespace aureole::bench
