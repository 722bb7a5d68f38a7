#pragma once

// The SPIR-V functions that checked shaders call. Internal to the module gpu.

#include <cstdint>

#include "gpu/bounds/spirv_writer.h"

namespace aureole::gpu::spirv {

/// Writes the functions, which report to a ChecksBlock, and calls of them.
class CheckFunctions {
public:
    /// `block` is the address of the ChecksBlock.
    CheckFunctions(Globals& globals, std::uint32_t& idBound, std::uint64_t block);

    /// The functions themselves, to stand at the end of the module.
    const Writer& functions() const { return functions_; }

    struct Access {
        std::uint32_t base = 0;    ///< id of the address that the access started from
        std::uint32_t address = 0; ///< id of that of its first byte
        std::uint64_t bytes = 0;
        std::uint64_t alignment = 1;
        bool writes = false;
        std::uint32_t site = 0;
    };
    /// The id of the address to use instead: the same one where the access lies in one buffer, and else one where it
    /// does no harm.
    std::uint32_t checkAddress(Writer& writer, const Access& access);
    /// The id of the index to use instead: the same one where it is below the length, and else 0. All are ids of
    /// 32-bit unsigned integers but the site.
    std::uint32_t checkIndex(Writer& writer, std::uint32_t index, std::uint32_t length, std::uint32_t site);

private:
    void writeAddressFunction();
    void writeIndexFunction();
    std::uint32_t binary(Op op, std::uint32_t a, std::uint32_t b) { return functions_.add(op, u64_, {a, b}); }
    /// What lies at an address, of 32 or 64 bits.
    std::uint32_t load(std::uint32_t type, std::uint32_t address);
    /// Stores 64 bits.
    void store(std::uint32_t address, std::uint32_t value);
    /// The id of the PageEntry's address of the buffer that holds an address.
    std::uint32_t pageEntry(std::uint32_t address);
    /// Ends the function: reports unless `fits`, and returns one of the two.
    void reportUnless(std::uint32_t fits, std::uint32_t site, std::uint32_t value, std::uint32_t base);

    Globals& globals_;
    std::uint64_t block_;
    std::uint32_t u32_;
    std::uint32_t u64_;
    Writer functions_;
    std::uint32_t address_;
    std::uint32_t index_;
};

} // namespace aureole::gpu::spirv
