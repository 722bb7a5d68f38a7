#include "scan/sort_plan.h"

#include "core/error.h"
#include "scan/device_defaults.h"

namespace aureole::scan {

namespace {

constexpr std::uint32_t kKeyBits = 64;
constexpr std::uint32_t kDigitBits = 8;

std::uint32_t divideUp(std::uint32_t a, std::uint32_t b) {
    return (a + b - 1) / b;
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
    SortPlan result;
    result.options_ = options;
    result.usesOnesweep_ =
        options.method == SortMethod::Onesweep || (options.method == SortMethod::Fastest && defaults.forwardProgress);
    const bool onesweep = result.usesOnesweep_;
    TileShape shape;
    shape.subgroupSize = device.info().subgroupSize;
    shape.workgroupSize = options.workgroupSize != 0 ? options.workgroupSize
                          : onesweep                 ? defaults.onesweepWorkgroupSize
                                                     : defaults.sortWorkgroupSize;
    shape.items = 1;
    shape.rows = 1;
    checkShape(shape, device.info());
    const std::uint32_t keys = options.keys != 0 ? options.keys : onesweep ? defaults.onesweepKeys : defaults.sortKeys;
    result.tileKeys_ = shape.workgroupSize * keys;
    const bool native =
        options.subgroups == Subgroups::Native || (options.subgroups == Subgroups::Fastest && defaults.nativeSubgroups);
    if (onesweep) {
        result.onesweep_ =
            Onesweep(device, shape, keys, native, options.patience, options.maximumCount, defaults.workgroups);
    } else {
        result.countAndMove_ = CountAndMove(device, shape, keys, native, options.subgroups, options.maximumCount);
    }
    using gpu::MemoryKind;
    result.keys_ = device.createBuffer(options.maximumCount * 8, MemoryKind::Device, "sort keys");
    result.values_ = device.createBuffer(options.maximumCount * 4, MemoryKind::Device, "sort values");
    return result;
}

std::uint64_t SortPlan::scratchBytes() const {
    return keys_.size() + values_.size() + countAndMove_.scratchBytes() + onesweep_.scratchBytes();
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
    // In place the first pass must go to scratch, so their number must be even: an odd one gets a pass more, and
    // narrower digits.
    SortRun run;
    run.input = input;
    run.output = output;
    run.scratch = {keys_.address(), values_.address()};
    run.count = static_cast<std::uint32_t>(count);
    run.beginBit = options_.beginBit;
    run.endBit = options_.endBit;
    run.inPlace = input.keys == output.keys || input.values == output.values;
    run.passes = passes() + (run.inPlace ? passes() % 2 : 0);
    run.digitBits = divideUp(options_.endBit - options_.beginBit, run.passes);
    if (usesOnesweep_) {
        onesweep_.execute(commands, run);
    } else {
        countAndMove_.execute(commands, run);
    }
}

} // namespace aureole::scan
