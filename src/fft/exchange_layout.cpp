#include "fft/exchange_layout.h"

#include <algorithm>
#include <limits>

#include "core/threads/parallel.h"
#include "shared/fft/fft_exchange.h"

namespace aureole::fft {

namespace {

constexpr std::uint32_t kWarp = 32;
constexpr std::uint32_t kBanks = 32; ///< of 4 bytes
constexpr std::uint32_t kWarpsTried = 2;
constexpr std::uint32_t kNone = 0xFFFFFFFFU;

struct Side {
    bool leaving = false; ///< the stage before the boundary, whose legs are the blocks
    std::uint32_t radix = 0;
    std::uint32_t stride = 0; ///< of the boundary
    bool linesFastest = false;
};

/// The word that boundaryWord in shaders/fft/fft_exchange.glsl gives, without rounds.
std::uint32_t wordOf(const ExchangeTask& task, const Side& side, std::uint32_t blockStride, std::uint32_t lineStride,
                     std::uint32_t invocation, std::uint32_t element) {
    const std::uint32_t line = side.linesFastest ? invocation % task.lines : invocation / task.threads;
    const std::uint32_t thread = side.linesFastest ? invocation / task.lines : invocation % task.threads;
    const std::uint32_t butterfly = thread + element / side.radix * task.threads;
    if (element / side.radix >= task.elements / side.radix || butterfly >= task.length / side.radix) {
        return kNone;
    }
    return line * lineStride + shared::fftExchangeBase(side.leaving, side.radix, side.stride, blockStride, butterfly) +
           element % side.radix * shared::fftExchangeLegStride(side.leaving, side.radix, side.stride, blockStride);
}

/// Cycles of one access by invocations [first, first + count): the most words that share a bank.
std::uint32_t accessCycles(const ExchangeTask& task, const Side& side, std::uint32_t blockStride,
                           std::uint32_t lineStride, std::uint32_t first, std::uint32_t count, std::uint32_t element) {
    const std::uint32_t banks = kBanks * 4 / task.wordBytes;
    std::array<std::uint32_t, kBanks> uses{};
    for (std::uint32_t i = first; i < std::min(first + count, task.threads * task.lines); ++i) {
        const std::uint32_t word = wordOf(task, side, blockStride, lineStride, i, element);
        if (word != kNone) {
            ++uses.at(word % banks);
        }
    }
    return *std::max_element(uses.begin(), uses.end());
}

std::array<Side, 2> sidesOf(const ExchangeTask& task, std::uint32_t boundary) {
    std::uint32_t stride = task.length;
    for (std::uint32_t stage = 0; stage <= boundary; ++stage) {
        stride /= task.radices[stage];
    }
    return {{{true, task.radices[boundary], stride, boundary == 0 ? task.firstLinesFastest : task.laterLinesFastest},
             {false, task.radices[boundary + 1], stride, task.laterLinesFastest}}};
}

/// The boundaries that shuffles do not take.
std::vector<std::uint32_t> boundariesInMemory(const ExchangeTask& task) {
    std::vector<std::uint32_t> boundaries;
    for (std::uint32_t boundary = 0; boundary + 1 < task.radices.size(); ++boundary) {
        if ((task.shuffled >> boundary & 1U) == 0) {
            boundaries.push_back(boundary);
        }
    }
    return boundaries;
}

/// A boundary's layout with the fewest conflicts for a stride of lines; the narrowest of equals.
ExchangeLayout bestBoundary(const ExchangeTask& task, std::uint32_t boundary, std::uint32_t lineStride,
                            std::uint32_t& cycles) {
    const std::uint32_t stride = sidesOf(task, boundary)[0].stride;
    const std::uint32_t blocks = task.length / stride;
    const std::uint32_t banks = kBanks * 4 / task.wordBytes;
    ExchangeLayout best{stride, blocks};
    cycles = std::numeric_limits<std::uint32_t>::max();
    for (std::uint32_t pad = 0; pad < banks && blocks * (stride + pad) <= lineStride; ++pad) {
        const std::uint32_t needed = bankCycles(task, boundary, stride + pad, lineStride, kWarpsTried);
        if (needed < cycles) {
            cycles = needed;
            best.blockStride = stride + pad;
        }
    }
    return best;
}

/// The lines' values in rounds: blocks at a time, unpadded but for one word; none where not even a block fits.
ExchangeLayouts layOutRounds(const ExchangeTask& task) {
    ExchangeLayouts layouts;
    layouts.lineStride = task.memoryBytes / task.wordBytes / task.lines;
    layouts.words = layouts.lineStride * task.lines;
    for (const std::uint32_t boundary : boundariesInMemory(task)) {
        const std::uint32_t stride = sidesOf(task, boundary)[0].stride;
        const std::uint32_t blockStride = layouts.lineStride > stride ? stride | 1U : stride;
        if (blockStride > layouts.lineStride) {
            return {};
        }
        layouts.boundaries.at(boundary) = {blockStride, layouts.lineStride / blockStride};
    }
    return layouts;
}

} // namespace

std::uint32_t bankCycles(const ExchangeTask& task, std::uint32_t boundary, std::uint32_t blockStride,
                         std::uint32_t lineStride, std::uint32_t warps) {
    const std::uint32_t together = task.wordBytes == 8 ? kWarp / 2 : kWarp;
    std::uint32_t cycles = 0;
    for (const Side& side : sidesOf(task, boundary)) {
        for (std::uint32_t first = 0; first < warps * kWarp; first += together) {
            for (std::uint32_t element = 0; element < task.elements; ++element) {
                cycles += accessCycles(task, side, blockStride, lineStride, first, together, element);
            }
        }
    }
    return cycles;
}

ExchangeLayouts layOutExchanges(const ExchangeTask& task, bool allowRounds) {
    const std::uint32_t banks = kBanks * 4 / task.wordBytes;
    const std::uint32_t fit = task.memoryBytes / task.wordBytes / task.lines;
    const std::vector<std::uint32_t> boundaries = boundariesInMemory(task);
    if (boundaries.empty()) {
        return {{}, 1, task.lines};
    }
    if (fit < task.length) {
        return allowRounds ? layOutRounds(task) : ExchangeLayouts{};
    }
    // An eighth more than the values themselves is room for any padding that pays.
    const std::uint32_t least = std::min(fit, task.length + task.length / 8 + banks);
    const bool mixed = task.lines > 1 && (task.firstLinesFastest || task.laterLinesFastest);
    const std::uint32_t lowest = mixed ? least - std::min(least - task.length, banks - 1) : least;
    struct Tried {
        ExchangeLayouts layouts;
        std::uint32_t cycles = 0;
    };
    std::vector<Tried> tried(least - lowest + 1);
    parallelFor(static_cast<std::int64_t>(tried.size()), 1, [&](std::int64_t i) {
        Tried& one = tried[static_cast<std::size_t>(i)];
        const std::uint32_t lineStride = lowest + static_cast<std::uint32_t>(i);
        one.layouts = {{}, lineStride, lineStride * task.lines};
        for (const std::uint32_t boundary : boundaries) {
            std::uint32_t cycles = 0;
            one.layouts.boundaries.at(boundary) = bestBoundary(task, boundary, lineStride, cycles);
            one.cycles += cycles;
        }
    });
    // The narrowest of equals.
    return std::min_element(tried.begin(), tried.end(),
                            [](const Tried& x, const Tried& y) { return x.cycles < y.cycles; })
        ->layouts;
}

} // namespace aureole::fft
