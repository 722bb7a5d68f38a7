#pragma once

#include <cstdint>
#include <functional>

#include "film/layout.h"
#include "gpu/device.h"

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

/// LAYERS_FILLED of the kernels for a film (film_layers.h). A software device compiles for longer than it traces a
/// short render, so that kernels serve all sets of layers there.
inline std::uint32_t layersOfKernels(const gpu::DeviceInfo& info, const FilmLayout& layout) {
    return info.isCpu && layout.inPaths() ? ~0U : layout.filled();
}

/// The depth of the octrees that kernels are made for. On a software device, for the same reason, one kernel serves all
/// of them: 0 leaves the depth to the octree's view.
inline std::uint32_t levelsOfKernels(const gpu::DeviceInfo& info, std::uint32_t levels) {
    return info.isCpu ? 0 : levels;
}

/// A way of tracing the paths of a pass. All of them draw the same samples and add up those of an item in order.
class PassTracer {
public:
    PassTracer() = default;
    virtual ~PassTracer() = default;
    PassTracer(const PassTracer&) = delete;
    PassTracer& operator=(const PassTracer&) = delete;
    PassTracer(PassTracer&&) = delete;
    PassTracer& operator=(PassTracer&&) = delete;

    /// Traces all samples of the pass's items and sets their results. `onShare` gets the share done, from 0 to 1.
    /// Throws Error (NoDevice) where the device is lost, (Internal) where paths went missing.
    virtual void trace(const PassWork& work, const std::function<void(double)>& onShare, PathTracerStats& stats) = 0;
};

} // namespace aureole
