#include "render/path_tracer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/divide_up.h"
#include "core/error.h"
#include "core/log.h"
#include "film/state.h"
#include "gpu/workgroups.h"
#include "render_shaders.h"
#include "shared/path/path_work.h"

namespace aureole {

namespace {

/// Where memory is short, waves get by with less of it.
constexpr std::uint32_t kFrugalityStep = 8;
constexpr std::uint32_t kMostFrugality = 64;
/// Who stops a render waits for a pass. A pass has no more samples than the rate of the one before traces in so long.
constexpr double kMostSecondsOfPass = 2.0;

} // namespace

PathTracer::PathTracer(gpu::Device device, const DeviceScene& scene, const View& view, const WavefrontOptions& options)
    : device_(std::move(device))
    , scene_(&scene)
    , options_(options)
    , layout_(scene.filmLayout()) {
    setView(view);
}

void PathTracer::takeAllTiles() {
    params_.batchSize = kBatchSize;
    params_.tileCount = static_cast<std::uint32_t>(film_.tiles.active().size());
    itemsPerBatch_ = params_.tileCount * PATH_TILE_PIXELS;
}

void PathTracer::create() {
    using gpu::MemoryKind;
    // The film first, since waves can do with less memory.
    film_ = createFilm();
    takeAllTiles();
    createPasses();
    paramsBuffer_ = device_.createBuffer((1 + otherParams_.size()) * sizeof(shared::VoxelParams), MemoryKind::Device,
                                         "path parameters");
    results_ = device_.createBuffer(std::uint64_t{itemCapacity_} * sizeof(shared::SampleSums), MemoryKind::Device,
                                    "batch sums");
    if (layout_.inPaths()) {
        layerParams_ =
            device_.createBufferWith(std::span<const shared::FilmLayers>(&layout_.layers, 1), "layer parameters");
        layerResults_ = device_.createBuffer(std::uint64_t{itemCapacity_} * layout_.layers.count * sizeof(float),
                                             MemoryKind::Device, "batch layers");
    }
}

PathTracer::Film PathTracer::createFilm() const {
    Film film;
    film.tiles = AdaptiveTiles(view_.cropSize);
    film.sums = createPixels(sizeof(shared::FilmPixel), "film");
    if (layout_.inPaths()) {
        film.layers = createPixels(layout_.layers.count * sizeof(shared::LayerPixel), "film of layers");
    }
    return film;
}

gpu::Buffer PathTracer::createPixels(std::uint64_t bytesOfPixel, const char* name) const {
    const std::uint64_t pixels = std::uint64_t{view_.cropSize.x} * view_.cropSize.y;
    const gpu::DeviceInfo& info = device_.info();
    const std::uint64_t most = info.maxAllocationBytes / bytesOfPixel;
    if (pixels > most) {
        fail(ExitCode::OutOfMemory,
             "{}: found {}x{} pixels of {} bytes, {} in all; '{}' takes at most {} in one buffer, which are {} pixels; "
             "render parts by --crop and merge them{}",
             name, view_.cropSize.x, view_.cropSize.y, bytesOfPixel, pixels * bytesOfPixel, info.name,
             info.maxAllocationBytes, most, layout_.inPaths() ? ", or leave out layers" : "");
    }
    return device_.createBuffer(pixels * bytesOfPixel, gpu::MemoryKind::Device, name);
}

void PathTracer::setView(const View& view) {
    film_.isWhole = false;
    const bool alike = passes_ && view.cropSize == view_.cropSize;
    view_ = view;
    otherParams_ = scene_->allParams(view);
    params_ = otherParams_.front();
    otherParams_.erase(otherParams_.begin());
    secondsPerBatch_ = 0.0;
    stats_ = {};
    if (alike) {
        film_.tiles = AdaptiveTiles(view.cropSize);
        film_.adaptive = false;
        takeAllTiles();
        batchesPerPass_ = itemCapacity_ / itemsPerBatch_;
        passes_->setCamera(*scene_, params_.path);
    } else {
        // Their memory is free before the next ones take as much.
        passes_.reset();
        results_ = {};
        film_ = {};
        layerResults_ = {};
        activeTiles_ = {};
        decision_.reset();
        create();
    }
    uploadOtherParams();
    setLayersAlone(false);
    clear();
}

void PathTracer::setLayersAlone(bool alone) {
    layout_.layers.alone = alone ? 1 : 0;
    if (layout_.inPaths()) {
        device_.upload(layerParams_, 0, std::as_bytes(std::span(&layout_.layers, 1)));
    }
}

void PathTracer::uploadOtherParams() {
    params_.grids = paramsBuffer_.address();
    for (shared::VoxelParams& other : otherParams_) {
        other.grids = params_.grids;
    }
    if (!otherParams_.empty()) {
        device_.upload(paramsBuffer_, sizeof(params_), std::as_bytes(std::span(otherParams_)));
    }
}

void PathTracer::clear() {
    film_.samples.clear();
    film_.isWhole = false;
    gpu::CommandEncoder commands = device_.encoder();
    commands.fill(film_.sums, 0, film_.sums.size(), 0);
    if (layout_.inPaths()) {
        commands.fill(film_.layers, 0, film_.layers.size(), 0);
    }
    device_.submit(std::move(commands)).wait();
    film_.isWhole = true;
}

void PathTracer::sizePasses(std::uint32_t items) {
    batchesPerPass_ = std::max(items / itemsPerBatch_, 1U);
    const double batches = std::ceil(options_.paths / (static_cast<double>(itemsPerBatch_) * kBatchSize));
    if (batches > 0.0 && batches < batchesPerPass_) {
        batchesPerPass_ = static_cast<std::uint32_t>(batches);
    }
    itemCapacity_ = itemsPerBatch_ * batchesPerPass_;
}

void PathTracer::createPasses() {
    for (WavefrontOptions fitting = options_; !passes_; fitting.frugality *= kFrugalityStep) {
        const gpu::DeviceInfo info = Wavefront::withFree(device_.info(), device_.freeBytes());
        sizePasses(Wavefront::itemsPerPass(info, layout_, kBatchSize, fitting.frugality));
        try {
            passes_.emplace(device_, *scene_, params_, itemCapacity_, kBatchSize, fitting);
        } catch (const Error& error) {
            if (error.code() != ExitCode::OutOfMemory || fitting.frugality >= kMostFrugality) {
                throw;
            }
            logWarning("{}; waves of fewer paths take less", error.what());
        }
    }
    const auto create = [&](const char* name, const gpu::Shader& shader, std::size_t pushBytes) {
        gpu::PipelineOptions options;
        options.name = name;
        options.shader = shader;
        options.pushConstantBytes = static_cast<std::uint32_t>(pushBytes);
        return device_.createPipeline(options);
    };
    filmPipeline_ = create("film_add", shaders::film_add(), sizeof(shared::FilmPush));
    meansPipeline_ = create("film_means", shaders::film_means(), sizeof(shared::FilmMeansPush));
}

std::uint32_t PathTracer::render(std::uint32_t first, std::uint32_t end,
                                 const std::function<bool(double)>& onProgress) {
    std::uint32_t at = first;
    gpu::Submission added;
    while (at < end && itemsPerBatch_ > 0) {
        const std::uint64_t block = at / kBatchSize;
        const std::uint64_t wanted = (block + batchesInTime()) * kBatchSize;
        const auto passEnd = static_cast<std::uint32_t>(std::min<std::uint64_t>(end, wanted));
        const auto batches = static_cast<std::uint32_t>((passEnd - 1) / kBatchSize - block + 1);
        bool goOn = true;
        const auto begun = std::chrono::steady_clock::now();
        renderPass(at, passEnd, batches, [&](double share) {
            const double done = at - first + share * (passEnd - at);
            goOn = onProgress(done / (end - first));
        });
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begun;
        secondsPerBatch_ = seconds.count() / batches;
        film_.isWhole = false;
        added.wait(); // it was in front of this pass
        added = addToFilm(batches);
        film_.tiles.reached(passEnd);
        appendRange(film_.samples, {at, passEnd});
        film_.isWhole = true;
        at = passEnd;
        if (!goOn) {
            break;
        }
    }
    added.wait();
    passes_->settle();
    return at;
}

std::uint32_t PathTracer::batchesInTime() const {
    const double most = secondsPerBatch_ > 0.0 ? kMostSecondsOfPass / secondsPerBatch_ : batchesPerPass_;
    return static_cast<std::uint32_t>(std::clamp<double>(most, 1.0, batchesPerPass_));
}

void PathTracer::renderPass(std::uint32_t first, std::uint32_t end, std::uint32_t batches,
                            const std::function<void(double)>& onShare) {
    params_.firstSample = first;
    params_.endSample = end;
    device_.upload(paramsBuffer_, 0, std::as_bytes(std::span(&params_, 1)));

    PassWork work;
    work.params = paramsBuffer_.address();
    work.results = results_.address();
    work.items = itemsPerBatch_ * batches;
    if (layout_.inPaths()) {
        work.layers = layerParams_.address();
        work.layerSums = layerResults_.address();
    }
    passes_->trace(work, onShare, stats_);
}

gpu::Submission PathTracer::addToFilm(std::uint32_t batches) {
    shared::FilmPush push{};
    push.film = film_.sums.address();
    push.results = results_.address();
    push.tiles = params_.tiles;
    push.size = view_.cropSize;
    push.tileCount = params_.tileCount;
    push.batches = batches;
    if (layout_.inPaths()) {
        push.layerFilm = film_.layers.address();
        push.layerSums = layerResults_.address();
        push.layerCount = layout_.layers.count;
        push.instanceLayer = layout_.layers.first[AOV_INSTANCE];
        push.fresh = film_.samples.empty() ? 1 : 0;
    }
    gpu::CommandEncoder commands = device_.encoder();
    const glm::uvec2 groups = gpu::groupsAlong(divideUp(itemsPerBatch_, 64U));
    commands.dispatch(filmPipeline_, push, groups.x, groups.y);
    commands.barrier();
    return device_.submit(std::move(commands));
}

FilmSums PathTracer::film() const {
    FilmTotal total(view_.cropSize, layout_);
    downloaded_ = state(std::move(downloaded_));
    total.add(downloaded_);
    FilmSums film = std::move(total).film();
    if (film_.adaptive) {
        film.setCounts(film_.tiles.pixelSamples());
    }
    return film;
}

FilmSums PathTracer::layersOf(std::uint32_t first, std::uint32_t end, const std::function<bool(double)>& onProgress) {
    Film own = std::exchange(film_, createFilm());
    const PathTracerStats stats = stats_;
    setView(View(view_));
    setLayersAlone(true);
    render(first, end, onProgress);
    FilmSums layers = film();
    setLayersAlone(false);
    film_ = std::move(own);
    if (film_.adaptive) {
        takeActiveTiles();
    }
    stats_ = stats;
    return layers;
}

bool PathTracer::hasMeansAlone() const {
    return !layout_.inPaths() && !layout_.variance && !layout_.sampleCounts && !layout_.halves && !film_.adaptive &&
           !film_.samples.empty();
}

FilmSums PathTracer::filmWithoutSums() const {
    FilmSums film;
    film.width = view_.cropSize.x;
    film.height = view_.cropSize.y;
    film.samples = film_.samples;
    return film;
}

void PathTracer::drawMeans(gpu::CommandEncoder& commands, std::uint64_t means, std::uint64_t unusual,
                           float most) const {
    shared::FilmMeansPush push{};
    push.film = film_.sums.address();
    push.means = means;
    push.unusual = unusual;
    push.pixels = view_.cropSize.x * view_.cropSize.y;
    push.samples = static_cast<std::uint32_t>(filmWithoutSums().sampleCount());
    push.most = most;
    const glm::uvec2 groups = gpu::groupsAlong(divideUp(push.pixels, 64U));
    commands.dispatch(meansPipeline_, push, groups.x, groups.y);
}

void PathTracer::retire(double noise) {
    film_.adaptive = true;
    if (!decision_) {
        decision_.emplace(device_, view_.cropSize, layout_.sampler == SamplerKind::Sobol);
    }
    film_.tiles.retire(decision_->decide(film_.sums, film_.tiles.doneAt(), film_.tiles.activeSamples(), noise));
    takeActiveTiles();
}

FilmState PathTracer::state(FilmState state) const {
    state.samples = film_.samples;
    state.adaptive = film_.adaptive;
    film_.tiles.save(state);
    state.film.resize(film_.sums.size());
    device_.download(film_.sums, 0, state.film);
    state.layers.resize(layout_.inPaths() ? film_.layers.size() : 0);
    if (layout_.inPaths()) {
        device_.download(film_.layers, 0, state.layers);
    }
    return state;
}

void PathTracer::restore(const FilmState& state, const std::string& file) {
    const std::uint64_t layerBytes = layout_.inPaths() ? film_.layers.size() : 0;
    if (state.film.size() != film_.sums.size() || state.layers.size() != layerBytes) {
        fail(ExitCode::BadInput, "{}: found {} bytes of film and {} of layers, expected {} and {}", file,
             state.film.size(), state.layers.size(), film_.sums.size(), layerBytes);
    }
    film_.tiles.restore(state, file);
    film_.samples = state.samples;
    device_.upload(film_.sums, 0, state.film);
    if (layerBytes > 0) {
        device_.upload(film_.layers, 0, state.layers);
    }
    film_.adaptive = state.adaptive;
    if (film_.adaptive) {
        takeActiveTiles();
    }
}

void PathTracer::takeActiveTiles() {
    const std::vector<std::uint32_t>& active = film_.tiles.active();
    if (activeTiles_.size() == 0) {
        activeTiles_ = device_.createBuffer(std::uint64_t{params_.tileCount} * sizeof(std::uint32_t),
                                            gpu::MemoryKind::Device, "active tiles");
    }
    params_.tiles = activeTiles_.address();
    params_.tileCount = static_cast<std::uint32_t>(active.size());
    itemsPerBatch_ = params_.tileCount * PATH_TILE_PIXELS;
    if (!active.empty()) {
        device_.upload(activeTiles_, 0, std::as_bytes(std::span(active)));
        batchesPerPass_ = itemCapacity_ / itemsPerBatch_;
    }
}

} // namespace aureole
