#pragma once

// Makes rays in buffers, and moves them: the kernels around the tracing ones.

#include <cstdint>

#include "gpu/device.h"
#include "scan/sort_plan.h"
#include "shared/stream/ray_stream.h"

namespace aureole {

/// Places of a picture's rays: whole tiles of 8 x 4 pixels.
std::uint32_t streamPlaces(const glm::uvec2& size);

/// Every function records a kernel; the caller sets barriers. Addresses are of RayRecord and HitRecord.
class StreamKernels {
public:
    explicit StreamKernels(const gpu::Device& device);

    void makePrimary(gpu::CommandEncoder& commands, const shared::StreamCameraPush& push) const;
    void scatter(gpu::CommandEncoder& commands, const shared::StreamScatterPush& push) const;
    /// Moves what are rays to the front of `target`, and adds their number to the word at `number`.
    void compact(gpu::CommandEncoder& commands, std::uint64_t source, std::uint64_t target, std::uint64_t number,
                 std::uint32_t count) const;
    /// The sort keys of rays, of 3 + 3 * bits bits, and the rays' numbers.
    void makeKeys(gpu::CommandEncoder& commands, std::uint64_t source, const scan::SortArrays& keys,
                  std::uint32_t count, std::uint32_t bits) const;
    /// Puts rays in the order of `numbers`.
    void gather(gpu::CommandEncoder& commands, std::uint64_t source, std::uint64_t numbers, std::uint64_t target,
                std::uint32_t count) const;
    /// Puts the hit of each ray where its pixel's is.
    void byPixel(gpu::CommandEncoder& commands, std::uint64_t rays, std::uint64_t hits, std::uint64_t target,
                 std::uint32_t count) const;
    /// The reciprocals that the device traces rays with, as vectors of three floats.
    void reciprocals(gpu::CommandEncoder& commands, std::uint64_t rays, std::uint64_t target,
                     std::uint32_t count) const;

private:
    gpu::Pipeline primary_;
    gpu::Pipeline scatter_;
    gpu::Pipeline compact_;
    gpu::Pipeline keys_;
    gpu::Pipeline gather_;
    gpu::Pipeline byPixel_;
    gpu::Pipeline reciprocals_;
};

} // namespace aureole
