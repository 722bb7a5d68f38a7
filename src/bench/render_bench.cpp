#include "bench/render_bench.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "bench/shown_film.h"
#include "bench/traverse/traverse_paths.h"
#include "core/error.h"
#include "film/picture.h"
#include "image/metrics/metrics.h"
#include "render/path_tracer.h"
#include "settings/fields.h"

namespace aureole::bench {

namespace {

struct Sampling {
    DirectionSampling directions;
    LightSampling lights;
    SamplerKind sampler;
};

constexpr std::array<Sampling, 6> kSamplings = {
    {{DirectionSampling::Uniform, LightSampling::Bsdf, SamplerKind::Independent},
     {DirectionSampling::Cosine, LightSampling::Bsdf, SamplerKind::Independent},
     {DirectionSampling::Bsdf, LightSampling::Bsdf, SamplerKind::Independent},
     {DirectionSampling::Bsdf, LightSampling::Lights, SamplerKind::Independent},
     {DirectionSampling::Bsdf, LightSampling::Mis, SamplerKind::Independent},
     {DirectionSampling::Bsdf, LightSampling::Mis, SamplerKind::Sobol}}};
constexpr std::size_t kBest = 5;

Scene sceneWith(const Scene& scene, const Sampling& sampling) {
    Scene result = scene;
    result.integrator.sampling = sampling.directions;
    result.integrator.lightSampling = sampling.lights;
    result.integrator.sampler = sampling.sampler;
    return result;
}

glm::uvec2 sizeOn(const gpu::Device& device, const RenderBenchOptions& options) {
    return options.size.value_or(device.info().isCpu ? glm::uvec2(64, 36) : glm::uvec2(640, 360));
}

TraverseScene load(const gpu::Device& device, RenderBenchOptions& options) {
    options.scene.size = sizeOn(device, options);
    return loadTraverseScene(options.scene, options.resolution);
}

/// How fast the paths of a scene are traced, beside the first bounces of its rays. The benchmark traces rays through
/// one octree, so that of several there are no such bounces.
BenchRow rowOfScene(const gpu::Device& device, const TraverseSceneOptions& one, const RenderBenchOptions& options,
                    std::uint32_t samples) {
    BenchRow row{{"", std::filesystem::path(one.file).stem().string()}};
    std::optional<double> bounces;
    const auto measure = [&](const Scene& scene, std::span<const Octree> octrees, const View& view,
                             std::uint32_t resolution) {
        row["surface"] = surfaceName(octrees.front());
        row["resolution"] = resolution;
        row.update(tracePaths(device, scene, octrees, view, row.at(""), samples, bounces));
    };
    if (hasSeveralOctrees(one)) {
        const RenderedScene scene = loadRenderedScene(one, options.resolution);
        measure(scene.scene, scene.octrees, scene.view, scene.resolution);
    } else {
        const TraverseScene scene = loadTraverseScene(one, options.resolution);
        bounces = firstBounceRate(device, scene, options.common.repeats);
        measure(*scene.scene, std::span(&scene.octree, 1), scene.view, scene.resolution);
    }
    row["bounce1 Mray/s"] = bounces ? nlohmann::ordered_json(*bounces) : nullptr;
    return row;
}

} // namespace

const std::vector<std::string>& samplingNames() {
    const auto nameIn = [](const std::vector<std::string>& names, auto value) {
        return names.at(static_cast<std::size_t>(value));
    };
    static const std::vector<std::string> kNames = {nameIn(directionSamplingNames(), DirectionSampling::Uniform),
                                                    nameIn(directionSamplingNames(), DirectionSampling::Cosine),
                                                    nameIn(lightSamplingNames(), LightSampling::Bsdf),
                                                    nameIn(lightSamplingNames(), LightSampling::Lights),
                                                    nameIn(lightSamplingNames(), LightSampling::Mis),
                                                    nameIn(samplerNames(), SamplerKind::Sobol)};
    return kNames;
}

std::vector<std::string> scenesIn(const std::string& folder) {
    std::error_code error;
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        if (entry.path().extension() == ".json" && entry.path().stem().extension() != ".schema") {
            files.push_back(entry.path().string());
        }
    }
    if (error) {
        fail(ExitCode::BadInput, "--all: {}: {}", folder, error.message());
    }
    if (files.empty()) {
        fail(ExitCode::BadInput, "--all: {}: found no scene, expected files that end in .json", folder);
    }
    std::sort(files.begin(), files.end());
    return files;
}

void benchAllScenes(const gpu::Device& device, const RenderBenchOptions& options) {
    BenchReport report("render", device.info());
    const std::uint32_t samples = options.samples > 0 ? options.samples : samplesOfPaths(device.info());
    TraverseSceneOptions one = options.scene;
    one.size = sizeOn(device, options);
    report.beginTable(fmt::format("{}: {}x{}, {} samples per pixel", options.folder, one.size.x, one.size.y, samples));
    for (const std::string& file : scenesIn(options.folder)) {
        one.file = file;
        report.add(rowOfScene(device, one, options, samples));
    }
    report.addKernels(device);
    report.write(options.common);
}

RenderBench::RenderBench(gpu::Device device, RenderBenchOptions options)
    : device_(std::move(device))
    , options_(std::move(options))
    , scene_(load(device_, options_))
    , report_("render", device_.info()) {
    const bool isCpu = device_.info().isCpu;
    options_.samples = options_.samples > 0 ? options_.samples : isCpu ? 32 : 1024;
    options_.referenceSamples = options_.referenceSamples > 0 ? options_.referenceSamples : isCpu ? 512 : 65536;
    const std::uint64_t all = std::uint64_t{options_.common.repeats} * options_.samples;
    if (all > std::numeric_limits<std::uint32_t>::max()) {
        fail(ExitCode::Usage, "--repeats: found {} runs of {} samples each, expected fewer than 2^32 samples in all",
             options_.common.repeats, options_.samples);
    }
}

/// Few enough to tell the pictures apart.
std::uint32_t RenderBench::fewSamples() const {
    return std::min(options_.samples, 2 * PathTracer::kBatchSize);
}

double RenderBench::pixels() const {
    return static_cast<double>(scene_.view.size.x) * scene_.view.size.y;
}

/// Renders the reference with another seed than the pictures that are compared with it.
void RenderBench::makeReference() {
    Scene scene = sceneWith(*scene_.scene, kSamplings.at(kBest));
    ++scene.integrator.seed;
    const DeviceScene onDevice(device_, scene, scene_.octree);
    PathTracer tracer(device_, onDevice, scene_.view, wavesToMeasure(device_.info()));
    tracer.render(0, options_.referenceSamples, goOn);
    reference_ = filmImage(tracer.film(), false);
}

RenderBench::Outcome RenderBench::measure(std::size_t strategy) {
    const Scene scene = sceneWith(*scene_.scene, kSamplings.at(strategy));
    const DeviceScene onDevice(device_, scene, scene_.octree);
    Outcome outcome;
    outcome.name = samplingNames()[strategy];
    std::vector<std::uint32_t> counts;
    for (std::uint32_t count = PathTracer::kBatchSize; count <= options_.samples; count *= 2) {
        counts.push_back(count);
    }
    std::vector<double> errors(counts.size());
    std::vector<double> times;
    PathTracer(device_, onDevice, scene_.view, wavesToMeasure(device_.info()))
        .render(0, PathTracer::kBatchSize, goOn); // raises the clocks
    for (std::uint32_t run = 0; run < options_.common.repeats; ++run) {
        // Aligned parts of the sequence are as even as its beginning.
        const std::uint32_t first = run * options_.samples;
        PathTracer tracer(device_, onDevice, scene_.view, wavesToMeasure(device_.info()));
        std::uint32_t begin = first;
        for (std::size_t i = 0; i < counts.size(); ++i) {
            begin = tracer.render(begin, first + counts[i], goOn);
            FilmSums film = tracer.film();
            const Image image = filmImage(film, false);
            errors[i] += compareImages(Metric::RelMse, {image, outcome.name}, {reference_, "reference"});
            if (run == 0 && counts[i] == fewSamples()) {
                outcome.seen = std::move(film);
            }
        }
        times.push_back(tracer.stats().deviceSeconds);
        outcome.rays += static_cast<double>(tracer.stats().rays) / options_.common.repeats;
    }
    for (std::size_t i = 0; i < counts.size(); ++i) {
        errors[i] /= options_.common.repeats;
        report_.add({{"", outcome.name}, {"samples", counts[i]}, {"relmse", errors[i]}});
    }
    outcome.seconds = spreadOf(std::move(times));
    outcome.error = errors.back();
    return outcome;
}

void RenderBench::addOutcomes(const std::vector<Outcome>& outcomes) {
    report_.beginTable(fmt::format("at {} samples per pixel", options_.samples));
    for (const Outcome& outcome : outcomes) {
        const double samples = pixels() * options_.samples;
        const double microseconds = outcome.seconds.median * 1e6;
        report_.add(
            {{"", outcome.name},
             {"ms", microseconds / 1e3},
             {"Msamples/s", samples / microseconds},
             {"quartile 1", samples / outcome.seconds.upperQuartile / 1e6},
             {"quartile 3", samples / outcome.seconds.lowerQuartile / 1e6},
             {"Mray/s", outcome.rays / microseconds},
             {"rays/sample", outcome.rays / samples},
             {"relmse", outcome.error},
             {"efficiency",
              outcome.error > 0.0 ? nlohmann::ordered_json(1.0 / (outcome.error * outcome.seconds.median)) : nullptr}});
    }
}

std::vector<PicturePair> RenderBench::pictures(const std::vector<Outcome>& outcomes) const {
    const auto [best, worst] = std::minmax_element(
        outcomes.begin(), outcomes.end(), [](const Outcome& a, const Outcome& b) { return a.error < b.error; });
    if (best == worst) {
        return {};
    }
    const auto shown = [&](const Outcome& outcome) {
        return ReportPicture{outcome.name, shownFilm(outcome.seen, *scene_.scene, scene_.view, outcome.name)};
    };
    return {compared(
        fmt::format("The most error and the least, at {} samples per pixel", fewSamples()),
        fmt::format("{}, {} voxels a side, {}.", scene_.name, scene_.resolution, shownSizeText(scene_.view.size)),
        shown(*worst), shown(*best))};
}

void RenderBench::run() {
    makeReference();
    report_.beginTable(fmt::format("{}: {} voxels a side, {}x{}, error against {} samples", scene_.name,
                                   scene_.resolution, scene_.view.size.x, scene_.view.size.y,
                                   options_.referenceSamples));
    std::vector<Outcome> outcomes;
    for (const std::size_t strategy : options_.strategies) {
        outcomes.push_back(measure(strategy));
    }
    addOutcomes(outcomes);
    report_.addKernels(device_);
    report_.write(options_.common, options_.common.pictures ? pictures(outcomes) : std::vector<PicturePair>{});
}

} // namespace aureole::bench
