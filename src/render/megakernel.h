#pragma once

#include "gpu/device.h"
#include "render/device_scene.h"
#include "render/pass_tracer.h"

namespace aureole {

struct MegakernelOptions {
    std::uint32_t workgroups = 0;     ///< 0 fits the device
    std::uint32_t stepsPerRound = 32; ///< traversal steps between two looks for idle lanes
    std::uint32_t rounds = 0;         ///< rounds in one dispatch; 0 fits the device
};

/// Traces whole paths in one kernel of persistent threads (trace_paths.comp): every surface, material and layer.
class Megakernel final : public PassTracer {
public:
    /// Throws Error (OutOfMemory).
    Megakernel(const gpu::Device& device, const DeviceScene& scene, const shared::PathParams& params,
               const MegakernelOptions& options);

    void trace(const PassWork& work, const std::function<void(double)>& onShare, PathTracerStats& stats) override;

private:
    gpu::Device device_;
    std::uint32_t workgroups_ = 0;
    std::uint32_t rounds_ = 0;
    gpu::Pipeline pipeline_;
    gpu::Buffer counters_;
    gpu::Buffer counterReadback_;
    gpu::Buffer lanes_;
    gpu::Buffer records_; ///< of the lanes' paths, where the film has layers
};

} // namespace aureole
