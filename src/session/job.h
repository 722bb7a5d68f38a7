#pragma once

// A render as a whole: what it is asked for, what it has ready before its first sample, and its report.

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <vector>

#include "bloom/filter.h"
#include "bloom/kernel.h"
#include "image/finish/finish.h"
#include "image/image_file.h"
#include "session/backend.h"
#include "session/bloom.h"
#include "session/denoise/denoise.h"
#include "session/loop.h"
#include "session/octree.h"
#include "session/options.h"
#include "session/report.h"
#include "session/viewer.h"

namespace aureole {

/// The bloom of a job's pictures.
struct JobBloom {
    std::optional<BloomKernel> kernel; ///< none: pictures get no bloom
    std::optional<ImageBloom> filter;  ///< by that kernel, on `device`, once a picture had it there
    const gpu::Device* device = nullptr;
    std::vector<gpu::Buffer> spareResults; ///< of the filter, for pictures to come
    std::future<void> pipelines;           ///< makes those of the filter, before there is memory for that
    std::future<void> underWay;            ///< makes the filter, beside other work
};

/// The finish of a job's pictures.
struct JobFinish {
    bool isWanted = false;                                 ///< where their look has any step
    std::shared_ptr<const Finish> next;                    ///< of the next picture; null: none
    std::shared_future<std::optional<double>> stopsBefore; ///< of the frame that the next one's exposure adapts from
};

/// Everything that belongs to one render. It stays where it is, as backends point into it.
struct Job {
    /// Takes over the options, and notes their names of files in the report.
    explicit Job(RenderOptions asked);

    RenderOptions options;
    RenderReport report;

    // The rest is there after prepare().
    ImageFormat format = ImageFormat::Exr;
    std::optional<SceneCaches> caches;
    Scene scene;
    std::optional<Scene> grown; ///< for the reference backend, with the textures that are simulated, if there are any
    View view;                  ///< of frames, that of the frame under way
    Look look;                  ///< its bloom and finish
    RenderLimits limits;
    std::vector<gpu::Device> devices;
    std::optional<Denoiser> denoiser; ///< where pictures are denoised
    JobBloom bloom;
    JobFinish finish;
    std::future<ReadyOctree> octree;        ///< of a scene without grids, beside other work
    std::future<void> storing;              ///< puts the octree into the cache, likewise
    std::unique_ptr<RenderBackend> backend; ///< once one was made
    std::unique_ptr<Viewer> viewer;         ///< where one is to show the picture
};

/// Makes a job of the options, does `body`, which fills in the job's report, and tells of it however that ends: on
/// stderr, and in the file that the options name. Returns what `body` returns, throws what it throws.
/// Where the process `ends` with it, main's leave to do so is taken (core/leave.h).
ExitCode runReported(const RenderOptions& options, const std::function<ExitCode(Job&)>& body, bool ends = false);

/// Loads the scene, checks all that can be wrong with it and the options, and opens the devices. `format` is that of
/// the picture, from checkOptions. Throws Error.
void prepare(Job& job, ImageFormat format);

/// Makes the scene ready to be rendered: voxels, textures, pipelines; and the bloom, where this job makes pictures. The
/// job outlives the backend. Throws Error.
std::unique_ptr<RenderBackend> makeBackend(Job& job, bool makesPictures = true);

/// Loads the scene again, as its instances show their models at a frame. There is no backend after it, and nobody reads
/// pictures of the one before any more. Throws Error.
void loadFrame(Job& job, std::uint32_t frame);

/// The kernel of the job's bloom for its view.
BloomKernel kernelFor(const Job& job);

} // namespace aureole
