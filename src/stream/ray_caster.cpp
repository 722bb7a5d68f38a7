#include "stream/ray_caster.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "core/error.h"
#include "core/threads/parallel.h"
#include "shared/specialization.h"
#include "stream_shaders.h"

namespace aureole {

RayCaster::RayCaster(gpu::Device device, OctreeEncoding encoding)
    : device_(std::move(device))
    , encoding_(encoding) {
    gpu::PipelineOptions options;
    options.name = "cast_rays";
    options.shader = shaders::cast_rays();
    options.pushConstantBytes = sizeof(shared::RayPush);
    options.specialization = {{SPEC_TRACE_OCTREE_ENCODING, static_cast<std::uint32_t>(encoding)}};
    pipeline_ = device_.createPipeline(options);
}

std::vector<shared::RayHit> RayCaster::cast(const DeviceOctree& octree, std::span<const shared::GridRay> rays,
                                            std::uint32_t stepsPerDispatch) const {
    using gpu::MemoryKind;
    if (octree.view().encoding != static_cast<std::uint32_t>(encoding_)) {
        fail(ExitCode::Internal, "rays for encoding {} cast at an octree of encoding {}",
             static_cast<std::uint32_t>(encoding_), octree.view().encoding);
    }
    const std::size_t count = rays.size();
    const gpu::Buffer rayBuffer = device_.createBufferWith(rays, "rays");
    const gpu::Buffer states =
        device_.createBuffer(count * sizeof(shared::RaySavedState), MemoryKind::Device, "ray states");
    const gpu::Buffer hits = device_.createBuffer(count * sizeof(shared::RayHit), MemoryKind::Device, "ray hits");
    const gpu::Buffer completed = device_.createBuffer(sizeof(std::uint32_t), MemoryKind::Device, "completed rays");
    shared::RayPush push{};
    push.octree = octree.viewAddress();
    push.rays = rayBuffer.address();
    push.states = states.address();
    push.hits = hits.address();
    push.completed = completed.address();
    push.rayCount = static_cast<std::uint32_t>(count);
    // Enough to come back down from the root, so that every dispatch moves every ray on.
    push.steps = std::max(stepsPerDispatch, octree.view().levels + 1);
    push.fresh = 1;
    std::uint32_t done = 0;
    while (done < count) {
        gpu::CommandEncoder commands = device_.encoder();
        if (push.fresh != 0) {
            commands.fill(completed, 0, sizeof(std::uint32_t), 0);
            commands.barrier();
        }
        commands.dispatch(pipeline_, push, (push.rayCount + 63) / 64);
        commands.barrier();
        device_.submit(std::move(commands)).wait();
        device_.download(completed, 0, std::as_writable_bytes(std::span(&done, 1)));
        push.fresh = 0;
    }
    std::vector<shared::RayHit> result(count);
    device_.download(hits, 0, std::as_writable_bytes(std::span(result)));
    return result;
}

std::vector<shared::RayHit> castOnCpu(const Octree& octree, std::span<const shared::GridRay> rays) {
    const shared::OctreeView view = makeView(octree);
    const auto address = reinterpret_cast<std::uint64_t>(&view);
    std::vector<shared::RayHit> hits(rays.size());
    parallelFor(static_cast<std::int64_t>(rays.size()), 1024, [&](std::int64_t i) {
        const auto at = static_cast<std::size_t>(i);
        shared::Traversal state{};
        shared::traversalBegin(address, rays[at].origin, rays[at].direction, rays[at].inverse, rays[at].cell, state);
        std::uint32_t side = SIDE_UNKNOWN;
        std::uint32_t steps = std::numeric_limits<std::uint32_t>::max();
        shared::castRay(address, state, side, steps, hits[at]);
    });
    return hits;
}

shared::GridRay makeGridRay(const Octree& octree, const glm::dvec3& point, const glm::dvec3& direction) {
    shared::GridRay ray{};
    ray.origin = glm::vec3(1.0 + point * std::ldexp(1.0, -2 * static_cast<int>(octree.levels)));
    ray.direction = shared::traversalDirection(glm::vec3(glm::normalize(direction)));
    ray.inverse = 1.0F / ray.direction;
    ray.cell = shared::gridCell(ray.origin, octree.levels);
    return ray;
}

} // namespace aureole
