#pragma once

// Checks of every access to memory, written into a compiled shader. Internal to these checks.
//
// Each load, store and atomic operation on memory reached by address must lie, from its first to its last byte, in the
// buffer that its pointer started from, and have the alignment that the shader promised; each index into an array or
// vector of a known length, in any memory, must be below it. What does not goes into the ChecksBlock and is
// led to where it does no harm. As this starts from the compiled instructions, no access can be forgotten.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace aureole::gpu {

/// A place in a shader that is checked.
struct CheckedSite {
    bool isIndex = false;        ///< an index of an array; else an access by address
    std::string what{};          ///< "load", or the name of the array, where the shader has names
    std::uint64_t bytes = 0;     ///< of the access
    std::uint64_t alignment = 1; ///< that it wants
    std::uint64_t stride = 0;    ///< of the elements of the array that the access is in; 0 where it is in none
    std::string line{};          ///< "file:line", where the shader tells
};

struct CheckedShader {
    std::vector<std::uint32_t> spirv;
    std::vector<CheckedSite> sites; ///< that of site `firstSite` first
};

/// A shader with checks that report to the ChecksBlock at address `block`. `spirv` is valid.
/// Throws Error (Internal) naming the shader where it does what checks do not know.
CheckedShader addChecks(std::span<const std::uint32_t> spirv, const std::string& shader, std::uint64_t block,
                        std::uint32_t firstSite);

} // namespace aureole::gpu
