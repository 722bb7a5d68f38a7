#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "film/film_state.h"
#include "gpu/device.h"
#include "integrator/path_setup.h"
#include "render/device_team.h"
#include "render/path_tracer.h"
#include "render/voxel_scene.h"
#include "session/render_report.h"

namespace aureole {

/// What renders samples, on the device or on the CPU.
class RenderBackend {
public:
    RenderBackend() = default;
    virtual ~RenderBackend() = default;
    RenderBackend(const RenderBackend&) = delete;
    RenderBackend& operator=(const RenderBackend&) = delete;
    RenderBackend(RenderBackend&&) = delete;
    RenderBackend& operator=(RenderBackend&&) = delete;

    /// Goes on with another picture of the same scene, on an empty film.
    virtual void setView(const View& view) = 0;
    /// Adds the samples [first, end), or fewer where `onProgress`, which gets the share done, returns false. Returns
    /// the end of the samples that the film now holds.
    virtual std::uint32_t render(std::uint32_t first, std::uint32_t end,
                                 const std::function<bool(double)>& onProgress) = 0;
    virtual FilmSums film() const = 0;
    /// The film under way, and back. Throws Error (BadInput), naming `file`.
    virtual FilmState state() const = 0;
    virtual void restore(const FilmState& state, const std::string& file) = 0;
    /// A film whose samples end at a multiple of this goes on to the bytes of an unbroken run.
    virtual std::uint32_t batchSize() const = 0;
    /// Adaptive sampling: from now on, pixels whose relative error is `noise` at most get no more samples.
    virtual void retire(double noise) = 0;
    /// Pixels that get samples.
    virtual std::uint64_t activePixels() const = 0;
    virtual std::uint64_t rays() const = 0; ///< of this picture

    /// Samples up to `end` will be asked for; several devices work ahead of what render was asked for.
    virtual void expect(std::uint32_t /*end*/) {}
    /// Ends the work ahead: the film gets what of it is rendered, up to `end`. Returns the end of the samples that the
    /// film now holds, of which render's last call told `reached`.
    virtual std::uint32_t finish(std::uint32_t reached, std::uint32_t /*end*/) { return reached; }
    /// What each device has done for all pictures, in the order of the devices; empty where none runs.
    virtual std::vector<DeviceUse> uses() const { return {}; }
    /// Whether the film holds whole samples, as it may where render has thrown; the device may be gone all the same.
    virtual bool isWhole() const = 0;
};

/// Both make the scene ready and note in the report what it took. `scene` outlives the backend. The first voxelises.
std::unique_ptr<RenderBackend> makeGpuBackend(const std::vector<gpu::Device>& devices, const Scene& scene,
                                              const View& view, const VoxelSceneOptions& options, PathKernels kernels,
                                              RenderReport& report);
std::unique_ptr<RenderBackend> makeReferenceBackend(const Scene& scene, const View& view, RenderReport& report);

} // namespace aureole
