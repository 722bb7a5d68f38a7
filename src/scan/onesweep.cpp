#include "scan/onesweep.h"

#include <algorithm>

#include "core/divide_up.h"
#include "core/error.h"
#include "scan_shaders.h"
#include "shared/scan.h"
#include "shared/specialization.h"

namespace aureole::scan {

namespace {

constexpr std::uint32_t kKeysCounted = 8; ///< by an invocation at a time, in shaders/scan/onesweep_count.comp
constexpr std::uint32_t kCountsDeep = 2;  ///< how often at least, where all workgroups count
constexpr std::uint32_t kWordBytes = 4;
constexpr std::uint64_t kMostStatusWords = 1ULL << 31; ///< of a table: the shaders count them in 32 bits

/// Empty where there is none.
gpu::Shader passShaderFor(std::uint32_t keys) {
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
        return {};
    }
}

/// Words where `planes` words of each key lie in workgroup memory together.
std::uint32_t poolWords(const TileShape& shape, std::uint32_t keys, std::uint32_t planes) {
    return std::max(planes * shape.workgroupSize * keys, shape.subgroups() * SORT_DIGITS);
}

/// Beside the pool: digit totals and offsets, totals of runs of digits, the ticket.
std::uint32_t wordsBesidePool(const TileShape& shape) {
    return 2 * SORT_DIGITS + SORT_DIGITS / shape.subgroupSize + 1;
}

/// Words of each key that are put in order together: 2 where there is room.
std::uint32_t planesFor(const TileShape& shape, std::uint32_t keys, std::uint32_t room) {
    return (poolWords(shape, keys, 2) + wordsBesidePool(shape)) * kWordBytes <= room ? 2 : 1;
}

} // namespace

Onesweep::Onesweep(const gpu::Device& device, const TileShape& shape, const OnesweepTuning& tuning,
                   std::uint64_t maximumCount)
    : workgroupSize_(shape.workgroupSize)
    , tileKeys_(shape.workgroupSize * tuning.keys)
    , workgroups_(tuning.workgroups) {
    createPipelines(device, shape, tuning);
    const std::uint64_t table = std::uint64_t{SORT_DIGITS} * divideUp(maximumCount, tileKeys_);
    if (table > kMostStatusWords) {
        fail(ExitCode::Internal, "sort: tiles of {} keys for {} keys, expected at least {}", tileKeys_, maximumCount,
             divideUp(maximumCount * SORT_DIGITS, kMostStatusWords));
    }
    constexpr std::uint32_t kWorkWords = SORT_WORK_WORDS;
    constexpr std::uint64_t kWorkBytes = kWorkWords * std::uint64_t{kWordBytes};
    work_ = device.createBuffer(kWorkBytes, gpu::MemoryKind::Device, "sort work");
    status_ = device.createBuffer(2 * table * kWordBytes, gpu::MemoryKind::Device, "sort status");
    gpu::CommandEncoder commands = device.encoder();
    commands.fill(work_, 0, kWorkBytes, 0);
    device.submit(std::move(commands));
}

bool Onesweep::hasKeys(std::uint32_t keys) {
    return !passShaderFor(keys).empty();
}

std::uint32_t Onesweep::tileBytes(const TileShape& shape, std::uint32_t keys, std::uint32_t room) {
    return (poolWords(shape, keys, planesFor(shape, keys, room)) + wordsBesidePool(shape)) * kWordBytes;
}

void Onesweep::createPipelines(const gpu::Device& device, const TileShape& shape, const OnesweepTuning& tuning) {
    const std::uint32_t planes = planesFor(shape, tuning.keys, device.info().workgroupMemoryBytes);
    constexpr std::uint32_t kPushBytes = sizeof(shared::OnesweepPush);
    const auto make = [&](const char* name, const gpu::Shader& shader,
                          const std::vector<gpu::Specialization>& extra = {}) {
        return createTilePipeline(device, name, shader, shape, tuning.native, kPushBytes, extra);
    };
    count_ = make("sort.count_all", shaders::onesweep_count());
    plan_ = make("sort.plan", shaders::onesweep_plan());
    pass_ = make("sort.pass", passShaderFor(tuning.keys),
                 {{SPEC_SORT_POOL_WORDS, poolWords(shape, tuning.keys, planes)},
                  {SPEC_SORT_PLANES, planes},
                  {SPEC_SORT_VALUES, tuning.values ? 1U : 0U},
                  {SPEC_SCAN_PATIENCE, tuning.patience},
                  {SPEC_SORT_LOOK_BACK, tuning.lookBack}});
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
    const std::uint64_t counted = std::uint64_t{workgroupSize_} * kKeysCounted * kCountsDeep;
    const std::uint32_t counting = divideUp(run.count, counted);
    dispatchMany(commands, count_, push, std::min(workgroups_, counting));
    commands.dispatchBarrier();
    dispatchMany(commands, plan_, push, 1);
    for (push.pass = 0; push.pass < run.passes; ++push.pass) {
        commands.dispatchBarrier();
        dispatchMany(commands, pass_, push, push.tiles);
    }
}

} // namespace aureole::scan
