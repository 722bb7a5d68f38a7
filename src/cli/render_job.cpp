#include "cli/render_job.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bloom/filter.h"
#include "cli/bloom_kernel.h"
#include "cli/describe_octree.h"
#include "cli/frame_files.h"
#include "cli/output.h"
#include "cli/render_attributes.h"
#include "cli/render_backend.h"
#include "cli/render_loop.h"
#include "core/file.h"
#include "core/interrupt.h"
#include "core/log.h"
#include "core/suggest.h"
#include "image/alpha.h"
#include "image/exr.h"
#include "image/png.h"
#include "image/tonemap.h"
#include "scene/animation.h"
#include "scene/exposure.h"
#include "scene/load.h"
#include "scene/outline_cache.h"

namespace aureole::cli {

namespace {

/// All that is wrong with the options alone.
ImageFormat checkOptions(const RenderOptions& options) {
    if (options.skipExisting && !options.frames) {
        fail(ExitCode::Usage, "--skip-existing: expected it with --frames");
    }
    // Frames lie beside each other: what the first one may, all may.
    const std::string file = options.frames ? frameFile(options.output, options.frames->first) : options.output;
    const ImageFormat format = checkOutput(file, {ImageFormat::Exr, ImageFormat::Png});
    if (options.sampleRange && format != ImageFormat::Exr) {
        fail(ExitCode::Usage, "{}: found .png with --samples, expected .exr: a part is merged before tone mapping",
             options.output);
    }
    if (options.aovs && format != ImageFormat::Exr) {
        fail(ExitCode::Usage, "{}: found .png with --aov, expected .exr: a PNG has no layers", options.output);
    }
    if (!options.statsFile.empty()) {
        checkWritable(options.statsFile);
    }
    return format;
}

/// What the user's cache keeps of scenes.
struct SceneCaches {
    explicit SceneCaches(const std::filesystem::path& folder)
        : outlines(folder / "outlines")
        , octrees(folder / "octrees") {}

    OutlineCache outlines;
    OctreeCache octrees;
};

/// None where they are not wanted, of no use, or have no place.
std::optional<SceneCaches> openCaches(const RenderOptions& options) {
    const std::filesystem::path folder = cacheFolder();
    return options.noCache || options.reference || folder.empty() ? std::nullopt : std::optional<SceneCaches>(folder);
}

/// Refuses options for voxels that the scene has no use for.
void checkVoxelOverrides(const RenderOptions& options, const Scene& scene) {
    for (const auto& [pointer, value] : options.overrides) {
        for (const char* const name : {"resolution", "surface", "error"}) {
            if (scene.octree && pointer == fmt::format("/voxels/{}", name)) {
                fail(ExitCode::Usage, "--{}: found {} for {}, expected none: an octree has its {}", name, value,
                     scene.octree->file.string(), name);
            }
        }
        if (pointer == "/voxels/error" && scene.voxels.surface != SurfaceKind::Planes) {
            fail(ExitCode::Usage, "--error: found {} with surface '{}', expected surface 'planes'", value,
                 surfaceKindNames()[static_cast<std::size_t>(scene.voxels.surface)]);
        }
    }
}

/// Refuses adaptive sampling where it makes no sense.
void checkNoise(const RenderOptions& options, const Scene& scene) {
    if (scene.integrator.noise > 0.0 && options.sampleRange) {
        fail(ExitCode::Usage,
             "--samples: found it with adaptive sampling (/integrator/noise is {}), expected one of them: parts have "
             "as many samples in every pixel; --set /integrator/noise=0",
             scene.integrator.noise);
    }
    const bool variance = scene.film.aovs.has(Aov::Variance);
    if (scene.integrator.sampler == SamplerKind::Sobol && (scene.integrator.noise > 0.0 || variance)) {
        fail(ExitCode::Usage,
             "{}: found it with the sampler 'sobol', expected 'independent', whose samples alone tell "
             "the error of their mean; --sampler independent",
             variance ? "--aov variance" : "--noise");
    }
}

/// The scene with the options' changes. Those that change no sample go in after loading and leave its hash alone.
Scene loadSceneFor(const RenderOptions& options, const std::optional<SceneCaches>& caches) {
    std::vector<SceneOverride> overrides = options.overrides;
    if (options.level) {
        if (!isOctreeFile(options.scene)) {
            fail(ExitCode::Usage,
                 "--level: found {} for {}, expected an octree (.avo); in a scene, '--set /instances/NAME/level={}'",
                 *options.level, options.scene, *options.level);
        }
        overrides.emplace_back("/instances/model/level", fmt::to_string(*options.level));
    }
    Scene scene = loadScene(options.scene, overrides, caches ? &caches->outlines : nullptr);
    checkVoxelOverrides(options, scene);
    scene.integrator.samplesPerPixel = options.samplesPerPixel.value_or(scene.integrator.samplesPerPixel);
    if (options.exposure) {
        scene.film.exposure = *options.exposure;
        for (Camera& camera : scene.cameras) {
            camera.exposure.reset();
            camera.photograph.reset();
        }
    }
    scene.film.tonemap = options.tonemap.value_or(scene.film.tonemap);
    scene.film.aovs = options.aovs.value_or(scene.film.aovs);
    checkNoise(options, scene);
    return scene;
}

std::uint32_t findCamera(const Scene& scene, const std::string& name) {
    std::vector<std::string> names;
    for (const Camera& camera : scene.cameras) {
        if (camera.name == name) {
            return static_cast<std::uint32_t>(names.size());
        }
        names.push_back(camera.name);
    }
    if (name.empty()) {
        return 0;
    }
    fail(ExitCode::Usage, "--camera: found '{}', which {} does not have{}; it has {}", name, scene.file.string(),
         didYouMean(name, names), fmt::format("'{}'", fmt::join(names, "', '")));
}

View makeView(const Scene& scene, const RenderOptions& options) {
    View view = defaultView(scene);
    view.camera = findCamera(scene, options.camera);
    if (options.crop) {
        const auto [low, high] = *options.crop;
        if (high.x > view.size.x || high.y > view.size.y) {
            fail(ExitCode::Usage, "--crop: found {},{},{},{}, expected it within the picture of {}x{}", low.x, low.y,
                 high.x, high.y, view.size.x, view.size.y);
        }
        view.cropOrigin = low;
        view.cropSize = high - low;
    }
    return view;
}

/// Whether the picture gets bloom; says why not where the scene asks for it.
bool wantsBloom(const Scene& scene, const RenderOptions& options) {
    if (!scene.bloom.enabled) {
        return false;
    }
    const char* reason = options.noBloom       ? "--no-bloom"
                         : options.sampleRange ? "--samples: bloom the merged image with 'aureole bloom'"
                         : options.crop        ? "--crop: bloom needs the whole picture"
                                               : nullptr;
    if (reason != nullptr) {
        logInfo("the scene's bloom is left out because of {}", reason);
    }
    return reason == nullptr;
}

/// The device, where one is needed.
std::optional<gpu::Device> openDevice(const RenderOptions& options, bool bloomed) {
    if (!options.reference) {
        return gpu::Device::open(options.device);
    }
    if (!bloomed) {
        return std::nullopt;
    }
    try {
        return gpu::Device::open(options.device);
    } catch (const Error& error) {
        if (error.code() != ExitCode::NoDevice) {
            throw;
        }
        fail(ExitCode::NoDevice, "{}; the scene's bloom needs a device, --no-bloom renders without one", error.what());
    }
}

RenderLimits limitsOf(const Scene& scene, const RenderOptions& options) {
    constexpr std::uint32_t kMostAdaptiveSamples = 65536;
    RenderLimits limits;
    limits.seconds = options.seconds.value_or(limits.seconds);
    limits.noise = scene.integrator.noise;
    if (options.sampleRange) {
        std::tie(limits.first, limits.end) = *options.sampleRange;
    } else if (options.seconds && !options.samplesPerPixel) {
        limits.end = std::numeric_limits<std::uint32_t>::max();
    } else if (options.noise && !options.samplesPerPixel) {
        limits.end = kMostAdaptiveSamples;
    } else {
        limits.end = scene.integrator.samplesPerPixel;
    }
    return limits;
}

/// The scene's kernel for the view. Glare spreads by angles: an orthographic picture has none, so that only an image
/// serves as its kernel, and a picture of the whole sphere is not flat.
BloomKernel kernelFor(const Scene& scene, const View& view) {
    const Camera& camera = cameraOf(scene, view);
    const bool drawn = !isGeneratedBloomKernel(scene.bloom.kernel);
    if (camera.projection == Projection::Equirectangular || (camera.projection == Projection::Orthographic && !drawn)) {
        fail(ExitCode::BadInput, "{}: found bloom with the {} camera '{}', expected {}; --no-bloom renders without",
             scene.file.string(), camera.projection == Projection::Orthographic ? "orthographic" : "equirectangular",
             camera.name,
             camera.projection == Projection::Orthographic
                 ? "an image as its kernel, as the pixels span no angle for a generated one"
                 : "a flat picture, which glare can be added to by a convolution");
    }
    // An image is taken as it is, whatever the angle.
    return makeBloomKernel(scene.bloom, view.size, pixelAngle(scene, view).value_or(1.0));
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

void setFrame(const Scene& scene, View& view, std::uint32_t frame) {
    view.frame = frame;
    view.moved = cameraAtFrame(scene, frame);
}

/// Refuses frames that the scene does not have, and cameras that see nothing, before any work.
void checkFrames(const Scene& scene, const RenderOptions& options) {
    const auto [first, end] = *options.frames;
    if (!scene.animation) {
        fail(ExitCode::Usage, "--frames: found {}:{}, but {} has no animation", first, end, scene.file.string());
    }
    if (end > scene.animation->frames) {
        fail(ExitCode::Usage, "--frames: found {}:{}, expected frames within 0:{}, those of the animation of {}", first,
             end, scene.animation->frames, scene.file.string());
    }
    const std::string& animated = scene.cameras[scene.animation->camera].name;
    if (!options.camera.empty() && options.camera != animated) {
        fail(ExitCode::Usage, "--camera: found '{}' with --frames, expected '{}', which the animation moves",
             options.camera, animated);
    }
    for (std::uint32_t frame = first; frame < end; ++frame) {
        cameraAtFrame(scene, frame);
    }
}

/// What is known and made ready before the first sample.
struct Job {
    const RenderOptions* options;
    std::optional<SceneCaches> caches;
    Scene scene;
    View view;
    std::optional<gpu::Device> device;
    std::optional<BloomKernel> kernel; ///< where the picture gets bloom
};

Job prepare(const RenderOptions& options, RenderReport& report) {
    const Stopwatch clock;
    Job job{&options, openCaches(options), {}, {}, {}, {}};
    job.scene = loadSceneFor(options, job.caches);
    report.loadSeconds = clock.seconds();
    report.scene = options.scene;
    report.sceneHash = job.scene.hash;
    report.seed = job.scene.integrator.seed;
    job.view = makeView(job.scene, options);
    if (options.frames) {
        checkFrames(job.scene, options);
        job.view.camera = job.scene.animation->camera;
        setFrame(job.scene, job.view, options.frames->first);
    }
    const bool bloomed = wantsBloom(job.scene, options);
    job.device = openDevice(options, bloomed);
    report.device = options.reference ? "CPU" : job.device->info().name;
    report.driver = options.reference ? "Embree" : job.device->info().driver;
    if (bloomed) {
        // Made before the long work, because its file may be bad.
        job.kernel = kernelFor(job.scene, job.view);
    }
    return job;
}

std::unique_ptr<RenderBackend> makeBackend(const Job& job, RenderReport& report) {
    if (job.options->reference) {
        return makeReferenceBackend(job.scene, job.view, report);
    }
    const VoxelSceneOptions options{job.caches ? &job.caches->octrees : nullptr,
                                    [&] { return loadScene(job.options->scene, job.options->overrides); }};
    return makeGpuBackend(*job.device, job.scene, job.view, options, report);
}

FilmSums renderFilm(RenderBackend& backend, const RenderLimits& limits, RenderReport& report) {
    const Stopwatch clock;
    report.interrupted = renderSamples(backend, limits).interrupted;
    report.renderSeconds += clock.seconds();
    report.rays += backend.rays();
    FilmSums film = backend.film();
    report.samplesPerPixel = film.sampleCount();
    report.samples = formatSamples(film.samples);
    if (limits.noise > 0.0) {
        report.noise = limits.noise;
        report.pixels = film.pixelCount();
        report.pixelsLeft = backend.activePixels();
        const double sum = std::accumulate(film.counts.begin(), film.counts.end(), 0.0);
        report.meanSamples = film.counts.empty() ? static_cast<double>(film.sampleCount())
                                                 : sum / static_cast<double>(film.pixelCount());
    }
    return film;
}

Image developFilm(const Job& job, const FilmSums& film, RenderReport& report) {
    const RenderOptions& options = *job.options;
    Image image = filmImage(film, options.sampleRange.has_value());
    addAttributes(image, job.scene, job.view, options, report);
    if (job.kernel) {
        const Stopwatch clock;
        double milliseconds = 0.0;
        image = bloom(*job.device, image, *job.kernel, bloomMethod(job.scene.bloom), options.output, &milliseconds);
        report.bloomMilliseconds = report.bloomMilliseconds.value_or(0.0) + milliseconds;
        report.bloomSeconds += clock.seconds();
    }
    report.width = image.width;
    report.height = image.height;
    return image;
}

void savePicture(const Job& job, const FilmSums& film, ImageFormat format, const std::string& output,
                 RenderReport& report) {
    const Image image = developFilm(job, film, report);
    const Stopwatch clock;
    writePicture(image, format, job.scene, job.view, output);
    report.writeSeconds += clock.seconds();
}

void finishReport(const RenderOptions& options, const Stopwatch& total, RenderReport& report) {
    report.totalSeconds = total.seconds();
    printReport(report);
    if (!options.statsFile.empty()) {
        writeReport(options.statsFile, report);
    }
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
    for (std::uint32_t frame = first; frame < end && !report.interrupted; ++frame) {
        const std::string file = frameFile(options.output, frame);
        if (options.skipExisting && std::filesystem::exists(file)) {
            note(frame);
            continue;
        }
        const double angle = pixelAngle(job.scene, job.view).value_or(0.0);
        setFrame(job.scene, job.view, frame);
        if (job.kernel && angle != pixelAngle(job.scene, job.view).value_or(0.0)) {
            job.kernel = kernelFor(job.scene, job.view);
        }
        if (backend) {
            backend->setView(job.view);
        } else {
            backend = makeBackend(job, report);
            catchInterrupts();
        }
        const FilmSums film = renderFilm(*backend, limits, report);
        if (report.interrupted) {
            break;
        }
        savePicture(job, film, format, file, report);
        note(frame);
        ++*report.frames;
        logInfo("frame    {} written to {}", frame, file);
        report.interrupted = interruptRequested() && frame + 1 < end;
    }
    if (!report.interrupted) {
        return ExitCode::Done;
    }
    logWarning("interrupted: of the frames {}:{} there {}; --skip-existing renders the rest", first, end,
               there.empty() ? "is none" : "are " + formatSamples(there));
    return ExitCode::Interrupted;
}

} // namespace

ExitCode renderToFile(const RenderOptions& options) {
    const Stopwatch total;
    const ImageFormat format = checkOptions(options);
    setProgressStyle(options.progress);
    RenderReport report;
    report.output = options.output;
    Job job = prepare(options, report);
    const RenderLimits limits = limitsOf(job.scene, options);
    if (options.frames) {
        const ExitCode code = renderFrames(job, format, limits, report);
        finishReport(options, total, report);
        return code;
    }
    const std::unique_ptr<RenderBackend> backend = makeBackend(job, report);
    // Until here there is nothing to save, so a signal simply ends the program.
    catchInterrupts();
    savePicture(job, renderFilm(*backend, limits, report), format, options.output, report);
    finishReport(options, total, report);
    if (report.interrupted) {
        logWarning("interrupted: {} has {} samples per pixel of the {} asked for", options.output,
                   report.samplesPerPixel, limits.end - limits.first);
        return ExitCode::Interrupted;
    }
    return ExitCode::Done;
}

} // namespace aureole::cli
