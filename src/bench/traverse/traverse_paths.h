#pragma once

// Whole paths of a scene, as the path tracer traces them, beside the traversal benchmark's rays.

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "bench/bench_report.h"
#include "bench/traverse/traverse_scene.h"
#include "gpu/device.h"
#include "render/wavefront.h"

namespace aureole::bench {

/// Samples of each pixel that tell a device's speed.
std::uint32_t samplesOfPaths(const gpu::DeviceInfo& device);

/// Waves as renders have them, but that all kernels are there before the first ray.
WavefrontOptions wavesToMeasure(const gpu::DeviceInfo& device);

/// Traces so many samples of each pixel of a scene, whose octrees these are, once the device is warm. Returns the row
/// `name` of rays and samples a second, with the share of `bounceRate`, Mray/s of first bounces, where that is known.
BenchRow tracePaths(const gpu::Device& device, const Scene& scene, std::span<const Octree> octrees, const View& view,
                    const std::string& name, std::uint32_t samples, std::optional<double> bounceRate);

/// Mray/s of first bounces by the strategy 'compacted-persistent', which paths are traced by too; none where no ray
/// hits anything.
std::optional<double> firstBounceRate(const gpu::Device& device, const TraverseScene& scene, std::uint32_t repeats);

} // namespace aureole::bench
