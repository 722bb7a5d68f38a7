#pragma once

#include <optional>

#include "bench/bench_report.h"
#include "bench/traverse/traverse_scene.h"
#include "gpu/device.h"

namespace aureole::bench {

/// Traces whole paths of a scene, which `scene` has: adds a table of rays and samples a second, and the share of
/// `bounceRate`, rays a second of first bounces, where that is known.
void benchPaths(const gpu::Device& device, const TraverseScene& scene, std::optional<double> bounceRate,
                BenchReport& report);

} // namespace aureole::bench
