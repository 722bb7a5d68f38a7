#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <future>
#include <optional>
#include <vector>

#include "film/layout.h"
#include "gpu/device.h"
#include "render/coarse_depth.h"
#include "render/device_scene.h"
#include "render/wave_kernels.h"
#include "shared/wave/wave_path.h"

namespace aureole {

/// Figures of the work done so far.
struct PathTracerStats {
    std::uint64_t rays = 0; ///< started: camera, bounce and shadow rays
    double deviceSeconds = 0.0;
    std::uint64_t dispatches = 0; ///< that traced rays
};

/// What a pass works on: device addresses, which stay valid while it runs.
struct PassWork {
    std::uint64_t params = 0;  ///< VoxelParams
    std::uint64_t results = 0; ///< SampleSums for each item
    std::uint64_t layers = 0;  ///< FilmLayers; 0: none
    std::uint64_t layerSums = 0;
    std::uint32_t items = 0; ///< see pathItem
};

struct WavefrontOptions {
    std::uint32_t capacity = 0;  ///< slots of a queue; 0 fits the device
    double paths = 0.0;          ///< that will be traced in all, about, which sizes waves; 0: very many
    std::uint32_t frugality = 1; ///< what waves may take of the device's memory is divided by this
    WaveRounds rounds = {};
    std::uint32_t samplesAtOnce = 0; ///< of an item, before they are added up; 0: as many as fit
    std::uint32_t groupsAcross = 0;  ///< the most workgroups along x; 0: what all devices allow
    /// So many paths that are left at the end of a pass are drained; kAsSuits: as the device suits, and once the kernel
    /// for it is compiled, which no pass waits for (but the end of the Wavefront does).
    std::uint32_t drained = kAsSuits;

    static constexpr std::uint32_t kAsSuits = ~0U;
};

/// Traces paths in waves, from queues in memory (shared/wave/wave_path.h), and adds up the samples of an item in order.
class Wavefront {
public:
    /// What a device is, where `freeBytes` of its memory are free: with no more memory than four times that. Waves take
    /// shares of a device's memory, for their queues a sixteenth, and so never more than a quarter of what is free.
    static gpu::DeviceInfo withFree(gpu::DeviceInfo info, std::uint64_t freeBytes);
    /// The slots of each of the two queues, where a slot takes so many bytes.
    static std::uint32_t slotsThatFit(const gpu::DeviceInfo& info, std::uint64_t slotBytes);
    /// How many paths the device has room for: for their radiance and, where the film has layers, their records.
    static std::uint32_t pathsAtOnce(const gpu::DeviceInfo& info, const FilmLayout& layout,
                                     std::uint32_t frugality = 1);
    /// How many items of so many samples fit the device.
    static std::uint32_t itemsPerPass(const gpu::DeviceInfo& info, const FilmLayout& layout,
                                      std::uint32_t samplesOfItem, std::uint32_t frugality = 1);

    /// Throws Error (OutOfMemory). A pass has `items` at most, of `samplesOfItem`.
    Wavefront(const gpu::Device& device, const DeviceScene& scene, const shared::VoxelParams& params,
              std::uint32_t items, std::uint32_t samplesOfItem, const WavefrontOptions& options);

    /// From now on paths start at this camera. Throws Error (OutOfMemory).
    void setCamera(const DeviceScene& scene, const shared::PathParams& path);

    /// Traces all samples of the pass's items and sets their results. `onShare` gets the share done, from 0 to 1.
    /// Throws Error (NoDevice) where the device is lost, (Internal) where paths went missing.
    /// Sums may still be added up when it returns: in front of what is submitted next.
    void trace(const PassWork& work, const std::function<void(double)>& onShare, PathTracerStats& stats);

    /// Lets go of commands that have ended since, once later ones were waited for.
    void settle();

private:
    std::uint32_t groupsFor(std::uint32_t count) const; ///< workgroups, 1 at least
    /// `pathBytes`: of what a path finds.
    void createBuffers(std::uint32_t items, std::uint64_t pathBytes);
    /// Traces the samples of each item that `push` names.
    void traceSamples(shared::WavePush& push, const std::function<void(double)>& onShare, PathTracerStats& stats);
    void recordWave(gpu::CommandEncoder& commands, shared::WavePush& push) const;
    bool canDrain();
    /// Takes the `kept` paths that are left, once all have begun, to their ends (wave_drain.comp). Returns the
    /// counters.
    shared::WaveCounters drain(shared::WavePush push, std::uint32_t kept, PathTracerStats& stats);
    /// How many waves to submit at once, where paths take so many to begin at least.
    std::uint32_t wavesAtOnce(std::uint32_t toBegin, bool begins);
    gpu::CommandEncoder recordWaves(shared::WavePush& push, std::uint32_t waves, std::uint64_t cleared) const;
    /// The commands that `record` adds, between clearing the counters from byte `cleared` on and a copy of them all.
    gpu::CommandEncoder counted(std::uint64_t cleared, const std::function<void(gpu::CommandEncoder&)>& record) const;
    /// Waits, and returns the counters.
    shared::WaveCounters ended(gpu::Submission submission, PathTracerStats& stats);
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
    std::uint32_t drainGroups_ = 0; ///< the most
    bool waitsForDrain_ = false;
    float coarseMargin_ = 0.0F; ///< how far camera rays leave their pixel's square, in pixels
    bool coarseDrawn_ = false;
    std::optional<CoarseDepth> coarse_; ///< where camera rays start, if not at the rim of the grid
    WaveKernels kernels_;
    std::optional<gpu::Pipeline> drain_;
    std::future<gpu::Pipeline> drainUnderWay_; ///< until it is asked for
    gpu::Buffer counters_;
    gpu::Buffer counterReadback_;
    gpu::Buffer drainPaths_;              ///< WavePush::drainPaths
    gpu::Buffer found_;                   ///< of each path of the pass: radiance, then the record
    std::array<gpu::Buffer, 2> queues_;   ///< of waves of even and of odd number
    std::vector<gpu::Submission> behind_; ///< submitted in front of the next waves, and not yet waited for
};

} // namespace aureole
