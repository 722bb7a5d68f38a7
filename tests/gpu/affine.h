#pragma once

// The shader that most tests run: values[i] = values[i] * factor + term.

#include <cstdint>
#include <span>
#include <vector>

#include "gpu/device.h"
#include "test_gpu_shaders.h"

namespace aureole::gpu {

/// The push constants of affine.comp.
struct AffinePush {
    std::uint64_t values;
    std::uint32_t count;
    std::uint32_t term;
};

inline constexpr std::uint32_t kAffineGroupSize = 64;

inline Pipeline makeAffine(const Device& device, std::uint32_t factor) {
    return device.createPipeline({.name = "affine",
                                  .shader = shaders::affine(),
                                  .pushConstantBytes = sizeof(AffinePush),
                                  .specialization = {{0, factor}, {1, kAffineGroupSize}}});
}

/// Records values[i] = values[i] * factor + term for the whole buffer.
inline void recordAffine(CommandEncoder& commands, const Pipeline& pipeline, const Buffer& values, std::uint32_t term) {
    const auto count = static_cast<std::uint32_t>(values.size() / sizeof(std::uint32_t));
    commands.dispatch(pipeline, AffinePush{values.address(), count, term},
                      (count + kAffineGroupSize - 1) / kAffineGroupSize);
}

inline std::vector<std::uint32_t> readWords(const Device& device, const Buffer& buffer) {
    std::vector<std::uint32_t> words(buffer.size() / sizeof(std::uint32_t));
    device.download(buffer, 0, std::as_writable_bytes(std::span(words)));
    return words;
}

} // namespace aureole::gpu
