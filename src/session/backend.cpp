#include "session/backend.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/error.h"
#include "core/stopwatch.h"
#include "core/trace.h"
#include "reference/reference_renderer.h"
#include "render/path_tracer.h"
#include "scene/grid_scene.h"
#include "voxel/build/closed_meshes.h"

namespace aureole {

namespace {

class GpuBackend final : public RenderBackend {
public:
    GpuBackend(gpu::Device device, DeviceScene&& scene, const View& view, const WavefrontOptions& waves)
        : device_(std::move(device))
        , scene_(std::move(scene))
        , tracer_(device_, scene_.moveTo(device_, view), view, waves) {}

    void setView(const View& view) override {
        raysBefore_ += rays();
        scene_.moveTo(device_, view);
        tracer_.setView(view);
    }

    std::uint32_t render(std::uint32_t first, std::uint32_t end,
                         const std::function<bool(double)>& onProgress) override {
        const Stopwatch clock;
        try {
            const std::uint32_t reached = tracer_.render(first, end, onProgress);
            addUse(reached, first, clock);
            return reached;
        } catch (const Error& error) {
            use_.failure = error.what();
            const IndexRanges& samples = tracer_.samples();
            addUse(samples.empty() ? first : std::max(samples.back().second, first), first, clock);
            throw;
        }
    }
    FilmSums film() const override { return tracer_.film(); }
    FilmSums layersOf(std::uint32_t first, std::uint32_t end, const std::function<bool(double)>& onProgress) override {
        return tracer_.layersOf(first, end, onProgress);
    }
    const PathTracer* residentFilm() const override { return tracer_.hasMeansAlone() ? &tracer_ : nullptr; }
    FilmState state() const override { return tracer_.state(); }
    void restore(const FilmState& state, const std::string& file) override { tracer_.restore(state, file); }
    std::uint32_t batchSize() const override { return PathTracer::kBatchSize; }
    void retire(double noise) override { tracer_.retire(noise); }
    std::uint64_t activePixels() const override { return tracer_.activePixels(); }
    std::uint64_t rays() const override { return tracer_.stats().rays; }
    std::vector<DeviceUse> uses() const override {
        DeviceUse use = use_;
        use.rays = raysBefore_ + rays();
        return {use};
    }
    bool isWhole() const override { return tracer_.isWhole(); }

private:
    void addUse(std::uint32_t reached, std::uint32_t first, const Stopwatch& clock) {
        use_.samples += reached - first;
        use_.seconds += clock.seconds();
    }

    gpu::Device device_;
    DeviceScene scene_;
    PathTracer tracer_;
    DeviceUse use_;                ///< all but its rays, which the tracer counts
    std::uint64_t raysBefore_ = 0; ///< rays of the views before this one
};

class DevicesBackend final : public RenderBackend {
public:
    DevicesBackend(const std::vector<gpu::Device>& devices, const Scene& scene, std::span<const Octree> octrees,
                   const ComingLamps& lamps, const View& view, const WavefrontOptions& waves)
        : team_(devices, scene, octrees, view, waves, lamps)
        , pixels_(std::uint64_t{view.cropSize.x} * view.cropSize.y) {}

    void setView(const View& view) override {
        team_.setView(view);
        pixels_ = std::uint64_t{view.cropSize.x} * view.cropSize.y;
    }
    void expect(std::uint32_t end) override { team_.expect(end); }
    std::uint32_t render(std::uint32_t first, std::uint32_t end,
                         const std::function<bool(double)>& onProgress) override {
        return team_.render(first, end, onProgress);
    }
    std::uint32_t finish(std::uint32_t /*reached*/, std::uint32_t end) override { return team_.finish(end); }
    FilmSums film() const override { return team_.film(); }
    FilmSums layersOf(std::uint32_t first, std::uint32_t end, const std::function<bool(double)>& onProgress) override {
        return team_.layersOf(first, end, onProgress);
    }
    FilmState state() const override { return team_.state(); }
    void restore(const FilmState& state, const std::string& file) override { team_.restore(state, file); }
    std::uint32_t batchSize() const override { return PathTracer::kBatchSize; }
    void retire(double /*noise*/) override { fail(ExitCode::Internal, "adaptive sampling on several devices"); }
    std::uint64_t activePixels() const override { return pixels_; }
    std::uint64_t rays() const override { return team_.rays(); }
    std::vector<DeviceUse> uses() const override { return team_.uses(); }
    bool isWhole() const override { return true; }
    double pipelineSeconds() const { return team_.pipelineSeconds(); }

private:
    DeviceTeam team_;
    std::uint64_t pixels_;
};

class ReferenceBackend final : public RenderBackend {
public:
    ReferenceBackend(const Scene& scene, const View& view)
        : scene_(&scene)
        , renderer_(std::make_unique<ReferenceRenderer>(scene, view)) {}

    void setView(const View& view) override {
        if (scene_->motions.empty()) {
            renderer_->setView(view);
        } else { // its triangles move
            renderer_.reset();
            renderer_ = std::make_unique<ReferenceRenderer>(*scene_, view);
        }
    }
    std::uint32_t render(std::uint32_t first, std::uint32_t end,
                         const std::function<bool(double)>& onProgress) override {
        return renderer_->render(first, end, onProgress);
    }
    FilmSums film() const override { return renderer_->film(); }
    FilmSums layersOf(std::uint32_t first, std::uint32_t end, const std::function<bool(double)>& onProgress) override {
        return renderer_->layersOf(first, end, onProgress);
    }
    FilmState state() const override { return renderer_->state(); }
    void restore(const FilmState& state, const std::string& file) override { renderer_->restore(state, file); }
    std::uint32_t batchSize() const override { return 1; }
    void retire(double noise) override { renderer_->retire(noise); }
    std::uint64_t activePixels() const override { return renderer_->activePixels(); }
    std::uint64_t rays() const override { return renderer_->rays(); }
    bool isWhole() const override { return renderer_->isWhole(); }
    std::uint64_t triangleCount() const { return renderer_->triangleCount(); }

private:
    const Scene* scene_;
    std::unique_ptr<ReferenceRenderer> renderer_;
};

} // namespace

MadeBackend makeGpuBackend(const std::vector<gpu::Device>& devices, const Scene& scene, const FoundOctrees& octree,
                           const View& view, double samples, std::future<void> kernels) {
    WavefrontOptions waves;
    waves.paths = samples * view.cropSize.x * view.cropSize.y / static_cast<double>(devices.size());
    MadeBackend made;
    made.figures.octree = octree.figures;
    made.figures.buildSeconds = octree.figures.buildSeconds;
    const Stopwatch clock;
    if (devices.size() == 1) {
        std::optional<TraceSpan> stage(std::in_place, "upload");
        DeviceScene deviceScene(devices[0], scene, *octree.octrees, octree.lamps);
        stage.emplace("pipelines");
        made.figures.uploadSeconds = clock.seconds();
        const Stopwatch making;
        if (kernels.valid()) {
            kernels.wait(); // where it failed, making the kernels tells why
        }
        auto own = std::make_unique<GpuBackend>(devices[0], std::move(deviceScene), view, waves);
        made.figures.pipelineSeconds = making.seconds();
        made.backend = std::move(own);
    } else {
        auto own = std::make_unique<DevicesBackend>(devices, scene, *octree.octrees, octree.lamps, view, waves);
        made.figures.pipelineSeconds = own->pipelineSeconds();
        made.figures.uploadSeconds = clock.seconds() - made.figures.pipelineSeconds;
        made.backend = std::move(own);
    }
    if (octree.lamps.valid()) {
        made.figures.octree->octreeBytes += octree.lamps.get().bytes();
    }
    return made;
}

MadeBackend makeReferenceBackend(const Scene& scene, const View& view) {
    if (const auto octree = anyOctreeFile(scene)) {
        fail(ExitCode::BadInput,
             "{}: found the octree {}, which the reference backend cannot render, expected meshes; "
             "--backend gpu renders it",
             scene.file.string(), octree->string());
    }
    for (const VoxelInstance& instance : scene.voxelInstances) {
        if (scene.voxelModels[instance.model].isLevelSet()) {
            fail(ExitCode::BadInput,
                 "{}: found the level set '{}', which the reference backend cannot render, expected meshes; "
                 "--backend gpu renders it",
                 scene.file.string(), scene.voxelModels[instance.model].name);
        }
    }
    warnOfOpenGlass(scene);
    const Stopwatch clock;
    auto backend = std::make_unique<ReferenceBackend>(scene, view);
    MadeBackend made;
    made.figures.triangles = backend->triangleCount();
    made.figures.buildSeconds = clock.seconds();
    made.backend = std::move(backend);
    return made;
}

} // namespace aureole
