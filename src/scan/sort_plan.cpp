#include "scan/sort_plan.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/divide_up.h"
#include "core/error.h"
#include "scan/device_defaults.h"
#include "shared/scan.h"

namespace aureole::scan {

namespace {

constexpr std::uint32_t kDigitBits = 8;

void checkOptions(const SortOptions& options) {
    if (options.maximumCount < 1 || options.maximumCount > kMostItems) {
        fail(ExitCode::Internal, "sort: a maximum of {} keys, expected 1 to {}", options.maximumCount, kMostItems);
    }
    if (options.beginBit >= options.endBit || options.endBit > kKeyBits) {
        fail(ExitCode::Internal, "sort: bits {} to {}, expected a range within 0 to {}", options.beginBit,
             options.endBit, kKeyBits);
    }
    if (options.lookBack > SORT_MOST_LOOK_BACK) {
        fail(ExitCode::Internal, "sort: a look-back over {} tiles at a time, expected at most {}", options.lookBack,
             SORT_MOST_LOOK_BACK);
    }
}

/// What the options and the device's defaults come to.
struct Choice {
    bool onesweep = false;
    TileShape shape;
    std::uint32_t keys = 0;
    bool native = false;
    std::uint32_t lookBack = 0;
};

Choice choose(const gpu::DeviceInfo& info, const DeviceDefaults& defaults, const SortOptions& options) {
    Choice choice;
    choice.onesweep =
        options.method == SortMethod::Onesweep || (options.method == SortMethod::Fastest && defaults.forwardProgress);
    choice.shape.subgroupSize = info.subgroupSize;
    const bool isFew = options.maximumCount < kManyKeys;
    choice.shape.workgroupSize = !choice.onesweep ? defaults.sortWorkgroupSize
                                 : isFew          ? defaults.onesweepFewWorkgroupSize
                                 : options.values ? defaults.onesweepWorkgroupSize
                                                  : defaults.onesweepAloneWorkgroupSize;
    if (options.workgroupSize != 0) {
        choice.shape.workgroupSize = options.workgroupSize;
    }
    choice.shape.items = 1;
    choice.shape.rows = 1;
    choice.keys = !choice.onesweep ? defaults.sortKeys
                  : isFew          ? defaults.onesweepFewKeys
                  : options.values ? defaults.onesweepKeys
                                   : defaults.onesweepAloneKeys;
    if (options.keys != 0) {
        choice.keys = options.keys;
    }
    choice.native = options.subgroups == Subgroups::Native;
    if (choice.onesweep) {
        choice.lookBack = options.lookBack != 0 ? options.lookBack : defaults.onesweepLookBack;
    }
    return choice;
}

std::string whyNoTile(const gpu::DeviceInfo& info, const Choice& choice) {
    if (!(choice.onesweep ? Onesweep::hasKeys(choice.keys) : CountAndMove::hasKeys(choice.keys))) {
        return fmt::format("sort: {} keys an invocation, expected {}", choice.keys,
                           choice.onesweep ? "4, 8, 12, 16, 20 or 24" : "4, 8 or 16");
    }
    const std::uint32_t room = info.workgroupMemoryBytes;
    const std::uint32_t bytes = choice.onesweep ? Onesweep::tileBytes(choice.shape, choice.keys, room)
                                                : CountAndMove::tileBytes(choice.shape, choice.keys);
    if (bytes > room) {
        return fmt::format("sort: {} bytes of workgroup memory for workgroups of {} and {} keys, '{}' has {}", bytes,
                           choice.shape.workgroupSize, choice.keys, info.name, room);
    }
    return {};
}

} // namespace

std::string whyNoTile(const gpu::DeviceInfo& info, const SortOptions& options) {
    return whyNoTile(info, choose(info, defaultsFor(info), options));
}

SortPlan planSort(const gpu::Device& device, const SortOptions& options) {
    checkOptions(options);
    const DeviceDefaults defaults = defaultsFor(device.info());
    const auto [onesweep, shape, keys, native, lookBack] = choose(device.info(), defaults, options);
    checkShape(shape, device.info());
    if (const std::string why = whyNoTile(device.info(), options); !why.empty()) {
        fail(ExitCode::Internal, "{}", why);
    }
    SortPlan result;
    result.options_ = options;
    result.usesOnesweep_ = onesweep;
    result.lookBack_ = lookBack;
    result.workgroupSize_ = shape.workgroupSize;
    result.tileKeys_ = shape.workgroupSize * keys;
    if (onesweep) {
        // As many invocations as a scan's workgroups have.
        const std::uint32_t counting = std::max(1U, defaults.workgroups * defaults.workgroupSize / shape.workgroupSize);
        result.onesweep_ = Onesweep(
            device, shape,
            {keys, options.values, native, lookBack, std::min(options.patience, defaults.mostPatience), counting},
            options.maximumCount);
    } else {
        result.countAndMove_ = CountAndMove(device, shape, keys, options.values, native, options.maximumCount);
    }
    using gpu::MemoryKind;
    result.keys_ = device.createBuffer(options.maximumCount * 8, MemoryKind::Device, "sort keys");
    if (options.values) {
        result.values_ = device.createBuffer(options.maximumCount * 4, MemoryKind::Device, "sort values");
    }
    return result;
}

std::uint64_t SortPlan::scratchBytes() const {
    return keys_.size() + values_.size() + countAndMove_.scratchBytes() + onesweep_.scratchBytes();
}

std::uint32_t SortPlan::passes() const {
    return divideUp(options_.endBit - options_.beginBit, kDigitBits);
}

void SortPlan::execute(gpu::CommandEncoder& commands, SortArrays input, SortArrays output, std::uint64_t count) {
    if (!options_.values) {
        input.values = output.values = 0;
    }
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
    const bool inPlace = input.keys == output.keys && input.values == output.values;
    const auto overlap = [count](std::uint64_t a, std::uint64_t b, std::uint64_t bytes) {
        return a < b + count * bytes && b < a + count * bytes;
    };
    if (!inPlace &&
        (overlap(input.keys, output.keys, 8) || (options_.values && overlap(input.values, output.values, 4)))) {
        fail(
            ExitCode::Internal,
            "sort: {} keys at {:#x} into {:#x}, values at {:#x} into {:#x} overlap, expected the same arrays or others",
            count, input.keys, output.keys, input.values, output.values);
    }
    // In place the first pass must go to scratch, so their number must be even: an odd one gets a pass more, and
    // narrower digits.
    SortRun run;
    run.input = input;
    run.output = output;
    run.scratch = {keys_.address(), options_.values ? values_.address() : 0};
    run.count = static_cast<std::uint32_t>(count);
    run.beginBit = options_.beginBit;
    run.endBit = options_.endBit;
    run.inPlace = inPlace;
    run.passes = passes() + (run.inPlace ? passes() % 2 : 0);
    run.digitBits = divideUp(options_.endBit - options_.beginBit, run.passes);
    if (usesOnesweep_) {
        onesweep_.execute(commands, run);
    } else {
        countAndMove_.execute(commands, run);
    }
}

} // namespace aureole::scan
