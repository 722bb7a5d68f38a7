#include "cli/traverse_paths.h"

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "image/alpha.h"
#include "image/film.h"
#include "image/tonemap.h"
#include "render/path_tracer.h"
#include "scene/exposure.h"

namespace aureole::cli {

namespace {

/// Samples of each pixel that are timed, after as many as a batch has, which are not.
constexpr std::uint32_t kSamples = 64;
constexpr std::uint32_t kSamplesOfCpu = 8;

constexpr std::uint32_t kLongestSide = 1280; ///< of a picture on a page

std::uint32_t samplesOn(const gpu::Device& device) {
    return device.info().isCpu ? kSamplesOfCpu : kSamples;
}

/// As `aureole render` writes it in a PNG, but for its size.
Image pictureOf(const PathTracer& tracer, const TraverseScene& scene) {
    const FilmSettings& film = scene.scene->film;
    Image radiance = filmImage(tracer.film(), false);
    unassociateAlpha(radiance);
    const double stops = exposureStops(film, cameraOf(*scene.scene, scene.view));
    return toneMap(shrunkTo(radiance, kLongestSide), toneMapFromName(film.tonemap), stops, scene.name);
}

} // namespace

std::string pathPicturesNote(const gpu::Device& device, const TraverseScene& scene) {
    const Image shown = shrunkTo(makeImage(scene.view.size.x, scene.view.size.y, {"R", "G", "B"}), kLongestSide);
    const std::string size =
        shown.width == scene.view.size.x ? std::string() : fmt::format(", shown at {}x{}", shown.width, shown.height);
    return fmt::format("{} voxels a side, {}x{} pixels{}, {} samples per pixel.", scene.resolution, scene.view.size.x,
                       scene.view.size.y, size, PathTracer::kBatchSize + samplesOn(device));
}

std::vector<ReportPicture> benchPaths(const gpu::Device& device, const TraverseScene& scene,
                                      std::optional<double> bounceRate, bool pictured, BenchReport& report) {
    std::vector<ReportPicture> pictures;
    const DeviceScene onDevice(device, *scene.scene, scene.octree);
    const std::uint32_t count = samplesOn(device);
    report.beginTable("whole paths");
    const std::string obstacle = Wavefront::obstacle(onDevice);
    if (!obstacle.empty()) {
        report.note(fmt::format("no waves: the scene has {}", obstacle));
    }
    const std::array<std::pair<const char*, PathKernels>, 2> all = {
        {{"megakernel", PathKernels::Megakernel}, {"wavefront", PathKernels::Wavefront}}};
    for (const auto& [name, kernels] : all) {
        if (kernels == PathKernels::Wavefront && !obstacle.empty()) {
            continue;
        }
        PathTracerOptions options;
        options.kernels = kernels;
        PathTracer tracer(device, onDevice, scene.view, options);
        const auto goOn = [](double) { return true; };
        tracer.render(0, PathTracer::kBatchSize, goOn);
        const PathTracerStats before = tracer.stats();
        tracer.render(PathTracer::kBatchSize, PathTracer::kBatchSize + count, goOn);
        const double microseconds = (tracer.stats().deviceSeconds - before.deviceSeconds) * 1e6;
        const auto rays = static_cast<double>(tracer.stats().rays - before.rays);
        const double samples = static_cast<double>(scene.view.size.x) * scene.view.size.y * count;
        const double rate = rays / microseconds;
        report.add({{"", name},
                    {"Mray/s", rate},
                    {"Msamples/s", samples / microseconds},
                    {"rays/sample", rays / samples},
                    {"of bounce1", bounceRate ? nlohmann::ordered_json(rate / *bounceRate) : nullptr}});
        if (pictured) {
            pictures.push_back({name, pictureOf(tracer, scene)});
        }
    }
    return pictures;
}

} // namespace aureole::cli
