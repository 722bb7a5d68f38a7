#pragma once

// Rays in buffers for tests, and what they hit.

#include <cstdint>
#include <span>
#include <vector>

#include "gpu/device.h"
#include "render/support/octree_samples.h"
#include "shared/stream/ray_stream.h"

namespace aureole {

/// sampleRays as records; every `deadEvery`-th is none, for 1 all are and for 0 no one is. The number of the pixel is
/// that of the ray.
std::vector<shared::RayRecord> sampleStream(const OctreeSample& sample, std::size_t count, unsigned seed,
                                            std::uint32_t deadEvery);

/// How many of the records are rays.
std::uint32_t countRays(std::span<const shared::RayRecord> rays);

/// What the rays hit on the CPU, each in one go, with these reciprocals: voxels, by the traversal, or the `surfaces`
/// within them, by castRay; each word 0xFFFFFFFF where there is no ray.
std::vector<shared::HitRecord> traceOnCpu(const Octree& octree, std::span<const shared::RayRecord> rays,
                                          std::span<const glm::vec3> reciprocals, bool surfaces = false);

template <typename T>
gpu::Buffer upload(const gpu::Device& device, const std::vector<T>& values) {
    return device.createBufferWith(std::span<const T>(values), "stream values");
}

/// `count` items of nothing but 0xFFFFFFFF.
template <typename T>
gpu::Buffer makeFilled(const gpu::Device& device, std::size_t count) {
    return upload(device, std::vector<std::uint32_t>(count * sizeof(T) / sizeof(std::uint32_t), 0xFFFFFFFFU));
}

template <typename T>
std::vector<T> download(const gpu::Device& device, const gpu::Buffer& buffer, std::size_t count) {
    std::vector<T> values(count);
    device.download(buffer, 0, std::as_writable_bytes(std::span(values)));
    return values;
}

} // namespace aureole
