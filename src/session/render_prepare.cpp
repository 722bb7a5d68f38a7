#include "session/render_prepare.h"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/log.h"
#include "scene/load.h"
#include "scene/scene_conflicts.h"
#include "session/bloom_files.h"
#include "session/finish_files.h"
#include "session/frame_files.h"
#include "session/render_attributes.h"
#include "session/render_checkpoint.h"
#include "session/render_plan.h"
#include "session/scene_textures.h"

namespace aureole {

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

/// Notes which devices render.
void reportDevices(const std::vector<gpu::Device>& devices, RenderReport& report) {
    for (const gpu::Device& device : devices) {
        const gpu::DeviceInfo& info = device.info();
        report.devices.push_back({info.index, info.name, info.uuid, info.driver, {}});
    }
    report.nameDevices();
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

} // namespace

BloomKernel kernelFor(const Scene& scene, const View& view) {
    // An image is taken as it is, whatever the angle.
    return makeBloomKernel(scene.bloom, view.size, pixelAngle(scene, view).value_or(1.0));
}

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

std::unique_ptr<RenderBackend> makeBackend(Job& job, RenderReport& report) {
    if (job.options->reference) {
        makeTextures(job.scene, nullptr);
        return makeReferenceBackend(job.scene, job.view, report);
    }
    const VoxelSceneOptions options{job.caches ? &job.caches->octrees : nullptr, [&] {
                                        Scene whole = loadScene(job.options->scene, job.options->overrides, nullptr,
                                                                job.options->changes);
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

} // namespace aureole
