#pragma once

// Compute shaders as a program carries them: SPIR-V, compressed by Zstandard (RFC 8878) when it was built.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace aureole::gpu {

/// A compute shader with the entry point "main". What it refers to outlives it. aureole_shader (CMake) makes a function
/// shaders::NAME() that returns one.
struct Shader {
    std::span<const std::byte> packed{}; ///< one frame of Zstandard; empty where there is no shader
    /// The frame of the shader whose words were the dictionary of this one; empty where it was packed by itself.
    /// Variants of one source differ little, so that most of them come to a tenth of what they take alone.
    std::span<const std::byte> like{};

    bool empty() const { return packed.empty(); }
};

/// The words of SPIR-V; none where the shader is empty. Throws Error (Internal) with `name` where the frames are
/// damaged.
std::vector<std::uint32_t> unpackShader(const Shader& shader, const std::string& name);

} // namespace aureole::gpu
