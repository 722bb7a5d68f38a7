#include "cli/render_report.h"

#include <span>

#include <nlohmann/json.hpp>

#include "core/file.h"
#include "core/log.h"
#include "core/progress.h"

namespace aureole::cli {

namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json orNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json toJson(const RenderReport& report) {
    return {{"version", AUREOLE_VERSION},
            {"scene", report.scene},
            {"scene_hash", report.sceneHash},
            {"output", report.output},
            {"device", report.device},
            {"driver", report.driver},
            {"backend", report.backend},
            {"width", report.width},
            {"height", report.height},
            {"seed", report.seed},
            {"samples", report.samplesPerPixel},
            {"sample_ranges", report.samples},
            {"frames", orNull(report.frames)},
            {"interrupted", report.interrupted},
            {"noise", orNull(report.noise)},
            {"mean_samples", orNull(report.meanSamples)},
            {"pixels_left", orNull(report.pixelsLeft)},
            {"voxels", orNull(report.voxels)},
            {"cells", orNull(report.cells)},
            {"octree_bytes", orNull(report.octreeBytes)},
            {"octree_cached", orNull(report.octreeCached)},
            {"triangles", orNull(report.triangles)},
            {"rays", report.rays},
            {"rays_per_second", report.raysPerSecond()},
            {"bloom_milliseconds", orNull(report.bloomMilliseconds)},
            {"seconds",
             {{"load", report.loadSeconds},
              {"build", report.buildSeconds},
              {"store", report.storeSeconds},
              {"upload", report.uploadSeconds},
              {"render", report.renderSeconds},
              {"bloom", report.bloomSeconds},
              {"write", report.writeSeconds},
              {"total", report.totalSeconds}}}};
}

} // namespace

double RenderReport::raysPerSecond() const {
    return renderSeconds > 0.0 ? static_cast<double>(rays) / renderSeconds : 0.0;
}

void printReport(const RenderReport& report) {
    if (report.voxels && report.octreeBytes) {
        logInfo("scene    {} {}, octree of {:.1f} MiB ({} bytes), {} in {}", *report.voxels,
                report.cells ? "cells" : "voxels", static_cast<double>(*report.octreeBytes) / (1024.0 * 1024.0),
                *report.octreeBytes, report.octreeCached.value_or(false) ? "from the cache" : "built",
                formatDuration(report.buildSeconds));
    }
    if (report.triangles) {
        logInfo("scene    {} triangles, hierarchy built in {}", *report.triangles, formatDuration(report.buildSeconds));
    }
    logInfo("render   {} samples per pixel in {}, {} rays, {:.2f} Mray/s", report.samplesPerPixel,
            formatDuration(report.renderSeconds), report.rays, report.raysPerSecond() * 1e-6);
    if (report.noise && report.pixels && report.pixelsLeft) {
        const std::uint64_t done = *report.pixels - *report.pixelsLeft;
        logInfo("noise    {} of {} pixels ({:.1f} %) reached {:g}, {:.1f} samples per pixel on average", done,
                *report.pixels, 100.0 * static_cast<double>(done) / static_cast<double>(*report.pixels), *report.noise,
                report.meanSamples.value_or(0.0));
    }
    if (report.bloomMilliseconds) {
        logInfo("bloom    {:.2f} ms", *report.bloomMilliseconds);
    }
    logInfo("written  {} ({}x{})", report.output, report.width, report.height);
}

void writeReport(const std::filesystem::path& path, const RenderReport& report) {
    // Paths need not be UTF-8.
    const std::string text = toJson(report).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    writeFileAtomically(path, std::as_bytes(std::span(text)));
}

} // namespace aureole::cli
