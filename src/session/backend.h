#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "film/state.h"
#include "gpu/device.h"
#include "render/device_team.h"
#include "render/path_tracer.h"
#include "scene/scene.h"
#include "scene/view.h"
#include "session/octree.h"

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
    /// The film of other samples, [first, end), or fewer, of paths that end where the look of what they see is known:
    /// of its layers albedo, normal, position, depth and emission hold, nothing else does. The backend's own film
    /// stays.
    virtual FilmSums layersOf(std::uint32_t first, std::uint32_t end,
                              const std::function<bool(double)>& onProgress) = 0;
    /// The tracer whose film need not come to the host to be bloomed (PathTracer::hasMeansAlone); null where it must.
    virtual const PathTracer* residentFilm() const { return nullptr; }
    /// The film under way, for a checkpoint; and a film from a checkpoint to go on with. restore throws Error
    /// (BadInput), naming `file`.
    virtual FilmState state() const = 0;
    virtual void restore(const FilmState& state, const std::string& file) = 0;
    /// Samples are added in batches of so many. A film that holds whole batches goes on to the bytes of an unbroken
    /// run.
    virtual std::uint32_t batchSize() const = 0;
    /// Adaptive sampling: from now on, pixels whose relative error is `noise` at most get no more samples.
    virtual void retire(double noise) = 0;
    /// The number of pixels that still get samples.
    virtual std::uint64_t activePixels() const = 0;
    virtual std::uint64_t rays() const = 0; ///< of this picture

    /// Says that samples up to `end` will be asked for, so that several devices may work ahead of render's calls.
    virtual void expect(std::uint32_t /*end*/) {}
    /// Ends the work ahead: what devices have rendered of it, up to `end`, is added to the film. `reached` is the end
    /// that render's last call returned. Returns the end of the samples that the film now holds.
    virtual std::uint32_t finish(std::uint32_t reached, std::uint32_t /*end*/) { return reached; }
    /// What each device has done for all pictures, in the order of the devices; empty where none runs.
    virtual std::vector<DeviceUse> uses() const { return {}; }
    /// Whether the film holds whole samples only. After render has thrown it may, even where the device is gone.
    virtual bool isWhole() const = 0;
};

/// What it took to make a scene ready. Figures that a backend does not have are empty.
struct BackendFigures {
    std::optional<OctreeFigures> octree;
    std::optional<std::uint64_t> triangles;
    double buildSeconds = 0.0; ///< the octree, or the hierarchy of the triangles
    double uploadSeconds = 0.0;
    double pipelineSeconds = 0.0;
};

struct MadeBackend {
    std::unique_ptr<RenderBackend> backend;
    BackendFigures figures;
};

/// Uploads the octrees of the scene and the scene, which outlives the backend. `samples` are those of each pixel that
/// will be asked for, of all views together; there may be fewer or more. `kernels`, where it is valid, is waited for
/// before kernels are made. Throws what DeviceScene, PathTracer and
/// DeviceTeam throw.
MadeBackend makeGpuBackend(const std::vector<gpu::Device>& devices, const Scene& scene, const FoundOctrees& octree,
                           const View& view, double samples, std::future<void> kernels);
/// The scene outlives the backend. Throws Error (BadInput) where it is an octree.
MadeBackend makeReferenceBackend(const Scene& scene, const View& view);

} // namespace aureole
