#pragma once

// Device times for the benchmarks: medians of timestamps, and plain copies to hold them against.

#include <cstdint>
#include <functional>

#include "gpu/device.h"

namespace aureole::cli {

/// The median device time, in microseconds, of what `record` records, over `repeats` runs in one submission with a
/// barrier between them, after some to warm up.
double medianMicroseconds(const gpu::Device& device, std::uint32_t repeats,
                          const std::function<void(gpu::CommandEncoder&)>& record);

/// Copies buffers by a plain kernel of 128-bit loads and stores.
class CopyKernel {
public:
    explicit CopyKernel(const gpu::Device& device);

    /// The median time, in microseconds, of copying `bytes`, a multiple of 16 below 64 GiB, from the start of a buffer
    /// to that of another.
    double microseconds(const gpu::Device& device, std::uint32_t repeats, const gpu::Buffer& source,
                        const gpu::Buffer& target, std::uint64_t bytes) const;

private:
    gpu::Pipeline pipeline_;
};

} // namespace aureole::cli
