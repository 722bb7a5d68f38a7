#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/bench_report.h"
#include "bench/picture_pair.h"
#include "bench/traverse/traverse_scene.h"
#include "gpu/device.h"

namespace aureole::bench {

/// Traces whole paths of a scene, which `scene` has, in one kernel and in waves: adds a table of rays and samples a
/// second, and the share of `bounceRate`, rays a second of first bounces, where that is known. Where they are to be
/// `pictured`, returns the pictures, of a size for pages.
std::vector<ReportPicture> benchPaths(const gpu::Device& device, const TraverseScene& scene,
                                      std::optional<double> bounceRate, bool pictured, BenchReport& report);

/// What there is to say of them.
std::string pathPicturesNote(const gpu::Device& device, const TraverseScene& scene);

} // namespace aureole::bench
