#pragma once

// Copies between host memory and device buffers through a ring of mapped memory. Internal to the module.

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>

#include "gpu/device.h"

namespace aureole::gpu {

/// A ring of mapped memory, for one thread after the other, in which the host fills (or empties) one part while the
/// device copies another.
class StagingRing {
public:
    static constexpr std::uint64_t kPartBytes = std::uint64_t{4} << 20;
    static constexpr std::size_t kParts = 4;

    /// Copies host memory to the buffer, and waits.
    void upload(const Device& device, const Buffer& target, std::uint64_t offset, std::span<const std::byte> bytes);
    /// Copies the buffer to host memory, and waits.
    void download(const Device& device, const Buffer& source, std::uint64_t offset, std::span<std::byte> bytes);

private:
    std::mutex mutex_; ///< of all below, while it copies
    Buffer upload_;    ///< made when first needed
    Buffer download_;  ///< made when first needed
    std::array<Submission, kParts> copies_;
};

} // namespace aureole::gpu
