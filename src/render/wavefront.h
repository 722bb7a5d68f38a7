#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "gpu/device.h"
#include "render/coarse_depth.h"
#include "render/device_scene.h"
#include "render/pass_tracer.h"
#include "shared/wave/wave_path.h"

namespace aureole {

struct WavefrontOptions {
    bool persistent = true;       ///< rays are fetched by persistent threads, else one invocation traces one ray
    std::uint32_t capacity = 0;   ///< slots of a queue; 0 fits the device
    std::uint32_t lastRounds = 6; ///< of a wave, after its last ray was fetched; the rays that still run go on later
};

/// Traces paths in waves, from queues in memory (shared/wave/wave_path.h).
class Wavefront final : public PassTracer {
public:
    /// What keeps the scene from being traced so, such as "materials that let light through"; empty: nothing does.
    static std::string obstacle(const DeviceScene& scene);

    /// Of how many paths the radiance and, where the film has layers, the records fit the device.
    static std::uint32_t pathsAtOnce(const gpu::DeviceInfo& info, const FilmLayout& layout);
    /// How many items of so many samples fit the device.
    static std::uint32_t itemsPerPass(const gpu::DeviceInfo& info, const FilmLayout& layout,
                                      std::uint32_t samplesOfItem);

    /// Throws Error (OutOfMemory). The scene has no obstacle; a pass has `items` at most, of `samplesOfItem`.
    Wavefront(const gpu::Device& device, const DeviceScene& scene, const shared::VoxelParams& params,
              std::uint32_t items, std::uint32_t samplesOfItem, const WavefrontOptions& options);

    void trace(const PassWork& work, const std::function<void(double)>& onShare, PathTracerStats& stats) override;

private:
    std::uint32_t groupsFor(std::uint32_t count) const; ///< workgroups, 1 at least
    /// `pathBytes`: of what a path finds; `slotBytes`: of a queue's slot.
    void createBuffers(std::uint32_t items, std::uint64_t pathBytes, std::uint64_t slotBytes);
    void createPipelines(const DeviceScene& scene, const shared::VoxelParams& params);
    /// How the kernel that traces rays cuts their ways, as specialization constants.
    std::vector<gpu::Specialization> roundsOfTrace(const DeviceScene& scene) const;
    /// Traces the samples of each item that `push` names.
    void traceSamples(shared::WavePush& push, const std::function<void(double)>& onShare, PathTracerStats& stats);
    void recordWave(gpu::CommandEncoder& commands, shared::WavePush& push) const;
    /// Draws where camera rays may start, once; they are as `params` has them.
    void drawCoarseDepth(std::uint64_t params);

    gpu::Device device_;
    WavefrontOptions options_;
    std::uint64_t nodes_ = 0; ///< addresses of the octree's first chunks
    std::uint64_t leaves_ = 0;
    std::uint64_t starts_ = 0;
    std::uint32_t group_ = 0;         ///< invocations of a workgroup
    std::uint32_t samplesOfItem_ = 0; ///< that an item may have in a pass
    std::uint32_t samplesAtOnce_ = 0;
    std::uint32_t beginGroups_ = 0;
    std::uint32_t traceGroups_ = 0;
    float coarseMargin_ = 0.0F; ///< how far camera rays leave their pixel's square, in pixels
    bool coarseDrawn_ = false;
    std::optional<CoarseDepth> coarse_; ///< where camera rays start, if not at the rim of the grid
    gpu::Pipeline begin_;
    gpu::Pipeline trace_;
    gpu::Pipeline shade_;
    gpu::Pipeline sum_;
    gpu::Buffer counters_;
    gpu::Buffer counterReadback_;
    gpu::Buffer found_;                 ///< of each path of the pass: radiance, then the record
    std::array<gpu::Buffer, 2> queues_; ///< of waves of even and of odd number
};

} // namespace aureole
