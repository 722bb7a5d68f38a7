#include "scan/scan_plan.h"

#include <algorithm>

#include "core/divide_up.h"
#include "core/error.h"
#include "scan/device_defaults.h"
#include "scan_chunks_variants.h"
#include "scan_look_back_variants.h"
#include "scan_reduce_variants.h"
#include "scan_subgroups_variants.h"
#include "shared/scan.h"
#include "shared/specialization.h"

namespace aureole::scan {

namespace {

constexpr std::uint64_t kCounterBytes = 16;             ///< of the scratch, before totals or status words
constexpr std::uint32_t kMostSubgroupWorkgroups = 4096; ///< of Level::Subgroup, whose workgroups loop

void checkOptions(const ScanOptions& options) {
    if (!isSupported(options.type, options.operation)) {
        fail(ExitCode::Internal, "scan: operation {} is not there for type {}", static_cast<int>(options.operation),
             static_cast<int>(options.type));
    }
    if (options.maximumCount < 1 || options.maximumCount > kMostItems) {
        fail(ExitCode::Internal, "scan: a maximum of {} items, expected 1 to {}", options.maximumCount, kMostItems);
    }
    if (options.level != Level::Workgroup && options.segment != 0) {
        fail(ExitCode::Internal, "scan: segments of {} items, expected 0 where they are not a workgroup's",
             options.segment);
    }
}

bool overlap(std::uint64_t a, std::uint64_t bytesOfA, std::uint64_t b, std::uint64_t bytesOfB) {
    return a < b + bytesOfB && b < a + bytesOfA;
}

bool hasRounding(const ScanOptions& options) {
    return options.type == Type::F32 &&
           (options.operation == Operation::Add || options.operation == Operation::Multiply);
}

bool wantsSinglePass(const ScanOptions& options, const DeviceDefaults& defaults) {
    if (options.level != Level::Device || options.kind == Kind::Reduce) {
        return false;
    }
    return options.method == Method::SinglePass ||
           (options.method == Method::Fastest && defaults.forwardProgress && !hasRounding(options));
}

} // namespace

std::uint32_t itemBytes(Type type) {
    return type == Type::U64 ? 8 : 4;
}

bool isSupported(Type type, Operation operation) {
    switch (type) {
    case Type::U32:
    case Type::I32:
        return true;
    case Type::F32:
        return operation <= Operation::Max;
    case Type::U64:
        return operation == Operation::Add;
    }
    return false;
}

ScanPlan plan(const gpu::Device& device, const ScanOptions& options) {
    checkOptions(options);
    const DeviceDefaults defaults = defaultsFor(device.info());
    ScanPlan result;
    result.options_ = options;
    result.shape_.subgroupSize = device.info().subgroupSize;
    result.singlePass_ = wantsSinglePass(options, defaults);
    result.shape_.workgroupSize = options.workgroupSize != 0 ? options.workgroupSize
                                  : result.singlePass_       ? defaults.onePassWorkgroupSize
                                                             : defaults.workgroupSize;
    result.shape_.items = options.items;
    result.shape_.rows = options.level == Level::Subgroup ? 1 : options.rows != 0 ? options.rows : defaults.rows;
    checkShape(result.shape_, device.info());
    result.native_ = options.subgroups == Subgroups::Native;
    result.mayWait_ = defaults.forwardProgress;
    result.patience_ = std::min(options.patience, defaults.mostPatience);
    result.workgroups_ = defaults.workgroups;
    result.onePassWorkgroups_ = options.onePassWorkgroups != 0 ? options.onePassWorkgroups : defaults.onePassWorkgroups;
    if (options.level == Level::Subgroup) {
        result.segment_ = std::uint64_t{result.shape_.subgroupSize} * options.items;
    } else if (options.level == Level::Workgroup) {
        result.segment_ = options.segment != 0 ? options.segment : result.shape_.tileItems();
    }
    result.createPipelines(device);
    result.createScratch(device);
    return result;
}

void ScanPlan::createPipelines(const gpu::Device& device) {
    const auto type = static_cast<std::uint32_t>(options_.type);
    const auto operation = static_cast<std::uint32_t>(options_.operation);
    constexpr std::uint32_t kPushBytes = sizeof(shared::ScanPush);
    const auto make = [&](const char* name, const gpu::Shader& shader,
                          const std::vector<gpu::Specialization>& extra = {}) {
        return createTilePipeline(device, name, shader, shape_, native_, kPushBytes, extra);
    };
    if (options_.level == Level::Subgroup) {
        gpu::Pipeline& pipeline = options_.kind == Kind::Reduce ? reduce_ : scan_;
        pipeline = make("scan.subgroups", shaders::scan_subgroups(type, operation),
                        {{SPEC_SCAN_REDUCE, options_.kind == Kind::Reduce ? 1U : 0U}});
        return;
    }
    if (singlePass_) {
        scan_ = make("scan.look_back", shaders::scan_look_back(type, operation),
                     {{SPEC_SCAN_PATIENCE, patience_}, {SPEC_SCAN_LOOPING, onePassWorkgroups_ != 0 ? 1U : 0U}});
        return;
    }
    if (options_.kind == Kind::Reduce || options_.level == Level::Device) {
        reduce_ = make("scan.reduce", shaders::scan_reduce(type, operation));
    }
    if (options_.kind != Kind::Reduce) {
        scan_ = make("scan.chunks", shaders::scan_chunks(type, operation));
    }
}

void ScanPlan::createScratch(const gpu::Device& device) {
    if (options_.level != Level::Device) {
        return;
    }
    std::uint64_t bytes = kCounterBytes;
    if (singlePass_) {
        bytes += std::uint64_t{4} * itemBytes(options_.type) * divideUp(options_.maximumCount, shape_.tileItems());
    } else {
        bytes += std::uint64_t{itemBytes(options_.type)} * workgroups_;
    }
    scratch_ = device.createBuffer(bytes, gpu::MemoryKind::Device, "scan scratch");
    gpu::CommandEncoder commands = device.encoder();
    commands.fill(scratch_, 0, bytes, 0);
    device.submit(std::move(commands));
}

std::uint64_t ScanPlan::roundings(std::uint64_t count) const {
    // Within a tile: three among the items of a lane, two scans of at most 7 steps, the carries of either.
    const std::uint64_t inTile = 32 + shape_.rows + shape_.subgroups() / shape_.subgroupSize;
    const std::uint64_t tile = shape_.tileItems();
    if (options_.level == Level::Subgroup) {
        return inTile;
    }
    if (options_.level == Level::Workgroup) {
        return inTile + shape_.rows * std::uint64_t{divideUp(std::min(count, segment_), tile)};
    }
    if (singlePass_) { // a missing tile's rows may be added up by one subgroup
        return inTile + shape_.rows * (std::uint64_t{divideUp(count, tile)} + shape_.subgroups());
    }
    const Chunks chunks = cutIntoChunks(count, shape_.tileItems(), workgroups_);
    const std::uint64_t inReduction =
        inTile + shape_.rows * (chunks.items / tile) + chunks.count / shape_.workgroupSize;
    const std::uint64_t inScan = inTile + chunks.items / tile;
    return options_.kind == Kind::Reduce ? inTile + inReduction : inReduction + inTile + inScan;
}

void ScanPlan::execute(gpu::CommandEncoder& commands, std::uint64_t input, std::uint64_t output, std::uint64_t count) {
    if (count > options_.maximumCount) {
        fail(ExitCode::Internal, "scan: {} items, expected at most {} as planned", count, options_.maximumCount);
    }
    if (input % itemBytes(options_.type) != 0 || output % itemBytes(options_.type) != 0) {
        fail(ExitCode::Internal, "scan: input at {:#x}, output at {:#x}, expected multiples of {}", input, output,
             itemBytes(options_.type));
    }
    checkRanges(input, output, count);
    if (options_.level != Level::Device) {
        executeSegments(commands, input, output, count);
    } else if (options_.kind == Kind::Reduce) {
        executeReduction(commands, input, output, count);
    } else if (singlePass_) {
        executeOnce(commands, input, output, count);
    } else {
        executeTwice(commands, input, output, count);
    }
}

void ScanPlan::checkRanges(std::uint64_t input, std::uint64_t output, std::uint64_t count) const {
    const bool reduces = options_.kind == Kind::Reduce;
    const std::uint64_t outputs = !reduces ? count : segment_ == 0 ? 1 : divideUp(count, segment_);
    const std::uint64_t bytes = itemBytes(options_.type);
    const bool inPlace = input == output && !reduces;
    if (!inPlace && overlap(input, count * bytes, output, outputs * bytes)) {
        fail(ExitCode::Internal, "scan: {} items at {:#x} into {} at {:#x} overlap, expected {}", count, input, outputs,
             output, reduces ? "memory of its own for the output" : "one address or memory apart");
    }
    if (inPlace && singlePass_ && !mayWait_) {
        fail(ExitCode::Internal, "scan: in place in one pass, expected another output on devices that promise no "
                                 "progress: a missing tile may be overwritten before it is added up");
    }
}

void ScanPlan::executeSegments(gpu::CommandEncoder& commands, std::uint64_t input, std::uint64_t output,
                               std::uint64_t count) {
    if (count == 0) {
        return;
    }
    shared::ScanPush push{};
    push.source = input;
    push.target = output;
    push.count = count;
    push.chunkItems = segment_;
    push.chunks = divideUp(count, segment_);
    push.exclusive = options_.kind == Kind::Exclusive ? 1 : 0;
    const gpu::Pipeline& pipeline = options_.kind == Kind::Reduce ? reduce_ : scan_;
    if (options_.level == Level::Subgroup) {
        commands.dispatch(pipeline, push, std::min(kMostSubgroupWorkgroups, divideUp(push.chunks, shape_.subgroups())));
    } else {
        dispatchMany(commands, pipeline, push, push.chunks);
    }
}

void ScanPlan::executeReduction(gpu::CommandEncoder& commands, std::uint64_t input, std::uint64_t output,
                                std::uint64_t count) {
    const Chunks chunks = cutIntoChunks(count, shape_.tileItems(), workgroups_);
    shared::ScanPush push{};
    push.source = input;
    push.target = output;
    push.totals = scratch_.address() + kCounterBytes;
    push.counter = scratch_.address();
    push.count = count;
    push.chunkItems = chunks.items;
    push.chunks = chunks.count;
    dispatchMany(commands, reduce_, push, push.chunks);
}

void ScanPlan::executeTwice(gpu::CommandEncoder& commands, std::uint64_t input, std::uint64_t output,
                            std::uint64_t count) {
    if (count == 0) {
        return;
    }
    const Chunks chunks = cutIntoChunks(count, shape_.tileItems(), workgroups_);
    const std::uint64_t totals = scratch_.address() + kCounterBytes;
    shared::ScanPush push{};
    push.source = input;
    push.count = count;
    push.chunkItems = chunks.items;
    push.chunks = chunks.count;
    if (chunks.count > 1) {
        push.target = totals;
        dispatchMany(commands, reduce_, push, push.chunks);
        commands.barrier();
        shared::ScanPush pushTotals{};
        pushTotals.source = totals;
        pushTotals.target = totals;
        pushTotals.count = chunks.count;
        pushTotals.chunkItems = chunks.count;
        pushTotals.chunks = 1;
        pushTotals.exclusive = 1;
        dispatchMany(commands, scan_, pushTotals, 1);
        commands.barrier();
        push.totals = totals;
    }
    push.target = output;
    push.exclusive = options_.kind == Kind::Exclusive ? 1 : 0;
    dispatchMany(commands, scan_, push, push.chunks);
}

void ScanPlan::executeOnce(gpu::CommandEncoder& commands, std::uint64_t input, std::uint64_t output,
                           std::uint64_t count) {
    if (count == 0) {
        return;
    }
    if (epoch_ == SCAN_MOST_EPOCHS) {
        commands.barrier(); // the caller's may be for dispatches alone
        commands.fill(scratch_, kCounterBytes, scratch_.size() - kCounterBytes, 0);
        commands.barrier();
        epoch_ = 0;
    }
    shared::ScanPush push{};
    push.source = input;
    push.target = output;
    push.status = scratch_.address() + kCounterBytes;
    push.counter = scratch_.address();
    push.count = count;
    push.chunkItems = shape_.tileItems();
    push.chunks = divideUp(count, shape_.tileItems());
    push.exclusive = options_.kind == Kind::Exclusive ? 1 : 0;
    push.epoch = ++epoch_;
    // The first ticket is that of the prefixes.
    dispatchMany(commands, scan_, push,
                 (onePassWorkgroups_ != 0 ? std::min(push.chunks, onePassWorkgroups_) : push.chunks) + 1);
}

} // namespace aureole::scan
