#include "bench/traverse/traverse_paths.h"

#include "bench/bench_measure.h"
#include "bench/traverse/traverse_arena.h"
#include "render/path_tracer.h"

namespace aureole::bench {

std::uint32_t samplesOfPaths(const gpu::DeviceInfo& device) {
    return device.isCpu ? 8 : 64;
}

WavefrontOptions wavesToMeasure(const gpu::DeviceInfo& device) {
    WavefrontOptions waves;
    waves.drained = device.isCpu ? 0 : waves.drained - 1; // as many as suits, where the number says to wait
    return waves;
}

BenchRow tracePaths(const gpu::Device& device, const Scene& scene, std::span<const Octree> octrees, const View& view,
                    const std::string& name, std::uint32_t samples, std::optional<double> bounceRate) {
    const DeviceScene onDevice(device, scene, octrees);
    PathTracer tracer(device, onDevice, view, wavesToMeasure(device.info()));
    // The clocks of a GPU fall while its kernels compile, and rise again within so much work.
    const double warmSeconds = device.info().isCpu ? 0.0 : 1.0;
    std::uint32_t first = 0;
    do {
        first = tracer.render(first, first + PathTracer::kBatchSize, goOn);
    } while (tracer.stats().deviceSeconds < warmSeconds);
    const PathTracerStats before = tracer.stats();
    tracer.render(first, first + samples, goOn);
    const double microseconds = (tracer.stats().deviceSeconds - before.deviceSeconds) * 1e6;
    const auto rays = static_cast<double>(tracer.stats().rays - before.rays);
    const double all = static_cast<double>(view.size.x) * view.size.y * samples;
    const double rate = rays / microseconds;
    return {{"", name},
            {"Mray/s", rate},
            {"Msamples/s", all / microseconds},
            {"rays/sample", rays / all},
            {"of bounce1", bounceRate ? nlohmann::ordered_json(rate / *bounceRate) : nullptr}};
}

std::optional<double> firstBounceRate(const gpu::Device& device, const TraverseScene& scene, std::uint32_t repeats) {
    TraverseArena arena(device, scene, scene, false);
    arena.make(RaySet::Primary);
    arena.make(RaySet::Bounce1);
    if (arena.live() == 0) {
        return std::nullopt;
    }
    StreamTracerOptions options = arena.tracing();
    options.persistent = true;
    StreamTracer tracer(device, arena.octree(), options);
    return arena.live() / traceSpread(device, repeats, tracer, arena.queue()).median;
}

} // namespace aureole::bench
