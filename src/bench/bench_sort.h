#pragma once

// The arrays of the sort benchmark, and the proof that they were sorted.

#include <cstdint>
#include <vector>

#include "gpu/device.h"
#include "scan/sort_plan.h"

namespace aureole::bench {

/// Random keys of so many bits with their numbers as values, on the device, and room for them sorted.
class SortArena {
public:
    SortArena(const gpu::Device& device, std::uint32_t count, std::uint32_t keyBits);

    /// Bytes on the device, and those of the largest buffer.
    static std::uint64_t bytes(std::uint32_t count) { return std::uint64_t{count} * 24; }
    static std::uint64_t largestBytes(std::uint32_t count) { return std::uint64_t{count} * 8; }

    scan::SortArrays input() const { return {keys_.address(), values_.address()}; }
    scan::SortArrays output() const { return {sortedKeys_.address(), sortedValues_.address()}; }

    /// Empties the output, so that nothing of an earlier sort passes for a later one's.
    void clearOutput(const gpu::Device& device) const;
    /// Throws Error (Internal), naming `what`, unless the output is the input in stable order, or its keys in order
    /// where only they were sorted (`alone`).
    void expectSorted(const gpu::Device& device, const std::string& what, bool alone) const;

private:
    void expectKeys(const std::string& what, const std::vector<std::uint64_t>& found) const;

    std::vector<std::uint64_t> hostKeys_;
    std::vector<std::uint64_t> inOrder_; ///< these, which many sorts are held against
    gpu::Buffer keys_;
    gpu::Buffer values_;
    gpu::Buffer sortedKeys_;
    gpu::Buffer sortedValues_;
};

} // namespace aureole::bench
