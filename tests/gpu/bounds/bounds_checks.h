#pragma once

// Checks of every memory access of a device's shaders, for tests: slow, and with memory of their own.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "gpu/allocation.h"
#include "gpu/memory_checks.h"
#include "gpu_test/bounds/add_checks.h"
#include "gpu_test/bounds/checks_block.h"

namespace aureole::gpu {

class BoundsChecks : public MemoryChecks {
public:
    /// Allocates the ChecksBlock. Throws as allocate().
    explicit BoundsChecks(Context& context);
    ~BoundsChecks() override;
    BoundsChecks(const BoundsChecks&) = delete;
    BoundsChecks& operator=(const BoundsChecks&) = delete;
    BoundsChecks(BoundsChecks&&) = delete;
    BoundsChecks& operator=(BoundsChecks&&) = delete;

    /// Throws Error (OutOfMemory) where the buffers spread over too many ranges of addresses.
    void add(std::uint64_t address, std::uint64_t bytes, const std::string& name) override;
    void remove(std::uint64_t address) override;
    /// Throws as addChecks().
    std::vector<std::uint32_t> instrument(std::span<const std::uint32_t> spirv, const std::string& shader) override;
    std::string takeReports() override;

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
