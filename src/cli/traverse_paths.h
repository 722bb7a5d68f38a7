#pragma once

#include <optional>

#include "cli/bench_report.h"
#include "cli/traverse_scene.h"
#include "gpu/device.h"

namespace aureole::cli {

/// Traces whole paths of a scene, which `scene` has, in one kernel and in waves: adds a table of rays and samples a
/// second, and the share of `bounceRate`, rays a second of first bounces, where that is known.
void benchPaths(const gpu::Device& device, const TraverseScene& scene, std::optional<double> bounceRate,
                BenchReport& report);

} // namespace aureole::cli
