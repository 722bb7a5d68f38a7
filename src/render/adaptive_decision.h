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
    /// For films of that size. Throws Error (OutOfMemory).
    AdaptiveDecision(gpu::Device device, glm::uvec2 size, bool isSobol);

    /// Decides about the film, whose pixels that get samples have `samples` of them. `doneAt` and what is returned are
    /// AdaptivePush::doneAt before and after. Nothing else goes to the device or back.
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
