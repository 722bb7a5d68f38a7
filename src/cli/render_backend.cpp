#include "cli/render_backend.h"

#include <optional>

#include "core/error.h"
#include "reference/reference_renderer.h"
#include "render/path_tracer.h"
#include "voxel/closed_meshes.h"

namespace aureole::cli {

namespace {

class GpuBackend final : public RenderBackend {
public:
    GpuBackend(gpu::Device device, DeviceScene&& scene, const View& view, PathKernels kernels)
        : device_(std::move(device))
        , scene_(std::move(scene)) {
        options_.kernels = kernels;
        tracer_.emplace(device_, scene_, view, options_);
    }

    void setView(const View& view) override {
        tracer_.reset(); // its memory is free before the next one takes as much
        tracer_.emplace(device_, scene_, view, options_);
    }

    std::uint32_t render(std::uint32_t first, std::uint32_t end,
                         const std::function<bool(double)>& onProgress) override {
        return tracer_->render(first, end, onProgress);
    }
    FilmSums film() const override { return tracer_->film(); }
    FilmState state() const override { return tracer_->state(); }
    void restore(const FilmState& state, const std::string& file) override { tracer_->restore(state, file); }
    std::uint32_t batchSize() const override { return PathTracer::kBatchSize; }
    void retire(double noise) override { tracer_->retire(noise); }
    std::uint64_t activePixels() const override { return tracer_->activePixels(); }
    std::uint64_t rays() const override { return tracer_->stats().rays; }
    bool isWavefront() const { return tracer_->isWavefront(); }

private:
    gpu::Device device_;
    DeviceScene scene_;
    PathTracerOptions options_;
    std::optional<PathTracer> tracer_;
};

class ReferenceBackend final : public RenderBackend {
public:
    ReferenceBackend(const Scene& scene, const View& view)
        : renderer_(scene, view) {}

    void setView(const View& view) override { renderer_.setView(view); }
    std::uint32_t render(std::uint32_t first, std::uint32_t end,
                         const std::function<bool(double)>& onProgress) override {
        return renderer_.render(first, end, onProgress);
    }
    FilmSums film() const override { return renderer_.film(); }
    FilmState state() const override { return renderer_.state(); }
    void restore(const FilmState& state, const std::string& file) override { renderer_.restore(state, file); }
    std::uint32_t batchSize() const override { return 1; }
    void retire(double noise) override { renderer_.retire(noise); }
    std::uint64_t activePixels() const override { return renderer_.activePixels(); }
    std::uint64_t rays() const override { return renderer_.rays(); }
    std::uint64_t triangleCount() const { return renderer_.triangleCount(); }

private:
    ReferenceRenderer renderer_;
};

} // namespace

std::unique_ptr<RenderBackend> makeGpuBackend(const gpu::Device& device, const Scene& scene, const View& view,
                                              const VoxelSceneOptions& options, PathKernels kernels,
                                              RenderReport& report) {
    VoxelSceneStats stats;
    DeviceScene deviceScene = makeVoxelScene(device, scene, options, stats);
    report.voxels = stats.voxels;
    report.cells = stats.cells ? std::optional(stats.voxels) : std::nullopt;
    report.octreeBytes = stats.octreeBytes;
    report.octreeCached = stats.cached;
    report.buildSeconds = stats.buildSeconds;
    report.storeSeconds = stats.storeSeconds;
    report.uploadSeconds = stats.uploadSeconds;
    auto backend = std::make_unique<GpuBackend>(device, std::move(deviceScene), view, kernels);
    report.kernels = backend->isWavefront() ? "wavefront" : "megakernel";
    return backend;
}

std::unique_ptr<RenderBackend> makeReferenceBackend(const Scene& scene, const View& view, RenderReport& report) {
    if (scene.octree) {
        fail(ExitCode::BadInput,
             "{}: found the octree {}, which the reference backend cannot render, expected meshes; "
             "--backend gpu renders it",
             scene.file.string(), scene.octree->file.string());
    }
    warnOfOpenGlass(scene);
    const Stopwatch clock;
    auto backend = std::make_unique<ReferenceBackend>(scene, view);
    report.triangles = backend->triangleCount();
    report.buildSeconds = clock.seconds();
    return backend;
}

} // namespace aureole::cli
