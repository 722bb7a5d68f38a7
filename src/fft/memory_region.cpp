#include "fft/memory_region.h"

#include <algorithm>
#include <limits>

#include "core/error.h"

namespace aureole::fft {

namespace {

void checkAddress(const MemoryRegion& region) {
    if (region.address % region.elementBytes != 0) {
        fail(ExitCode::BadInput, "FFT: the {} is at address {:#x}; expected a multiple of {}", region.name,
             region.address, region.elementBytes);
    }
    const std::uint64_t bytes = region.bytes();
    if (bytes > std::numeric_limits<std::uint64_t>::max() - region.address) {
        fail(ExitCode::BadInput, "FFT: the {} has {} bytes at address {:#x}; expected an end below 2^64", region.name,
             bytes, region.address);
    }
}

/// Each dimension steps over all that the shorter ones reach.
void checkDistinct(const MemoryRegion& region) {
    std::array<Extent, 3> layout = region.layout;
    std::sort(layout.begin(), layout.end(), [](const Extent& a, const Extent& b) { return a.stride < b.stride; });
    std::uint64_t reach = 0;
    for (const Extent& extent : layout) {
        if (extent.count > 1 && extent.stride <= reach) {
            fail(ExitCode::BadInput,
                 "FFT: the {} has {} values, lines or images {} elements apart, where others fill {}; expected values "
                 "that share no memory",
                 region.name, extent.count, extent.stride, reach + 1);
        }
        reach += extent.count > 1 ? (extent.count - 1) * extent.stride : 0;
    }
}

bool areSeparate(const MemoryRegion& a, const MemoryRegion& b) {
    return a.address + a.bytes() <= b.address || b.address + b.bytes() <= a.address;
}

bool isStep(const Extent& extent, std::uint64_t stride) {
    return extent.count <= 1 || extent.stride == stride;
}

/// Whether each line has the same bytes on both sides.
bool isInPlace(const MemoryRegion& a, const MemoryRegion& b) {
    bool same = a.address == b.address;
    if (a.elementBytes == b.elementBytes) {
        same = same && isStep(a.layout[0], b.layout[0].stride);
    } else {
        same = same && isStep(a.layout[0], 1) && isStep(b.layout[0], 1);
    }
    for (const std::size_t i : {1U, 2U}) {
        same = same && (a.layout.at(i).count <= 1 ||
                        a.layout.at(i).stride * a.elementBytes == b.layout.at(i).stride * b.elementBytes);
    }
    return same;
}

[[noreturn]] void failOverlap(const MemoryRegion& a, const MemoryRegion& b, std::string_view expected) {
    fail(ExitCode::BadInput, "FFT: the {}, {} bytes at address {:#x}, overlaps the {}, {} bytes at {:#x}; expected {}",
         a.name, a.bytes(), a.address, b.name, b.bytes(), b.address, expected);
}

} // namespace

void checkRegions(const MemoryRegion& target, const MemoryRegion& source) {
    checkAddress(target);
    checkAddress(source);
    checkDistinct(target);
    if (!areSeparate(target, source) && !isInPlace(target, source)) {
        failOverlap(target, source, "separate memory, or each line in the same bytes on both sides");
    }
}

void checkSeparate(const MemoryRegion& a, const MemoryRegion& b) {
    checkAddress(a);
    if (!areSeparate(a, b)) {
        failOverlap(a, b, "separate memory");
    }
}

} // namespace aureole::fft
