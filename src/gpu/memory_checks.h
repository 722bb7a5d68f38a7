#pragma once

// Where a program of tests hooks in what checks every memory access of shaders (tests/gpu/bounds). The product has no
// such checks. Internal to the module and to that library.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace aureole::gpu {

class Context;

/// The checks of one device.
class MemoryChecks {
public:
    /// Buffers begin at multiples of so many bytes of addresses, and have all the pages to themselves that they lie on.
    static constexpr std::uint64_t kPageBytes = std::uint64_t{1} << 16U;

    MemoryChecks() = default;
    virtual ~MemoryChecks() = default;
    MemoryChecks(const MemoryChecks&) = delete;
    MemoryChecks& operator=(const MemoryChecks&) = delete;
    MemoryChecks(MemoryChecks&&) = delete;
    MemoryChecks& operator=(MemoryChecks&&) = delete;

    /// From now on shaders may reach these bytes. Throws Error (OutOfMemory) where there are too many buffers.
    virtual void add(std::uint64_t address, std::uint64_t bytes, const std::string& name) = 0;
    /// From now on they may not. Nothing happens where the address was not added.
    virtual void remove(std::uint64_t address) = 0;
    /// The words to give to the driver instead of `spirv`. Throws Error (Internal) where it does what checks do not
    /// know.
    virtual std::vector<std::uint32_t> instrument(std::span<const std::uint32_t> spirv, const std::string& shader) = 0;
    /// What accesses outside of buffers were found since the last call, a line each; "" where there were none. Called
    /// when commands have ended.
    virtual std::string takeReports() = 0;
};

/// Makes the checks of a device that is being opened.
using MakeMemoryChecks = std::unique_ptr<MemoryChecks> (*)(Context& context);

/// Devices that are opened with bounds checked have these checks from now on.
void setMemoryChecks(MakeMemoryChecks make);

/// Null in a program that has no checks.
MakeMemoryChecks memoryChecks();

} // namespace aureole::gpu
