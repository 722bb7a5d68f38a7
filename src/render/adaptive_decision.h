#pragma once

// Adaptive sampling on the device: which tiles of its film get more samples (shared/path/adaptive.h).

#include <array>
#include <cstdint>
#include <vector>

#include "core/math.h"
#include "gpu/device.h"

namespace aureole {

class AdaptiveDecision {
public:
    /// Decides about films of `size` pixels, by the rule for Sobol points or for independent samples. Throws Error
    /// (OutOfMemory).
    AdaptiveDecision(gpu::Device device, glm::uvec2 size, bool isSobol);

    /// Decides which tiles of the film have reached the relative error `noise`. All pixels that still get samples have
    /// `samples` of them. Takes AdaptivePush::doneAt of each tile, and returns it as the decision changes it; these two
    /// arrays are all that is copied to the device and back.
    std::vector<std::uint32_t> decide(const gpu::Buffer& film, std::vector<std::uint32_t> doneAt, std::uint32_t samples,
                                      double noise) const;

private:
    gpu::Device device_;
    glm::uvec2 size_;
    bool isSobol_;
    gpu::Pipeline pipeline_;
    gpu::Buffer pixels_;
    gpu::Buffer tiles_;
    gpu::Buffer doneAt_;
    std::array<gpu::Buffer, 2> sums_;
};

} // namespace aureole
