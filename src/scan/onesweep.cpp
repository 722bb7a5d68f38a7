#include "scan/onesweep.h"

#include <algorithm>

#include "core/error.h"
#include "scan_shaders.h"
#include "shared/scan.h"

namespace aureole::scan {

namespace {

constexpr std::uint32_t kKeysCounted = 8; ///< by an invocation at a time, in shaders/onesweep_count.comp
constexpr std::uint32_t kCountsDeep = 2;  ///< how often at least, where all workgroups count
constexpr std::uint32_t kWordBytes = 4;
constexpr std::uint64_t kMostStatusWords = 1ULL << 31; ///< of a table: the shaders count them in 32 bits

std::uint32_t divideUp(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint32_t>((a + b - 1) / b);
}

std::span<const std::uint32_t> passShaderFor(std::uint32_t keys) {
    switch (keys) {
    case 4:
        return shaders::onesweep_pass_4();
    case 8:
        return shaders::onesweep_pass_8();
    case 12:
        return shaders::onesweep_pass_12();
    case 16:
        return shaders::onesweep_pass_16();
    case 20:
        return shaders::onesweep_pass_20();
    case 24:
        return shaders::onesweep_pass_24();
    default:
        fail(ExitCode::Internal, "sort: {} keys an invocation, expected 4, 8, 12, 16, 20 or 24", keys);
    }
}

} // namespace

Onesweep::Onesweep(const gpu::Device& device, const TileShape& shape, std::uint32_t keys, bool native,
                   std::uint32_t patience, std::uint64_t maximumCount, std::uint32_t workgroups)
    : workgroupSize_(shape.workgroupSize)
    , tileKeys_(shape.workgroupSize * keys)
    , workgroups_(workgroups) {
    createPipelines(device, shape, keys, native, patience);
    const std::uint64_t table = std::uint64_t{SORT_DIGITS} * divideUp(maximumCount, tileKeys_);
    if (table > kMostStatusWords) {
        fail(ExitCode::Internal, "sort: tiles of {} keys for {} keys, expected at least {}", tileKeys_, maximumCount,
             divideUp(maximumCount * SORT_DIGITS, kMostStatusWords));
    }
    constexpr std::uint64_t kWorkBytes = SORT_WORK_WORDS * kWordBytes;
    work_ = device.createBuffer(kWorkBytes, gpu::MemoryKind::Device, "sort work");
    status_ = device.createBuffer(2 * table * kWordBytes, gpu::MemoryKind::Device, "sort status");
    gpu::CommandEncoder commands = device.encoder();
    commands.fill(work_, 0, kWorkBytes, 0);
    device.submit(std::move(commands));
}

void Onesweep::createPipelines(const gpu::Device& device, const TileShape& shape, std::uint32_t keys, bool native,
                               std::uint32_t patience) {
    const std::span<const std::uint32_t> passShader = passShaderFor(keys);
    // Beside the pool: digit totals and offsets, totals of runs of digits, the ticket.
    const std::uint32_t others = (2 * SORT_DIGITS + SORT_DIGITS / shape.subgroupSize + 1) * kWordBytes;
    const std::uint32_t room = device.info().workgroupMemoryBytes;
    const auto poolWords = [&](std::uint32_t planes) {
        return std::max(planes * tileKeys_, shape.subgroups() * SORT_DIGITS);
    };
    const std::uint32_t planes = poolWords(2) * kWordBytes + others <= room ? 2 : 1;
    const std::uint32_t bytes = poolWords(planes) * kWordBytes + others;
    if (bytes > room) {
        fail(ExitCode::Internal, "sort: {} bytes of workgroup memory for workgroups of {} and {} keys, '{}' has {}",
             bytes, shape.workgroupSize, keys, device.info().name, room);
    }
    constexpr std::uint32_t kPushBytes = sizeof(shared::OnesweepPush);
    const auto make = [&](const char* name, std::span<const std::uint32_t> spirv,
                          const std::vector<gpu::Specialization>& extra = {}) {
        return createTilePipeline(device, name, spirv, shape, native, kPushBytes, extra);
    };
    count_ = make("sort.count_all", shaders::onesweep_count());
    plan_ = make("sort.plan", shaders::onesweep_plan());
    pass_ = make("sort.pass", passShader, {{6, poolWords(planes)}, {7, planes}, {8, patience}});
}

void Onesweep::execute(gpu::CommandEncoder& commands, const SortRun& run) const {
    shared::OnesweepPush push{};
    push.inputKeys = run.input.keys;
    push.inputValues = run.input.values;
    push.outputKeys = run.output.keys;
    push.outputValues = run.output.values;
    push.scratchKeys = run.scratch.keys;
    push.scratchValues = run.scratch.values;
    push.work = work_.address();
    push.status = status_.address();
    push.count = run.count;
    push.tiles = divideUp(run.count, tileKeys_);
    push.passes = run.passes;
    push.beginBit = run.beginBit;
    push.endBit = run.endBit;
    push.digitBits = run.digitBits;
    push.inPlace = run.inPlace ? 1 : 0;
    const std::uint32_t counting = divideUp(run.count, workgroupSize_ * kKeysCounted * kCountsDeep);
    dispatchMany(commands, count_, push, std::min(workgroups_, counting));
    commands.dispatchBarrier();
    dispatchMany(commands, plan_, push, 1);
    for (push.pass = 0; push.pass < run.passes; ++push.pass) {
        commands.dispatchBarrier();
        dispatchMany(commands, pass_, push, push.tiles);
    }
}

} // namespace aureole::scan
