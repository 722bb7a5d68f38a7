#include "stream_rays.h"

#include <algorithm>

#include "shared/stream/ray_work.h"

namespace aureole {

std::vector<shared::RayRecord> sampleStream(const OctreeSample& sample, std::size_t count, unsigned seed,
                                            std::uint32_t deadEvery) {
    const shared::OctreeView view = makeView(sample.octree);
    const auto address = reinterpret_cast<std::uint64_t>(&view);
    std::vector<shared::RayRecord> records;
    for (const shared::GridRay& ray : sampleRays(sample, count, seed)) {
        const auto pixel = static_cast<std::uint32_t>(records.size());
        records.push_back(
            deadEvery > 0 && pixel % deadEvery == 0
                ? shared::noRay(pixel)
                : shared::packRay(address, ray.origin, ray.direction, ray.cell, TRAVERSAL_NO_AXIS, pixel));
    }
    return records;
}

std::uint32_t countRays(std::span<const shared::RayRecord> rays) {
    return static_cast<std::uint32_t>(
        std::count_if(rays.begin(), rays.end(), [](const shared::RayRecord& ray) { return shared::isRay(ray) != 0; }));
}

std::vector<shared::HitRecord> traceOnCpu(const Octree& octree, std::span<const shared::RayRecord> rays,
                                          std::span<const glm::vec3> reciprocals, bool surfaces) {
    const shared::OctreeView view = makeView(octree);
    const auto address = reinterpret_cast<std::uint64_t>(&view);
    std::vector<shared::HitRecord> hits(rays.size(), {glm::uvec4(0xFFFFFFFFU)});
    for (std::size_t i = 0; i < rays.size(); ++i) {
        if (shared::isRay(rays[i]) != 0) {
            shared::Traversal state{};
            shared::rayBegin(address, rays[i], reciprocals[i], state);
            std::uint32_t steps = ~0U;
            std::uint32_t side = SIDE_UNKNOWN;
            shared::RayHit cast{};
            const std::uint32_t status = surfaces ? shared::castRay(address, state, side, steps, cast)
                                                  : shared::traversalRun(address, state, steps);
            if (status != TRAVERSAL_HIT) {
                hits[i] = shared::packMiss();
                continue;
            }
            shared::VoxelHit hit = shared::traversalHit(address, state);
            hit.distance = surfaces ? cast.distance : hit.distance;
            hits[i] = shared::packHit(hit);
        }
    }
    return hits;
}

} // namespace aureole
