#include "gpu_test/bounds/bounds_checks.h"

#include <cstring>

#include <fmt/ranges.h>

#include "core/error.h"
#include "gpu/context.h"

namespace aureole::gpu {

BoundsChecks::BoundsChecks(Context& context)
    : context_(context) {
    try {
        allocate(context, ChecksBlock::kBytes, MemoryKind::Readback, "bounds checks", block_);
    } catch (...) {
        free(context_, block_);
        throw;
    }
    // The tables of ranges are cleared as they come into use.
    std::memset(block_.mapped, 0, ChecksBlock::kPagesAt + kPagesPerRange * sizeof(PageEntry));
}

BoundsChecks::~BoundsChecks() {
    free(context_, block_);
}

PageEntry& BoundsChecks::page(std::uint64_t address) {
    std::uint32_t& range = at<std::uint32_t>(ChecksBlock::kRangesAt)[(address >> kRangeShift) % kRanges];
    if (range == 0) {
        if (usedRanges_ == kUsedRanges) {
            fail(ExitCode::OutOfMemory, "checks of bounds: buffers in more than {} ranges of addresses of 4 GiB",
                 kUsedRanges - 1);
        }
        range = usedRanges_++;
        std::memset(at<PageEntry>(ChecksBlock::kPagesAt) + range * kPagesPerRange, 0,
                    kPagesPerRange * sizeof(PageEntry));
    }
    const std::uint64_t place = range * kPagesPerRange + (address >> kPageShift) % kPagesPerRange;
    return at<PageEntry>(ChecksBlock::kPagesAt)[place];
}

void BoundsChecks::add(std::uint64_t address, std::uint64_t bytes, const std::string& name) {
    buffers_[address] = {bytes, name};
    for (std::uint64_t offset = 0; offset < bytes; offset += kPageBytes) {
        page(address + offset) = {address, bytes};
    }
}

void BoundsChecks::remove(std::uint64_t address) {
    const auto found = buffers_.find(address);
    if (found == buffers_.end()) {
        return;
    }
    for (std::uint64_t offset = 0; offset < found->second.bytes; offset += kPageBytes) {
        page(address + offset) = {0, 0};
    }
    buffers_.erase(found);
}

std::vector<std::uint32_t> BoundsChecks::instrument(std::span<const std::uint32_t> spirv, const std::string& shader) {
    CheckedShader checked = addChecks(spirv, shader, block_.address, nextSite_);
    const std::uint32_t first = nextSite_;
    nextSite_ += static_cast<std::uint32_t>(checked.sites.size());
    if (!checked.sites.empty()) {
        shaders_[first] = {shader, std::move(checked.sites)};
    }
    return std::move(checked.spirv);
}

std::string BoundsChecks::describeAccess(const CheckedSite& site, const BoundsReport& report) const {
    const std::string access = fmt::format("{} of {} bytes", site.what, site.bytes);
    auto buffer = buffers_.upper_bound(report.base);
    const bool inNone = buffer == buffers_.begin() || (--buffer, report.base - buffer->first > buffer->second.bytes);
    if (inNone) {
        return fmt::format("{} at address {:#x} by way of {:#x}, which is in no buffer", access, report.value,
                           report.base);
    }
    const auto& [begin, named] = *buffer;
    // Below the buffer's beginning comes out as a negative number.
    const auto offset = static_cast<std::int64_t>(report.value - begin);
    std::string text =
        fmt::format("{} at byte {} of buffer '{}', which has {}", access, offset, named.name, named.bytes);
    if (site.stride > 0) {
        text +=
            fmt::format("; element {} of the array at its byte {}",
                        static_cast<std::int64_t>(report.value - report.base) / static_cast<std::int64_t>(site.stride),
                        report.base - begin);
    }
    if (report.value % site.alignment != 0) {
        text += fmt::format("; expected a multiple of {}", site.alignment);
    }
    return text;
}

std::string BoundsChecks::describe(const BoundsReport& report) const {
    auto shader = shaders_.upper_bound(static_cast<std::uint32_t>(report.site));
    if (shader == shaders_.begin()) {
        return fmt::format("a shader's report of the unknown site {}", report.site);
    }
    --shader;
    const CheckedSite& site = shader->second.sites.at(static_cast<std::size_t>(report.site) - shader->first);
    const std::string what = site.isIndex
                                 ? fmt::format("index {} of {} of {} elements", report.value, site.what, report.base)
                                 : describeAccess(site, report);
    return fmt::format("shader '{}'{}{}: {}", shader->second.name, site.line.empty() ? "" : ", ", site.line, what);
}

std::string BoundsChecks::takeReports() {
    constexpr std::size_t kMostLines = 8;
    std::vector<std::string> lines;
    std::size_t more = 0;
    for (BoundsReport& report : std::span(at<BoundsReport>(ChecksBlock::kReportsAt), kReports)) {
        if (report.site == 0) {
            continue;
        }
        if (lines.size() < kMostLines) {
            lines.push_back(describe(report));
        } else {
            ++more;
        }
        report = {};
    }
    if (more > 0) {
        lines.push_back(fmt::format("and {} more", more));
    }
    return fmt::format("{}", fmt::join(lines, "\n"));
}

} // namespace aureole::gpu
