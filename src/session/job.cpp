#include "session/job.h"

#include <exception>
#include <future>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/current_error.h"
#include "core/error.h"
#include "core/leave.h"
#include "core/log.h"
#include "core/quiet_log.h"
#include "core/trace.h"
#include "render/wave_kernels.h"
#include "scene/scene_conflicts.h"
#include "scene/value_keys.h"
#include "session/attributes.h"
#include "session/checkpoint.h"
#include "session/file_conflicts.h"
#include "session/frame_files.h"
#include "session/picture.h"
#include "session/plan.h"
#include "session/report_json.h"
#include "session/scene_options.h"
#include "session/textures.h"

namespace aureole {

namespace {

/// The devices to render and bloom on; none where neither needs one.
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

std::vector<ReportedDevice> reportedDevices(const std::vector<gpu::Device>& devices) {
    std::vector<ReportedDevice> reported;
    for (const gpu::Device& device : devices) {
        const gpu::DeviceInfo& info = device.info();
        reported.push_back({info.index, info.name, info.uuid, info.driver, {}});
    }
    return reported;
}

/// The finish that the scene and the options ask for, of its first frame.
std::shared_ptr<const Finish> makeFinish(const Look& look, const RenderOptions& options) {
    try {
        return std::make_shared<const Finish>(look.finish);
    } catch (const Error& error) {
        if (!options.finish.gives("--relief")) {
            refuseConflicts(reliefConflicts(error), options);
        }
        throw;
    }
}

/// Waits for the octree's file. The picture is there by now, so that a signal only leaves the cache without it.
void finishStoring(Job& job) {
    if (!job.storing.valid()) {
        return;
    }
    try {
        job.report.stages.time(Stage::Store, [&] { job.storing.get(); });
    } catch (const Error& error) {
        if (error.code() != ExitCode::Interrupted) {
            throw;
        }
        logWarning("cache of octrees: not stored: {}", error.what());
    }
}

void finishReport(const RenderOptions& options, const Stopwatch& total, ExitCode code, RenderReport& report) {
    report.totalSeconds = total.seconds();
    report.exitCode = code;
    printReport(report);
    if (!options.statsFile.empty()) {
        writeReport(options.statsFile, report);
    }
}

/// Does something for a run that has failed, of which a failure is a warning.
void warnOfFailure(const std::function<void()>& action) {
    try {
        action();
    } catch (const std::exception& error) {
        logWarning("{}", error.what());
    }
}

/// Tells of a run that failed, with the figures so far.
void finishReport(const RenderOptions& options, const Stopwatch& total, const Error& failure, RenderReport& report) {
    if (failure.code() == ExitCode::Usage) {
        return; // the options are wrong, and the name for the figures may be what is wrong about them
    }
    report.failure = failure.what();
    warnOfFailure([&] { finishReport(options, total, failure.code(), report); });
}

/// The kernel of the picture's bloom. It is made before the long work, because the file of an image may be bad.
BloomKernel makeKernel(const Job& job) {
    const TraceSpan span("bloom kernel");
    try {
        return kernelFor(job);
    } catch (const Error& error) {
        refuseConflicts(bloomFileConflicts(job.scene, error), job.options);
        throw;
    }
}

/// Samples of each pixel, of all frames together.
double samplesOfAllFrames(const Job& job) {
    const double samples = job.limits.end - job.limits.first;
    return job.options.frames ? samples * (job.options.frames->second - job.options.frames->first) : samples;
}

/// Looks for an octree that needs no making, of a scene without grids. Which one that is may hang on the device, so
/// that the devices must be there unless mayBeDevices says no.
void beginReadyOctree(Job& job) {
    const gpu::Device* const device = job.devices.empty() ? nullptr : &job.devices.front();
    job.octree = std::async(std::launch::async, [&job, device] {
        ReadyOctree ready{{}, voxelMakerOf(job.options.voxelMaker, job.scene.voxels, device)};
        ready.octree = findReadyOctree(job.scene, job.caches ? &job.caches->octrees : nullptr, ready.maker.get());
        return ready;
    });
}

/// The scene's octree, where it needs no making, once: it was looked for while the devices were opened.
ReadyOctree takeReadyOctree(Job& job) {
    if (job.scene.hasGrids()) {
        return {};
    }
    if (!job.octree.valid()) {
        beginReadyOctree(job);
    }
    return job.octree.get();
}

/// Makes the kernels that a scene will most likely need while its octree is made, so that the device's cache has them
/// then: a driver compiles for a second and more. Not for a software device, whose cores the octree needs.
std::future<void> beginKernels(const Job& job) {
    const gpu::Device& device = job.devices.front();
    const bool known = !job.scene.hasGrids() && !job.scene.outlined; // outlines do not tell what is of which material
    if (!known || job.devices.size() > 1 || device.info().isCpu) {
        return {};
    }
    return std::async(std::launch::async, [device, traits = expectedWaveTraits(job.scene, false)] {
        const TraceSpan span("kernels ahead");
        makeWaveKernels(device, traits);
    });
}

/// Checks the frames that are asked for, and moves the view to the first.
void prepareFrames(Job& job) {
    const auto [first, end] = *job.options.frames;
    setFrame(job.scene, job.view, first);
    if (job.options.skipExisting) {
        checkFramesAlike(job.options.output, first, end, job.scene.hash);
    }
}

/// Loads the scene, and takes from it what the job needs to know before its devices are open.
void loadJobScene(Job& job) {
    const RenderOptions& options = job.options;
    if (options.frames) {
        job.options.changes.frame = options.frames->first;
    }
    job.report.stages.time(Stage::Load, [&] {
        job.caches = openSceneCaches(!options.noCache && !options.reference);
        job.scene = loadSceneFor(options, job.format, job.caches ? &job.caches->outlines : nullptr);
    });
    logResolutions(job.scene);
    checkAssets(job.scene, options);
    job.view = makeView(job.scene, options);
    job.look = options.frames ? lookAtFrame(job.scene, options.frames->first) : lookOf(job.scene);
    job.limits = limitsOf(job.scene, options);
    job.report.sceneHash = job.scene.hash;
    job.report.seed = job.scene.integrator.seed;
    job.report.width = job.view.cropSize.x;
    job.report.height = job.view.cropSize.y;
}

void openJobDevices(Job& job, bool bloomed) {
    RenderReport& report = job.report;
    job.devices = report.stages.time(Stage::Device, [&] { return openDevices(job.options, bloomed); });
    if (job.options.reference) {
        report.device = "CPU";
        report.driver = "Embree";
        return;
    }
    checkSeveral(job.scene.integrator.noise, job.devices.size(), job.options);
    report.setDevices(reportedDevices(job.devices));
}

/// The denoiser is opened before the long work, as it may be missing.
void openDenoiser(Job& job) {
    job.denoiser.emplace(job.scene.film.denoise, job.scene.film.denoiseQuality,
                         job.devices.empty() ? nullptr : &job.devices.front());
    if (job.denoiser->needsHalves() && job.scene.integrator.sampler != SamplerKind::Sobol) {
        fail(ExitCode::Usage,
             "--denoise: found aureole's own filter with the sampler 'independent', expected 'sobol', whose two "
             "sequences it compares, or Open Image Denoise (tools/denoiser.sh installs it)");
    }
}

} // namespace

Job::Job(RenderOptions asked)
    : options(std::move(asked)) {
    report.scene = options.scene;
    report.output = options.output;
    report.backend = options.reference ? "reference" : "gpu";
}

ExitCode runReported(const RenderOptions& options, const std::function<ExitCode(Job&)>& body, bool ends) {
    const Stopwatch total;
    const bool isTraced = !options.traceFile.empty();
    if (isTraced) {
        startTrace();
    }
    setProgressStyle(options.progress);
    std::optional<Job> job(std::in_place, options);
    RenderReport report;
    const auto endAndTrace = [&] {
        report = std::move(job->report);
        job.reset(); // the timeline has the end of its devices
        writeTrace(options.traceFile);
    };
    ExitCode code = ExitCode::Done;
    try {
        code = body(*job);
        finishStoring(*job);
        if (isTraced) {
            endAndTrace();
        }
    } catch (...) {
        const Error error = currentError();
        // Where the options are wrong, the name for the timeline may be what is wrong about them.
        if (isTraced && job && error.code() != ExitCode::Usage) {
            warnOfFailure(endAndTrace);
        }
        finishReport(options, total, error, job ? job->report : report);
        throw Error(error);
    }
    finishReport(options, total, code, job ? job->report : report);
    if (ends && job) {
        job->viewer.reset(); // it has the last picture to show
        for (const gpu::Device& device : job->devices) {
            device.savePipelines();
        }
        leaveProcess(code);
    }
    return code;
}

BloomKernel kernelFor(const Job& job) {
    // Where a pixel spans no one angle, the kernel is an image, which is taken as it is whatever the angle.
    return makeBloomKernel(job.look.bloom, job.view.size, pixelAngle(job.scene, job.view).value_or(1.0));
}

void prepare(Job& job, ImageFormat format) {
    const RenderOptions& options = job.options;
    job.format = format;
    loadJobScene(job);
    const bool bloomed = wantsBloom(job.scene, options);
    job.finish.isWanted = wantsFinish(job.scene, options);
    if (job.finish.isWanted && job.look.finish.any()) {
        job.finish.next = makeFinish(job.look, options);
    }
    checkDevice(bloomed, options);
    checkConflicts(job.scene, job.view, bloomed, options);
    if (options.frames) {
        prepareFrames(job);
    }
    refuseConflicts(findTextureConflicts(job.scene), options);
    checkResumed(checkpointFiles(options), renderIdentity(job.scene, job.view, options, job.report), job.limits);
    std::future<BloomKernel> kernel; // whose making takes as long as the driver's start
    if (bloomed) {
        kernel = std::async(std::launch::async, [&job] { return makeKernel(job); });
    }
    const bool needsOctree = !options.reference && !job.scene.hasGrids();
    const bool waitsForDevice = mayBeDevices(options.voxelMaker, job.scene.voxels);
    if (needsOctree && !waitsForDevice) {
        beginReadyOctree(job);
    }
    openJobDevices(job, bloomed);
    if (needsOctree && waitsForDevice) {
        beginReadyOctree(job);
    }
    if (wantsDenoising(job.scene, options)) {
        openDenoiser(job);
    }
    if (bloomed) {
        job.report.stages.time(Stage::Bloom, [&] { job.bloom.kernel = kernel.get(); });
    }
    if (options.viewer) {
        job.viewer = std::make_unique<Viewer>(*options.viewer);
    }
}

std::unique_ptr<RenderBackend> makeBackend(Job& job, bool makesPictures) {
    const auto note = [&](MadeBackend made) {
        job.report.setBackend(made.figures);
        if (job.bloom.underWay.valid()) {
            job.report.stages.time(Stage::Bloom, [&] { job.bloom.underWay.get(); });
        }
        return std::move(made.backend);
    };
    const bool needsBloom = job.bloom.kernel && makesPictures && !job.bloom.filter;
    if (job.options.reference) {
        if (needsBloom) {
            beginBloom(job);
        }
        const bool grows = !job.scene.simulated.empty();
        const Scene& scene = grows ? job.grown.emplace(withTextures(job.scene, nullptr)) : job.scene;
        return note(makeReferenceBackend(scene, job.view));
    }
    try {
        const TraceSpan span("scene on the device");
        if (needsBloom) {
            beginBloomPipelines(job);
        }
        ReadyOctree ready = job.report.stages.time(Stage::Build, [&] { return takeReadyOctree(job); });
        std::future<void> kernels = ready.octree ? std::future<void>() : beginKernels(job);
        FoundOctrees octree = findOctrees(job.scene, job.options.overrides, job.options.changes, job.caches,
                                          job.options.voxelMaker, &job.devices.front(), std::move(ready));
        if (needsBloom) { // it looks at what memory is free, after the voxeliser has given back its own
            beginBloom(job);
        }
        job.storing = std::move(octree.storing);
        return note(
            makeGpuBackend(job.devices, job.scene, octree, job.view, samplesOfAllFrames(job), std::move(kernels)));
    } catch (const ConflictError& error) {
        refuseConflicts(error.conflicts(), job.options);
        throw;
    }
}

void loadFrame(Job& job, std::uint32_t frame) {
    job.backend.reset(); // it points into the scene
    job.grown.reset();
    job.octree = {}; // waits for its reader; it is of the frame before, where no backend took it
    finishStoring(job);
    job.storing = {};
    job.options.changes.frame = frame;
    const QuietLog again; // the scene has told of itself
    job.scene = job.report.stages.time(Stage::Load, [&] {
        return loadSceneFor(job.options, job.format, job.caches ? &job.caches->outlines : nullptr);
    });
}

} // namespace aureole
