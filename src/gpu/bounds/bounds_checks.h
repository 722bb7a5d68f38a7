#pragma once

// Checks of every memory access of a device's shaders, for tests: slow, and with memory of their own.
// Internal to the module gpu.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "gpu/allocation.h"
#include "gpu/bounds/add_checks.h"
#include "gpu/bounds/checks_block.h"

namespace aureole::gpu {

class BoundsChecks {
public:
    /// Allocates the ChecksBlock. Throws as allocate().
    explicit BoundsChecks(Context& context);
    ~BoundsChecks();
    BoundsChecks(const BoundsChecks&) = delete;
    BoundsChecks& operator=(const BoundsChecks&) = delete;
    BoundsChecks(BoundsChecks&&) = delete;
    BoundsChecks& operator=(BoundsChecks&&) = delete;

    /// From now on shaders may reach these bytes. The address is a multiple of kPageBytes, and nothing else lies on the
    /// pages. Throws Error (OutOfMemory) where the buffers spread over too many ranges of addresses.
    void add(std::uint64_t address, std::uint64_t bytes, const std::string& name);
    /// From now on they may not. Nothing happens where the address was not added.
    void remove(std::uint64_t address);

    /// The shader with its checks. Throws as addChecks().
    std::vector<std::uint32_t> instrument(std::span<const std::uint32_t> spirv, const std::string& shader);

    /// What accesses outside of buffers were found since the last call, a line each; "" where there were none. The
    /// commands have ended.
    std::string takeReports();

private:
    struct NamedBuffer {
        std::uint64_t bytes = 0;
        std::string name;
    };
    struct InstrumentedShader {
        std::string name;
        std::vector<CheckedSite> sites;
    };

    template <typename T>
    T* at(std::uint64_t offset) const {
        return reinterpret_cast<T*>(block_.mapped + offset);
    }
    PageEntry& page(std::uint64_t address);
    std::string describe(const BoundsReport& report) const;
    std::string describeAccess(const CheckedSite& site, const BoundsReport& report) const;

    Context& context_;
    Allocation block_;
    std::uint32_t usedRanges_ = 1; ///< the first stays empty
    std::map<std::uint64_t, NamedBuffer> buffers_;
    std::map<std::uint32_t, InstrumentedShader> shaders_; ///< by the id of their first site
    std::uint32_t nextSite_ = 1;
};

} // namespace aureole::gpu
