#include "cli/render_job.h"

#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bloom/filter.h"
#include "cli/bloom_files.h"
#include "cli/bloom_kernel.h"
#include "cli/describe_octree.h"
#include "cli/finish_files.h"
#include "cli/frame_files.h"
#include "cli/render_attributes.h"
#include "cli/render_backend.h"
#include "cli/render_checkpoint.h"
#include "cli/render_loop.h"
#include "cli/render_plan.h"
#include "cli/scene_caches.h"
#include "cli/scene_textures.h"
#include "cli/viewer.h"
#include "core/current_error.h"
#include "core/interrupt.h"
#include "core/log.h"
#include "image/alpha.h"
#include "image/bloom_mark.h"
#include "image/exr.h"
#include "image/finish/finish.h"
#include "image/png.h"
#include "image/tonemap.h"
#include "scene/exposure.h"
#include "scene/load.h"
#include "scene/scene_conflicts.h"

namespace aureole::cli {

namespace {

/// The devices, where any are needed.
std::vector<gpu::Device> openDevices(const RenderOptions& options, bool bloomed) {
    if (!options.reference) {
        return gpu::Device::openAll(options.device);
    }
    if (!bloomed) {
        return {};
    }
    try {
        return {gpu::Device::open(options.device)};
    } catch (const Error& error) {
        if (error.code() != ExitCode::NoDevice) {
            throw;
        }
        fail(ExitCode::NoDevice, "{}; the scene's bloom needs a device, --no-bloom renders without one", error.what());
    }
}

/// Notes which devices render. Those of one name are counted: "2 x NAME".
void reportDevices(const std::vector<gpu::Device>& devices, RenderReport& report) {
    std::map<std::string, int> names;
    std::set<std::string> drivers;
    for (const gpu::Device& device : devices) {
        const gpu::DeviceInfo& info = device.info();
        report.devices.push_back({info.index, info.name, info.uuid, info.driver, {}});
        ++names[info.name];
        drivers.insert(info.driver);
    }
    std::vector<std::string> counted;
    counted.reserve(names.size());
    for (const auto& [name, count] : names) {
        counted.push_back(count == 1 ? name : fmt::format("{} x {}", count, name));
    }
    report.device = fmt::format("{}", fmt::join(counted, ", "));
    report.driver = fmt::format("{}", fmt::join(drivers, ", "));
}

/// The scene's kernel for the view.
BloomKernel kernelFor(const Scene& scene, const View& view) {
    // An image is taken as it is, whatever the angle.
    return makeBloomKernel(scene.bloom, view.size, pixelAngle(scene, view).value_or(1.0));
}

/// Of the scene's steps and the options'.
Finish makeFinish(const Scene& scene, const RenderOptions& options) {
    try {
        return Finish(scene.finish);
    } catch (const Error& error) {
        if (!options.finish.gives("--relief")) {
            refuseConflicts(reliefConflicts(error), options);
        }
        throw;
    }
}

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

/// What is known and made ready before the first sample.
struct Job {
    const RenderOptions* options;
    std::optional<SceneCaches> caches;
    Scene scene;
    View view;
    std::vector<gpu::Device> devices;
    std::optional<BloomKernel> kernel; ///< where the picture gets bloom
    std::optional<Finish> finish;      ///< where it is finished
    std::unique_ptr<Viewer> viewer;    ///< where one is to show the picture
};

Job prepare(const RenderOptions& options, ImageFormat format, RenderReport& report) {
    const Stopwatch clock;
    Job job{&options, openSceneCaches(!options.noCache && !options.reference), {}, {}, {}, {}, {}, {}};
    job.scene = loadSceneFor(options, job.caches ? &job.caches->outlines : nullptr);
    report.loadSeconds = clock.seconds();
    checkAssets(job.scene, options);
    report.sceneHash = job.scene.hash;
    report.seed = job.scene.integrator.seed;
    job.view = makeView(job.scene, options);
    const bool bloomed = wantsBloom(job.scene, options);
    if (wantsFinish(job.scene, options)) {
        job.finish = makeFinish(job.scene, options);
    }
    checkDevice(bloomed, options);
    checkConflicts(job.scene, job.view, bloomed, options);
    dropLayers(job.scene, format, options);
    if (options.frames) {
        const auto [first, end] = *options.frames;
        setFrame(job.scene, job.view, first);
        if (options.skipExisting) {
            checkFramesAlike(options.output, first, end, job.scene.hash);
        }
    }
    refuseConflicts(findTextureConflicts(job.scene), options);
    report.width = job.view.cropSize.x;
    report.height = job.view.cropSize.y;
    checkResumed(options, checkpointAttributes(job.scene, job.view, options, report), limitsOf(job.scene, options));
    const Stopwatch opening;
    job.devices = openDevices(options, bloomed);
    report.deviceSeconds = opening.seconds();
    if (options.reference) {
        report.device = "CPU";
        report.driver = "Embree";
    } else {
        checkSeveral(job.scene.integrator.noise, job.devices.size(), options);
        reportDevices(job.devices, report);
    }
    if (bloomed) {
        // Before the long work, because the file of an image may be bad.
        try {
            job.kernel = kernelFor(job.scene, job.view);
        } catch (const Error& error) {
            refuseConflicts(bloomFileConflicts(job.scene, error), options);
            throw;
        }
    }
    if (options.viewer) {
        job.viewer = std::make_unique<Viewer>(*options.viewer);
    }
    return job;
}

/// Shows a film in the viewer, as linear radiance without bloom. `clock` ran while it was fetched.
void show(const Job& job, const std::string& name, FilmSums film, const Stopwatch& clock) {
    film.planes.clear();
    film.variance = false;
    film.sampleCounts = false;
    job.viewer->show(name, filmImage(film, false), clock.seconds());
}

std::unique_ptr<RenderBackend> makeBackend(Job& job, RenderReport& report) {
    if (job.options->reference) {
        makeTextures(job.scene, nullptr);
        return makeReferenceBackend(job.scene, job.view, report);
    }
    const VoxelSceneOptions options{job.caches ? &job.caches->octrees : nullptr, [&] {
                                        Scene whole = loadScene(job.options->scene, job.options->overrides);
                                        makeTextures(whole, &job.devices.front());
                                        return whole;
                                    }};
    try {
        return makeGpuBackend(job.devices, job.scene, job.view, options,
                              job.options->kernels.value_or(PathKernels::Fitting), report);
    } catch (const ConflictError& error) {
        refuseConflicts(error.conflicts(), *job.options);
        throw;
    }
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

/// Renders the picture that `output` will be, and shows it meanwhile.
FilmSums renderFilm(const Job& job, RenderBackend& backend, const RenderLimits& limits, const std::string& output,
                    std::uint32_t begun, const OnWholeBatch& onWholeBatch, RenderReport& report) {
    const Stopwatch clock;
    const auto onBatch = [&](bool last) {
        onWholeBatch(last);
        if (job.viewer && job.viewer->isReady()) {
            const Stopwatch showing;
            show(job, output, backend.film(), showing);
        }
    };
    try {
        report.interrupted = renderSamples(backend, limits, begun, onBatch).interrupted;
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

/// Notes a picture that is written.
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

void finishReport(const RenderOptions& options, const Stopwatch& total, ExitCode code, RenderReport& report) {
    report.totalSeconds = total.seconds();
    report.exitCode = code;
    printReport(report);
    if (!options.statsFile.empty()) {
        writeReport(options.statsFile, report);
    }
}

/// Of a run that failed: the figures so far. That they cannot be written is a warning beside the failure.
void finishReport(const RenderOptions& options, const Stopwatch& total, const Error& failure, RenderReport& report) {
    if (failure.code() == ExitCode::Usage) {
        return; // the options are wrong, and the name for the figures may be what is wrong about them
    }
    report.failure = failure.what();
    try {
        finishReport(options, total, failure.code(), report);
    } catch (const std::exception& error) {
        logWarning("{}", error.what());
    }
}

/// One picture, from a checkpoint and to one where the options say so.
void renderPicture(const Job& job, ImageFormat format, const RenderLimits& limits, RenderBackend& backend,
                   RenderReport& report) {
    const RenderOptions& options = *job.options;
    const CheckpointAttributes attributes = checkpointAttributes(job.scene, job.view, options, report);
    const std::uint32_t begun = resume(options, attributes, limits, backend);
    if (!options.resume.empty()) {
        report.resumedSamples = begun - limits.first;
    }
    CheckpointWriter checkpoints(options, attributes,
                                 begun > limits.first ? SampleRanges{{limits.first, begun}} : SampleRanges());
    bool allSamples = true;
    SampleRanges rendered;
    try {
        checkpoints.begin(backend);
        const FilmSums film = renderFilm(
            job, backend, limits, options.output, begun, [&](bool last) { checkpoints.offer(backend, last); }, report);
        savePicture(job, film, format, options.output, report);
        reportPicture(film, limits, backend, report);
        rendered = film.samples;
        // What ends by the time may go on.
        allSamples = std::isinf(limits.seconds) || film.sampleCount() == limits.end - limits.first;
    } catch (...) {
        const Error error = currentError();
        checkpoints.rescue(backend, limits);
        throw Error(error.code(), error.what() + checkpoints.kept());
    }
    checkpoints.finish(!report.interrupted && allSamples, rendered, backend.batchSize());
}

/// One picture after the other, the scene made ready once. A frame that a signal cuts short is not written, so that
/// every file has all its samples.
ExitCode renderFrames(Job& job, ImageFormat format, const RenderLimits& limits, RenderReport& report) {
    const RenderOptions& options = *job.options;
    const auto [first, end] = *options.frames;
    std::unique_ptr<RenderBackend> backend;
    SampleRanges there; // frames that have a file
    const auto note = [&there](std::uint32_t frame) {
        if (!there.empty() && there.back().second == frame) {
            ++there.back().second;
        } else {
            there.emplace_back(frame, frame + 1);
        }
    };
    report.frames = 0;
    report.framesFound = 0;
    for (std::uint32_t frame = first; frame < end && !report.interrupted; ++frame) {
        const std::string file = frameFile(options.output, frame);
        if (options.skipExisting && hasWholeFrame(file)) {
            note(frame);
            ++*report.framesFound;
            continue;
        }
        const double angle = pixelAngle(job.scene, job.view).value_or(0.0);
        setFrame(job.scene, job.view, frame);
        if (job.kernel && angle != pixelAngle(job.scene, job.view).value_or(0.0)) {
            job.kernel = kernelFor(job.scene, job.view);
        }
        if (backend) {
            const Stopwatch making;
            backend->setView(job.view);
            report.pipelineSeconds += making.seconds();
        } else {
            backend = makeBackend(job, report);
            catchInterrupts();
        }
        const FilmSums film = renderFilm(
            job, *backend, limits, file, limits.first, [](bool) {}, report);
        if (report.interrupted) {
            break;
        }
        savePicture(job, film, format, file, report);
        reportPicture(film, limits, *backend, report);
        note(frame);
        ++*report.frames;
        logInfo("frame    {} written to {}", frame, file);
        report.interrupted = interruptRequested() && frame + 1 < end;
    }
    if (!report.interrupted) {
        return ExitCode::Done;
    }
    if (there.empty()) {
        logWarning("interrupted: no frame of {}:{} was finished, and none is written", first, end);
    } else {
        logWarning("interrupted: of the frames {}:{} there are {}; with --skip-existing the same command renders those "
                   "that have no file",
                   first, end, formatSamples(there));
    }
    return ExitCode::Interrupted;
}

ExitCode renderAll(const RenderOptions& options, ImageFormat format, RenderReport& report) {
    Job job = prepare(options, format, report);
    const RenderLimits limits = limitsOf(job.scene, options);
    if (options.frames) {
        return renderFrames(job, format, limits, report);
    }
    const std::unique_ptr<RenderBackend> backend = makeBackend(job, report);
    // Until here there is nothing to save, so a signal ends the program at once.
    catchInterrupts();
    renderPicture(job, format, limits, *backend, report);
    if (!report.interrupted) {
        return ExitCode::Done;
    }
    logWarning("interrupted: {} has {} samples per pixel of the {} asked for", options.output, report.samplesPerPixel,
               limits.end - limits.first);
    return ExitCode::Interrupted;
}

} // namespace

ExitCode renderToFile(const RenderOptions& options) {
    const Stopwatch total;
    const ImageFormat format = checkOptions(options);
    setProgressStyle(options.progress);
    RenderReport report;
    report.scene = options.scene;
    report.output = options.output;
    report.backend = options.reference ? "reference" : "gpu";
    ExitCode code = ExitCode::Done;
    try {
        code = renderAll(options, format, report);
    } catch (...) {
        const Error error = currentError();
        finishReport(options, total, error, report);
        throw Error(error);
    }
    finishReport(options, total, code, report);
    return code;
}

} // namespace aureole::cli
