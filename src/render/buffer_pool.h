#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gpu/device.h"

namespace aureole {

/// Device memory for many arrays, small ones of which lie in one allocation together: some drivers allow 4096.
class BufferPool {
public:
    explicit BufferPool(gpu::Device device)
        : device_(std::move(device)) {}

    /// The address, a multiple of 256, at which a copy of the bytes is once take() was called. At least one byte.
    /// Throws Error (OutOfMemory).
    std::uint64_t add(std::span<const std::byte> bytes, const std::string& name);
    /// The buffers that hold all that was added.
    std::vector<gpu::Buffer> take();

private:
    void fillBlock();

    gpu::Device device_;
    std::vector<gpu::Buffer> full_;
    gpu::Buffer block_;            ///< that arrays are added to; `gathered_` is what it will hold
    std::uint64_t blockBytes_ = 0; ///< 0: there is none
    std::uint64_t nextBytes_ = 1U << 20U;
    std::vector<std::byte> gathered_;
};

} // namespace aureole
