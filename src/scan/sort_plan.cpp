#include "scan/sort_plan.h"

#include <algorithm>

#include "core/error.h"
#include "scan/device_defaults.h"
#include "scan_shaders.h"
#include "shared/scan.h"

namespace aureole::scan {

namespace {

constexpr std::uint32_t kKeyBits = 64;
constexpr std::uint32_t kDigitBits = 8;

std::uint32_t divideUp(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint32_t>((a + b - 1) / b);
}

struct SortShaders {
    std::span<const std::uint32_t> count;
    std::span<const std::uint32_t> scatter;
};

SortShaders shadersFor(std::uint32_t keys) {
    switch (keys) {
    case 4:
        return {shaders::sort_count_4(), shaders::sort_scatter_4()};
    case 8:
        return {shaders::sort_count_8(), shaders::sort_scatter_8()};
    case 16:
        return {shaders::sort_count_16(), shaders::sort_scatter_16()};
    default:
        fail(ExitCode::Internal, "sort: {} keys an invocation, expected 4, 8 or 16", keys);
    }
}

void checkOptions(const SortOptions& options) {
    if (options.maximumCount < 1 || options.maximumCount > kMostItems) {
        fail(ExitCode::Internal, "sort: a maximum of {} keys, expected 1 to {}", options.maximumCount, kMostItems);
    }
    if (options.beginBit >= options.endBit || options.endBit > kKeyBits) {
        fail(ExitCode::Internal, "sort: bits {} to {}, expected a range within 0 to {}", options.beginBit,
             options.endBit, kKeyBits);
    }
}

} // namespace

SortPlan planSort(const gpu::Device& device, const SortOptions& options) {
    checkOptions(options);
    const DeviceDefaults defaults = defaultsFor(device.info());
    TileShape shape;
    shape.subgroupSize = device.info().subgroupSize;
    shape.workgroupSize = options.workgroupSize != 0 ? options.workgroupSize : defaults.sortWorkgroupSize;
    shape.items = 1;
    shape.rows = 1;
    checkShape(shape, device.info());
    const std::uint32_t keys = options.keys != 0 ? options.keys : defaults.sortKeys;
    const SortShaders shaders = shadersFor(keys);
    const std::uint32_t pool = std::max(shape.workgroupSize * keys, shape.subgroups() * SORT_DIGITS);
    const std::uint32_t bytes = (pool + 2 * SORT_DIGITS) * 4;
    if (bytes > device.info().workgroupMemoryBytes) {
        fail(ExitCode::Internal, "sort: {} bytes of workgroup memory for workgroups of {} and {} keys, '{}' has {}",
             bytes, shape.workgroupSize, keys, device.info().name, device.info().workgroupMemoryBytes);
    }

    SortPlan result;
    result.options_ = options;
    result.tileKeys_ = shape.workgroupSize * keys;
    const bool native =
        options.subgroups == Subgroups::Native || (options.subgroups == Subgroups::Fastest && defaults.nativeSubgroups);
    constexpr std::uint32_t kPushBytes = sizeof(shared::SortPush);
    result.count_ = createTilePipeline(device, "sort.count", shaders.count, shape, native, kPushBytes);
    result.scatter_ =
        createTilePipeline(device, "sort.scatter", shaders.scatter, shape, native, kPushBytes, {{6, pool}});
    const std::uint64_t counts = std::uint64_t{SORT_DIGITS} * divideUp(options.maximumCount, result.tileKeys_);
    ScanOptions scan;
    scan.maximumCount = counts;
    scan.kind = Kind::Exclusive;
    scan.subgroups = options.subgroups;
    result.scan_ = plan(device, scan);
    using gpu::MemoryKind;
    result.counts_ = device.createBuffer(counts * 4, MemoryKind::Device, "sort counts");
    result.keys_ = device.createBuffer(options.maximumCount * 8, MemoryKind::Device, "sort keys");
    result.values_ = device.createBuffer(options.maximumCount * 4, MemoryKind::Device, "sort values");
    return result;
}

std::uint64_t SortPlan::scratchBytes() const {
    return counts_.size() + keys_.size() + values_.size() + scan_.scratchBytes();
}

std::uint32_t SortPlan::passes() const {
    return divideUp(options_.endBit - options_.beginBit, kDigitBits);
}

void SortPlan::execute(gpu::CommandEncoder& commands, const SortArrays& input, const SortArrays& output,
                       std::uint64_t count) {
    if (count > options_.maximumCount) {
        fail(ExitCode::Internal, "sort: {} keys, expected at most {} as planned", count, options_.maximumCount);
    }
    for (const SortArrays& arrays : {input, output}) {
        if (arrays.keys % 8 != 0 || arrays.values % 4 != 0) {
            fail(ExitCode::Internal, "sort: keys at {:#x}, values at {:#x}, expected multiples of 8 and of 4",
                 arrays.keys, arrays.values);
        }
    }
    if (count == 0) {
        return;
    }
    // Passes go to and fro between scratch and output, and end in the output. In place the first must go to scratch, so
    // their number must be even: an odd one gets a pass more, and narrower digits.
    const bool inPlace = input.keys == output.keys || input.values == output.values;
    const std::uint32_t passes = this->passes() + (inPlace ? this->passes() % 2 : 0);
    const std::uint32_t width = divideUp(options_.endBit - options_.beginBit, passes);
    const SortArrays scratch{keys_.address(), values_.address()};
    SortArrays from = input;
    for (std::uint32_t pass = 0; pass < passes; ++pass) {
        const SortArrays to = (passes - pass) % 2 == 1 ? output : scratch;
        const std::uint32_t shift = std::min(options_.beginBit + pass * width, options_.endBit);
        if (pass > 0) {
            commands.barrier();
        }
        recordPass(commands, from, to, count, shift, std::min(width, options_.endBit - shift));
        from = to;
    }
}

void SortPlan::recordPass(gpu::CommandEncoder& commands, const SortArrays& from, const SortArrays& to,
                          std::uint64_t count, std::uint32_t shift, std::uint32_t bits) {
    shared::SortPush push{};
    push.sourceKeys = from.keys;
    push.sourceValues = from.values;
    push.targetKeys = to.keys;
    push.targetValues = to.values;
    push.counts = counts_.address();
    push.count = static_cast<std::uint32_t>(count);
    push.tiles = divideUp(count, tileKeys_);
    push.shift = std::min(shift, kKeyBits - 1);
    push.mask = (1U << bits) - 1;
    dispatchMany(commands, count_, push, push.tiles);
    commands.barrier();
    scan_.execute(commands, counts_.address(), counts_.address(), std::uint64_t{SORT_DIGITS} * push.tiles);
    commands.barrier();
    dispatchMany(commands, scatter_, push, push.tiles);
}

} // namespace aureole::scan
