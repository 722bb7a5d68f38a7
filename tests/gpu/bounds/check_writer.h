#pragma once

// The SPIR-V of checks. Internal to these checks.

#include <cstdint>
#include <map>

#include "gpu_test/bounds/spirv_writer.h"

namespace aureole::gpu::spirv {

/// Writes checks into blocks, the stretches of code between branches. A buffer is looked up once in a block, and one
/// report ends it, that of the last access that was out of bounds: on a device without real branches (lavapipe) a
/// report costs as much as several accesses.
class CheckWriter {
public:
    /// `writer` gets the checks; `block` is the address of the ChecksBlock.
    CheckWriter(Globals& globals, Writer& writer, std::uint32_t& idBound, std::uint64_t block);

    /// The functions that checks call, to stand at the end of the module.
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
    std::uint32_t checkAddress(const Access& access);
    /// The id of the index to use instead: the same one where it is below the length, and else 0. All are ids of
    /// 32-bit unsigned integers but the site.
    std::uint32_t checkIndex(std::uint32_t index, std::uint32_t length, std::uint32_t site);
    /// To be called before the merge or the branch that ends a block.
    void endBlock();

private:
    /// Ids of what lies where a buffer's entry does.
    struct Buffer {
        std::uint32_t begin = 0;
        std::uint32_t bytes = 0;
    };

    void writeReportFunction();
    std::uint32_t binary(Op op, std::uint32_t a, std::uint32_t b) { return writer_.add(op, u64_, {a, b}); }
    std::uint32_t test(Op op, std::uint32_t a, std::uint32_t b) { return writer_.add(op, globals_.boolean(), {a, b}); }
    std::uint32_t select(std::uint32_t condition, std::uint32_t yes, std::uint32_t no) {
        return writer_.add(OpSelect, u64_, {condition, yes, no});
    }
    /// What lies at an address, of 32 or 64 bits.
    std::uint32_t load(std::uint32_t type, std::uint32_t address);
    /// The buffer that an address is in.
    Buffer bufferOf(std::uint32_t address);
    /// Has the block report unless `fits`. All but the site are ids.
    void reportUnless(std::uint32_t fits, std::uint32_t site, std::uint32_t value, std::uint32_t base);

    Globals& globals_;
    Writer& writer_;
    std::uint64_t block_;
    std::uint32_t u32_;
    std::uint32_t u64_;
    Writer functions_;
    std::uint32_t report_;
    // Of the block under way.
    std::map<std::uint32_t, Buffer> buffers_; ///< by the id of the address
    std::uint32_t site_ = 0;                  ///< ids of what is to be reported; 0: nothing yet
    std::uint32_t value_ = 0;
    std::uint32_t base_ = 0;
};

} // namespace aureole::gpu::spirv
