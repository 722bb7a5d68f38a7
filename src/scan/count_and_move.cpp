#include "scan/count_and_move.h"

#include <algorithm>

#include "core/divide_up.h"
#include "core/error.h"
#include "scan_shaders.h"
#include "shared/scan.h"
#include "shared/specialization.h"

namespace aureole::scan {

namespace {

struct SortShaders {
    gpu::Shader count;
    gpu::Shader scatter;
};

/// Empty where there are none.
SortShaders shadersFor(std::uint32_t keys) {
    switch (keys) {
    case 4:
        return {shaders::sort_count_4(), shaders::sort_scatter_4()};
    case 8:
        return {shaders::sort_count_8(), shaders::sort_scatter_8()};
    case 16:
        return {shaders::sort_count_16(), shaders::sort_scatter_16()};
    default:
        return {};
    }
}

std::uint32_t poolWords(const TileShape& shape, std::uint32_t keys) {
    return std::max(shape.workgroupSize * keys, shape.subgroups() * SORT_DIGITS);
}

} // namespace

bool CountAndMove::hasKeys(std::uint32_t keys) {
    return !shadersFor(keys).scatter.empty();
}

std::uint32_t CountAndMove::tileBytes(const TileShape& shape, std::uint32_t keys) {
    return (poolWords(shape, keys) + 2 * SORT_DIGITS) * 4;
}

CountAndMove::CountAndMove(const gpu::Device& device, const TileShape& shape, std::uint32_t keys, bool values,
                           bool native, std::uint64_t maximumCount)
    : tileKeys_(shape.workgroupSize * keys) {
    const std::uint64_t counts = std::uint64_t{SORT_DIGITS} * divideUp(maximumCount, tileKeys_);
    if (counts > kMostItems) {
        fail(ExitCode::Internal, "sort: tiles of {} keys for {} keys, expected at least {}", tileKeys_, maximumCount,
             divideUp(maximumCount * SORT_DIGITS, kMostItems));
    }
    const SortShaders shaders = shadersFor(keys);
    constexpr std::uint32_t kPushBytes = sizeof(shared::SortPush);
    count_ = createTilePipeline(device, "sort.count", shaders.count, shape, native, kPushBytes);
    scatter_ =
        createTilePipeline(device, "sort.scatter", shaders.scatter, shape, native, kPushBytes,
                           {{SPEC_SORT_POOL_WORDS, poolWords(shape, keys)}, {SPEC_SORT_VALUES, values ? 1U : 0U}});
    ScanOptions scan;
    scan.maximumCount = counts;
    scan.kind = Kind::Exclusive;
    scan.subgroups = native ? Subgroups::Native : Subgroups::Emulated;
    scan.method = Method::ReduceThenScan; // as this sort waits for nobody
    scan_ = plan(device, scan);
    counts_ = device.createBuffer(counts * 4, gpu::MemoryKind::Device, "sort counts");
}

void CountAndMove::execute(gpu::CommandEncoder& commands, const SortRun& run) {
    SortArrays from = run.input;
    for (std::uint32_t pass = 0; pass < run.passes; ++pass) {
        const SortArrays to = (run.passes - pass) % 2 == 1 ? run.output : run.scratch;
        const std::uint32_t shift = std::min(run.beginBit + pass * run.digitBits, run.endBit);
        if (pass > 0) {
            commands.barrier();
        }
        recordPass(commands, from, to, run.count, shift, std::min(run.digitBits, run.endBit - shift));
        from = to;
    }
}

void CountAndMove::recordPass(gpu::CommandEncoder& commands, const SortArrays& from, const SortArrays& to,
                              std::uint32_t count, std::uint32_t shift, std::uint32_t bits) {
    shared::SortPush push{};
    push.sourceKeys = from.keys;
    push.sourceValues = from.values;
    push.targetKeys = to.keys;
    push.targetValues = to.values;
    push.counts = counts_.address();
    push.count = count;
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
