#include "session/plan.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/file.h"
#include "core/log.h"
#include "gpu/device_count.h"
#include "scene/animation.h"
#include "scene/load.h"
#include "scene/value_keys.h"
#include "session/checkpoint.h"
#include "session/denoise/denoise.h"
#include "session/frame_files.h"
#include "session/output.h"
#include "session/scene_options.h"
#include "settings/aov.h"
#include "settings/fields.h"

namespace aureole {

namespace {

/// What to call a place of the scene: by the option that set it, if one did.
std::string placeName(const RenderOptions& options, const std::string& pointer) {
    const std::string option = options.changes.optionAt(pointer);
    return option.empty() ? pointer : option;
}

/// Refuses options for voxels where none are made.
void checkReference(const RenderOptions& options) {
    if (!options.reference) {
        return;
    }
    const auto refuse = [](const std::string& option) {
        fail(ExitCode::Usage,
             "{}: found it with --backend reference, expected it with gpu: the reference renders no voxels", option);
    };
    for (const Setting& setting : kVoxelFields) {
        if (options.changes.has(setting)) {
            refuse(std::string(setting.option));
        }
    }
    if (options.noCache) {
        refuse("--no-cache");
    }
    if (options.voxelMaker != VoxelMaker::Choose) {
        refuse("--voxelizer");
    }
}

/// Refuses adaptive sampling of parts.
void checkParts(double noise, const RenderOptions& options) {
    if (noise > 0.0 && options.sampleRange) {
        fail(
            ExitCode::Usage,
            "--samples: found it with adaptive sampling ({} is {:g}), expected one of them: parts have as many samples "
            "in every pixel; --noise 0",
            placeName(options, pointerOf(fieldOf(kIntegratorFields, "noise"))), noise);
    }
}

/// Refuses before any work what the options alone tell; the scene, as --set has it, may ask for adaptive sampling too.
void checkNoise(const RenderOptions& options) {
    const std::optional<SettingChange> change = options.changes.find(fieldOf(kIntegratorFields, "noise"));
    const double noise = change ? std::get<double>(change->value) : 0.0;
    checkParts(noise, options);
    if (noise > 0.0 && !options.reference && !options.device.selector.empty()) {
        checkSeveral(noise, gpu::countDevices(options.device), options);
    }
}

/// Refuses frames that the scene does not have.
void checkFrames(const Scene& scene, const RenderOptions& options) {
    const auto [first, end] = *options.frames;
    if (!scene.animation) {
        fail(ExitCode::Usage, "--frames: found {}:{}, but {} has no animation", first, end, scene.file.string());
    }
    if (end > scene.animation->frames) {
        fail(ExitCode::Usage, "--frames: found {}:{}, expected frames within 0:{}, those of the animation of {}", first,
             end, scene.animation->frames, scene.file.string());
    }
    for (const ValueKeys& value : scene.animation->values) {
        const auto set = std::find_if(options.overrides.begin(), options.overrides.end(),
                                      [&](const SceneOverride& asked) { return givesValueOf(asked, value.pointer); });
        if (set != options.overrides.end()) {
            fail(ExitCode::Usage,
                 "--set: found {}={} with --frames, expected one of them: the animation's 'values' give {} for each "
                 "frame",
                 set->first, set->second, value.pointer);
        }
    }
    const std::string& animated = scene.cameras[scene.animation->camera].name;
    if (scene.animation->movesCamera() && !options.camera.empty() && options.camera != animated) {
        fail(ExitCode::Usage, "--camera: found '{}' with --frames, expected '{}', which the animation moves",
             options.camera, animated);
    }
}

/// A part of a picture has neither middle nor corners.
void checkFinish(const RenderOptions& options) {
    if (!options.finish.given.empty() && (options.sampleRange || options.crop)) {
        fail(ExitCode::Usage, "{}: found it with {}, expected the whole picture: 'aureole bloom' finishes a merged one",
             options.finish.given.front(), options.sampleRange ? "--samples" : "--crop");
    }
}

/// What a PNG takes of a scene's layers.
AovSet withoutLayers(const AovSet& aovs, const RenderOptions& options) {
    if (!aovs.empty()) {
        logWarning("{}: /film/aovs: found {}, which {} goes without: a PNG has no layers, an .exr has", options.scene,
                   aovs.text(), options.output);
    }
    return {};
}

} // namespace

ImageFormat checkOptions(const RenderOptions& options) {
    checkCheckpointOptions(options);
    const Setting& exposureFrames = fieldOf(kFilmFields, "exposureFrames");
    checkFrameOptions(
        {{"--skip-existing", options.skipExisting}, {exposureFrames.option, options.changes.has(exposureFrames)}},
        options.frames.has_value());
    // Frames lie beside each other: what the first one may, all may.
    const std::string file = options.frames ? frameFile(options.output, options.frames->first) : options.output;
    const ImageFormat format = checkOutput(file, {ImageFormat::Exr, ImageFormat::Png});
    if (options.sampleRange && format != ImageFormat::Exr) {
        fail(ExitCode::Usage, "{}: found .png with --samples, expected .exr: a part is merged before tone mapping",
             options.output);
    }
    if (options.changes.aovs && format != ImageFormat::Exr) {
        fail(ExitCode::Usage, "{}: found .png with --aov, expected .exr: a PNG has no layers", options.output);
    }
    if (options.keepNoisy && (format != ImageFormat::Exr || options.sampleRange)) {
        fail(ExitCode::Usage, "--denoise-keep-noisy: found it with {}, expected {}",
             options.sampleRange ? "--samples" : options.output,
             options.sampleRange ? "the whole picture: a part is not denoised" : ".exr: a PNG has no layers");
    }
    checkReference(options);
    checkNoise(options);
    checkFinish(options);
    for (const Setting& setting : kFilmFields) {
        checkPngOption(setting.option, setting.forDisplay && options.changes.has(setting), format, options.output);
    }
    for (const NamedFile& figures : {NamedFile{"--stats-json", options.statsFile}, {"--trace", options.traceFile}}) {
        if (!figures.file.empty()) {
            // A scene that fails to load cannot tell what it is made of; none of that is JSON but the scene itself.
            checkExtension(figures, ".json");
            checkWritable(figures.file);
        }
    }
    return format;
}

Scene loadSceneFor(const RenderOptions& options, ImageFormat format, const OutlineCache* outlines) {
    std::vector<SceneOverride> overrides = options.overrides;
    if (options.level) {
        overrides.push_back(levelOverride(options.scene, *options.level));
    }
    SettingsChanges changes = options.changes;
    if (format == ImageFormat::Png) {
        changes.aovs = [&](const AovSet& aovs) { return withoutLayers(aovs, options); };
        changes.show.denoised = true;
    }
    changes.finish = [&](const FinishSettings& finish) {
        return options.finish.applied(options.noFinish ? FinishSettings{} : finish);
    };
    Scene scene = loadScene(options.scene, overrides, outlines, changes);
    checkVoxelOptions(options.overrides, options.changes, scene);
    checkParts(scene.integrator.noise, options);
    return scene;
}

void checkAssets(const Scene& scene, const RenderOptions& options) {
    std::vector<NamedFile> assets = filesOfScene(scene.files);
    if (scene.finish.relief) {
        assets.push_back({"the relief", scene.finish.relief->image});
    }
    std::vector<NamedFile> written = {
        {"--stats-json", options.statsFile}, {"--trace", options.traceFile}, {"--checkpoint", options.checkpoint}};
    if (options.frames) {
        for (std::uint32_t frame = options.frames->first; frame < options.frames->second; ++frame) {
            written.push_back({"--output", frameFile(options.output, frame)});
        }
    } else {
        written.push_back({"--output", options.output});
    }
    checkApart(written, assets);
}

View makeView(const Scene& scene, const RenderOptions& options) {
    if (options.frames) {
        checkFrames(scene, options);
    }
    View view = defaultView(scene);
    view.camera =
        options.frames && options.camera.empty() ? scene.animation->camera : findCamera(scene, options.camera);
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

namespace {

/// Camera rays tell a denoiser of layers, or the file, for a denoiser to come.
void checkDenoiseRays(const FilmSettings& film, const RenderOptions& options) {
    const bool hasLayers = film.aovs.has(Aov::Albedo) || film.aovs.has(Aov::Normal) || film.aovs.has(Aov::Depth) ||
                           film.aovs.has(Aov::Emission);
    if (options.sampleRange) {
        fail(ExitCode::Usage,
             "--denoise-rays: found it with --samples, expected one of them: parts have none of its layers");
    }
    if (film.denoise == DenoiserKind::None && !hasLayers) {
        fail(ExitCode::Usage,
             "--denoise-rays: found it without --denoise and without --aov of albedo, normal, depth or emission, "
             "expected one of them");
    }
}

} // namespace

bool wantsDenoising(const Scene& scene, const RenderOptions& options) {
    const bool asked = scene.film.denoise != DenoiserKind::None;
    if (options.changes.has(fieldOf(kFilmFields, "denoiseQuality"))) {
        checkDenoiseQuality(scene.film.denoise, asked ? "with the denoiser 'builtin'" : "without --denoise");
    }
    if (options.changes.has(fieldOf(kFilmFields, "denoiseRays"))) {
        checkDenoiseRays(scene.film, options);
    }
    if (!asked && options.keepNoisy) {
        fail(ExitCode::Usage, "--denoise-keep-noisy: found it without --denoise, expected both or none");
    }
    if (asked && options.sampleRange) {
        logInfo("the part is not denoised because of --samples: it has the layers for 'aureole denoise', which "
                "denoises the merged image");
    }
    return asked && !options.sampleRange;
}

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

bool wantsFinish(const Scene& scene, const RenderOptions& options) {
    const bool comes = changesWithin(scene, "/finish/") && options.frames && !options.noFinish; // in some frame
    if (!scene.finish.any() && !comes) {
        return false;
    }
    const char* reason = options.sampleRange ? "--samples: finish the merged image with 'aureole bloom'"
                         : options.crop      ? "--crop: finishing needs the whole picture"
                                             : nullptr;
    if (reason != nullptr) {
        logInfo("the scene's finish is left out because of {}", reason);
    }
    return reason == nullptr;
}

void checkConflicts(const Scene& scene, const View& view, bool bloomed, const RenderOptions& options) {
    refuseConflicts(findConflicts(scene, {view.camera, bloomed, options.frames.value_or(kNoFrames),
                                          choosesSurface(options.overrides, options.changes)}),
                    options);
}

void refuseConflicts(const std::vector<SceneConflict>& conflicts, const RenderOptions& options) {
    std::vector<std::string> lines;
    for (const SceneConflict& conflict : conflicts) {
        const bool ownsFirst = !options.changes.optionAt(conflict.pointer).empty();
        if (ownsFirst || !options.changes.optionAt(conflict.with).empty()) {
            const std::string& other = ownsFirst ? conflict.with : conflict.pointer;
            lines.push_back(fmt::format(
                "{}: {} ({}{})", placeName(options, ownsFirst ? conflict.pointer : conflict.with), conflict.message,
                other.empty() ? "in " : fmt::format("see {} of ", placeName(options, other)), options.scene));
        }
    }
    if (!lines.empty()) {
        fail(ExitCode::Usage, "{}", fmt::join(lines, "\n"));
    }
    for (const SceneProblem& problem : placeConflicts(options.scene, options.overrides, conflicts)) {
        lines.push_back(describeProblem(options.scene, problem));
    }
    if (!lines.empty()) {
        fail(ExitCode::BadInput, "{}", fmt::join(lines, "\n"));
    }
}

void checkDevice(bool bloomed, const RenderOptions& options) {
    const bool given = !options.device.selector.empty() || options.device.allowCpu;
    if (given && options.reference && !bloomed) {
        fail(ExitCode::Usage,
             "{}: found it with --backend reference, expected it with gpu: without bloom, nothing runs on a device",
             options.device.allowCpu ? "--allow-cpu" : "--device");
    }
}

void checkSeveral(double noise, std::size_t devices, const RenderOptions& options) {
    if (devices > 1 && noise > 0.0) {
        fail(ExitCode::Usage,
             "--device: found {} devices with adaptive sampling ({} is {:g}), expected one of them: it decides by all "
             "samples so far; --noise 0, or one device",
             devices, placeName(options, pointerOf(fieldOf(kIntegratorFields, "noise"))), noise);
    }
}

void setFrame(const Scene& scene, View& view, std::uint32_t frame) {
    view.frame = frame;
    view.moment = frame;
    view.moved = scene.animation->movesCamera() ? cameraAtFrame(scene, frame) : scene.cameras.at(view.camera);
}

RenderLimits limitsOf(const Scene& scene, const RenderOptions& options) {
    const bool countGiven = options.changes.has(fieldOf(kIntegratorFields, "samplesPerPixel"));
    RenderLimits limits;
    limits.seconds = options.seconds.value_or(limits.seconds);
    limits.noise = scene.integrator.noise;
    if (options.sampleRange) {
        std::tie(limits.first, limits.end) = *options.sampleRange;
    } else if (options.asksForNoise() && !countGiven) {
        limits.end = kDefaultAdaptiveSamples;
    } else if (options.seconds && !countGiven && limits.noise == 0.0) {
        limits.end = std::numeric_limits<std::uint32_t>::max();
    } else {
        limits.end = scene.integrator.samplesPerPixel;
    }
    return limits;
}

} // namespace aureole
