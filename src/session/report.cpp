#include "session/report.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/log.h"
#include "core/progress.h"

namespace aureole {

namespace {

/// "32", or of frames that do not have the same "12 to 40".
std::string samplesText(const RenderReport& report) {
    const std::uint64_t fewest = report.fewestSamples.value_or(report.samplesPerPixel);
    return fewest == report.samplesPerPixel ? fmt::to_string(fewest)
                                            : fmt::format("{} to {}", fewest, report.samplesPerPixel);
}

void printDevices(const RenderReport& report) {
    if (report.devices.size() < 2 || report.stages.of(Stage::Render) == 0.0) {
        return;
    }
    for (const ReportedDevice& device : report.devices) {
        const DeviceUse& use = device.use;
        logInfo("device   {} {}: {} samples per pixel{}, {} rays in {}, {:.2f} Mray/s{}{}", device.index, device.name,
                use.samples, report.frames ? " in all frames together" : "", use.rays, formatDuration(use.seconds),
                use.seconds > 0.0 ? static_cast<double>(use.rays) / use.seconds * 1e-6 : 0.0,
                use.failure.empty() ? "" : "; failed: ", use.failure);
    }
}

void printWritten(const RenderReport& report) {
    const std::string size = fmt::format("({}x{})", report.width.value_or(0), report.height.value_or(0));
    if (!report.frames) {
        if (report.outputBytes == 0) {
            return;
        }
        logInfo("written  {} {}", report.output, size);
        return;
    }
    const std::uint64_t found = report.framesFound.value_or(0);
    const std::string there = found > 0 ? fmt::format(", {} {} there already", found, found == 1 ? "was" : "were") : "";
    logInfo("written  {} {}, {} {}{}", *report.frames == 0 ? "no" : fmt::to_string(*report.frames),
            *report.frames == 1 ? "frame" : "frames", report.output, size, there);
}

} // namespace

void RenderReport::setDevices(std::vector<ReportedDevice> used) {
    devices = std::move(used);
    std::map<std::string, int> names;
    std::set<std::string> drivers;
    for (const ReportedDevice& one : devices) {
        ++names[one.name];
        drivers.insert(one.driver);
    }
    std::vector<std::string> counted;
    counted.reserve(names.size());
    for (const auto& [name, count] : names) {
        counted.push_back(count == 1 ? name : fmt::format("{} x {}", count, name));
    }
    device = fmt::format("{}", fmt::join(counted, ", "));
    driver = fmt::format("{}", fmt::join(drivers, ", "));
}

void RenderReport::setBackend(const BackendFigures& figures) {
    made = figures;
    stages.add(Stage::Build, figures.buildSeconds);
    stages.add(Stage::Upload, figures.uploadSeconds);
    stages.add(Stage::Pipelines, figures.pipelineSeconds);
    usesBefore_.clear();
    for (const ReportedDevice& reported : devices) {
        usesBefore_.push_back(reported.use);
    }
}

void RenderReport::addWork(double seconds, std::uint64_t raysOfPicture, const std::vector<DeviceUse>& uses) {
    stages.add(Stage::Render, seconds);
    rays += raysOfPicture;
    for (std::size_t i = 0; i < uses.size(); ++i) {
        const DeviceUse before = i < usesBefore_.size() ? usesBefore_[i] : DeviceUse{};
        devices[i].use = uses[i];
        devices[i].use.samples += before.samples;
        devices[i].use.rays += before.rays;
        devices[i].use.seconds += before.seconds;
    }
}

void RenderReport::addPicture(const FilmSums& film, double noiseWanted, std::uint64_t pixelsLeftOver) {
    const std::uint64_t perPixel = film.sampleCount();
    const std::uint64_t sum = film.counts.empty()
                                  ? perPixel * film.pixelCount()
                                  : std::accumulate(film.counts.begin(), film.counts.end(), std::uint64_t{0});
    const bool isFirst = samplesPerPixel == 0;
    samplesPerPixel = std::max(samplesPerPixel, perPixel);
    if (frames) {
        fewestSamples = isFirst ? perPixel : std::min(fewestSamples.value_or(perPixel), perPixel);
    }
    samplesTotal += sum;
    samples = formatRanges(film.samples);
    if (noiseWanted > 0.0) {
        noise = noiseWanted;
        addNoise(film.pixelCount(), pixelsLeftOver, static_cast<double>(sum));
    }
}

/// Counts the pixels of a picture: all, those that did not reach the error, and the samples that they have together.
void RenderReport::addNoise(std::uint64_t all, std::uint64_t left, double sampleSum) {
    const double before = meanSamples.value_or(0.0) * static_cast<double>(pixels.value_or(0));
    pixels = pixels.value_or(0) + all;
    pixelsLeft = pixelsLeft.value_or(0) + left;
    meanSamples = (before + sampleSum) / static_cast<double>(*pixels);
}

double RenderReport::raysPerSecond() const {
    const double seconds = stages.of(Stage::Render);
    return seconds > 0.0 ? static_cast<double>(rays) / seconds : 0.0;
}

void printReport(const RenderReport& report) {
    const std::string built = formatDuration(report.stages.of(Stage::Build));
    if (const std::optional<OctreeFigures>& octree = report.made.octree) {
        logInfo("scene    {} {}, octree of {:.1f} MiB ({} bytes), {} in {}", octree->voxels,
                octree->cells ? "cells" : "voxels", static_cast<double>(octree->octreeBytes) / (1024.0 * 1024.0),
                octree->octreeBytes, octree->cached ? "from the cache" : "built", built);
    }
    if (report.made.triangles) {
        logInfo("scene    {} triangles, hierarchy built in {}", *report.made.triangles, built);
    }
    if (report.rays > 0 || report.samplesPerPixel > 0) {
        logInfo("render   {} in {}, {} rays, {:.2f} Mray/s",
                report.samplesPerPixel > 0 ? samplesText(report) + " samples per pixel"
                : report.frames            ? "no whole frame"
                                           : "no picture",
                formatDuration(report.stages.of(Stage::Render)), report.rays, report.raysPerSecond() * 1e-6);
    }
    printDevices(report);
    if (report.noise && report.pixels && report.pixelsLeft) {
        const std::uint64_t done = *report.pixels - *report.pixelsLeft;
        logInfo("noise    {} of {} pixels ({:.1f} %) reached {:g}, {:.1f} samples per pixel on average", done,
                *report.pixels, 100.0 * static_cast<double>(done) / static_cast<double>(*report.pixels), *report.noise,
                report.meanSamples.value_or(0.0));
    }
    if (!report.denoiser.empty() && report.stages.of(Stage::Denoise) > 0.0) {
        logInfo("denoise  {} in {}", report.denoiser, formatDuration(report.stages.of(Stage::Denoise)));
    }
    if (report.bloomMilliseconds) {
        logInfo("bloom    {:.2f} ms", *report.bloomMilliseconds);
    }
    printWritten(report);
}

} // namespace aureole
