#include "bench/denoise_bench.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "bench/bench_measure.h"
#include "bench/shown_film.h"
#include "core/error.h"
#include "core/stopwatch.h"
#include "film/picture.h"
#include "image/metrics/flip.h"
#include "image/metrics/metrics.h"
#include "render/path_tracer.h"

namespace aureole::bench {

namespace {

/// The scene with the samples that denoisers compare, and the layers of `denoiser` alone.
Scene sceneFor(const RenderedScene& loaded, DenoiserKind denoiser) {
    Scene scene = loaded.scene;
    scene.integrator.sampler = SamplerKind::Sobol;
    scene.film.denoise = denoiser;
    return scene;
}

Image halfOf(const Image& image, const std::string& layer) {
    Image half = makeImage(image.width, image.height, {"R", "G", "B"});
    for (Channel& channel : half.channels) {
        channel.values = image.find(layer + "." + channel.name)->values;
    }
    return half;
}

/// The x that fits errors as samples^-x best, by least squares of their logarithms; null where there is none to fit.
nlohmann::ordered_json slopeOf(const std::vector<std::uint32_t>& samples, const std::vector<double>& errors) {
    double meanX = 0.0;
    double meanY = 0.0;
    const auto count = static_cast<double>(samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
        meanX += std::log(samples[i]) / count;
        meanY += std::log(errors[i]) / count;
    }
    double products = 0.0;
    double squares = 0.0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const double x = std::log(samples[i]) - meanX;
        products += x * (std::log(errors[i]) - meanY);
        squares += x * x;
    }
    const double slope = -products / squares;
    return std::isfinite(slope) ? nlohmann::ordered_json(slope) : nlohmann::ordered_json(nullptr);
}

} // namespace

DenoiseBench::DenoiseBench(gpu::Device device, DenoiseBenchOptions options)
    : device_(std::move(device))
    , options_(std::move(options))
    , report_("denoise", device_.info()) {
    const bool isCpu = device_.info().isCpu;
    if (!options_.size) {
        options_.size = isCpu ? glm::uvec2(64, 36) : glm::uvec2(640, 360);
    }
    if (options_.samples.empty()) {
        options_.samples = {16, 64, 256};
    }
    if (options_.referenceSamples == 0) {
        options_.referenceSamples = isCpu ? 512 : 16384;
    }
    denoisers_.push_back({"builtin", Denoiser(DenoiserKind::Builtin, options_.quality, &device_)});
    try {
        denoisers_.push_back({"oidn", Denoiser(DenoiserKind::Oidn, options_.quality, &device_)});
    } catch (const Error& error) {
        missing_ = error.what();
    }
}

/// Renders with another seed than the pictures that are compared with it.
DenoiseBench::Reference DenoiseBench::makeReference(const RenderedScene& loaded) const {
    Scene scene = sceneFor(loaded, DenoiserKind::None);
    ++scene.integrator.seed;
    scene.film.aovs.add(Aov::Halves);
    const DeviceScene onDevice(device_, scene, loaded.octrees);
    PathTracer tracer(device_, onDevice, loaded.view);
    tracer.render(0, options_.referenceSamples, goOn);
    Reference reference;
    reference.image = filmImage(tracer.film(), false);
    // The means of two halves differ by four times the variance of the mean of both.
    reference.error = 0.25 * compareImages(Metric::Mse, {halfOf(reference.image, "halfA"), "half of the reference"},
                                           {halfOf(reference.image, "halfB"), "half of the reference"});
    return reference;
}

double DenoiseBench::addRow(const std::string& name, std::uint32_t samples, const Image& image, const Image& noisy,
                            const Reference& reference) {
    const NamedImage shown{image, name};
    const NamedImage truth{reference.image, "reference"};
    const double error = compareImages(Metric::Mse, shown, truth);
    report_.add({{"", name},
                 {"samples", samples},
                 {"relmse", compareImages(Metric::RelMse, shown, truth)},
                 {"flip", hdrFlip(shown, truth).mean},
                 {"rmse", std::sqrt(error)},
                 {"mean %", 100.0 * (meanLuminance(shown) / meanLuminance({noisy, "noisy"}) - 1.0)}});
    return error;
}

void DenoiseBench::measure(const std::string& file) {
    TraverseSceneOptions sceneOptions;
    sceneOptions.file = file;
    sceneOptions.size = *options_.size;
    const RenderedScene loaded = loadRenderedScene(sceneOptions, options_.resolution);
    const Reference reference = makeReference(loaded);
    report_.beginTable(fmt::format("{}: {} voxels a side, {}x{}, error against {} samples", loaded.name,
                                   loaded.resolution, loaded.view.size.x, loaded.view.size.y,
                                   options_.referenceSamples));
    const Scene scene = sceneFor(loaded, DenoiserKind::Auto);
    const DeviceScene onDevice(device_, scene, loaded.octrees);
    PathTracer tracer(device_, onDevice, loaded.view);
    Errors errors{loaded.name, std::vector<std::vector<double>>(1 + denoisers_.size())};
    std::uint32_t begin = 0;
    for (const std::uint32_t samples : options_.samples) {
        begin = tracer.render(begin, samples, goOn);
        const FilmSums film = tracer.film();
        std::vector<Image> images = {filmImage(film, false)};
        const std::optional<SeenLayers> seen = seenLayers(
            film, [&](std::uint32_t first, std::uint32_t end) { return tracer.layersOf(first, end, goOn); },
            options_.rays);
        for (NamedDenoiser& denoiser : denoisers_) {
            images.push_back(images.front());
            denoiser.denoiser.apply(images.back(), loaded.name, false, &device_, seen ? &*seen : nullptr);
        }
        for (std::size_t i = 0; i < images.size(); ++i) {
            const double error = addRow(nameOf(i), samples, images[i], images.front(), reference);
            errors.byDenoiser[i].push_back(std::sqrt(std::max(error - reference.error, 0.0)));
        }
        noisy_ = images.front();
        if (options_.common.pictures) {
            addPictures(loaded, samples, images);
        }
    }
    errors_.push_back(std::move(errors));
}

void DenoiseBench::addSlopes() {
    if (options_.samples.size() < 2) {
        return;
    }
    report_.beginTable("x of RMSE falling as samples^-x, without the error of the reference itself");
    for (const Errors& errors : errors_) {
        BenchRow row{{"", errors.scene}};
        for (std::size_t i = 0; i < errors.byDenoiser.size(); ++i) {
            row[nameOf(i)] = slopeOf(options_.samples, errors.byDenoiser[i]);
        }
        report_.add(row);
    }
}

void DenoiseBench::addTimes() {
    report_.beginTable(fmt::format("Times of a picture of {}x{}", noisy_.width, noisy_.height));
    for (auto& [name, denoiser] : denoisers_) {
        std::vector<double> all;
        std::vector<double> filter;
        for (std::uint32_t run = 0; run < options_.common.repeats; ++run) {
            Image image = noisy_;
            const double before = denoiser.milliseconds();
            const Stopwatch clock;
            denoiser.apply(image, name, false, &device_);
            all.push_back(1e3 * clock.seconds());
            filter.push_back(denoiser.milliseconds() - before);
        }
        const double whole = spreadOf(all).median;
        const double filtered = spreadOf(filter).median;
        report_.add({{"", name}, {"filter ms", filtered}, {"host ms", whole - filtered}, {"ms", whole}});
    }
    for (const auto& [name, denoiser] : denoisers_) {
        report_.note(fmt::format("{}: {}", name, denoiser.name()));
    }
    if (!missing_.empty()) {
        report_.note(missing_);
    }
}

void DenoiseBench::addPictures(const RenderedScene& loaded, std::uint32_t samples, const std::vector<Image>& images) {
    const auto shown = [&](std::size_t i) {
        return ReportPicture{nameOf(i), shownPicture(images[i], loaded.scene, loaded.view, nameOf(i))};
    };
    for (std::size_t i = 0; i + 1 < images.size(); ++i) {
        pictures_.push_back(compared(fmt::format("{}, {} samples", loaded.name, samples),
                                     shownSizeText(loaded.view.size) + ".", shown(i), shown(i + 1)));
    }
}

std::string DenoiseBench::nameOf(std::size_t place) const {
    return place == 0 ? "noisy" : denoisers_[place - 1].name;
}

void DenoiseBench::run() {
    for (const std::string& scene : options_.scenes) {
        measure(scene);
    }
    addSlopes();
    addTimes();
    report_.addKernels(device_);
    report_.write(options_.common, pictures_);
}

} // namespace aureole::bench
