#include "bench/traverse/traverse_paths.h"

#include <cstdint>

#include "bench/bench_measure.h"
#include "render/path_tracer.h"

namespace aureole::bench {

namespace {

/// Samples of each pixel that are timed, after as many as a batch has, which are not.
constexpr std::uint32_t kSamples = 64;
constexpr std::uint32_t kSamplesOfCpu = 8;

std::uint32_t samplesOn(const gpu::Device& device) {
    return device.info().isCpu ? kSamplesOfCpu : kSamples;
}

} // namespace

void benchPaths(const gpu::Device& device, const TraverseScene& scene, std::optional<double> bounceRate,
                BenchReport& report) {
    const DeviceScene onDevice(device, *scene.scene, scene.octree);
    const std::uint32_t count = samplesOn(device);
    report.beginTable("whole paths");
    PathTracer tracer(device, onDevice, scene.view);
    tracer.render(0, PathTracer::kBatchSize, goOn);
    const PathTracerStats before = tracer.stats();
    tracer.render(PathTracer::kBatchSize, PathTracer::kBatchSize + count, goOn);
    const double microseconds = (tracer.stats().deviceSeconds - before.deviceSeconds) * 1e6;
    const auto rays = static_cast<double>(tracer.stats().rays - before.rays);
    const double samples = static_cast<double>(scene.view.size.x) * scene.view.size.y * count;
    const double rate = rays / microseconds;
    report.add({{"", "waves"},
                {"Mray/s", rate},
                {"Msamples/s", samples / microseconds},
                {"rays/sample", rays / samples},
                {"of bounce1", bounceRate ? nlohmann::ordered_json(rate / *bounceRate) : nullptr}});
}

} // namespace aureole::bench
