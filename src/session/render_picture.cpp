#include "session/render_picture.h"

#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "bloom/filter.h"
#include "film/bloom_mark.h"
#include "image/alpha.h"
#include "image/colour/tonemap.h"
#include "image/exr/exr.h"
#include "image/png/png.h"
#include "scene/exposure.h"
#include "session/render_attributes.h"
#include "voxel/file/octree_file.h"

namespace aureole {

namespace {

void writePicture(const Image& image, ImageFormat format, const Scene& scene, const View& view,
                  const std::string& output) {
    if (format == ImageFormat::Exr) {
        writeExr(output, image);
        return;
    }
    Image colours = image;
    unassociateAlpha(colours);
    const double exposure = exposureStops(scene.film, cameraOf(scene, view));
    writePng(output, toneMap(colours, toneMapFromName(scene.film.tonemap), exposure, output));
}

/// Shows a film in the viewer, as linear radiance without bloom. `clock` ran while it was fetched.
void show(const Job& job, const std::string& name, FilmSums film, const Stopwatch& clock) {
    film.planes.clear();
    film.variance = false;
    film.sampleCounts = false;
    job.viewer->show(name, filmImage(film, false), clock.seconds());
}

/// Notes what rendering took so far, whether or not it has come to an end.
void reportWork(const RenderBackend& backend, const Stopwatch& clock, RenderReport& report) {
    report.renderSeconds += clock.seconds();
    report.rays += backend.rays();
    const std::vector<DeviceUse> uses = backend.uses();
    for (std::size_t i = 0; i < uses.size(); ++i) {
        report.devices[i].use = uses[i];
    }
}

/// One that works, as far as is known.
const gpu::Device& deviceForBloom(const Job& job, const RenderReport& report) {
    std::size_t first = 0;
    while (first + 1 < report.devices.size() && !report.devices[first].use.failure.empty()) {
        ++first;
    }
    return job.devices[first];
}

Image developFilm(const Job& job, const FilmSums& film, RenderReport& report) {
    const RenderOptions& options = *job.options;
    Image image = filmImage(film, options.sampleRange.has_value());
    addAttributes(image, job.scene, job.view, options, report);
    if (job.kernel) {
        const Stopwatch clock;
        double milliseconds = 0.0;
        const BloomMethod method = bloomMethod(job.scene.bloom);
        image = bloom(deviceForBloom(job, report), image, *job.kernel, method, options.output, &milliseconds);
        markBloomed(image, "", describeBloom(job.scene.bloom, *job.kernel, method));
        report.bloomMilliseconds = report.bloomMilliseconds.value_or(0.0) + milliseconds;
        report.bloomSeconds += clock.seconds();
    }
    if (job.finish) {
        const Stopwatch clock;
        job.finish->apply(image, options.output);
        markFinished(image, "", job.finish->describe(image));
        report.finishSeconds += clock.seconds();
    }
    return image;
}

} // namespace

FilmSums renderFilm(const Job& job, RenderBackend& backend, const RenderLimits& limits, const std::string& output,
                    std::uint32_t begun, const OnWholeBatch& onWholeBatch, const OnSamples& onSamples,
                    RenderReport& report) {
    const Stopwatch clock;
    const auto onBatch = [&](bool last) {
        onWholeBatch(last);
        if (job.viewer && job.viewer->isReady()) {
            const Stopwatch showing;
            show(job, output, backend.film(), showing);
        }
    };
    try {
        report.interrupted = renderSamples(backend, limits, begun, onBatch, onSamples).interrupted;
    } catch (...) {
        reportWork(backend, clock, report);
        throw;
    }
    reportWork(backend, clock, report);
    FilmSums film = backend.film();
    if (job.viewer) {
        show(job, output, film, clock);
    }
    return film;
}

void reportPicture(const FilmSums& film, const RenderLimits& limits, const RenderBackend& backend,
                   RenderReport& report) {
    const std::uint64_t samples = film.counts.empty()
                                      ? film.sampleCount() * film.pixelCount()
                                      : std::accumulate(film.counts.begin(), film.counts.end(), std::uint64_t{0});
    report.addPicture(film.sampleCount());
    report.samplesTotal += samples;
    report.samples = formatSamples(film.samples);
    if (limits.noise > 0.0) {
        report.noise = limits.noise;
        report.addNoise(film.pixelCount(), backend.activePixels(), static_cast<double>(samples));
    }
}

void savePicture(const Job& job, const FilmSums& film, ImageFormat format, const std::string& output,
                 RenderReport& report) {
    const Image image = developFilm(job, film, report);
    const Stopwatch clock;
    writePicture(image, format, job.scene, job.view, output);
    report.writeSeconds += clock.seconds();
    std::error_code gone; // someone may be quick to remove it
    const std::uintmax_t bytes = std::filesystem::file_size(output, gone);
    report.outputBytes += gone ? 0 : bytes;
}

} // namespace aureole
