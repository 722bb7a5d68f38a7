#pragma once

// What a render has ready before its first sample.

#include <memory>
#include <optional>
#include <vector>

#include "bloom/kernel.h"
#include "image/finish/finish.h"
#include "image/image_file.h"
#include "session/bloom_kernel.h"
#include "session/render_backend.h"
#include "session/render_options.h"
#include "session/scene_caches.h"
#include "session/viewer.h"

namespace aureole {

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

/// Loads the scene, checks all that can be wrong with it and the options, and opens the devices. `options` outlives the
/// job. Throws Error.
Job prepare(const RenderOptions& options, ImageFormat format, RenderReport& report);

/// Makes the scene ready to be rendered: voxels, textures, pipelines. `job` outlives the backend and stays where it is.
/// Throws Error.
std::unique_ptr<RenderBackend> makeBackend(Job& job, RenderReport& report);

/// The scene's kernel for the view.
BloomKernel kernelFor(const Scene& scene, const View& view);

} // namespace aureole
